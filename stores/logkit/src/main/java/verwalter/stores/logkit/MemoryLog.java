package verwalter.stores.logkit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import verwalter.stores.engine.Entry;
import verwalter.stores.engine.Log;
import verwalter.stores.engine.Sink;
import verwalter.stores.engine.Snapshot;

/** A log whose entries last as long as its {@link MemoryMedium}, in the bytes that files hold. */
public final class MemoryLog implements Log {
  private final MemoryMedium medium;
  private @Nullable Follower follower;

  MemoryLog(MemoryMedium medium) {
    this.medium = medium;
  }

  @Override
  public void read(Reader reader) throws IOException {
    long base = medium.base();
    var blocks = medium.snapshot();
    reader.begin(base, medium.version());
    for (var block : blocks) {
      reader.block(ByteBuffer.wrap(block));
    }
    long next = base + 1;
    for (var kept : medium.entries()) {
      if (kept.index() != next) {
        throw new IOException("entry %d of %s is missing".formatted(next, this));
      }
      reader.entry(next++, Entry.read(kept.bytes().duplicate()));
    }
    reader.complete();
    medium.dropTornEnd();
  }

  @Override
  public void follow(Follower next) {
    follower = next;
  }

  @Override
  public void append(long first, List<Entry> entries, Receipt receipt) {
    var written = new ArrayList<byte[]>();
    for (var each : entries) {
      var sink = new Sink();
      each.write(sink);
      written.add(bytes(sink.bytes()));
    }
    try {
      if (!medium.write(first, written)) {
        receipt.nothingWritten(this + " is full");
        return;
      }
    } catch (IOException failure) {
      receipt.unknown(String.valueOf(failure.getMessage()));
      return;
    }
    if (follower != null) {
      follower.committed(first, entries, true);
    }
    receipt.committed();
  }

  private static byte[] bytes(ByteBuffer buffer) {
    var bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  @Override
  public void applied(Snapshot latest) throws IOException {
    if (medium.isLong()) {
      var blocks = new ArrayList<byte[]>();
      latest.write(block -> blocks.add(bytes(block)));
      medium.trim(latest.index(), latest.version(), blocks);
    }
  }

  @Override
  public long largestEntry() {
    return Integer.MAX_VALUE;
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return "the log in memory";
  }
}
