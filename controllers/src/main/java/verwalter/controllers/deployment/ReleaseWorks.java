package verwalter.controllers.deployment;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import verwalter.concurrent.Loop;
import verwalter.controllers.deployment.ReleaseFiles.Release;
import verwalter.controllers.deployment.ReleaseFiles.Wanted;
import verwalter.model.DeploymentRef;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;

/**
 * The downloads, unpackings and comparisons in progress, and the refs that need not wait any longer
 * since space became free. A crash loses it; the disk and the statuses say what to begin again.
 * Confined to a loop.
 */
final class ReleaseWorks {
  /** An unpacking. The uid tells it from one for another object with the same name. */
  private record Unpacking(String uid, String key, String digest) {}

  private final WorkPool<Wanted, String> fetches;
  private final WorkPool<Unpacking, Release> unpackings;

  /** A comparison of a release with its list. */
  private record Comparison(String uid, String key) {}

  private final WorkPool<Comparison, List<String>> comparisons;
  private final Map<String, Long> compared = new HashMap<>();
  private final Set<String> hurried = new HashSet<>();
  private final Consumer<ResourceKey> keys;

  /**
   * @param keys receives the keys of refs whose works begin or end
   */
  ReleaseWorks(ReleaseFiles files, Loop loop, DeploymentLimits limits, Consumer<ResourceKey> keys) {
    this.keys = keys;
    this.fetches =
        new WorkPool<>(loop, limits.downloads(), files::fetch, Wanted::isOneFileWith, keys);
    this.unpackings =
        new WorkPool<>(
            loop,
            limits.unpackings(),
            it -> files.create(it.key(), it.digest()),
            (a, b) -> a.key().equals(b.key()),
            keys);
    this.comparisons = new WorkPool<>(loop, 1, it -> files.verify(it.key()), (a, b) -> false, keys);
  }

  /** What a ref wants to fetch. */
  static Wanted wanted(DeploymentRef.Spec spec, Optional<DeploymentRef.Status> status) {
    var first = status.flatMap(DeploymentRef.Status::resolvedDigest);
    return new Wanted(spec.source(), first.or(spec::digest));
  }

  Optional<WorkState<String>> fetch(String uid) {
    return fetches.of(uid);
  }

  Optional<WorkState<Release>> unpacking(String uid) {
    return unpackings.of(uid);
  }

  Optional<WorkState<List<String>>> comparison(String uid) {
    return comparisons.of(uid);
  }

  /** The number that the comparison of a ref was begun for. */
  Optional<Long> counterOf(String uid) {
    return Optional.ofNullable(compared.get(uid));
  }

  /** Begins a comparison, or forgets one whose result was used. */
  void follow(
      Resource<DeploymentRef.Spec, DeploymentRef.Status> ref, Verification seen, boolean begins) {
    var uid = ref.meta().uid();
    seen.work().ifPresent(used -> comparisons.forget(uid, used));
    if (begins) {
      compared.put(uid, ref.spec().verifyCounter().orElse(0L));
      comparisons.join(new Comparison(uid, DeploymentRef.key(ref.spec())), uid, ref.key());
    }
  }

  boolean isHurried(String uid) {
    return hurried.contains(uid);
  }

  /** Begins the next step of a ref, and forgets the result that led to it. */
  void follow(
      Resource<DeploymentRef.Spec, DeploymentRef.Status> ref,
      Observed seen,
      DeploymentTable.Action action) {
    var uid = ref.meta().uid();
    seen.fetch().ifPresent(used -> fetches.forget(uid, used));
    seen.unpacking().ifPresent(used -> unpackings.forget(uid, used));
    switch (action) {
      case FETCH -> {
        hurried.remove(uid);
        fetches.join(wanted(seen.spec(), Optional.of(seen.status())), uid, ref.key());
      }
      case UNPACK -> {
        hurried.remove(uid);
        var digest = seen.digest().orElseThrow();
        unpackings.join(new Unpacking(uid, DeploymentRef.key(ref.spec()), digest), uid, ref.key());
      }
      case NONE, ADD_ARTIFACT -> {}
    }
  }

  /**
   * Ends the works of a ref.
   *
   * @return whether none runs any longer; if one does, its end names the key of the ref
   */
  boolean leave(Resource<DeploymentRef.Spec, DeploymentRef.Status> ref) {
    var uid = ref.meta().uid();
    hurried.remove(uid);
    compared.remove(uid);
    boolean fetched = fetches.leave(uid, ref.key());
    boolean compared = comparisons.leave(uid, ref.key());
    return unpackings.leave(uid, ref.key()) && fetched && compared;
  }

  /** Cancels all works; none begins any more. */
  void close() {
    fetches.close();
    unpackings.close();
    comparisons.close();
  }

  /** Lets a ref try again now. */
  void hurry(Resource<DeploymentRef.Spec, DeploymentRef.Status> ref) {
    hurried.add(ref.meta().uid());
    keys.accept(ref.key());
  }
}
