package verwalter.controllers.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.cluster.sides.ForkMerge;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.testkit.ShiftedLoop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.runtime.Result;
import verwalter.controllers.runtime.RunningControllers;
import verwalter.model.Action;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.DecisionRecord;
import verwalter.model.Event;
import verwalter.model.Kind;
import verwalter.model.MessageLimit;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.RoleInstance;
import verwalter.model.Schedule;
import verwalter.model.Scheduler;
import verwalter.model.json.Json;
import verwalter.stores.api.Write;
import verwalter.stores.engine.MemoryStore;
import verwalter.stores.testkit.Faults;
import verwalter.stores.testkit.FaultyStore;

/** Entries that make the scheduler fail are set aside, and all others are scheduled. */
class SchedulingTest {
  private static final String NODE = "n1";

  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore memory = new MemoryStore(world.clock(), world.uids());
  private final FaultyStore store = new FaultyStore(memory, world, Faults.NONE);
  private final List<DecisionRecord> records = new ArrayList<>();
  private final ShiftedLoop loop = new ShiftedLoop(world.loop("schedule"));

  /** The inputs that make the scheduler fail. */
  private Predicate<Map<String, Object>> fails = input -> false;

  /** Runs during the next decision. */
  private Runnable meanwhile = () -> {};

  private boolean timeless = true;
  private Scheduler scheduler = this::decide;
  private LoadedScheduler.Loader loader = () -> scheduler;
  private final LoadedScheduler loaded = new LoadedScheduler(loop, () -> loader.load());
  private final RunningControllers controllers = new RunningControllers();
  private int runs;
  private String log = "log";

  /** The roles that the scheduler assigns to other nodes. */
  private Map<String, Object> alsoOn = Map.of();

