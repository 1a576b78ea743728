package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.cluster.testkit.Election;
import verwalter.cluster.testkit.Heartbeats;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.controllers.config.ConfigChange;
import verwalter.controllers.config.RuntimeReading;
import verwalter.controllers.node.NodeReconciler;
import verwalter.controllers.nodeschedule.Responder;
import verwalter.controllers.template.DryTemplates;
import verwalter.controllers.template.FileWatch;
import verwalter.model.Action;
import verwalter.model.Event;
import verwalter.model.Kind;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.Schedule;
import verwalter.model.Scheduler;
import verwalter.model.json.Json;
import verwalter.stores.api.Capability;
import verwalter.stores.api.Change;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.Fence;
import verwalter.stores.api.Page;
import verwalter.stores.api.Query;
import verwalter.stores.api.Selection;
import verwalter.stores.api.Write;
import verwalter.stores.engine.MemoryStore;
import verwalter.stores.testkit.Faults;
import verwalter.stores.testkit.FaultyStore;

/**
 * Changes the leader at every step of a decision, in one run for each step. No write of the first
 * leader may be visible after the second one has begun, no decision may be visible in part, and the
 * second leader must continue.
 */
class LostLeadershipTest {
  private static final String FIRST = "a1";
  private static final String SECOND = "b2";
  private static final Duration SETTLED = Duration.ofSeconds(20);

  /** Slow enough for a write to take many steps. */
  private static final Faults SLOW = new Faults(0, 0, Duration.ofMillis(60), Duration.ofMillis(40));

  /** How the first leader loses leadership. */
  private enum Loss {
    /** It is notified, and the second leader waits for it. */
    NOTIFIED {
      @Override
      void happen(Election election) {
        election.elect(SECOND);
      }
    },
    /** It is disconnected and stops when its lease ends. */
    CUT_OFF {
      @Override
      void happen(Election election) {
        election.isolate(FIRST);
        election.elect(SECOND);
      }
    },
    /** It continues without knowing about the second leader, like a process that was paused. */
    UNAWARE {
      @Override
      void happen(Election election) {
        election.takeOver(SECOND);
      }
    };

    abstract void happen(Election election);
  }

  /** Whether the store checks the epochs of writes. */
  private enum Fencing {
    ON,
    OFF
  }

  /** A write that took effect. */
  private record Entry(String machine, String what) {}

  /** A run with two candidates and one store. */
  private static final class Run {
    private final VirtualWorld world = new VirtualWorld(1);
    private final MemoryStore memory = new MemoryStore(world.clock(), world.uids());
    private final Election election = new Election(world, memory.epoch());
    private final Heartbeats heartbeats = new Heartbeats(world);
    private final List<Entry> ledger = new ArrayList<>();
    private final Set<String> inForce = new TreeSet<>();
    private final List<String> partly = new ArrayList<>();
    private final Fencing fencing;
    private final Map<String, LeaderCandidate> candidates = new TreeMap<>();
    private String version = "v1";

    /** The machine whose next calls of beginEpoch fail, and their number. */
    private String unlucky = "";

    private int lost;
    private boolean lostAfterEffect;

    private Run(Fencing fencing) {
      this.fencing = fencing;
      node("n1", FIRST);
      node("n2", SECOND);
      candidates.put(FIRST, candidate("n1", FIRST));
      candidates.put(SECOND, candidate("n2", SECOND));
      world.always(this::look);
      election.elect(FIRST);
      world.runFor(SETTLED);
    }

    private void node(String name, String id) {
      var status =
          new Node.Status(
              1,
              List.of(),
              Map.of(Node.MACHINE_ID, id),
              new Node.Capacity(1, 1),
              Optional.empty(),
              new Node.Roles(0, 0, 0),
              List.of());
      world.await(
          memory.put(Resource.of(Node.KIND, name, new Node.Spec(false)).withStatus(status)));
      renew(world.loop(id), id);
    }

    private void renew(Loop loop, String id) {
      heartbeats.leases(id).renew();
      loop.after(Duration.ofSeconds(10), () -> renew(loop, id));
    }

