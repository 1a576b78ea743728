package verwalter.cluster.single;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;

/**
 * The leadership of a single node. It leads from the start of its candidacy until it withdraws. All
 * its terms are the same term, also after a restart, because no other node can have led meanwhile.
 * Thread-safe.
 */
public final class SingleLeadership implements Leadership {
  private final Term term;
  private final List<Listening> listeners = new CopyOnWriteArrayList<>();
  private volatile boolean leads;

  /**
   * Creates the leadership of one machine.
   *
   * @param machine id of the machine
   * @param epoch the epoch of the store, whose only writer is the machine
   */
  public SingleLeadership(String machine, long epoch) {
    this.term = new Term(machine, epoch);
  }

  private record Listening(Loop loop, Listener listener) {}

  @Override
  public Optional<Term> term() {
    return leads ? Optional.of(term) : Optional.empty();
  }

  @Override
  public Watch watch(Loop loop, Listener listener) {
    var listening = new Listening(loop, listener);
    listeners.add(listening);
    report(listening);
    return () -> listeners.remove(listening);
  }

  private void report(Listening to) {
    to.loop()
        .execute(
            () -> {
              if (listeners.contains(to)) {
                to.listener().changed(term());
              }
            });
  }

  @Override
  public Candidacy stand(Loop loop, Candidate candidate) {
    var candidacy = new Standing(loop, candidate);
    loop.execute(candidacy::begin);
    return candidacy;
  }

  private void change(boolean now) {
    leads = now;
    listeners.forEach(this::report);
  }

  /** A candidacy. Its state belongs to the candidate's loop. */
  private final class Standing implements Candidacy {
    private final Loop loop;
    private final Candidate candidate;
    private final Promise<Void> stopped = Promise.promise();
    private boolean leading;
    private boolean withdrawn;

    private Standing(Loop loop, Candidate candidate) {
      this.loop = loop;
      this.candidate = candidate;
    }

    private void begin() {
      if (!withdrawn) {
        leading = true;
        change(true);
        candidate.lead(term);
      }
    }

    @Override
    public Future<Void> withdraw() {
      loop.execute(this::end);
      return stopped.future();
    }

    private void end() {
      if (withdrawn) {
        return;
      }
      withdrawn = true;
      if (!leading) {
        stopped.tryComplete();
        return;
      }
      change(false);
      loop.after(STOP_LIMIT, stopped::tryComplete);
      candidate.stop().onComplete(done -> stopped.tryComplete());
    }
  }
}
