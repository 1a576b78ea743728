package verwalter.e2e.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.stores.engine.Engine;
import verwalter.stores.engine.EngineOptions;
import verwalter.stores.engine.EngineStore;
import verwalter.stores.engine.Entry;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.engine.Log;
import verwalter.stores.engine.Snapshot;

/** The entries of the replicated log, applied as soon as they are in it. */
final class AppliedLog implements Log {
  /** Each entry begins with a link to the one before. */
  private static final int LINK = Integer.BYTES;

  private final Engine engine;
  private @Nullable Follower follower;
  private long last;

  AppliedLog(VirtualWorld world) {
    var options = new EngineOptions(HistoryLimit.DEFAULT, Long.MAX_VALUE);
    try {
      engine = Engine.open(this, options, Runnable::run, world.clock(), world.uids());
    } catch (IOException impossible) { // there is nothing to read
      throw new UncheckedIOException(impossible);
    }
  }

  /** The objects after the last entry. */
  EngineStore store() {
    return new Applied(engine);
  }

  private static final class Applied extends EngineStore {
    private Applied(Engine engine) {
      super(engine);
    }
  }

  Snapshot snapshot() {
    return engine.snapshot();
  }

  /** The number of entries. */
  long last() {
    return last;
  }

  /** Applies the next entries. */
  void appended(long first, List<ByteBuffer> entries) {
    if (first != last + 1 || follower == null) {
      throw new AssertionError("entry %d after %d".formatted(first, last));
    }
    var read = entries.stream().map(AppliedLog::entry).toList();
    last += read.size();
    follower.committed(first, read, false);
  }

  private static Entry entry(ByteBuffer linked) {
    try {
      return Entry.read(linked.slice(linked.position() + LINK, linked.remaining() - LINK));
    } catch (IOException unknown) {
      throw new UncheckedIOException(unknown);
    }
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
  public void append(long first, List<Entry> entries, Receipt receipt) {
    receipt.nothingWritten("this log is read only");
  }

  @Override
  public void applied(Snapshot latest) {}

  @Override
  public long largestEntry() {
    return Long.MAX_VALUE;
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return "the applied log";
  }
}