    private LeaderCandidate candidate(String name, String id) {
      var store = new FaultyStore(new Recording(this, id), world, SLOW);
      var parts =
          new NodeAgent.Parts(
              store,
              new NodeAgent.Cluster(store, election.leadership(id), heartbeats.leases(id)),
              new NodeAgent.Execution(loop -> world.loop(id + " " + loop), () -> 0.5),
              new NodeAgent.Configuration(
                  () -> new RuntimeReading(Map.of("web", Map.of(version, Map.of())), Map.of()),
                  (loop, listener) -> () -> {}),
              new NodeAgent.Scheduling(
                  () -> Run::schedule,
                  decision -> {},
                  questions -> Map.of(),
                  UnaryOperator.identity()),
              new NodeAgent.Rendering(
                  Responder.OF_SHARE,
                  new DryTemplates(Path.of("/"), System.out),
                  FileWatch.NONE,
                  "0",
                  () -> Future.succeededFuture("d"),
                  Optional.empty()),
              new NoProcesses(),
              new NodeReconciler.Machine(
                  name, List.of(), Map.of(Node.MACHINE_ID, id), new Node.Capacity(1, 1)));
      var loops = LeaderLoops.of(parts.execution().loops());
      var loop = world.loop(id);
      var candidate =
          new LeaderCandidate(
              store, loop, Leading.NOTHING, epoch -> LeaderControllers.start(parts, loops, epoch));
      election.leadership(id).stand(loop, candidate);
      return candidate;
    }

    /** Assigns the role to every node, and counts the actions. */
    private static Scheduler.Decision schedule(Map<String, Object> input) {
      var parents = (List<?>) input.get("parents");
      var state = new TreeMap<String, Object>();
      if (!parents.isEmpty()) {
        state.putAll(Json.object(Json.object(parents.get(0)).get("state")));
      }
      Json.object(input.get("actions"))
          .keySet()
          .forEach(id -> state.merge(id, 1L, (one, other) -> (Long) one + (Long) other));
      var roles = new TreeMap<String, Object>();
      Json.object(input.get("runtime"))
          .forEach(
              (role, versions) ->
                  roles.put(
                      role, Map.of("version", Json.object(versions).keySet().iterator().next())));
      var nodes = new TreeMap<String, Object>();
      Json.object(input.get("nodes"))
          .keySet()
          .forEach(name -> nodes.put(name, Map.of("roles", roles)));
      var data = new LinkedHashMap<String, Object>();
      data.put("state", state);
      data.put("nodes", nodes);
      return new Scheduler.Decision(data, "log", 10, true, List.of(), Map.of());
    }

    /** The invariant of each step: a decision is visible completely or not at all. */
    private void look() {
      var schedule = schedule();
      if (schedule.filter(Schedule.Spec::decided).isEmpty()) {
        return;
      }
      inForce.add("%.8s".formatted(schedule.get().hash()));
      var nodes = Json.object(schedule.get().data().get("nodes"));
      for (var share : memory.list(NodeSchedule.KIND)) {
        var decided = Json.object(Json.object(nodes.get(share.name())).get("roles"));
        var given = share.spec().roles();
        if (!decided.keySet().equals(given.keySet())
            || !decided.keySet().stream()
                .allMatch(
                    role ->
                        Json.object(decided.get(role))
                            .get("version")
                            .equals(given.get(role).get("version")))) {
          partly.add(share.name() + " has " + given + " of " + decided);
        }
      }
      var taken = Json.object(schedule.get().data().get("state"));
      for (var action : memory.list(Action.KIND)) {
        if (action.status().isPresent() != taken.containsKey(action.name())) {
          partly.add("action " + action.name() + " is " + action.status() + " of " + taken);
        }
      }
    }

    private Optional<Schedule.Spec> schedule() {
      return memory.get(Schedule.KIND, Schedule.CURRENT).map(Resource::spec);
    }

    /** Changes the version and adds an action, which causes a decision. */
    private void change(String next, String action) {
      version = next;
      memory.put(
          Resource.of(
              Action.KIND,
              action,
              new Action.Spec(
                  Map.of("button", Map.of("role", "web", "action", "go")), world.now())));
      candidates.values().forEach(each -> each.changed(new ConfigChange(Set.of("runtime"), false)));
    }

