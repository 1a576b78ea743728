package verwalter.stores.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import verwalter.model.Resource;
import verwalter.model.Version;

/**
 * All objects of a state. Its bytes are blocks of {@code -2 | int count | values}, then of {@code
 * int count | objects}, and one of {@code -1 | long count of all objects} at the end. Equal states
 * have equal bytes.
 */
public final class Snapshot {
  static final int END = -1;
  static final int VALUES = -2;
  private static final int BLOCK = 256 << 10;

  private final State state;

  Snapshot(State state) {
    this.state = state;
  }

  /** Creates a snapshot of objects that another store committed. */
  public static Snapshot of(long index, long version, Iterable<Resource<?, ?>> objects) {
    var kinds = new HashMap<String, Map<String, Stored>>();
    for (var each : objects) {
      kinds
          .computeIfAbsent(each.type().name(), any -> new HashMap<>())
          .put(each.name(), Stored.of(each));
    }
    return new Snapshot(State.of(index, version, kinds));
  }

  /** Whether a block is the last one of a snapshot. */
  public static boolean isEnd(ByteBuffer block) {
    return block.getInt(block.position()) == END;
  }

  /** Receives the blocks in order. */
  public interface Blocks {
    /** Receives a block. The caller reuses the buffer. */
    void block(ByteBuffer block) throws IOException;
  }

  /** The number of the last entry in the snapshot. */
  public long index() {
    return state.index();
  }

  /** The version of the snapshot. */
  public long version() {
    return state.version();
  }

  /** The epoch of the snapshot. */
  public long epoch() {
    return Version.epoch(state.version());
  }

  /** Writes all blocks. */
  public void write(Blocks out) throws IOException {
    var sink = new Sink();
    writeValues(state.values().all(), sink, out);
    for (var kind : state.kinds().values()) {
      write(kind, sink, out);
    }
    sink.number(END);
    sink.number((long) state.size());
    out.block(sink.bytes());
  }

  private static void writeValues(List<StoredValue> all, Sink sink, Blocks out) throws IOException {
    int next = 0;
    while (next < all.size()) {
      int from = next;
      sink.number(VALUES);
      sink.number(0);
      while (next < all.size() && sink.size() < BLOCK) {
        all.get(next++).write(sink);
      }
      sink.numberAt(Integer.BYTES, next - from);
      out.block(sink.bytes());
      sink.clear();
    }
  }

  private static void write(Tree<Stored> objects, Sink sink, Blocks out) throws IOException {
    var all = objects.values();
    int next = 0;
    while (next < all.size()) {
      int from = next;
      sink.number(0);
      while (next < all.size() && sink.size() < BLOCK) {
        all.get(next++).write(sink);
      }
      sink.numberAt(0, next - from);
      out.block(sink.bytes());
      sink.clear();
    }
  }
}
