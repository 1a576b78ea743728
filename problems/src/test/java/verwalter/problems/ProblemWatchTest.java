package verwalter.problems;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Metadata;
import verwalter.model.Node;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.engine.MemoryStore;

class ProblemWatchTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore store =
      new MemoryStore(world.clock(), world.uids(), new HistoryLimit(8, 1 << 20));
  private final Loop loop = world.loop("problems");
  private final List<ObjectProblem> local = new ArrayList<>();
  private final ProblemWatch watch = new ProblemWatch(store, loop, () -> List.copyOf(local));
  private final List<List<ObjectProblem>> reported = new ArrayList<>();

  ProblemWatchTest() {
    watch.onChange(reported::add);
  }

  @Test
  void reportsProblemsThatBeginAndEnd() {
    put("web", true);
    start();
    assertThat(names()).containsExactly("web");
    put("api", true);
    assertThat(names()).containsExactly("api", "web");
    put("web", false);
    assertThat(names()).containsExactly("api");
    world.await(store.remove(store.get(RoleConfig.KIND, "api").orElseThrow()));
    world.runFor(SECOND);
    assertThat(names()).isEmpty();
    assertThat(reported).extracting(List::size).containsExactly(1, 2, 1, 0);
  }

  @Test
  void changeWithoutProblemIsNotReported() {
    put("web", false);
    start();
    put("api", false);
    world.await(store.put(Resource.of(Node.KIND, "a", new Node.Spec(false))));
    world.runFor(SECOND);
    assertThat(reported).isEmpty();
  }

  @Test
  void includesLocalProblems() {
    put("web", true);
    start();
    local.add(fullDisk());
    assertThat(names()).containsExactly("a", "web");
  }

  @Test
  void reportsLocalProblemsAfterRefresh() {
    start();
    local.add(fullDisk());
    loop.execute(watch::refresh);
    world.runFor(SECOND);
    local.clear();
    loop.execute(watch::refresh);
    loop.execute(watch::refresh);
    world.runFor(SECOND);
    assertThat(reported).containsExactly(List.of(fullDisk()), List.of());
  }

  @Test
  void closedListenerIsNotCalled() {
    start();
    var others = new ArrayList<List<ObjectProblem>>();
    watch.onChange(others::add).close();
    put("web", true);
    assertThat(reported).hasSize(1);
    assertThat(others).isEmpty();
  }

  private static ObjectProblem fullDisk() {
    return new ObjectProblem(
        Severity.CRITICAL,
        Node.KIND.key("a"),
        Optional.empty(),
        Optional.empty(),
        "cannot write its store",
        Optional.empty(),
        "the disk is full",
        "df");
  }

  @Test
  void closedWatchReportsNothing() {
    start();
    watch.close();
    put("web", true);
    assertThat(reported).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void equalsDiagnosisOfAllObjectsAlsoAfterLostWatches(long seed) {
    var random = new SplittableRandom(seed);
    start();
    for (int i = 0; i < 300; i++) {
      var name = "r" + random.nextInt(12);
      if (random.nextInt(4) == 0 && store.get(RoleConfig.KIND, name).isPresent()) {
        store.remove(store.get(RoleConfig.KIND, name).orElseThrow());
      } else {
        write(name, random.nextBoolean());
      }
      if (random.nextInt(20) == 0) { // more changes than the history keeps end the watch
        world.runFor(Duration.ofMillis(random.nextInt(3000)));
      }
    }
    world.runFor(Duration.ofSeconds(5));
    var all =
        store.list(RoleConfig.KIND).stream().flatMap(role -> Diagnosis.of(role).stream()).toList();
    assertThat(watch.current()).isEqualTo(Diagnosis.shown(all));
    assertThat(reported.get(reported.size() - 1)).isEqualTo(watch.current());
  }

  private void start() {
    loop.execute(watch::start);
    world.runFor(SECOND);
  }

  private List<String> names() {
    return watch.current().stream().map(problem -> problem.object().name()).toList();
  }

  private void put(String role, boolean broken) {
    write(role, broken);
    world.runFor(SECOND);
  }

  private void write(String role, boolean broken) {
    var conditions =
        List.of(
            new Condition(
                ConditionType.CONFIG_VALID.title(),
                broken ? Condition.Truth.FALSE : Condition.Truth.TRUE,
                Reason.UNREADABLE.title(),
                "",
                1,
                Instant.EPOCH));
    var status = new RoleConfig.Status(1, List.of(), conditions);
    var old = store.get(RoleConfig.KIND, role);
    if (old.isPresent()) {
      store.putStatus(old.get().withStatus(status));
    } else {
      store.put(
          new Resource<>(
              RoleConfig.KIND,
              Metadata.named(role),
              RoleConfig.Spec.of(Map.of()),
              Optional.of(status)));
    }
  }
}