    /** The writes of the first leader after the second one began its epoch. */
    private List<Entry> tooLate() {
      var begun = ledger.indexOf(new Entry(SECOND, "epoch"));
      assertThat(begun).as("the second leader began").isNotNegative();
      return ledger.subList(begun, ledger.size()).stream()
          .filter(entry -> entry.machine().equals(FIRST))
          .toList();
    }

    private void assertCarriedOn(String version, String... actions) {
      var schedule = schedule().orElseThrow();
      assertThat(schedule.data().get("state"))
          .isEqualTo(
              new TreeMap<>(
                  List.of(actions).stream()
                      .collect(java.util.stream.Collectors.toMap(each -> each, each -> 1L))));
      assertThat(memory.list(NodeSchedule.KIND))
          .extracting(Resource::name)
          .containsExactly("n1", "n2");
      assertThat(memory.list(NodeSchedule.KIND))
          .allSatisfy(
              share ->
                  assertThat(share.spec().roles().get("web")).containsEntry("version", version));
      assertThat(memory.list(Action.KIND))
          .allSatisfy(
              action ->
                  assertThat(action.status().orElseThrow().state()).isEqualTo(Action.State.DONE));
      var status = memory.get(Schedule.KIND, Schedule.CURRENT).flatMap(Resource::status);
      assertThat(status.orElseThrow().conditions()).noneMatch(it -> it.isFalse());
      assertThat(status.orElseThrow().nodes()).isEqualTo(2);
    }

    /** Checks that events report only committed decisions. */
    private void assertEventsAreTrue() {
      assertThat(memory.list(Event.KIND))
          .filteredOn(event -> event.spec().reason().equals(Reason.SCHEDULED.title()))
          .allSatisfy(
              event -> assertThat(inForce).anyMatch(hash -> event.spec().message().contains(hash)));
    }
  }

  /** The store as used by one machine. Records the writes with an effect. */
  private record Recording(Run run, String machine) implements EpochStore {
    @Override
    public <S, T> Optional<Resource<S, T>> get(Kind<S, T> kind, String name) {
      return run.memory.get(kind, name);
    }

    @Override
    public <S, T> Page<S, T> list(Kind<S, T> kind, Query query) {
      return run.memory.list(kind, query);
    }

    @Override
    public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
      long before = run.memory.revision();
      return run.memory
          .commit(writes, run.fencing == Fencing.ON ? fence : Fence.NONE)
          .onSuccess(
              done -> {
                if (run.memory.revision() != before) {
                  run.ledger.add(new Entry(machine, writes.toString()));
                }
              });
    }

    @Override
    public <S, T> Watch watch(
        Kind<S, T> kind,
        Selection selection,
        OptionalLong after,
        Loop loop,
        Consumer<Change<S, T>> watcher) {
      return run.memory.watch(kind, selection, after, loop, watcher);
    }

    @Override
    public long revision() {
      return run.memory.revision();
    }

    @Override
    public long epoch() {
      return run.memory.epoch();
    }

    @Override
    public Future<Long> beginEpoch(long atLeast) {
      boolean lost = machine.equals(run.unlucky) && run.lost-- > 0;
      if (lost && !run.lostAfterEffect) {
        return Future.failedFuture("the line broke");
      }
      return run.memory
          .beginEpoch(atLeast)
          .onSuccess(begun -> run.ledger.add(new Entry(machine, "epoch")))
          .compose(
              begun ->
                  lost
                      ? Future.<Long>failedFuture("the line broke")
                      : Future.succeededFuture(begun));
    }

