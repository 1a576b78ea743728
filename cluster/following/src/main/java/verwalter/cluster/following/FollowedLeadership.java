package verwalter.cluster.following;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor;
import verwalter.concurrent.Watch;

/**
 * The leadership as an elector reports it. This node never leads. Without a message of an elector
 * for {@link #SESSION} there is no leader, and while an elector reports an older term than another
 * one did before. What is reported belongs to the loop.
 */
public final class FollowedLeadership implements Leadership {
  /** The time after which a leader may have changed without an elector's message. */
  public static final Duration SESSION = Duration.ofSeconds(3);

  private final Loop loop;
  private final List<Listening> listeners = new CopyOnWriteArrayList<>();
  private volatile Optional<Term> term = Optional.empty();
  private Optional<Term> reported = Optional.empty();
  private long highest;
  private TimedExecutor.Timer session = () -> {};
  private boolean timed;

  /** Creates a leadership of which nothing was reported. */
  public FollowedLeadership(Loop loop) {
    this.loop = loop;
  }

  /** A message of an elector has arrived. */
  void heard() {
    session.cancel();
    session = loop.after(SESSION, this::expire);
    timed = true;
    update();
  }

  /** An elector has reported who leads. */
  void reported(Optional<Term> now) {
    reported = now;
    heard();
  }

  private void expire() {
    timed = false;
    update();
  }

  private void update() {
    var next = timed ? reported.filter(it -> it.epoch() >= highest) : Optional.<Term>empty();
    next.ifPresent(it -> highest = it.epoch());
    if (!next.equals(term)) {
      term = next;
      listeners.forEach(Listening::report);
    }
  }

  @Override
  public Optional<Term> term() {
    return term;
  }

  @Override
  public Watch watch(Loop on, Listener listener) {
    var listening = new Listening(on, listener);
    listeners.add(listening);
    listening.report();
    return () -> listeners.remove(listening);
  }

  /** Does nothing: the leader is one of the electors. */
  @Override
  public Candidacy stand(Loop on, Candidate candidate) {
    return Future::succeededFuture;
  }

  /** A listener with what it received last, which belongs to its loop. */
  private final class Listening {
    private final Loop on;
    private final Listener listener;
    private Optional<Term> last = Optional.empty();
    private boolean told;

    Listening(Loop on, Listener listener) {
      this.on = on;
      this.listener = listener;
    }

    void report() {
      on.execute(
          () -> {
            var now = term;
            if (listeners.contains(this) && !(told && now.equals(last))) {
              told = true;
              last = now;
              listener.changed(now);
            }
          });
    }
  }
}
