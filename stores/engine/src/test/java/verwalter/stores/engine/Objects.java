package verwalter.stores.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.stores.api.Write;

/** Objects and entries for tests. */
final class Objects {
  static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

  static Resource<RoleInstance.Spec, RoleInstance.Status> instance(
      String name, String role, String node) {
    var spec = new RoleInstance.Spec(role, node, "t", Optional.empty(), Map.of("n", 1L));
    return Resource.of(RoleInstance.KIND, name, spec);
  }

  static RoleInstance.Status status(String reason) {
    return new RoleInstance.Status(1, RoleInstance.State.RUNNING, 1, 1, 0, NOW, reason, List.of());
  }

  static Entry entry(Write... writes) {
    return entry(OptionalLong.empty(), writes);
  }

  static Entry entry(OptionalLong fence, Write... writes) {
    return entry(fence, WriteEncoder.encode(List.of(writes)));
  }

  /** A transaction that contains all values that it refers to. */
  static Entry entry(OptionalLong fence, List<Entry.Change> changes) {
    var values = new LinkedHashMap<String, StoredValue>();
    for (var each : changes) {
      if (each instanceof Entry.Change.Put put) {
        add(put.spec().values(), values);
      }
    }
    return Entry.transaction(fence, NOW, changes, values.values());
  }

  private static void add(Collection<StoredValue> more, Map<String, StoredValue> values) {
    for (var each : more) {
      add(each.children(), values);
      values.put(each.hash(), each);
    }
  }

  /** The entry after it was written and read. */
  static Entry sent(Entry entry) {
    var sink = new Sink();
    entry.write(sink);
    try {
      return Entry.read(copy(sink.bytes()));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  static byte[] bytes(State state) {
    var sink = new Sink();
    sink.number(state.index());
    sink.number(state.version());
    try {
      new Snapshot(state).write(sink::block);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    var bytes = new byte[sink.size()];
    sink.bytes().get(bytes);
    return bytes;
  }

  /** The state after it was written to and read from a snapshot. */
  static State restored(State state) {
    var restored = new LogReplay(HistoryLimit.DEFAULT);
    try {
      restored.begin(state.index(), state.version());
      new Snapshot(state).write(block -> restored.block(copy(block)));
      restored.complete();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return restored.state();
  }

  static ByteBuffer copy(ByteBuffer bytes) {
    return ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
  }

  private Objects() {}
}