    @Override
    public Set<Capability> capabilities() {
      return run.memory.capabilities();
    }
  }

  /** The number of steps from a change until there are no more writes. */
  private static int steps() {
    var run = new Run(Fencing.ON);
    long began = run.world.steps();
    run.change("v2", "1");
    run.world.runFor(Duration.ofSeconds(2));
    run.assertCarriedOn("v2", "1");
    return (int) (run.world.steps() - began);
  }

  private static Run lose(Loss loss, Fencing fencing, int step) {
    var run = new Run(fencing);
    run.change("v2", "1");
    for (int i = 0; i < step; i++) {
      run.world.step();
    }
    loss.happen(run.election);
    run.world.runFor(Duration.ofMinutes(1));
    return run;
  }

  @ParameterizedTest
  @EnumSource(Loss.class)
  void noWriteOfADecisionIsVisibleAfterAnotherLeaderBegan(Loss loss) {
    int steps = steps();
    assertThat(steps).isGreaterThan(30);
    for (int step = 0; step <= steps; step++) {
      var run = lose(loss, Fencing.ON, step);

      assertThat(run.tooLate()).as("step %d", step).isEmpty();
      assertThat(run.partly).as("step %d", step).isEmpty();
      run.assertCarriedOn("v2", "1");
      run.assertEventsAreTrue();
    }
  }

  @Test
  void withoutTheFenceAnUnawareLeaderKeepsWriting() {
    int steps = steps();
    int late = 0;
    for (int step = 0; step <= steps; step++) {
      late += lose(Loss.UNAWARE, Fencing.OFF, step).tooLate().isEmpty() ? 0 : 1;
    }
    assertThat(late).isGreaterThan(steps / 2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLeaderBeginsItsEpochAgainIfThatFailed(boolean afterEffect) {
    var run = new Run(Fencing.ON);
    run.unlucky = SECOND;
    run.lost = afterEffect ? 1 : 5;
    run.lostAfterEffect = afterEffect;
    run.election.elect(SECOND);
    run.change("v2", "1");
    run.world.runFor(Duration.ofMinutes(1));

    run.assertCarriedOn("v2", "1");
    assertThat(run.tooLate()).isEmpty();
    assertThat(run.ledger).filteredOn(new Entry(SECOND, "epoch")::equals).hasSize(1);
  }

  @Test
  void aLeaderThatCouldNotBeginDoesNotStopALaterOne() {
    var run = new Run(Fencing.ON);
    run.election.elect(SECOND);
    run.world.runFor(SETTLED);
    run.unlucky = FIRST;
    run.lost = 3;
    run.election.elect(FIRST);
    run.world.runFor(Duration.ofMillis(200));
    run.election.takeOver(SECOND);
    run.world.runFor(Duration.ofSeconds(5));
    run.election.resume(FIRST);
    run.world.runFor(SETTLED);
    run.change("v2", "1");
    run.world.runFor(Duration.ofMinutes(1));

    assertThat(run.lost).isLessThan(3);
    assertThat(run.ledger)
        .filteredOn(new Entry(FIRST, "epoch")::equals)
        .as("the first term only")
        .hasSize(1);
    run.assertCarriedOn("v2", "1");
  }

  /** For example one that the late request of a former leader began. */
  @Test
  void aLeaderBeginsAnEpochAfterOneThatBelongsToNoTerm() {
    var run = new Run(Fencing.ON);
    run.unlucky = SECOND;
    run.lost = 3;
    run.election.elect(SECOND);
    run.world.runFor(Duration.ofMillis(200));
    run.memory.beginEpoch(run.memory.epoch() + 5);
    run.world.runFor(SETTLED);
    run.change("v2", "1");
    run.world.runFor(Duration.ofMinutes(1));

    assertThat(run.lost).isLessThan(3);
    run.assertCarriedOn("v2", "1");
  }

  @ParameterizedTest
  @EnumSource(Loss.class)
  void aNodeThatLeadsAgainStartsNewControllers(Loss loss) {
    var run = lose(loss, Fencing.ON, 25);
    run.election.rejoin(FIRST);
    run.world.runFor(SETTLED);
    run.election.elect(FIRST);
    run.world.runFor(SETTLED);
    int before = run.ledger.size();
    run.change("v3", "2");
    run.world.runFor(SETTLED);

    run.assertCarriedOn("v3", "1", "2");
    assertThat(run.partly).isEmpty();
    assertThat(run.ledger.subList(before, run.ledger.size()))
        .isNotEmpty()
        .allSatisfy(entry -> assertThat(entry.machine()).isEqualTo(FIRST));
  }
}
