package verwalter.cluster.forks;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;

/**
 * The leadership that the log gives, or the one of a side without a majority. While the side has
 * the seat, terms of the log are not passed on. Its state belongs to the loop. Thread-safe.
 */
public final class SideLeadership implements Leadership {
  private final Leadership log;
  private final Loop loop;
  private final List<Listening> listeners = new ArrayList<>();
  private Optional<Term> seen = Optional.empty();
  private Optional<Term> known = Optional.empty();
  private volatile Position position = new Position(false, Optional.empty(), false);
  private @Nullable Seat seat;

  /** Passes on what the log's leadership reports. */
  public SideLeadership(Leadership log, Loop loop) {
    this.log = log;
    this.loop = loop;
    log.watch(
        loop,
        term -> {
          known = term;
          report();
        });
  }

  /** Whether the side has the seat, its leader then, and whether that is this node. */
  private record Position(boolean isSide, Optional<Term> side, boolean isHere) {
    Optional<Term> or(Optional<Term> log) {
      return isSide ? side : log;
    }

    /** The term in which the candidate of this node leads. */
    Optional<Term> own(Optional<Term> granted) {
      return isSide && !isHere ? Optional.empty() : or(granted);
    }
  }

  private static final class Listening {
    private final Loop loop;
    private final Listener listener;
    private volatile boolean open = true;

    Listening(Loop loop, Listener listener) {
      this.loop = loop;
      this.listener = listener;
    }

    void report(Optional<Term> term) {
      loop.execute(
          () -> {
            if (open) {
              listener.changed(term);
            }
          });
    }
  }

  /** The candidate of this node, and the term that it leads in. */
  private final class Seat implements Candidate {
    private final Loop loop;
    private final Candidate candidate;
    private Optional<Term> granted = Optional.empty();
    private Optional<Term> given = Optional.empty();
    private Future<Void> stopping = Future.succeededFuture();
    private boolean withdrawn;

    Seat(Loop loop, Candidate candidate) {
      this.loop = loop;
      this.candidate = candidate;
    }

    @Override
    public void lead(Term term) {
      granted = Optional.of(term);
      update();
    }

    @Override
    public Future<Void> stop() {
      granted = Optional.empty();
      return update();
    }

    private Optional<Term> wanted() {
      return withdrawn ? Optional.empty() : position.own(granted);
    }

    /** Stops and starts the candidate as wanted. Completes when it has stopped, if it must. */
    Future<Void> update() {
      var next = wanted();
      if (given.isPresent() && !given.equals(next)) {
        given = Optional.empty();
        stopping = stopOnItsLoop();
      }
      if (next.isPresent() && given.isEmpty()) {
        stopping.onComplete(done -> SideLeadership.this.loop.execute(this::begin));
      }
      return stopping;
    }

    private Future<Void> stopOnItsLoop() {
      var stopped = Promise.<Void>promise();
      // It has stopped even if that failed: see the promises of Leadership.
      loop.execute(() -> candidate.stop().onComplete(any -> stopped.complete()));
      return stopped.future();
    }

    private void begin() {
      var next = wanted();
      if (next.isPresent() && given.isEmpty() && stopping.isComplete()) {
        given = next;
        loop.execute(() -> candidate.lead(next.get()));
      }
    }
  }

  /**
   * Takes the seat from the log for the side, which has no leader at first. Completes when a
   * candidate that led has stopped. Call on the loop.
   */
  Future<Void> enter() {
    return become(new Position(true, Optional.empty(), false));
  }

  /**
   * Makes this node the leader of the side. Call on the loop, between {@link #enter} and {@link
   * #leave}.
   */
  Future<Void> lead(Term term) {
    return become(new Position(true, Optional.of(term), true));
  }

  /**
   * Shows the term of another node, or that nobody leads. The candidate of this node does not lead.
   * Call on the loop, between {@link #enter} and {@link #leave}.
   */
  Future<Void> follow(Optional<Term> term) {
    return become(new Position(true, term, false));
  }

  /** Gives the seat back to the log. Call on the loop. */
  Future<Void> leave() {
    return become(new Position(false, Optional.empty(), false));
  }

  private Future<Void> become(Position next) {
    position = next;
    report();
    var present = seat;
    return present == null ? Future.succeededFuture() : present.update();
  }

  private void report() {
    var next = position.or(known);
    if (!seen.equals(next)) {
      seen = next;
      listeners.forEach(each -> each.report(next));
    }
  }

  @Override
  public Optional<Term> term() {
    return position.or(log.term());
  }

  @Override
  public Watch watch(Loop on, Listener listener) {
    var listening = new Listening(on, listener);
    loop.execute(
        () -> {
          listeners.add(listening);
          listening.report(seen);
        });
    return () -> {
      listening.open = false;
      loop.execute(() -> listeners.remove(listening));
    };
  }

  @Override
  public Candidacy stand(Loop on, Candidate candidate) {
    var taken = new Seat(on, candidate);
    loop.execute(() -> seat = taken);
    var candidacy = log.stand(loop, taken);
    return () -> {
      var stopped = Promise.<Void>promise();
      loop.execute(
          () -> {
            taken.withdrawn = true;
            taken.update();
            candidacy.withdraw().onComplete(stopped);
          });
      return stopped.future();
    };
  }
}
