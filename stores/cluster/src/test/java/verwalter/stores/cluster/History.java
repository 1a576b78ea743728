package verwalter.stores.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.Version;
import verwalter.stores.api.Change;
import verwalter.stores.engine.Engine;
import verwalter.stores.engine.EngineOptions;
import verwalter.stores.engine.Entry;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.engine.Log;
import verwalter.stores.engine.Snapshot;

/**
 * What a simulated log contains, and the answers its users got. An engine of its own applies each
 * entry when it is in the log.
 *
 * <p>Each write has a value of its own, so that its effect can be recognized.
 */
final class History implements Log {
  /** A write, and the fence and the version of the object that it was based on. */
  record Write(String value, String name, long based, OptionalLong fence) {}

  /** The value of an object at a version. */
  private record At(String name, long version) {}

  private final Engine engine;
  private final Map<At, String> values = new HashMap<>();
  private final Map<String, TreeMap<Long, String>> objects = new HashMap<>();

  /** The version at which each value was written. */
  private final Map<String, Long> written = new HashMap<>();

  private final Map<String, Write> refused = new HashMap<>();
  private final Map<String, Write> attempted = new HashMap<>();
  private @Nullable Follower follower;
  private long last;
  private int acknowledged;

  History(VirtualWorld world) throws IOException {
    var options = new EngineOptions(HistoryLimit.DEFAULT, Long.MAX_VALUE);
    engine = Engine.open(this, options, Runnable::run, world.clock(), world.uids());
  }

  /** Adds entries to the log. */
  void appended(long first, List<ByteBuffer> entries) {
    assertThat(first).isEqualTo(last + 1);
    for (var each : entries) {
      last++;
      long before = engine.revision();
      follower().committed(last, List.of(entry(each)), false);
      if (engine.revision() != before) {
        note();
      }
    }
  }

  private static Entry entry(ByteBuffer linked) {
    try {
      return Entry.read(EntryLink.body(linked));
    } catch (IOException unknown) {
      throw new UncheckedIOException(unknown);
    }
  }

  private Follower follower() {
    assertThat(follower).isNotNull();
    return follower;
  }

  /** Notes the objects of the present version. */
  private void note() {
    long version = engine.revision();
    for (var each : engine.list(RoleInstance.KIND)) {
      if (each.meta().version() == version) {
        var value = each.spec().role();
        values.put(new At(each.name(), version), value);
        check(value, each.name(), version);
        objects.computeIfAbsent(each.name(), any -> new TreeMap<>()).put(version, value);
      }
    }
  }

  private void check(String value, String name, long version) {
    var write = attempted.get(value);
    assertThat(write).as("the write of %s", value).isNotNull();
    var earlier = written.putIfAbsent(value, version);
    assertThat(earlier == null || earlier == version).as("%s is written once", value).isTrue();
    assertThat(refused).as("%s was refused", value).doesNotContainKey(value);
    if (write.fence().isPresent()) {
      assertThat(Version.epoch(version))
          .as("%s is fenced", value)
          .isEqualTo(write.fence().getAsLong());
    }
    var all = objects.get(name);
    if (write.based() != 0) {
      assertThat(all.lastKey())
          .as("%s is based on the last version", value)
          .isEqualTo(write.based());
    }
  }

  /** Notes that a write was attempted. */
  void attempted(Write write) {
    attempted.put(write.value(), write);
  }

  /** Checks a write that was acknowledged at a version. */
  void acknowledged(Write write, long version) {
    acknowledged++;
    assertThat(written.get(write.value()))
        .as("the acknowledged %s is in the log", write)
        .isEqualTo(version);
  }

  /** Notes that a write has certainly not been written. */
  void refused(Write write) {
    assertThat(written).as("the refused %s", write).doesNotContainKey(write.value());
    refused.put(write.value(), write);
  }

  /** Checks an object that a store has shown. */
  void seen(Resource<RoleInstance.Spec, RoleInstance.Status> object) {
    assertThat(object.spec().role())
        .as("%s at %d", object.name(), object.meta().version())
        .isEqualTo(values.get(new At(object.name(), object.meta().version())));
  }

  /** Checks a change that a store has reported. */
  void seen(Change<RoleInstance.Spec, RoleInstance.Status> change) {
    if (change instanceof Change.Put<RoleInstance.Spec, RoleInstance.Status> put) {
      seen(put.resource());
    }
  }

  /** Checks that a store has applied the whole log. */
  void complete(ClusterStore store) {
    assertThat(store.revision()).isEqualTo(engine.revision());
    assertThat(store.snapshot().index()).isEqualTo(last);
    assertThat(bytes(store.snapshot())).isEqualTo(bytes(engine.snapshot()));
  }

  private static List<ByteBuffer> bytes(Snapshot snapshot) {
    return PeerSnapshot.of(snapshot).blocks();
  }

  /** The number of entries. */
  long last() {
    return last;
  }

  /** The number of acknowledged writes. */
  int acknowledged() {
    return acknowledged;
  }

  /** The values of an object, by version. */
  List<String> valuesOf(String name) {
    return new ArrayList<>(objects.getOrDefault(name, new TreeMap<>()).values());
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
    receipt.nothingWritten("the history is read only");
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
    return "the history";
  }
}
