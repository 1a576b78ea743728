package verwalter.cluster.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.cluster.mirror.Trial.event;
import static verwalter.cluster.mirror.Trial.group;
import static verwalter.cluster.mirror.Trial.instance;
import static verwalter.cluster.mirror.Trial.output;
import static verwalter.cluster.mirror.Trial.running;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.stores.api.StoreException;

/**
 * Random writes on nodes and through the leader, while connections break, come late or twice,
 * processes restart, leaders change, and stores are lost. Afterwards the mirror equals the stores.
 *
 * <p>{@code -Dverwalter.mirror.seeds} sets the number of runs.
 */
class MirrorPropertyTest {
  private static final int SEEDS = Integer.getInteger("verwalter.mirror.seeds", 60);
  private static final List<String> NODES = List.of("n1", "n2", "n3");
  private static final int STEPS = 150;

  @Test
  void convergesAfterFaults() {
    long differences = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      differences += run(seed);
    }
    assertThat(differences).as("connections never lose a message").isZero();
  }

  /** Returns how often a digest differed. */
  private static long run(long seed) {
    var trial = new Trial(seed, NODES.toArray(String[]::new));
    var random = trial.world.random();
    long differences = 0;
    var written = new ArrayList<Future<?>>();
    for (int step = 0; step < STEPS; step++) {
      var site = trial.site(NODES.get(random.nextInt(NODES.size())));
      var role = "r" + random.nextInt(5);
      switch (random.nextInt(16)) {
        case 0 -> trial.cut();
        case 1 -> trial.reachable = random.nextBoolean();
        case 2 -> trial.delay = random.nextInt(10) == 0 ? 30_000 : random.nextInt(500);
        case 3 -> {
          if (random.nextInt(5) == 0) {
            differences += trial.mirrors.figures().differences();
            trial.lead();
          }
        }
        case 4 -> {
          if (random.nextInt(3) == 0) {
            site.start();
          }
        }
        case 5 -> {
          if (random.nextInt(8) == 0) {
            site.lose();
          }
        }
        case 6, 7 -> written.add(forwarded(trial, role, site.node, random.nextInt(3)));
        case 8 -> site.store.put(event(random.nextInt(4), site.node));
        case 9 -> site.store.put(output(role, site.node));
        case 10 -> site.store.remove(instance(role, site.node));
        default -> own(site, role, step);
      }
      trial.world.runFor(Duration.ofMillis(random.nextInt(random.nextInt(20) == 0 ? 40_000 : 400)));
    }
    trial.reachable = true;
    trial.delay = 5;
    trial.cut();
    trial.settle();
    trial.assertEqual();
    for (var node : NODES) {
      assertThat(trial.mirrors.complete(node)).as("seed %d", seed).isTrue();
    }
    for (var each : written) {
      assertThat(each.isComplete()).as("seed %d: every write is answered", seed).isTrue();
      assertThat(each.succeeded() || each.cause() instanceof StoreException).isTrue();
    }
    assertThat(trial.mirrors.figures().refused()).as("seed %d", seed).isZero();
    return differences + trial.mirrors.figures().differences();
  }

  private static void own(Trial.Site site, String role, int step) {
    var present = site.store.get(RoleInstance.KIND, RoleInstance.name(role, site.node));
    if (present.isEmpty()) {
      var made = site.put(instance(role, site.node));
      site.put(group(role, site.node, made));
    } else {
      site.store.putStatus(running(present.get(), "step " + step));
    }
  }

  private static Future<?> forwarded(Trial trial, String role, String node, int what) {
    var objects = trial.mirrors.objects();
    var present = objects.get(RoleInstance.KIND, RoleInstance.name(role, node));
    if (present.isEmpty()) {
      return objects.put(instance(role, node));
    }
    Resource<RoleInstance.Spec, RoleInstance.Status> seen = present.get();
    return switch (what) {
      case 0 -> objects.remove(seen);
      case 1 -> objects.putStatus(running(seen, "forwarded"));
      default ->
          objects
              .put(seen.withSpec(instance(role, node, "v" + seen.meta().version()).spec()))
              .map(
                  done -> {
                    assertThat(done.meta().version()).isGreaterThan(seen.meta().version());
                    return done;
                  });
    };
  }
}