  @BeforeEach
  void start() {
    memory.put(Resource.of(Node.KIND, NODE, new Node.Spec(false)));
    var reconciler =
        new ScheduleReconciler(
            store,
            loop,
            loaded,
            records::add,
            questions -> Map.of(),
            new Events(store, world.loop("events"), "n1"),
            NODE,
            "00");
    controllers.start(
        loop,
        reconciler
            .controller()
            .retrying(Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(5))));
    loop.execute(loaded::reload);
  }

  /** Assigns every role to the node, and counts the actions of each button. */
  private Scheduler.Decision decide(Map<String, Object> input) throws Scheduler.Failed {
    runs++;
    meanwhile.run();
    meanwhile = () -> {};
    if (fails.test(input)) {
      throw new Scheduler.Failed("main.lua:7: boom", "some log");
    }
    var before = parentState(input);
    var roles = new TreeMap<String, Object>();
    var state = new TreeMap<String, Object>(before);
    Json.object(input.get("runtime"))
        .forEach((role, metadata) -> roles.put(role, Map.of("version", newest(metadata))));
    Json.object(input.get("actions")).keySet().forEach(id -> state.put("pressed-" + id, 1L));
    var data = new LinkedHashMap<String, Object>();
    data.put("roles", Map.of());
    data.put("state", state);
    var nodes = new TreeMap<String, Object>(alsoOn);
    nodes.put(NODE, Map.of("roles", roles));
    data.put("nodes", nodes);
    return new Scheduler.Decision(data, log, 10, timeless, List.of(), Map.of());
  }

  private static Map<String, Object> parentState(Map<String, Object> input) {
    var parents = (List<?>) input.get("parents");
    return parents.isEmpty() ? Map.of() : Json.object(Json.object(parents.get(0)).get("state"));
  }

  private static String newest(Object metadata) {
    return Json.object(metadata).keySet().stream().max(String::compareTo).orElse("");
  }

  private void role(String name, String version) {
    var spec = RoleConfig.Spec.of(Map.of(version, Map.of()));
    var status = new RoleConfig.Status(1, List.of(version), List.of());
    var role =
        memory
            .get(RoleConfig.KIND, name)
            .map(its -> its.withSpec(spec))
            .orElseGet(() -> Resource.of(RoleConfig.KIND, name, spec).withStatus(status));
    world.await(memory.put(role));
  }

  private void act(String id, String role) {
    var request = Map.of("button", Map.of("role", role, "action", "go"));
    world.await(memory.put(Resource.of(Action.KIND, id, new Action.Spec(request, world.now()))));
  }

  private void settle() {
    world.runFor(Duration.ofSeconds(60));
  }

  private Optional<Action.Status> completion(String id) {
    return memory.get(Action.KIND, id).orElseThrow().status();
  }

  private Schedule.Spec schedule() {
    return memory.get(Schedule.KIND, Schedule.CURRENT).orElseThrow().spec();
  }

  private Map<String, Object> placed() {
    var node = Json.object(Json.object(schedule().data().get("nodes")).get(NODE));
    return Json.object(node.get("roles"));
  }

  private Optional<Condition> scheduled(String role) {
    var status = memory.get(RoleConfig.KIND, role).orElseThrow().status();
    return status.flatMap(its -> Condition.find(its.conditions(), ConditionType.SCHEDULED));
  }

  private static Predicate<Map<String, Object>> presses(String id) {
    return input -> Json.object(input.get("actions")).containsKey(id);
  }

  private static Predicate<Map<String, Object>> knows(String role, String version) {
    return input -> newest(Json.object(input.get("runtime")).get(role)).equals(version);
  }

  private List<String> warnings(Kind<?, ?> kind) {
    return memory.list(Event.KIND).stream()
        .map(Resource::spec)
        .filter(event -> event.type() == Event.Type.WARNING)
        .filter(event -> event.regarding().kind().equals(kind.name()))
        .map(event -> event.regarding().name() + ": " + event.message())
        .toList();
  }

  @Test
  void anActionIsDoneWithTheScheduleThatConsumedIt() {
    role("web", "v1");
    act("1", "web");
    settle();

    var done = completion("1").orElseThrow();
    assertThat(done.state()).isEqualTo(Action.State.DONE);
    assertThat(done.schedule()).isEqualTo(schedule().hash());
    assertThat(Json.object(schedule().data().get("state"))).containsKey("pressed-1");
  }

  @Test
  void anActionThatMakesTheSchedulerFailIsSetAside() {
    fails = presses("2");
    role("web", "v1");
    act("1", "web");
    act("2", "web");
    act("3", "web");
    settle();

    assertThat(completion("2").orElseThrow().state()).isEqualTo(Action.State.SET_ASIDE);
    assertThat(completion("2").orElseThrow().reason()).isEqualTo("main.lua:7: boom");
    assertThat(completion("1").orElseThrow().state()).isEqualTo(Action.State.DONE);
    assertThat(completion("3").orElseThrow().state()).isEqualTo(Action.State.DONE);
    assertThat(Json.object(schedule().data().get("state")))
        .containsOnlyKeys("pressed-1", "pressed-3");
    assertThat(warnings(Action.KIND)).containsExactly("2: main.lua:7: boom");
    assertThat(records)
        .anySatisfy(
            run -> assertThat(run.setAside()).containsExactly("Action/2: main.lua:7: boom"));

    role("api", "v1");
    settle();
    assertThat(placed()).containsOnlyKeys("api", "web");
  }

  @Test
  void aRoleThatMakesTheSchedulerFailKeepsItsScheduleUntilItChanges() {
    role("api", "v1");
    role("web", "v1");
    settle();
    fails = knows("web", "v2");
    role("web", "v2");
    role("api", "v3");
    act("1", "api");
    settle();

    assertThat(placed())
        .isEqualTo(Map.of("api", Map.of("version", "v3"), "web", Map.of("version", "v1")));
    var condition = scheduled("web").orElseThrow();
    assertThat(condition.isFalse()).isTrue();
    assertThat(condition.message()).contains("main.lua:7: boom");
    assertThat(scheduled("api")).isEmpty();
    assertThat(completion("1").orElseThrow().state()).isEqualTo(Action.State.DONE);

    role("web", "v3");
    settle();
    assertThat(placed()).containsEntry("web", Map.of("version", "v3"));
    assertThat(scheduled("web").orElseThrow().isTrue()).isTrue();
  }

  @Test
  void aFailingRoleThatWasNeverScheduledIsLeftOut() {
    fails = knows("bad", "v1");
    role("bad", "v1");
    role("web", "v1");
    settle();
    assertThat(placed()).containsOnlyKeys("web");
    assertThat(scheduled("bad").orElseThrow().isFalse()).isTrue();
  }

  @Test
  void aSingleFailingEntryIsFound() {
    fails = knows("bad", "v1");
    role("bad", "v1");
    settle();
    assertThat(placed()).isEmpty();
    assertThat(schedule().decided()).isTrue();
  }

  @Test
  void aFailingActionAndAFailingRoleAreBothFound() {
    fails = presses("2").or(knows("bad", "v1"));
    for (var name : List.of("a", "b", "bad", "c", "d")) {
      role(name, "v1");
    }
    for (int i = 1; i <= 4; i++) {
      act("" + i, "a");
    }
    settle();

    assertThat(placed()).containsOnlyKeys("a", "b", "c", "d");
    assertThat(completion("2").orElseThrow().state()).isEqualTo(Action.State.SET_ASIDE);
    assertThat(List.of("1", "3", "4"))
        .allSatisfy(
            id -> assertThat(completion(id).orElseThrow().state()).isEqualTo(Action.State.DONE));
    assertThat(scheduled("bad").orElseThrow().isFalse()).isTrue();
    assertThat(List.of("a", "b", "c", "d"))
        .allSatisfy(name -> assertThat(scheduled(name)).isEmpty());
  }

  @Test
  void theActionIsSetAsideIfARoleAndAnActionFailOnlyTogether() {
    fails = presses("1").and(knows("web", "v1"));
    role("api", "v1");
    role("web", "v1");
    act("1", "web");
    act("2", "api");
    settle();

    assertThat(placed()).containsOnlyKeys("api", "web");
    assertThat(completion("1").orElseThrow().state()).isEqualTo(Action.State.SET_ASIDE);
    assertThat(completion("2").orElseThrow().state()).isEqualTo(Action.State.DONE);
  }

  @Test
  void nothingIsSetAsideIfTheSchedulerFailsOnEmptyInput() {
    role("web", "v1");
    settle();
    var before = schedule();
    fails = input -> true;
    act("1", "web");
    role("web", "v2");
    settle();

    assertThat(schedule()).isEqualTo(before);
    assertThat(completion("1")).isEmpty();
    assertThat(scheduled("web")).isEmpty();
    var conditions =
        memory.get(Schedule.KIND, Schedule.CURRENT).orElseThrow().status().orElseThrow();
    var decided = Condition.find(conditions.conditions(), ConditionType.DECIDED).orElseThrow();
    assertThat(decided.isFalse()).isTrue();
    assertThat(decided.message()).contains("main.lua:7: boom");

    fails = input -> false;
    settle();
    assertThat(completion("1").orElseThrow().state()).isEqualTo(Action.State.DONE);
    assertThat(placed()).containsEntry("web", Map.of("version", "v2"));
  }

  @Test
  void manyFailingRolesAreFoundAndNoOtherIsSetAside() {
    fails =
        input ->
            Json.object(input.get("runtime")).keySet().stream()
                .anyMatch(it -> it.startsWith("bad"));
    for (int i = 0; i < 200; i++) {
      role("role-" + i, "v1");
    }
    settle();
    int before = runs;
    for (int i = 0; i < 12; i++) {
      role("bad-" + i, "v1");
      role("good-" + i, "v1");
    }
    world.runFor(Duration.ofMinutes(2));

    assertThat(placed()).hasSize(212).doesNotContainKey("bad-3");
    for (var role : memory.list(RoleConfig.KIND)) {
      boolean bad = role.name().startsWith("bad");
      assertThat(scheduled(role.name()).filter(Condition::isFalse).isPresent())
          .as(role.name())
          .isEqualTo(bad);
    }
    assertThat(runs - before).isLessThan(400);
  }

  @Test
  void allRolesStayScheduledDuringTheSearch() {
    for (int i = 0; i < 50; i++) {
      role("role-" + i, "v1");
    }
    settle();
    world.always(
        () -> {
          if (memory.get(Schedule.KIND, Schedule.CURRENT).isPresent()) {
            assertThat(placed()).hasSizeGreaterThanOrEqualTo(50);
          }
        });
    fails =
        input ->
            Json.object(input.get("runtime")).values().stream()
                .anyMatch(metadata -> newest(metadata).equals("v9"));
    for (int i = 0; i < 50; i += 2) {
      role("role-" + i, "v9");
    }
    world.runFor(Duration.ofMinutes(5));

    assertThat(placed()).containsEntry("role-0", Map.of("version", "v1")).hasSize(50);
  }

  @Test
  void aNewSchedulerSeesAllRolesAgain() {
    fails = knows("web", "v1");
    role("web", "v1");
    settle();
    assertThat(placed()).isEmpty();

    fails = input -> false;
    scheduler = input -> decide(input);
    loop.execute(loaded::reload);
    settle();
    assertThat(placed()).containsOnlyKeys("web");
    assertThat(scheduled("web").orElseThrow().isTrue()).isTrue();
  }

  /** A scheduler that fails once it is closed, as a real one does. */
  private final class Closing implements Scheduler {
    private boolean closed;

    @Override
    public Decision decide(Map<String, Object> input) throws Failed {
      if (closed) {
        throw new Failed("the scheduler is closed", "");
      }
      return SchedulingTest.this.decide(input);
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @Test
  void replacingTheSchedulerDoesNotFailARunInProgress() {
    var all = new ArrayList<Closing>();
    role("web", "v1");
    loader =
        () -> {
          all.add(new Closing());
          return all.get(all.size() - 1);
        };
    for (int i = 0; i < 40; i++) {
      loop.execute(loaded::reload);
      role("web", "v" + i);
      world.runFor(Duration.ofMillis(i));
    }
    settle();

    assertThat(records).extracting(DecisionRecord::problem).containsOnly("");
    int last = all.size() - 1;
    assertThat(all.subList(0, last)).hasSizeGreaterThan(5).allMatch(each -> each.closed);
    assertThat(all.get(last).closed).isFalse();
  }

  @Test
  void aRunThatDoesNotReadTheTimeIsRepeatedOnlyAfterAChange() {
    role("web", "v1");
    settle();
    int before = runs;
    world.runFor(Duration.ofMinutes(10));
    assertThat(runs).isEqualTo(before);

    role("web", "v2");
    settle();
    assertThat(runs).isGreaterThan(before);
    assertThat(placed()).containsEntry("web", Map.of("version", "v2"));
  }

  @Test
  void aRunThatReadsTheTimeIsRepeatedEveryFiveSeconds() {
    timeless = false;
    role("web", "v1");
    settle();
    int before = runs;
    world.runFor(Duration.ofSeconds(50));
    assertThat(runs - before).isBetween(9, 11);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, -1, 400, -400})
  void aRunThatReadsTheTimeIsRepeatedWhenTheClockIsSet(long days) {
    timeless = false;
    role("web", "v1");
    settle();
    int before = runs;
    loop.shift(Duration.ofDays(days));
    world.runFor(Duration.ofSeconds(50));
    assertThat(runs - before).isBetween(9, 12);
  }

  @Test
  void aNewNodeGetsItsShareWithoutAnyOtherChange() {
    role("web", "v1");
    settle();
    world.await(memory.put(Resource.of(Node.KIND, "n2", new Node.Spec(false))));
    settle();
    assertThat(memory.get(NodeSchedule.KIND, "n2")).isPresent();
  }

  @Test
  void aDecisionThatCouldNotBeWrittenIsMadeAgain() {
    role("web", "v1");
    settle();
    store.become(new Faults(1, 0, Duration.ZERO, Duration.ZERO));
    role("web", "v2");
    world.runFor(Duration.ofSeconds(20));
    assertThat(placed()).containsEntry("web", Map.of("version", "v1"));

    store.heal();
    settle();
    assertThat(placed()).containsEntry("web", Map.of("version", "v2"));
  }

  @Test
  void everyRunIsRecordedWithItsInput() {
    role("web", "v1");
    settle();
    fails = input -> true;
    role("web", "v2");
    world.runFor(Duration.ofSeconds(3));

    var good = records.stream().filter(run -> run.output().isPresent()).findFirst().orElseThrow();
    assertThat(good.schedule()).isEqualTo(schedule().hash());
    assertThat(Json.object(good.input().get("runtime"))).containsOnlyKeys("web");
    var bad = records.get(records.size() - 1);
    assertThat(bad.problem()).isEqualTo("main.lua:7: boom");
    assertThat(bad.log()).isEqualTo("some log");
  }

  private void node(String name) {
    world.await(memory.put(Resource.of(Node.KIND, name, new Node.Spec(false))));
  }

  private List<String> shares() {
    return memory.list(NodeSchedule.KIND).stream().map(Resource::name).toList();
  }

  private Schedule.Status status() {
    return memory.get(Schedule.KIND, Schedule.CURRENT).orElseThrow().status().orElseThrow();
  }

  @Test
  void removingANodeRemovesItsShare() {
    node("n2");
    role("web", "v1");
    settle();
    assertThat(shares()).containsExactly(NODE, "n2");
    assertThat(status().nodes()).isEqualTo(2);

    world.await(memory.remove(memory.get(Node.KIND, "n2").orElseThrow()));
    settle();

    assertThat(shares()).containsExactly(NODE);
    assertThat(status().nodes()).isEqualTo(1);
  }

  @Test
  void aScheduleThatNamesAnUnknownNodeHasACondition() {
    alsoOn = Map.of("n2", Map.of("roles", Map.of("web", Map.of())));
    role("web", "v1");
    settle();

    assertThat(shares()).containsExactly(NODE);
    assertThat(status().nodes()).isEqualTo(1);
    assertThat(Condition.find(status().conditions(), ConditionType.NODES_KNOWN))
        .hasValueSatisfying(
            condition -> {
              assertThat(condition.isFalse()).isTrue();
              assertThat(condition.message())
                  .isEqualTo(
                      "the schedule gives roles to n2, but no node has such a name; the nodes are"
                          + " n1");
            });
    assertThat(warnings(Schedule.KIND)).anyMatch(warning -> warning.contains("n2"));
    role("web", "v2");
    settle();
    assertThat(events(Reason.UNKNOWN_NODES))
        .singleElement()
        .satisfies(event -> assertThat(event.count()).isEqualTo(1));

    node("n2");
    settle();

    assertThat(shares()).containsExactly(NODE, "n2");
    assertThat(Condition.find(status().conditions(), ConditionType.NODES_KNOWN))
        .hasValueSatisfying(condition -> assertThat(condition.isTrue()).isTrue());
  }

  @Test
  void aNodeThatJoinsWhileTheSchedulerFailsGetsNoShare() {
    role("web", "v1");
    settle();
    fails = input -> true;
    node("n2");
    settle();
    assertThat(shares()).containsExactly(NODE);

    fails = input -> false;
    settle();
    assertThat(shares()).containsExactly(NODE, "n2");
  }

  private Condition condition(ConditionType type) {
    return Condition.find(status().conditions(), type).orElseThrow();
  }

  private List<Event.Spec> events(Reason reason) {
    return memory.list(Event.KIND).stream()
        .map(Resource::spec)
        .filter(event -> event.reason().equals(reason.title()))
        .toList();
  }

  @Test
  void aNewScheduleIsAnEventAndTheSameOneIsNot() {
    timeless = false;
    role("web", "v1");
    settle();
    settle();
    var scheduled = events(Reason.SCHEDULED);
    assertThat(scheduled).isNotEmpty().allMatch(event -> event.count() == 1);
    assertThat(scheduled)
        .anyMatch(event -> event.message().contains(schedule().hash().substring(0, 8)))
        .allMatch(event -> event.type() == Event.Type.NORMAL)
        .allMatch(event -> event.regarding().equals(Schedule.KIND.key(Schedule.CURRENT)));
  }

  @Test
  void aSchedulerThatWasNeverLoadedIsReported() {
    loader =
        () -> {
          throw new Scheduler.Failed("main.lua:1: no", "");
        };
    world.await(memory.put(Resource.of(Node.KIND, "n2", new Node.Spec(false))));
    var fresh = new LoadedScheduler(loop, () -> loader.load());
    var reconciler =
        new ScheduleReconciler(
            store,
            loop,
            fresh,
            records::add,
            questions -> Map.of(),
            new Events(store, world.loop("events"), "n1"),
            NODE,
            "00");
    controllers.close();
    controllers.start(loop, reconciler.controller());
    loop.execute(fresh::reload);
    settle();

    var condition = condition(ConditionType.SCHEDULER_LOADED);
    assertThat(condition.isFalse()).isTrue();
    assertThat(condition.message()).isEqualTo("main.lua:1: no");
    assertThat(warnings(Schedule.KIND)).containsExactly("current: main.lua:1: no");
    assertNoFailures();

    loader = () -> scheduler;
    loop.execute(fresh::reload);
    settle();
    assertThat(condition(ConditionType.SCHEDULER_LOADED).isTrue()).isTrue();
  }

  @Test
  void aSchedulerThatCannotBeLoadedLeavesTheOneBefore() {
    role("web", "v1");
    settle();
    assertThat(condition(ConditionType.SCHEDULER_LOADED).isTrue()).isTrue();
    loader =
        () -> {
          throw new Scheduler.Failed("main.lua:1: no", "");
        };
    loop.execute(loaded::reload);
    settle();
    var condition = condition(ConditionType.SCHEDULER_LOADED);
    assertThat(condition.isFalse()).isTrue();
    assertThat(condition.message()).startsWith("main.lua:1: no (");

    role("web", "v2");
    settle();
    assertThat(placed()).containsEntry("web", Map.of("version", "v2"));
    assertThat(warnings(Schedule.KIND)).hasSize(1);
    assertThat(events(Reason.LOAD_FAILED))
        .singleElement()
        .satisfies(event -> assertThat(event.count()).isEqualTo(1));

    loader =
        () -> {
          throw new Scheduler.Failed("main.lua:2: no", "");
        };
    loop.execute(loaded::reload);
    settle();
    assertThat(warnings(Schedule.KIND)).hasSize(2);

    loader = () -> scheduler;
    loop.execute(loaded::reload);
    settle();
    assertThat(condition(ConditionType.SCHEDULER_LOADED).isTrue()).isTrue();
  }

  @Test
  void theLastLogIsKeptInTheStatusWhileNothingRuns() {
    role("web", "v1");
    settle();
    assertThat(status().log()).isEqualTo("log");
    node("n2");
    settle();
    assertThat(status().log()).isEqualTo("log");
    fails = input -> true;
    role("web", "v2");
    settle();
    assertThat(status().log()).isEqualTo("some log");
  }

  @Test
  void aLongLogIsCutToItsLastLines() {
    log = "x".repeat(20_000);
    role("web", "v1");
    settle();
    assertThat(status().log()).isEqualTo(log);

    log = "first line\nsecond line\n" + "y".repeat(19_995) + "\nlast line";
    role("web", "v2");
    settle();
    assertThat(status().log()).isEqualTo("...\nlast line");

    log = "first line\n" + "y".repeat(19_989) + "\nlast line";
    role("web", "v3");
    settle();
    assertThat(status().log()).startsWith("...\nyyyy").endsWith("y\nlast line").hasSize(20_003);
  }

  @Test
  void theStatusCountsTheNodesThatHaveAppliedTheirShare() {
    node("n2");
    role("web", "v1");
    settle();
    assertThat(status().applied()).isZero();
    applied(NODE, memory.get(NodeSchedule.KIND, NODE).orElseThrow().spec().schedule());
    assertThat(status().applied()).isEqualTo(1);
    applied("n2", "another");
    assertThat(status().applied()).isEqualTo(1);
    assertThat(status().nodes()).isEqualTo(2);
  }

  private void applied(String node, String hash) {
    var share = memory.get(NodeSchedule.KIND, node).orElseThrow();
    world.await(
        memory.putStatus(
            share.withStatus(new NodeSchedule.Status(1, Optional.of(hash), Map.of(), List.of()))));
    settle();
  }

  @Test
  void aShareThatCannotBeWrittenIsWrittenLater() {
    role("web", "v1");
    settle();
    store.become(new Faults(1, 0, Duration.ZERO, Duration.ZERO));
    memory.remove(memory.get(NodeSchedule.KIND, NODE).orElseThrow());
    world.runFor(Duration.ofSeconds(20));
    store.heal();
    settle();
    assertThat(shares()).containsExactly(NODE);
  }

  @Test
  void aStoppedReconcilerDecidesNothing() {
    role("web", "v1");
    settle();
    var stopped = controllers.stop();
    settle();
    assertThat(stopped.succeeded()).isTrue();
    int before = runs;
    world.always(() -> assertThat(world.isOn(loop)).isFalse());
    role("web", "v2");
    settle();
    assertThat(runs).isEqualTo(before);
  }

  @Test
  void theSchedulerSeesTheInstancesOfEveryNode() {
    role("web", "v1");
    settle();
    world.await(
        memory.put(
            Resource.of(
                RoleInstance.KIND,
                "web@n1",
                new RoleInstance.Spec("web", NODE, "web", Optional.of("v1"), Map.of()))));
    settle();
    var last = records.get(records.size() - 1).input();
    assertThat(Json.object(Json.object(last.get("instances")).get(NODE))).containsOnlyKeys("web");
  }

  private void assertNoFailures() {
    assertThat(controllers.counters())
        .allSatisfy(counters -> assertThat(counters.failures()).isZero());
  }

  @Test
  void aShareThatWasRemovedIsWrittenAgain() {
    role("web", "v1");
    settle();
    world.await(memory.remove(memory.get(NodeSchedule.KIND, NODE).orElseThrow()));
    settle();
    assertThat(shares()).containsExactly(NODE);
    assertNoFailures();
  }

  @Test
  void nothingIsDecidedBeforeTheWholeStateWasRead() {
    for (int i = 0; i < 10; i++) {
      role("role-" + i, "v1");
    }
    settle();
    controllers.close();
    records.clear();
    store.become(new Faults(0, 0, Duration.ZERO, Duration.ofSeconds(5)));
    var fresh = new LoadedScheduler(loop, () -> loader.load());
    var reconciler =
        new ScheduleReconciler(
            store,
            loop,
            fresh,
            records::add,
            questions -> Map.of(),
            new Events(store, world.loop("events"), "n1"),
            NODE,
            "00");
    assertThat(world.await(reconciler.reconcile(Schedule.KIND.key(Schedule.CURRENT))))
        .isEqualTo(Result.DONE);
    assertThat(records).isEmpty();
    controllers.start(loop, reconciler.controller());
    loop.execute(fresh::reload);
    settle();

    assertThat(records)
        .isNotEmpty()
        .allSatisfy(run -> assertThat(Json.object(run.input().get("runtime"))).hasSize(10));
    assertNoFailures();
  }

  @Test
  void scheduleThatTheStoreRefusesIsACondition() {
    role("web", "v1");
    settle();
    var before = schedule();
    long generation = schedule(Schedule.CURRENT).meta().generation();
    alsoOn = Map.of("n2", Map.of("roles", Map.of("x".repeat(2_000_000), Map.of())));
    world.await(memory.put(Resource.of(Node.KIND, "n2", new Node.Spec(false))));
    settle();

    assertThat(schedule()).isEqualTo(before);
    assertThat(schedule(Schedule.CURRENT).meta().generation()).isEqualTo(generation);
    var decided = decided();
    assertThat(decided.isFalse()).isTrue();
    assertThat(decided.hasReason(Reason.PUBLISH_FAILED)).isTrue();
    assertThat(decided.message())
        .startsWith("the schedule cannot be stored: NodeSchedule/n2: its JSON has ")
        .endsWith(" (the previous schedule stays in force)");
    assertThat(warnings(Schedule.KIND)).containsExactly("current: " + decided.message());

    runs = 0;
    settle();
    assertThat(runs).as("runs in a minute").isLessThanOrEqualTo(13);

    alsoOn = Map.of();
    settle();
    assertThat(decided().isTrue()).isTrue();
  }

  @Test
  void longErrorMessageOfTheSchedulerIsShortened() {
    role("web", "v1");
    scheduler =
        input -> {
          throw new Scheduler.Failed("main.lua:7: " + "boom ".repeat(2_000_000), "");
        };
    loop.execute(loaded::reload);
    settle();

    assertThat(decided().hasReason(Reason.SCHEDULER_FAILED)).isTrue();
    assertThat(decided().message())
        .startsWith("main.lua:7: boom boom")
        .endsWith("boom  (the previous schedule stays in force)")
        .hasSizeLessThanOrEqualTo(MessageLimit.LENGTH);
  }

  @Test
  void longErrorMessageOfAnActionIsShortened() {
    role("web", "v1");
    act("1", "web");
    scheduler =
        input -> {
          if (presses("1").test(input)) {
            throw new Scheduler.Failed("main.lua:7: " + "boom ".repeat(2_000_000), "");
          }
          return decide(input);
        };
    loop.execute(loaded::reload);
    settle();

    assertThat(completion("1").orElseThrow().reason()).hasSizeBetween(1, MessageLimit.LENGTH);
    assertThat(decided().isTrue()).isTrue();
  }

  private Resource<Schedule.Spec, Schedule.Status> schedule(String name) {
    return memory.get(Schedule.KIND, name).orElseThrow();
  }

  private Condition decided() {
    var conditions = schedule(Schedule.CURRENT).status().orElseThrow().conditions();
    return Condition.find(conditions, ConditionType.DECIDED).orElseThrow();
  }

  @Test
  void aScheduleThatLosesDuringADecisionIsAParentOfTheNextOne() {
    role("web", "v1");
    act("1", "web");
    settle();
    var lost = schedule();
    var data = Map.<String, Object>of("state", Map.of("pressed-2", 1L));
    var won = Schedule.Spec.of(data, List.of(), "a2", world.now());
    meanwhile =
        () ->
            memory.commit(
                List.of(
                    new Write.Put(
                        memory.get(Schedule.KIND, Schedule.CURRENT).orElseThrow().withSpec(won)),
                    new Write.Put(Resource.of(Schedule.KIND, ForkMerge.parentName(lost), lost))));
    var node = memory.get(Node.KIND, NODE).orElseThrow();
    memory.put(node.withMeta(node.meta().withLabels(Map.of("rack", "1"))));
    settle();

    assertThat(schedule().parents()).containsExactly(won.hash(), lost.hash());
    assertThat(memory.list(Schedule.KIND)).hasSize(1);
  }
}
