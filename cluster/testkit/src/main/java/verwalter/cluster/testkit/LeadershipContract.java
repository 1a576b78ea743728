package verwalter.cluster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;

/**
 * Tests each promise of {@link Leadership}. If a trial declares that leadership never changes, this
 * is tested too.
 */
@SuppressWarnings("NullAway.Init") // created before each test
public abstract class LeadershipContract {
  /** How long some candidates take to stop, which is within the limit. */
  private static final Duration STOPPING = Leadership.STOP_LIMIT.multipliedBy(3).dividedBy(5);

  private Stage world;
  private final List<Recorded> candidates = new ArrayList<>();

  /** The election to test. */
  protected interface Trial {
    /** The leadership as seen by the machine. All machines are in one cluster. */
    Leadership leadership(String machine);

    /** All machines. The first one leads as soon as it is a candidate. */
    List<String> machines();

    /** Whether leadership can be lost. If not, the methods below are ignored. */
    boolean changes();

    /** Makes a machine the leader as soon as possible. */
    void elect(String machine);

    /** Disconnects a machine from the others. */
    void isolate(String machine);

    /** Reconnects a machine. */
    void rejoin(String machine);
  }

  /** Where candidates and listeners run. All tasks run on the thread of the test. */
  protected interface Stage {
    /** Creates a loop, whose tasks run while the test waits. */
    Loop loop(String name);

    /** Whether the present task runs on the loop. */
    boolean isOn(Loop loop);

    /** The time of the loops. */
    Instant now();

    /** By how much timers may be late. */
    Duration lateness();

    /** Runs the invariant after each task. */
    void always(Runnable invariant);

    /** Waits longer than any election and any lease may take. */
    void settle();

    /** Waits until the future has succeeded. */
    void await(Future<Void> future);
  }

  /** Virtual time. */
  private record VirtualStage(VirtualWorld world) implements Stage {
    @Override
    public Loop loop(String name) {
      return world.loop(name);
    }

    @Override
    public boolean isOn(Loop loop) {
      return world.isOn(loop);
    }

    @Override
    public Instant now() {
      return world.now();
    }

    @Override
    public Duration lateness() {
      return Duration.ZERO;
    }

    @Override
    public void always(Runnable invariant) {
      world.always(invariant);
    }

    @Override
    public void settle() {
      world.runFor(Duration.ofMinutes(2));
    }

    @Override
    public void await(Future<Void> future) {
      world.await(future);
    }
  }

  private final VirtualWorld virtual = new VirtualWorld(1);

  /** The stage of a test; by default one with the time of the virtual world. */
  protected Stage stage() {
    return new VirtualStage(virtual);
  }

  @BeforeEach
  void begin() {
    world = stage();
  }

  private Trial trial() {
    return trial(virtual);
  }

  /** Creates an election without candidates, in the virtual world unless it has another stage. */
  protected abstract Trial trial(VirtualWorld world);

  /** A call of a candidate. */
  private record Call(String machine, Optional<Term> lead, Instant at) {}

  private final List<Call> calls = new ArrayList<>();

  /** A candidate that takes some time to stop, and records its calls. */
  private final class Recorded implements Leadership.Candidate {
    private final String machine;
    private final Leadership leadership;
    private final Loop loop;
    private final Duration stopping;
    private boolean leads;
    private Optional<Instant> stopCalled = Optional.empty();
    private boolean stopped = true;

    private Recorded(String machine, Leadership leadership, Duration stopping) {
      this.machine = machine;
      this.leadership = leadership;
      this.loop = world.loop(machine);
      this.stopping = stopping;
    }

    @Override
    public void lead(Term term) {
      assertThat(world.isOn(loop)).isTrue();
      assertThat(leads).as("lead and stop are called alternately").isFalse();
      assertThat(leadership.term()).contains(term);
      assertThat(term.leader()).isEqualTo(machine);
      for (var other : candidates) {
        assertThat(other.quiet()).as("%s has stopped before %s leads", other, machine).isTrue();
      }
      leads = true;
      stopped = false;
      stopCalled = Optional.empty();
      calls.add(new Call(machine, Optional.of(term), world.now()));
    }

    @Override
    public Future<Void> stop() {
      assertThat(world.isOn(loop)).isTrue();
      assertThat(leads).as("lead and stop are called alternately").isTrue();
      assertThat(leadership.term().filter(now -> now.leader().equals(machine))).isEmpty();
      leads = false;
      stopCalled = Optional.of(world.now());
      calls.add(new Call(machine, Optional.empty(), world.now()));
      var done = Promise.<Void>promise();
      loop.after(
          stopping,
          () -> {
            stopped = true;
            done.complete();
          });
      return done.future();
    }

    /** Whether it has stopped, or its time limit has passed. */
    private boolean quiet() {
      return stopped
          || stopCalled
              .filter(at -> !world.now().isBefore(at.plus(Leadership.STOP_LIMIT)))
              .isPresent();
    }

    @Override
    public String toString() {
      return machine;
    }
  }

  private Leadership.Candidacy stand(Trial trial, String machine, Duration stopping) {
    var leadership = trial.leadership(machine);
    var candidate = new Recorded(machine, leadership, stopping);
    candidates.add(candidate);
    var candidacy = leadership.stand(candidate.loop, candidate);
    assertThat(candidate.leads).isFalse();
    return candidacy;
  }

