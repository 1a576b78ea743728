package verwalter.e2e.simulation;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import verwalter.stores.engine.Entry;
import verwalter.stores.engine.Log;
import verwalter.stores.engine.Sink;
import verwalter.stores.engine.Snapshot;

/** The log of the leader's store, which followers read. It keeps every entry in memory. */
final class SharedLog implements Log {
  private final List<byte[]> entries = new ArrayList<>();
  private final List<Runnable> readers = new ArrayList<>();
  private @Nullable Follower follower;

  /** The number of the last entry. */
  long last() {
    return entries.size();
  }

  /** The bytes of the entry with this number. */
  byte[] entry(long index) {
    return entries.get(Math.toIntExact(index - 1)).clone();
  }

  /** Runs {@code reader} after each append, until the returned task runs. */
  Runnable onAppend(Runnable reader) {
    readers.add(reader);
    return () -> readers.remove(reader);
  }

  @Override
  public void read(Reader reader) throws IOException {
    reader.complete();
  }

  @Override
  public void follow(Follower next) {
    follower = next;
  }

  @Override
  public void append(long first, List<Entry> more, Receipt receipt) {
    for (var each : more) {
      var sink = new Sink();
      each.write(sink);
      entries.add(bytes(sink.bytes()));
    }
    if (follower != null) {
      follower.committed(first, more, true);
    }
    receipt.committed();
    List.copyOf(readers).forEach(Runnable::run);
  }

  private static byte[] bytes(ByteBuffer buffer) {
    var bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  @Override
  public void applied(Snapshot latest) {}

  @Override
  public long largestEntry() {
    return Integer.MAX_VALUE;
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return "the leader's log";
  }
}
