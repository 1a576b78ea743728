package verwalter.stores.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.stores.api.Write;

/**
 * Compares the estimate with the heap: the measured size is 0.6 to 1.2 of it, and at most twice as
 * large if every mapping has keys of its own. Mutation testing leaves this class out, because it
 * depends on the heap of the whole virtual machine.
 */
class HeapEstimateTest {
  private static final int OBJECTS = 6_000;

  @Test
  void theEstimateOfObjectsAndIndexesIsClose() {
    long before = used();
    var store = store(new HistoryLimit(1, 1));
    for (int i = 0; i < OBJECTS; i++) {
      store.commit(List.of(new Write.Put(object(i, "a"))));
    }
    assertMeasured(used() - before, store.figures().bytes());
    assertThat(store.figures().objects()).isEqualTo(OBJECTS);
  }

  @Test
  void keysOfTheirOwnTakeLessThanTwiceTheEstimate() {
    long before = used();
    var store = store(new HistoryLimit(1, 1));
    for (int i = 0; i < OBJECTS; i++) {
      Map<String, Object> variables = new LinkedHashMap<>();
      for (int v = 0; v < 20; v++) {
        variables.put("k" + i + "_" + v, (long) v);
      }
      var spec = new RoleInstance.Spec("r" + i, "n", "t", Optional.empty(), variables);
      var object = Resource.of(RoleInstance.KIND, "r" + i + "@n", spec);
      store.commit(List.of(new Write.Put(object)));
    }
    assertThat((double) (used() - before) / store.figures().bytes()).isBetween(0.6, 2.0);
  }

  @Test
  void theEstimateOfTheHistoryIsClose() {
    var store = store(new HistoryLimit(OBJECTS * 2, 1L << 40));
    for (int i = 0; i < OBJECTS; i++) {
      store.commit(List.of(new Write.Put(object(i, "a"))));
    }
    long estimated = store.figures().historyBytes();
    long before = used();
    for (int i = 0; i < OBJECTS; i++) {
      var now = store.get(RoleInstance.KIND, object(i, "a").name()).orElseThrow();
      store.commit(List.of(new Write.Put(now.withSpec(object(i, "b").spec()))));
    }
    assertMeasured(used() - before, store.figures().historyBytes() - estimated);
  }

  private static MemoryStore store(HistoryLimit limit) {
    var world = new VirtualWorld(1);
    return new MemoryStore(world.clock(), () -> UUID.randomUUID().toString(), limit);
  }

  /** A realistic role instance: about 800 bytes of JSON, mostly variables and status. */
  private static Resource<RoleInstance.Spec, RoleInstance.Status> object(int i, String text) {
    var role = "role" + i % 50;
    var node = "node-" + i / 50 + ".example.org";
    Map<String, Object> variables = new LinkedHashMap<>();
    for (int v = 0; v < 8; v++) {
      variables.put("variable_" + v, text + i + "-value-" + v);
      variables.put("number_" + v, (long) i * v);
    }
    variables.put("ports", List.of(8000L + i % 100, 9000L + i % 100));
    variables.put("limits", new LinkedHashMap<>(Map.of("memory", "512Mi" + i, "cpu", 1.5 + i)));
    var spec = new RoleInstance.Spec(role, node, "template" + i, Optional.of("v1." + i), variables);
    var object = Resource.of(RoleInstance.KIND, role + "@" + node, spec);
    return object
        .withMeta(object.meta().withLabels(Map.of("tier", "front" + i % 3)))
        .withStatus(Objects.status("everything runs " + i));
  }

  private static void assertMeasured(long measured, long estimated) {
    assertThat((double) measured / estimated)
        .as("%d bytes were measured, %d estimated", measured, estimated)
        .isBetween(0.6, 1.2);
  }

  /** The used heap after garbage collection: the minimum of several collections. */
  private static long used() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }
}
