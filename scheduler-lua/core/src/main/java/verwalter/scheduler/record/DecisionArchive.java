package verwalter.scheduler.record;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import verwalter.model.DecisionRecord;
import verwalter.model.Decisions;
import verwalter.scheduler.lua.Code;

/**
 * Recorded runs of the scheduler on disk, one compressed file each, and their code. Errors of
 * reading and writing are passed to {@code warnings} and have no other effect.
 *
 * <p>Thread-safe; calls exclude each other, except that {@link #newestFirst} and {@link #find} do
 * not wait.
 */
public final class DecisionArchive implements Decisions {
  private static final String CODE = ".json.gz";

  /** The number of codes that are remembered for future records. */
  private static final int CODES = 4;

  private final AtomicFileDirectory shelf;
  private final AtomicFileDirectory codes;
  private final RecordLimits limits;
  private final Consumer<String> warnings;
  private final TreeMap<String, Entry> records = new TreeMap<>(); // by file; guarded by this
  private final Map<String, Long> codeSizes = new HashMap<>(); // guarded by this
  private final LinkedHashMap<String, Code> known = new LinkedHashMap<>(); // guarded by this
  private volatile List<Entry> newestFirst = List.of();

  /** The fingerprint of the newest record; computed on first use. Guarded by this. */
  private @Nullable String last;

  private String trouble = ""; // guarded by this

  private DecisionArchive(Path directory, RecordLimits limits, Consumer<String> warnings) {
    this.shelf = new AtomicFileDirectory(directory);
    this.codes = new AtomicFileDirectory(directory.resolve("code"));
    this.limits = limits;
    this.warnings = warnings;
  }

  /** The archive in a directory, which is created if needed. */
  public static DecisionArchive open(
      Path directory, RecordLimits limits, Consumer<String> warnings) {
    var archive = new DecisionArchive(directory, limits, warnings);
    archive.open();
    return archive;
  }

  private synchronized void open() {
    try {
      for (var item : codes.open()) {
        if (item.name().endsWith(CODE)) {
          codeSizes.put(
              item.name().substring(0, item.name().length() - CODE.length()), item.size());
        }
      }
      for (var item : shelf.open()) {
        var entry = RecordFile.parse(item.name(), item.size()).filter(each -> each.bytes() > 0);
        if (entry.isPresent()) {
          records.put(item.name(), entry.get());
        } else {
          warnings.accept(
              shelf.path(item.name()) + " is no record of a decision; it is left alone");
        }
      }
      prune();
    } catch (IOException problem) {
      warnings.accept("cannot read the decisions on record: " + problem);
    }
    newestFirst = list();
  }

  private String readLast(Entry newest) {
    try {
      return RunTexts.of(read(newest)).contents();
    } catch (IOException broken) {
      warnings.accept(String.valueOf(broken.getMessage()));
      return "";
    }
  }

  /** Registers a scheduler's code, which is stored with the records that refer to it. */
  public synchronized void know(Code code) {
    known.remove(code.hash());
    known.put(code.hash(), code);
    while (known.size() > CODES) {
      known.remove(known.keySet().iterator().next());
    }
  }

  /** Records a run, unless it equals the newest one except for the time. */
  public synchronized void add(DecisionRecord record) {
    try {
      if (last == null) {
        last = newestFirst.isEmpty() ? "" : readLast(newestFirst.get(0));
      }
      var texts = RunTexts.of(record);
      var contents = texts.contents();
      if (contents.equals(last)) {
        return;
      }
      keep(texts);
      last = contents;
      trouble = "";
    } catch (IOException | IllegalArgumentException problem) {
      if (!trouble.equals(problem.toString())) {
        trouble = problem.toString();
        warnings.accept(
            "a decision cannot be recorded: %s (scheduling continues)".formatted(problem));
      }
    }
  }

