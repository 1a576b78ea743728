package verwalter.controllers.deployment;

import io.vertx.core.AsyncResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import verwalter.concurrent.Loop;
import verwalter.model.ResourceKey;

/**
 * Works in progress, each for all refs that want the same. Confined to a loop.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>At most {@code limit} works run at once. Works that conflict do not run at once.
 *   <li>Works begin in the order of their first request, except that one which conflicts with a
 *       running work lets others pass.
 *   <li>Requests for an equal work share it, and all members get its result.
 *   <li>A member is known by its uid: a result is never delivered to another object with the same
 *       name. A member that has left gets no result.
 *   <li>A work whose last member has left is cancelled.
 *   <li>After {@link #close} all works are cancelled, and none begins.
 *   <li>The keys of its members are named when a work begins and ends, and the keys of those that
 *       wait for the end of a cancelled one when it ends.
 * </ol>
 *
 * @param <I> what identifies a work
 * @param <V> its result
 */
final class WorkPool<I, V> {
  /** How often the progress changes that members see. */
  static final Duration PACE = Duration.ofSeconds(1);

  private final Loop loop;
  private final int limit;
  private final Function<I, ReleaseWork<V>> begin;
  private final BiPredicate<I, I> conflict;
  private final Consumer<ResourceKey> keys;
  private final List<Job> jobs = new ArrayList<>();
  private final Map<String, WorkState<V>> results = new HashMap<>();
  private boolean closed;

  /** One work, waiting, running or cancelled. */
  private final class Job {
    private final I id;
    private final Map<String, ResourceKey> members = new LinkedHashMap<>();
    private final Map<String, ResourceKey> left = new LinkedHashMap<>();
    private @Nullable ReleaseWork<V> work;
    private boolean cancelled;
    private ByteProgress shown = ByteProgress.NONE;
    private Instant shownAt = Instant.MIN;

    Job(I id) {
      this.id = id;
    }

    boolean runs() {
      return work != null;
    }

    void cancel() {
      cancelled = true;
      if (work != null) {
        work.cancel();
      }
    }

    WorkState<V> state() {
      var begun = work;
      if (begun == null) {
        return new WorkState.Waiting<>();
      }
      if (!loop.now().isBefore(shownAt.plus(PACE))) {
        shown = begun.progress();
        shownAt = loop.now();
      }
      return new WorkState.Running<>(shown);
    }
  }

  /**
   * @param limit number of works that run at once
   * @param begin begins a work
   * @param conflict whether two works must not run at once; equal works never do
   * @param keys receives the keys of members
   */
  WorkPool(
      Loop loop,
      int limit,
      Function<I, ReleaseWork<V>> begin,
      BiPredicate<I, I> conflict,
      Consumer<ResourceKey> keys) {
    this.loop = loop;
    this.limit = limit;
    this.begin = begin;
    this.conflict = conflict;
    this.keys = keys;
  }

  /** Makes the object a member of the work, which begins unless it is there. */
  void join(I id, String uid, ResourceKey key) {
    if (closed || find(uid).isPresent()) {
      return;
    }
    results.remove(uid);
    var job =
        jobs.stream().filter(it -> it.id.equals(id) && !it.cancelled).findFirst().orElse(null);
    if (job == null) {
      job = new Job(id);
      jobs.add(job);
    }
    job.members.put(uid, key);
    beginMore();
  }

  /** The work of a member, or its result; empty if it has none. */
  Optional<WorkState<V>> of(String uid) {
    return find(uid).map(Job::state).or(() -> Optional.ofNullable(results.get(uid)));
  }

  private Optional<Job> find(String uid) {
    return jobs.stream().filter(it -> it.members.containsKey(uid)).findFirst();
  }

  /** Forgets the result of a member, which was used; not a later one. */
  void forget(String uid, WorkState<V> used) {
    results.remove(uid, used);
  }

  /**
   * Ends the membership.
   *
   * @return whether no work that the object was the last member of runs any longer; if one does,
   *     its end names the key
   */
  boolean leave(String uid, ResourceKey key) {
    results.remove(uid);
    find(uid).ifPresent(job -> leave(job, uid, key));
    beginMore();
    return jobs.stream().noneMatch(it -> it.left.containsKey(uid));
  }

  private void leave(Job job, String uid, ResourceKey key) {
    job.members.remove(uid);
    if (!job.members.isEmpty()) {
      return;
    }
    if (!job.runs()) {
      jobs.remove(job);
    } else {
      job.left.put(uid, key);
      job.cancel();
    }
  }

  /** Cancels all works. */
  void close() {
    closed = true;
    jobs.removeIf(job -> !job.runs());
    jobs.forEach(Job::cancel);
  }

  private void beginMore() {
    for (var job : List.copyOf(jobs)) {
      long running = jobs.stream().filter(Job::runs).count();
      if (running < limit && !job.runs() && !conflicts(job)) {
        var work = begin.apply(job.id);
        job.work = work;
        work.done().onComplete(result -> loop.execute(() -> ended(job, result)));
        job.members.values().forEach(keys);
      }
    }
  }

  private boolean conflicts(Job job) {
    return jobs.stream()
        .anyMatch(it -> it.runs() && (it.id.equals(job.id) || conflict.test(it.id, job.id)));
  }

  private void ended(Job job, AsyncResult<V> result) {
    jobs.remove(job);
    for (var uid : job.members.keySet()) {
      results.put(
          uid,
          result.succeeded()
              ? new WorkState.Succeeded<>(result.result())
              : new WorkState.Failed<>(ReleaseFailure.of(result.cause())));
    }
    Set<ResourceKey> named = new HashSet<>(job.members.values());
    named.addAll(job.left.values());
    named.forEach(keys);
    beginMore();
  }
}
