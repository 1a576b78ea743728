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
 * An election that a test decides: leadership of any number of machines in one virtual world. It
 * keeps every promise of {@link Leadership}, except where {@link #usurp} says otherwise.
 */
public final class Election {
  /** How long leadership lasts without a renewal that was confirmed. */
  public static final Duration LEASE = Duration.ofSeconds(15);

  private final Loop loop;
  private final Map<String, Seat> seats = new TreeMap<>();
  private final Set<String> isolated = new HashSet<>();
  private Optional<Term> term = Optional.empty();
  private Optional<String> wanted = Optional.empty();
  private boolean stopping;
  private long epoch;

  /**
   * An election in which nobody leads yet.
   *
   * @param epoch that of the first term is larger
   */
  public Election(VirtualWorld world, long epoch) {
    this.loop = world.loop("election");
    this.epoch = epoch;
  }

  /** Leadership as the machine sees it. */
  public Leadership leadership(String machine) {
    return seats.computeIfAbsent(machine, Seat::new);
  }

  /** Makes the machine lead as soon as it stands and the present leader has stopped. */
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

  /** Takes leadership away from the present leader; nobody leads until {@link #elect}. */
  public void resign() {
    loop.execute(
        () -> {
          wanted = Optional.empty();
          depose();
        });
  }

  /** Cuts a machine off: it hears of nothing, and loses leadership when its lease ends. */
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

  /** Connects a machine again. */
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
   * Makes the machine lead at once, as if the process that leads had been paused for longer than
   * its lease: this breaks promise 5, as a paused process does. The one that led hears of it when
   * {@link #resume} is called.
   */
  public void usurp(String machine) {
    loop.execute(
        () -> {
          leader().ifPresent(isolated::add);
          wanted = Optional.of(machine);
          stopping = false;
          term = Optional.empty();
          fill();
        });
  }

  /** The machine that was paused goes on, and hears that another leads. */
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

  /** One machine's side; touched on the election's loop, but for the term. */
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

    /** Stops a leader that was cut off, unless it has heard of something else since. */
    private void stopIn(Optional<Term> lost) {
      if (seen.equals(lost)) {
        see(Optional.empty());
      }
    }
  }

  /** One candidacy. */
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
