package verwalter.stores.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.Version;
import verwalter.stores.api.Change;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.engine.Snapshot;
import verwalter.stores.replicatedkit.AppliedLog;

/**
 * What a simulated log contains, and the answers its users got.
 *
 * <p>Each write has a value of its own, so that its effect can be recognized.
 */
final class History {
  /** A write, and the fence and the version of the object that it was based on. */
  record Write(String value, String name, long based, OptionalLong fence) {}

  /** The value of an object at a version. */
  private record At(String name, long version) {}

  private final AppliedLog log;
  private final ObjectStore store;
  private final Map<At, String> values = new HashMap<>();
  private final Map<String, TreeMap<Long, String>> objects = new HashMap<>();

  /** The version at which each value was written. */
  private final Map<String, Long> written = new HashMap<>();

  private final Map<String, Write> refused = new HashMap<>();
  private final Map<String, Write> attempted = new HashMap<>();
  private int acknowledged;

  History(VirtualWorld world) {
    log = new AppliedLog(world, EntryLink::body);
    store = log.store();
  }

  /** Adds entries to the log. */
  void appended(long first, List<ByteBuffer> entries) {
    long next = first;
    for (var each : entries) {
      long before = store.revision();
      log.appended(next++, List.of(each));
      if (store.revision() != before) {
        note();
      }
    }
  }

  /** Notes the objects of the present version. */
  private void note() {
    long version = store.revision();
    for (var each : store.list(RoleInstance.KIND)) {
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
  void complete(ClusterStore copy) {
    assertThat(copy.revision()).isEqualTo(store.revision());
    assertThat(copy.snapshot().index()).isEqualTo(log.last());
    assertThat(bytes(copy.snapshot())).isEqualTo(bytes(log.snapshot()));
  }

  private static List<ByteBuffer> bytes(Snapshot snapshot) {
    return PeerSnapshot.of(snapshot).blocks();
  }

  /** The number of entries. */
  long last() {
    return log.last();
  }

  /** The number of acknowledged writes. */
  int acknowledged() {
    return acknowledged;
  }

  /** The values of an object, by version. */
  List<String> valuesOf(String name) {
    return new ArrayList<>(objects.getOrDefault(name, new TreeMap<>()).values());
  }
}
