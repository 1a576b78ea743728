package verwalter.e2e.simulation;

import static verwalter.e2e.simulation.ReleaseRules.require;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import verwalter.model.Condition;
import verwalter.model.DeploymentRef;
import verwalter.model.DeploymentRef.State;
import verwalter.model.Reason;
import verwalter.model.Resource;

/** The invariants of deployment refs, artifacts and of what is on the disk. */
final class RefRules {
  private static final String COLLECTED = "collect ";

  private final SimulatedReleases disk;
  private final ReleaseFacts facts;

  /** The uids of the refs that unpack their archives. */
  private final Set<String> unpacked = new HashSet<>();

  private int looked;

  RefRules(SimulatedReleases disk, ReleaseFacts facts) {
    this.disk = disk;
    this.facts = facts;
  }

  /**
   * @param lags whether reads of the store lag behind its writes
   */
  void check(Optional<MachineView> before, MachineView now, boolean lags, List<String> broken) {
    ofWorks(broken);
    now.refs()
        .forEach(
            (key, ref) -> {
              unpackedOnce(ref, broken);
              if (!lags) {
                hasItsArtifact(ref, now, broken);
              }
              before
                  .map(it -> it.refs().get(key))
                  .filter(it -> it.meta().uid().equals(ref.meta().uid()))
                  .ifPresent(it -> follows(it, ref, broken));
            });
    before.ifPresent(it -> appeared(it, now, broken));
    collected(now, broken);
  }

  /** I1: no two works of one agent make the same. */
  private void ofWorks(List<String> broken) {
    require(
        disk.running.size() == new HashSet<>(disk.running).size(),
        broken,
        "I1: works that run twice: %s",
        disk.running);
  }

  /** I6: {@code verifyOnly} changes once, to false. */
  private void unpackedOnce(
      Resource<DeploymentRef.Spec, DeploymentRef.Status> ref, List<String> broken) {
    if (!ref.spec().verifyOnly()) {
      unpacked.add(ref.meta().uid());
    } else {
      require(
          !unpacked.contains(ref.meta().uid()),
          broken,
          "I6: %s is to be verified only, after it was to be unpacked",
          ref.name());
    }
  }

  /** I8: the archive of a ref that is beyond RESOLVED has an object. */
  private static void hasItsArtifact(
      Resource<DeploymentRef.Spec, DeploymentRef.Status> ref,
      MachineView now,
      List<String> broken) {
    ref.status()
        .filter(it -> it.state().compareTo(State.RESOLVED) > 0)
        .flatMap(DeploymentRef.Status::resolvedDigest)
        .ifPresent(
            digest ->
                require(
                    now.artifacts().containsKey(digest),
                    broken,
                    "I8: %s has no artifact",
                    ref.name()));
  }

  private static void follows(
      Resource<DeploymentRef.Spec, DeploymentRef.Status> before,
      Resource<DeploymentRef.Spec, DeploymentRef.Status> now,
      List<String> broken) {
    var was = before.status().orElse(DeploymentRef.Status.INITIAL);
    var is = now.status().orElse(DeploymentRef.Status.INITIAL);
    if (was.equals(is)) {
      return;
    }
    require(
        was.resolvedDigest().isEmpty() || was.resolvedDigest().equals(is.resolvedDigest()),
        broken,
        "I18: the digest of %s changes from %s to %s",
        now.name(),
        was.resolvedDigest(),
        is.resolvedDigest());
    require(
        was.observedGeneration() <= is.observedGeneration()
            && is.observedGeneration() <= now.meta().generation(),
        broken,
        "I20: %s was observed in the generation %d, then %d",
        now.name(),
        was.observedGeneration(),
        is.observedGeneration());
    keepsTheFirstError(now, was, is, broken);
  }

  /** I19: the first error of a step stays until the step succeeds. */
  private static void keepsTheFirstError(
      Resource<DeploymentRef.Spec, DeploymentRef.Status> ref,
      DeploymentRef.Status was,
      DeploymentRef.Status is,
      List<String> broken) {
    var first = failure(was);
    var second = failure(is);
    boolean sameStep = was.state() == is.state() && was.state() != State.INITIAL;
    if (first.isEmpty() || !sameStep || was.observedGeneration() != is.observedGeneration()) {
      return;
    }
    require(
        second.isPresent() || was.nextRetry().isEmpty(),
        broken,
        "I19: the error of %s is cleared without success: %s, %s",
        ref.name(),
        was,
        is);
    second
        .filter(it -> is.nextRetry().isPresent() && !it.hasReason(Reason.NO_SPACE))
        .ifPresent(
            it ->
                require(
                    it.message().equals(first.get().message()),
                    broken,
                    "I19: the first error of %s is replaced: %s, %s",
                    ref.name(),
                    first.get().message(),
                    it.message()));
  }

  private static Optional<Condition> failure(DeploymentRef.Status status) {
    return status.conditions().stream()
        .filter(it -> it.isFalse() && !it.hasReason(Reason.PREPARING))
        .findFirst();
  }

  /** I25: a release appears only for a ref, and does not outlive it. */
  private void appeared(MachineView before, MachineView now, List<String> broken) {
    for (var key : now.releases().keySet()) {
      boolean held = now.refs().containsKey(key);
      boolean isNew = !before.releases().containsKey(key);
      boolean left = before.refs().containsKey(key);
      require(
          held || !(isNew || left) || facts.wasLost(role(key)),
          broken,
          "I25: the release %s has no ref",
          key);
    }
  }

  private static String role(String key) {
    return key.substring(0, key.indexOf('@'));
  }

  /** I22: what somebody needs is not collected. */
  private void collected(MachineView now, List<String> broken) {
    for (; looked < disk.history.size(); looked++) {
      var what = disk.history.get(looked);
      if (!what.startsWith(COLLECTED)) {
        continue;
      }
      var item = what.substring(COLLECTED.length());
      boolean named =
          now.refs().containsKey(item)
              || now.roles().stream().anyMatch(role -> now.images(role).contains(item + "/files"))
              || now.outputs().keySet().stream()
                  .anyMatch(role -> now.used(role).equals(Optional.of(item)))
              || now.refs().values().stream().anyMatch(it -> isOf(it, item));
      require(!named, broken, "I22: %s is collected, and is used", item);
    }
  }

  private static boolean isOf(
      Resource<DeploymentRef.Spec, DeploymentRef.Status> ref, String digest) {
    return ref.status()
        .filter(it -> it.state().atLeast(State.VERIFIED))
        .flatMap(DeploymentRef.Status::resolvedDigest)
        .equals(Optional.of(digest));
  }

  /** The names of the refs of each archive, for the end of a run. */
  static List<String> users(MachineView now, String digest) {
    return now.refs().values().stream()
        .filter(
            it ->
                it.status()
                    .flatMap(DeploymentRef.Status::resolvedDigest)
                    .equals(Optional.of(digest)))
        .map(Resource::name)
        .sorted()
        .toList();
  }
}
