package verwalter.cluster;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;

/**
 * Who leads the cluster. At most one node does; while nobody can tell, there is no term.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>A term has one leader, and its epoch is larger than that of every term before it, on
 *       whichever node that was.
 *   <li>What this node sees never goes back: the epochs of {@link #term} and of reported terms
 *       never shrink, and the same epoch means the same term.
 *   <li>A listener gets the present state first and then each change, on the loop it named and
 *       never before {@code watch} has returned. States that did not last may be left out. A closed
 *       watch is silent.
 *   <li>A candidate is called on its loop: {@code lead} first, then {@code stop} and {@code lead}
 *       in turn. While it leads, {@link #term} of its node names its node; from the call of {@code
 *       stop} on it does not.
 *   <li>Nobody's {@code lead} is called before every candidate that led in an earlier term has
 *       stopped: the future that its {@code stop} returned has completed, well or not, or {@link
 *       #STOP_LIMIT} has passed since {@code stop} was called.
 *   <li>The same holds for a leader that is cut off from the others. Its own node calls {@code
 *       stop} in time, by its own clock: see below.
 *   <li>{@link Candidacy#withdraw} stops a candidate that leads. Its future completes when the
 *       candidate has stopped; the candidate is not called afterwards, and another may lead.
 *   <li>No method blocks.
 * </ol>
 *
 * <p>Timing. An implementation grants leadership for a lease of length L, which the leader renews.
 * The leader counts its lease from the moment it <em>sent</em> the last renewal that was confirmed;
 * the others count from the moment they <em>received</em> it. The leader calls {@code stop} when
 * {@code L - STOP_LIMIT - drift} have passed without another confirmation, where the drift is one
 * percent of L; the others elect nobody before L has passed. So L must be longer than {@code
 * STOP_LIMIT} plus several renewals: at least 15 s. For ZooKeeper L is the session's timeout, a
 * renewal is a ping that was answered, and a suspended connection counts as no renewal.
 *
 * <p>Time alone cannot keep the promise for a process that is paused, because nothing in it runs
 * when its lease ends. Therefore every write of a leader carries the epoch of its term, and the
 * store refuses writes of older epochs: see {@code verwalter.stores.api.Fence}. The timing keeps
 * two leaders from acting outside of the store at the same time; the fence keeps what is stored
 * right.
 */
public interface Leadership {
  /** How long a candidate may take to stop; after that, another one may lead. */
  Duration STOP_LIMIT = Duration.ofSeconds(5);

  /** The term in force as this node knows it; empty if nobody leads or nobody can tell. */
  Optional<Term> term();

  /** Reports the present state and its changes to {@code listener} on {@code loop}. */
  Watch watch(Loop loop, Listener listener);

  /** Makes this node stand for election until it withdraws; once at a time. */
  Candidacy stand(Loop loop, Candidate candidate);

  /** Hears of terms. */
  @FunctionalInterface
  interface Listener {
    /** The term in force is now this one, or none. */
    void changed(Optional<Term> term);
  }

  /** A node's part that acts while the node leads. */
  interface Candidate {
    /** This node leads from now on, in this term. */
    void lead(Term term);

    /**
     * This node leads no longer. What acted as leader must not begin anything more.
     *
     * @return completes when everything that acted as leader has stopped
     */
    Future<Void> stop();
  }

  /** A candidate that stands for election. */
  @FunctionalInterface
  interface Candidacy {
    /**
     * Stops the candidate if it leads, and takes it out of the election; twice is harmless.
     *
     * @return completes when it has stopped, or {@link #STOP_LIMIT} has passed
     */
    Future<Void> withdraw();
  }
}
