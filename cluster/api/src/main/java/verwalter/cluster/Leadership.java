package verwalter.cluster;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;

/**
 * The leadership of the cluster. At most one node leads. While the leader is unknown, there is no
 * term.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>A term has one leader, and its epoch is larger than the epochs of all earlier terms of all
 *       nodes.
 *   <li>On each node, the epochs of {@link #term} and of reported terms never decrease, and the
 *       same epoch means the same term.
 *   <li>A listener receives the present state first and then each change, on its loop and not
 *       before {@code watch} has returned. Short-lived states may be skipped. A closed watch
 *       reports nothing.
 *   <li>A candidate is called on its loop: {@code lead} first, then {@code stop} and {@code lead}
 *       alternately. While it leads, {@link #term} of its node is a term of that node; from the
 *       call of {@code stop} on it is not.
 *   <li>{@code lead} is called only after every candidate that led in an earlier term has stopped:
 *       the future returned by its {@code stop} has completed, successfully or not, or {@link
 *       #STOP_LIMIT} has passed since {@code stop} was called.
 *   <li>Promise 5 also holds for a leader that is disconnected from the other nodes. Its own node
 *       calls {@code stop} in time, by its own clock; see below.
 *   <li>{@link Candidacy#withdraw} stops a candidate that leads. Its future completes when the
 *       candidate has stopped; the candidate is not called afterwards, and another may lead.
 *   <li>No method blocks.
 * </ol>
 *
 * <p><b>Timing.</b> An implementation grants leadership for a lease of length L, which the leader
 * renews. The leader counts its lease from the moment it <em>sent</em> the last renewal that was
 * confirmed; the others count from the moment they <em>received</em> it. The leader calls {@code
 * stop} when {@code L - STOP_LIMIT - margin} have passed without another confirmation, where the
 * margin covers the drift of clocks and everything by which the others may count from an earlier
 * moment; the other nodes elect no leader before L has passed. Therefore L must be longer than
 * {@code STOP_LIMIT}, the margin and several renewals together. A suspended connection counts as no
 * renewal. Clocks that are set have no influence, only timers.
 *
 * <p><b>Fencing.</b> Timing alone does not keep promise 5 for a paused process, because none of its
 * code runs when its lease ends. Therefore every write of a leader carries the epoch of its term,
 * and the store refuses writes of older epochs: see {@code verwalter.stores.api.Fence}. Timing
 * prevents two leaders from acting outside the store at the same time; fencing protects the stored
 * objects.
 */
public interface Leadership {
  /**
   * The time limit for a candidate to stop. Another candidate may lead afterwards. It is short,
   * because the time without a leader contains it: a candidate that is asked to stop cannot write
   * any more, so the limit only bounds how long it may finish what it is doing.
   */
  Duration STOP_LIMIT = Duration.ofMillis(500);

  /** The present term as this node knows it; empty if there is no leader or it is unknown. */
  Optional<Term> term();

  /** Reports the present term and its changes to {@code listener} on {@code loop}. */
  Watch watch(Loop loop, Listener listener);

  /** Makes this node a candidate until it withdraws. A node has at most one candidate at a time. */
  Candidacy stand(Loop loop, Candidate candidate);

  /** Receives changes of the term. */
  @FunctionalInterface
  interface Listener {
    /** Called with the present term; empty if there is none. */
    void changed(Optional<Term> term);
  }

  /** The part of a node that acts while the node leads. */
  interface Candidate {
    /** Called when this node begins to lead in the term. */
    void lead(Term term);

    /**
     * Called when this node stops leading. The candidate must not start any further work as leader.
     *
     * @return completes when all work as leader has stopped
     */
    Future<Void> stop();
  }

  /** The registration of a candidate. */
  @FunctionalInterface
  interface Candidacy {
    /**
     * Stops the candidate if it leads, and removes it from the election. A second call has no
     * effect.
     *
     * @return completes when the candidate has stopped, or {@link #STOP_LIMIT} has passed
     */
    Future<Void> withdraw();
  }
}
