package verwalter.cluster.testkit;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.concurrent.testkit.VirtualWorld;

/**
 * An election controlled by a test: the leadership of any number of machines in one virtual world.
 * It keeps every promise of {@link Leadership}, except after {@link #takeOver}.
 */
public final class Election {
  /** How long leadership lasts without a confirmed renewal. */
  public static final Duration LEASE = Duration.ofSeconds(15);

  private final Loop loop;
  private final Map<String, Seat> seats = new TreeMap<>();
  private final Set<String> isolated = new HashSet<>();
  private Optional<Term> term = Optional.empty();
  private Optional<String> wanted = Optional.empty();
  private boolean stopping;
  private long epoch;

  /**
   * Creates an election without a leader.
   *
   * @param epoch smaller than the epoch of the first term
   */
  public Election(VirtualWorld world, long epoch) {
    this.loop = world.loop("election");
    this.epoch = epoch;
  }

  /** The leadership as seen by the machine. */
  public Leadership leadership(String machine) {
    return seats.computeIfAbsent(machine, Seat::new);
  }

  /**
   * Makes the machine the leader as soon as it is a candidate and the present leader has stopped.
   */
  public void elect(String machine) {
    loop.execute(
        () -> {
          wanted = Optional.of(machine);
          if (leader().filter(machine::equals).isEmpty()) {
            depose();
          }
          fill();
        });
  }

  /** Ends the term of the present leader. There is no leader until {@link #elect}. */
  public void resign() {
    loop.execute(
        () -> {
          wanted = Optional.empty();
          depose();
        });
  }

  /** Disconnects a machine: it receives nothing, and loses leadership when its lease ends. */
  public void isolate(String machine) {
    loop.execute(
        () -> {
          isolated.add(machine);
          var seat = seats.get(machine);
          if (seat != null && leader().filter(machine::equals).isPresent()) {
            var lost = term;
            stopping = true;
            term = Optional.empty();
            others(machine);
            loop.after(LEASE.minus(Leadership.STOP_LIMIT), () -> seat.stopIn(lost));
            loop.after(
                LEASE,
                () -> {
                  stopping = false;
                  fill();
                });
          }
        });
  }

  /** Reconnects a machine. */
  public void rejoin(String machine) {
    loop.execute(
        () -> {
          isolated.remove(machine);
          var seat = seats.get(machine);
          if (seat != null) {
            seat.see(term);
          }
          fill();
        });
  }

  /**
   * Makes the machine the leader at once, as if the leading process had been paused for longer than
   * its lease. This breaks promise 5. The previous leader is notified by {@link #resume}.
   */
  public void takeOver(String machine) {
    loop.execute(
        () -> {
          leader().ifPresent(isolated::add);
          wanted = Optional.of(machine);
          stopping = false;
          term = Optional.empty();
          fill();
        });
  }

  /** Resumes a paused machine, which then learns about the new leader. */
  public void resume(String machine) {
    rejoin(machine);
  }

  private Optional<String> leader() {
    return term.map(Term::leader);
  }

  private void depose() {
    if (term.isEmpty()) {
      return;
    }
    var seat = seats.get(term.get().leader());
    term = Optional.empty();
    stopping = true;
    everybody();
    if (seat == null) {
      stopping = false;
      return;
    }
    seat.see(Optional.empty());
    seat.stop()
        .onComplete(
            done ->
                loop.execute(
                    () -> {
                      stopping = false;
                      fill();
                    }));
  }

  private void fill() {
    if (stopping || term.isPresent() || wanted.isEmpty()) {
      return;
    }
    var seat = seats.get(wanted.get());
    if (seat == null || !seat.stands() || isolated.contains(wanted.get())) {
      return;
    }
    var next = new Term(wanted.get(), ++epoch);
    term = Optional.of(next);
    everybody();
    seat.lead(next);
  }

  private void everybody() {
    seats.forEach(
        (machine, seat) -> {
          if (!isolated.contains(machine)) {
            seat.see(term);
          }
        });
  }

  private void others(String machine) {
    seats.forEach(
        (each, seat) -> {
          if (!each.equals(machine) && !isolated.contains(each)) {
            seat.see(term);
          }
        });
  }

  /** The state of one machine. Used on the election's loop, except for the term. */
  private final class Seat implements Leadership {
    private final String machine;
    private final List<Listening> listeners = new ArrayList<>();
    private volatile Optional<Term> seen = Optional.empty();
    private @Nullable Standing standing;

    private Seat(String machine) {
      this.machine = machine;
      this.seen = term;
    }

    private record Listening(Loop loop, Listener listener) {}

    @Override
    public Optional<Term> term() {
      return seen;
    }

    @Override
    public Watch watch(Loop on, Listener listener) {
      var listening = new Listening(on, listener);
      listeners.add(listening);
      report(listening);
      return () -> listeners.remove(listening);
    }

    private void report(Listening to) {
      to.loop()
          .execute(
              () -> {
                if (listeners.contains(to)) {
                  to.listener().changed(seen);
                }
              });
    }

    private void see(Optional<Term> now) {
      if (!seen.equals(now)) {
        if (seen.filter(last -> last.leader().equals(machine)).isPresent()) {
          stop();
        }
        seen = now;
        listeners.forEach(this::report);
      }
    }

    @Override
    public Candidacy stand(Loop on, Candidate candidate) {
      var next = new Standing(on, candidate);
      loop.execute(
          () -> {
            standing = next;
            fill();
          });
      return () -> {
        var done = Promise.<Void>promise();
        loop.execute(
            () -> {
              if (standing == next && leader().filter(machine::equals).isPresent()) {
                depose();
              }
              var stopped = next.stop();
              if (standing == next) {
                standing = null;
              }
              stopped.onComplete(done);
            });
        return done.future();
      };
    }

    private boolean stands() {
      return standing != null;
    }

    private void lead(Term next) {
      if (standing != null) {
        standing.lead(next);
      }
    }

    private Future<Void> stop() {
      return standing == null ? Future.succeededFuture() : standing.stop();
    }

    /** Stops a disconnected leader, unless it has seen another term since. */
    private void stopIn(Optional<Term> lost) {
      if (seen.equals(lost)) {
        see(Optional.empty());
      }
    }
  }

  /** A candidacy. */
  private final class Standing {
    private final Loop on;
    private final Leadership.Candidate candidate;
    private Future<Void> stopped = Future.succeededFuture();
    private boolean leads;

    private Standing(Loop on, Leadership.Candidate candidate) {
      this.on = on;
      this.candidate = candidate;
    }

    private void lead(Term next) {
      leads = true;
      on.execute(() -> candidate.lead(next));
    }

    private Future<Void> stop() {
      if (leads) {
        leads = false;
        var done = Promise.<Void>promise();
        loop.after(Leadership.STOP_LIMIT, done::tryComplete);
        on.execute(() -> candidate.stop().onComplete(any -> done.tryComplete()));
        stopped = done.future();
      }
      return stopped;
    }
  }
}