  private void standAll(Trial trial, Duration stopping) {
    trial.machines().forEach(machine -> stand(trial, machine, stopping));
    world.settle();
  }

  /** Elects each machine twice. */
  private void takeTurns(Trial trial) {
    for (int i = 0; i < 2; i++) {
      for (var machine : trial.machines()) {
        trial.elect(machine);
        world.settle();
      }
    }
  }

  private List<Term> terms() {
    return calls.stream().flatMap(call -> call.lead().stream()).toList();
  }

  @Test
  @DisplayName("1: each term has one leader and a larger epoch than every term before it")
  void epochsGrow() {
    var trial = trial();
    standAll(trial, Duration.ZERO);
    takeTurns(trial);

    assertThat(terms()).isNotEmpty();
    assertThat(terms().stream().map(Term::epoch)).isSorted().doesNotHaveDuplicates();
    if (trial.changes()) {
      assertThat(terms()).hasSizeGreaterThan(trial.machines().size());
    } else {
      assertThat(terms()).hasSize(1);
    }
  }

  @Test
  @DisplayName("2: the epochs that a node sees never decrease, and an epoch means one term")
  void epochsNeverDecrease() {
    var trial = trial();
    var leaderships = trial.machines().stream().map(trial::leadership).toList();
    var last = new ArrayList<>(leaderships.stream().map(any -> new Term("", -1)).toList());
    world.always(
        () -> {
          for (int i = 0; i < leaderships.size(); i++) {
            var before = last.get(i);
            var now = leaderships.get(i).term().orElse(before);
            assertThat(now.epoch()).isGreaterThanOrEqualTo(before.epoch());
            if (now.epoch() == before.epoch()) {
              assertThat(now).isEqualTo(before);
            }
            last.set(i, now);
          }
        });
    standAll(trial, Duration.ofSeconds(1));
    takeTurns(trial);
    assertThat(last.get(0).epoch()).isNotNegative();
  }

  @Test
  @DisplayName(
      "3: a listener receives the present state first, then each change, and nothing after close")
  void listenersReceiveChanges() {
    var trial = trial();
    standAll(trial, Duration.ZERO);
    var machine = trial.machines().get(trial.machines().size() - 1);
    var leadership = trial.leadership(machine);
    var present = leadership.term();
    var reported = new ArrayList<Optional<Term>>();
    var silent = new ArrayList<Optional<Term>>();
    var loop = world.loop("listener");
    leadership.watch(
        loop,
        term -> {
          assertThat(world.isOn(loop)).isTrue();
          reported.add(term);
        });
    leadership.watch(loop, silent::add).close();
    assertThat(reported).isEmpty();
    world.settle();
    takeTurns(trial);

    assertThat(present).isPresent();
    assertThat(reported.get(0)).isEqualTo(present);
    assertThat(reported.get(reported.size() - 1)).isEqualTo(leadership.term());
    assertThat(silent).isEmpty();
    if (!trial.changes()) {
      assertThat(reported).hasSize(1);
    }
  }

  @Test
  @DisplayName(
      "4, 5: lead and stop alternate, and a leader begins only when the previous one has stopped")
  void aLeaderBeginsWhenThePreviousOneHasStopped() {
    var trial = trial();
    standAll(trial, STOPPING);
    takeTurns(trial); // the candidates check each call
    assertThat(terms()).isNotEmpty();
  }

  @Test
  @DisplayName("5: a candidate that does not stop delays the next one for a limited time")
  void aCandidateThatDoesNotStopDelaysTheNextForALimitedTime() {
    var trial = trial();
    standAll(trial, Duration.ofDays(1));
    takeTurns(trial);
    if (trial.changes()) {
      assertThat(terms()).hasSizeGreaterThan(trial.machines().size());
    }
  }

  @Test
  @DisplayName("6: a disconnected leader is stopped in time by its own node")
  void aDisconnectedLeaderIsStopped() {
    var trial = trial();
    standAll(trial, STOPPING);
    if (!trial.changes()) {
      return; // there is no other machine
    }
    var first = trial.machines().get(0);
    var second = trial.machines().get(1);
    trial.isolate(first);
    trial.elect(second);
    world.settle();
    assertThat(calls.get(calls.size() - 1).machine()).isEqualTo(second);

    trial.rejoin(first);
    world.settle();
    assertThat(trial.leadership(first).term()).isEqualTo(trial.leadership(second).term());
    trial.elect(first);
    world.settle();
    assertThat(calls.get(calls.size() - 1).machine()).isEqualTo(first);
  }

  @Test
  @DisplayName("7: a candidate that withdraws is stopped and is not called afterwards")
  void aCandidateThatWithdrawsIsStopped() {
    var trial = trial();
    var first = trial.machines().get(0);
    var candidacy = stand(trial, first, STOPPING);
    trial.elect(first);
    world.settle();
    assertThat(terms()).hasSize(1);
    var began = world.now();

    world.await(candidacy.withdraw());
    assertThat(Duration.between(began, world.now())).isBetween(STOPPING, Leadership.STOP_LIMIT);
    world.await(candidacy.withdraw());
    world.settle();

    assertThat(calls).hasSize(2);
    assertThat(trial.leadership(first).term()).isEmpty();
    if (trial.changes()) {
      var second = trial.machines().get(1);
      stand(trial, second, Duration.ZERO);
      trial.elect(second);
      world.settle();
      assertThat(calls.get(calls.size() - 1).machine()).isEqualTo(second);
    }
  }
}
