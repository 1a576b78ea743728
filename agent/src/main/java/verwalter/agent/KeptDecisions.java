package verwalter.agent;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.DecisionRecord;
import verwalter.scheduler.record.CodeText;
import verwalter.scheduler.record.DecisionArchive;
import verwalter.scheduler.record.NoSuchRecord;
import verwalter.scheduler.record.References;
import verwalter.ui.port.Decisions;

/** Adapts the archive of decisions for the HTTP server. */
record KeptDecisions(DecisionArchive archive) implements Decisions {
  @Override
  public List<Entry> newestFirst() {
    return archive.entries().stream().map(KeptDecisions::entry).toList();
  }

  @Override
  public Entry find(String reference) throws Unknown {
    try {
      return entry(References.find(archive.entries(), reference));
    } catch (NoSuchRecord none) {
      throw new Unknown(none.getMessage());
    }
  }

  @Override
  public DecisionRecord read(Entry entry) throws IOException {
    return archive.read(kept(entry));
  }

  @Override
  public byte[] packed(Entry entry) throws IOException {
    return archive.packed(kept(entry));
  }

  @Override
  public Optional<byte[]> packedCode(String hash) throws IOException {
    return archive.code(hash);
  }

  @Override
  public Optional<Map<String, Object>> code(String hash) throws IOException {
    var packed = archive.code(hash);
    return packed.isEmpty()
        ? Optional.empty()
        : Optional.of(CodeText.tree(CodeText.unpack(new ByteArrayInputStream(packed.get()))));
  }

  private static Entry entry(verwalter.scheduler.record.RecordName kept) {
    return new Entry(kept.id(), kept.at(), kept.schedule(), kept.code(), kept.size());
  }

  private static verwalter.scheduler.record.RecordName kept(Entry entry) {
    return new verwalter.scheduler.record.RecordName(
        entry.at(), entry.id(), entry.schedule(), entry.code(), entry.bytes());
  }
}