  /**
   * Adds a record of another archive, unless it is here already.
   *
   * @param packed the record, as {@link #packed} returns it
   * @param packedCode its code, as {@link #packedCode} returns it; empty if it is not stored there
   * @throws IOException if the bytes are malformed or cannot be written
   */
  public synchronized void addCopy(byte[] packed, Optional<byte[]> packedCode) throws IOException {
    var record = RecordText.unpack(new ByteArrayInputStream(packed));
    var here = newestFirst.stream().anyMatch(it -> it.id().equals(record.id()));
    if (here) {
      return;
    }
    if (packedCode.isPresent()) {
      know(CodeText.unpack(new ByteArrayInputStream(packedCode.get())));
    }
    keep(RunTexts.of(record));
    last = null;
  }

  private void keep(RunTexts texts) throws IOException {
    var record = texts.record();
    var bytes = RecordText.pack(texts);
    var entry = new Entry(texts.id(), record.at(), texts.schedule(), record.code(), bytes.length);
    keepCode(record.code());
    shelf.write(RecordFile.name(entry), bytes);
    records.put(RecordFile.name(entry), entry);
    prune();
    newestFirst = list();
  }

  private void keepCode(String hash) throws IOException {
    var code = known.get(hash);
    if (code != null && !codeSizes.containsKey(hash)) {
      var bytes = CodeText.pack(code);
      codes.write(hash + CODE, bytes);
      codeSizes.put(hash, (long) bytes.length);
    }
  }

  private void prune() throws IOException {
    long bytes =
        records.values().stream().mapToLong(Entry::bytes).sum()
            + codeSizes.values().stream().mapToLong(size -> size).sum();
    while (records.size() > 1 && (records.size() > limits.runs() || bytes > limits.bytes())) {
      var oldest = records.firstEntry();
      shelf.remove(oldest.getKey());
      records.remove(oldest.getKey());
      bytes -= oldest.getValue().bytes();
      if (records.values().stream().noneMatch(it -> it.code().equals(oldest.getValue().code()))) {
        bytes -= codeSizes.getOrDefault(oldest.getValue().code(), 0L);
      }
    }
    var referred = new HashSet<String>();
    records.values().forEach(each -> referred.add(each.code()));
    for (var hash : Set.copyOf(codeSizes.keySet())) {
      if (!referred.contains(hash)) {
        codes.remove(hash + CODE);
        codeSizes.remove(hash);
      }
    }
  }

  private synchronized List<Entry> list() {
    return List.copyOf(records.descendingMap().values());
  }

  @Override
  public List<Entry> newestFirst() {
    return newestFirst;
  }

  @Override
  public Entry find(String reference) throws Unknown {
    return References.find(newestFirst, reference);
  }

  @Override
  public DecisionRecord read(Entry entry) throws IOException {
    DecisionRecord record;
    try {
      record = RecordText.unpack(new ByteArrayInputStream(packed(entry)));
    } catch (IOException broken) {
      throw new IOException(
          shelf.path(RecordFile.name(entry)) + " is broken: " + broken.getMessage(), broken);
    }
    if (!record.id().equals(entry.id()) || !record.schedule().equals(entry.schedule())) {
      throw new IOException(
          shelf.path(RecordFile.name(entry)) + " is broken: it holds another record");
    }
    return record;
  }

  @Override
  public byte[] packed(Entry entry) throws IOException {
    return shelf.read(RecordFile.name(entry));
  }

  @Override
  public Optional<byte[]> packedCode(String hash) throws IOException {
    boolean kept;
    synchronized (this) {
      kept = codeSizes.containsKey(hash);
    }
    return kept ? Optional.of(codes.read(hash + CODE)) : Optional.empty();
  }

  @Override
  public Optional<Map<String, Object>> code(String hash) throws IOException {
    var packed = packedCode(hash);
    return packed.isEmpty()
        ? Optional.empty()
        : Optional.of(CodeText.tree(CodeText.unpack(new ByteArrayInputStream(packed.get()))));
  }
}
