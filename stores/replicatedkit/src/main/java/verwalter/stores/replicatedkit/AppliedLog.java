package verwalter.stores.replicatedkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.stores.engine.Engine;
import verwalter.stores.engine.EngineOptions;
import verwalter.stores.engine.EngineStore;
import verwalter.stores.engine.Entry;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.engine.Log;
import verwalter.stores.engine.Snapshot;

/**
 * The objects that a replicated log contains. An engine of its own applies each entry as soon as it
 * is in the log; see {@link ModelEnsemble#observe}.
 */
public final class AppliedLog {
  private final UnaryOperator<ByteBuffer> body;
  private final Entries entries = new Entries();
  private final Engine engine;

  /**
   * Creates the objects of an empty log.
   *
   * @param body returns the bytes of an entry without those that its log has added
   */
  public AppliedLog(VirtualWorld world, UnaryOperator<ByteBuffer> body) {
    this.body = body;
    var options = new EngineOptions(HistoryLimit.DEFAULT, Long.MAX_VALUE);
    try {
      engine = Engine.open(entries, options, Runnable::run, world.clock(), world.uids());
    } catch (IOException impossible) { // there is nothing to read
      throw new UncheckedIOException(impossible);
    }
  }

  /** The objects after the last entry. */
  public EngineStore store() {
    return new Applied(engine);
  }

  /** The same as blocks. */
  public Snapshot snapshot() {
    return engine.snapshot();
  }

  /** The number of entries. */
  public long last() {
    return entries.last;
  }

  /**
   * Applies the next entries.
   *
   * @throws AssertionError if they do not follow the last one
   */
  public void appended(long first, List<ByteBuffer> next) {
    entries.add(first, next.stream().map(this::entry).toList());
  }

  private Entry entry(ByteBuffer bytes) {
    try {
      return Entry.read(body.apply(bytes));
    } catch (IOException unknown) {
      throw new UncheckedIOException(unknown);
    }
  }

  private static final class Applied extends EngineStore {
    private Applied(Engine engine) {
      super(engine);
    }
  }

  /** The log of the engine, to which others append. */
  private static final class Entries implements Log {
    private @Nullable Follower follower;
    private long last;

    private void add(long first, List<Entry> next) {
      if (first != last + 1 || follower == null) {
        throw new AssertionError("entry %d after %d".formatted(first, last));
      }
      last += next.size();
      follower.committed(first, next, false);
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
}
