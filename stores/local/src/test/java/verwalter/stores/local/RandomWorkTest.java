package verwalter.stores.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.Version;
import verwalter.stores.api.Write;
import verwalter.stores.engine.HistoryLimit;

/**
 * Runs random transactions with a crash at a random point, and compares the recovered store with a
 * model.
 */
class RandomWorkTest {
  /** Removes a node or sets its label. */
  record Step(String name, String label, boolean remove) {}

  private final VirtualWorld world = new VirtualWorld(1);

  @Provide
  Arbitrary<List<List<Step>>> work() {
    var step =
        Combinators.combine(
                Arbitraries.of("a", "b", "c", "d", "e"),
                Arbitraries.strings().alpha().ofMaxLength(100),
                Arbitraries.of(true, false, false))
            .as(Step::new);
    return step.list().ofMinSize(1).ofMaxSize(4).list().ofMaxSize(30);
  }

  @Property(tries = 500)
  void aRecoveredStateIsOneOfTheWrittenStates(
      @ForAll("work") List<List<Step>> work,
      @ForAll @IntRange(max = 120) int crash,
      @ForAll CrashDisk.Loss loss,
      @ForAll long seed)
      throws IOException {
    var disk = new CrashDisk();
    disk.crashAt(crash);
    var states = new ArrayList<Map<String, String>>();
    states.add(Map.of());
    int acknowledged = 0;
    try {
      acknowledged = run(disk, work, states);
    } catch (IOException beforeItBegan) {
      // nothing was acknowledged
    }
    var found = open(disk.afterCrash(loss, new Random(seed)), new ArrayDeque<>());
    var revision = (int) Version.revision(found.revision());
    assertThat(revision).isBetween(acknowledged, states.size() - 1);
    assertThat(labels(found)).isEqualTo(states.get(revision));
  }

  /** Runs the transactions and returns the last acknowledged revision. */
  private int run(CrashDisk disk, List<List<Step>> work, List<Map<String, String>> states)
      throws IOException {
    var writer = new ArrayDeque<Runnable>();
    var store = open(disk, writer);
    var model = new TreeMap<String, String>();
    for (var transaction : work) {
      var writes = writes(store, transaction);
      transaction.forEach(step -> apply(step, writes, model));
      var write = store.commit(List.copyOf(writes.values()));
      while (!writer.isEmpty()) {
        writer.remove().run();
      }
      if (!model.equals(states.get(states.size() - 1))) {
        states.add(Map.copyOf(model));
      }
      if (write.failed()) {
        break;
      }
    }
    return (int) Version.revision(store.revision());
  }

  /** One write per name: the first possible step. */
  private static Map<String, Write> writes(LocalStore store, List<Step> steps) {
    var writes = new TreeMap<String, Write>();
    for (var step : steps) {
      var now = store.get(Node.KIND, step.name());
      if (step.remove() && now.isPresent()) {
        writes.putIfAbsent(step.name(), new Write.Remove(now.get()));
      } else if (!step.remove()) {
        var next = now.orElse(Resource.of(Node.KIND, step.name(), new Node.Spec(false)));
        var meta = next.meta().withLabels(Map.of("is", step.label()));
        writes.putIfAbsent(step.name(), new Write.Put(next.withMeta(meta)));
      }
    }
    return writes;
  }

  private static void apply(Step step, Map<String, Write> writes, Map<String, String> model) {
    var write = writes.get(step.name());
    if (write instanceof Write.Remove) {
      model.remove(step.name());
    } else if (write != null) {
      model.put(step.name(), write.resource().meta().labels().getOrDefault("is", ""));
    }
  }

  private LocalStore open(CrashDisk disk, ArrayDeque<Runnable> writer) throws IOException {
    var options = new Options(new HistoryLimit(20, 1 << 20), 2000, Options.DEFAULT.bytes());
    return LocalStore.open(disk, options, writer::add, world.clock(), world.uids());
  }

  private static Map<String, String> labels(LocalStore store) {
    var labels = new TreeMap<String, String>();
    store
        .list(Node.KIND)
        .forEach(each -> labels.put(each.name(), each.meta().labels().getOrDefault("is", "")));
    return labels;
  }
}
