package verwalter.controllers.deployment;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;
import verwalter.controllers.deployment.ReleaseFiles.Found;
import verwalter.controllers.deployment.ReleaseFiles.Release;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.DeploymentRef.Spec;
import verwalter.model.DeploymentRef.State;
import verwalter.model.DeploymentRef.Status;
import verwalter.model.Reason;

/**
 * Everything that a pass over a ref knows. Pure.
 *
 * @param generation of the spec
 * @param status the last one
 * @param disk what is on the disk
 * @param artifact whether there is an artifact object for the digest
 * @param fetch of its archive
 * @param unpacking of its archive
 * @param hurried whether the next attempt need not wait for its time
 * @param mismatches downloads with another digest that are repeated
 */
record Observed(
    Spec spec,
    long generation,
    Status status,
    Found disk,
    Presence artifact,
    Optional<WorkState<String>> fetch,
    Optional<WorkState<Release>> unpacking,
    boolean hurried,
    int mismatches,
    Instant now) {
  private static final Pattern DIGEST = Pattern.compile("sha256:[0-9a-f]{64}");

  /** Whether an object is there. */
  enum Presence {
    /** It is there. */
    PRESENT,
    /** It is there, and is being removed. */
    ENDING,
    /** It is not there. */
    ABSENT
  }

  State state() {
    return status.state();
  }

  /** What this pass acts on. */
  DeploymentEvent event() {
    if (status.resolvedDigest().isPresent() && artifact != Presence.PRESENT) {
      return artifact == Presence.ABSENT
          ? DeploymentEvent.ARTIFACT_ABSENT
          : DeploymentEvent.ARTIFACT_ENDING;
    } else if (state() == State.CREATED) {
      return isComplete() ? DeploymentEvent.RELEASE_COMPLETE : DeploymentEvent.RELEASE_MISSING;
    } else if (badDigest().isPresent()) {
      return DeploymentEvent.DIGEST_BAD;
    } else if (!state().atLeast(State.RESOLVED) && digest().isPresent()) {
      return DeploymentEvent.DIGEST_KNOWN;
    } else if (isComplete()) {
      return DeploymentEvent.RELEASE_COMPLETE;
    }
    return archiveEvent().or(this::failureEvent).orElseGet(this::workEvent);
  }

  private Optional<DeploymentEvent> archiveEvent() {
    boolean isThere = disk.archiveBytes().isPresent();
    if (isThere && state().atLeast(State.RESOLVED) && !state().atLeast(State.VERIFIED)) {
      return Optional.of(DeploymentEvent.ARCHIVE_COMPLETE);
    }
    return !isThere && state().atLeast(State.VERIFIED)
        ? Optional.of(DeploymentEvent.ARCHIVE_MISSING)
        : Optional.empty();
  }

  private Optional<DeploymentEvent> failureEvent() {
    return failure()
        .map(
            failure -> {
              if (failure.reason() == Reason.DIGEST_MISMATCH) {
                return status.attempts().verify() < mismatches
                    ? DeploymentEvent.DIGEST_DIFFERS
                    : DeploymentEvent.DIGEST_DIFFERS_FOR_EVER;
              } else if (failure.reason() == Reason.NO_SPACE) {
                return DeploymentEvent.NO_SPACE;
              }
              return failure.mayPass() ? DeploymentEvent.FAILED : DeploymentEvent.FAILED_FOR_EVER;
            });
  }

  private DeploymentEvent workEvent() {
    boolean isEnough = state() == State.VERIFIED && spec.verifyOnly();
    boolean isLater = !hurried && status.nextRetry().filter(it -> it.isAfter(now)).isPresent();
    return isWorking() || hasStopped() || isEnough || isLater
        ? DeploymentEvent.NOTHING
        : DeploymentEvent.START;
  }

  /** Whether a work waits for its turn or runs. */
  boolean isWorking() {
    return isWaiting() || progress().isPresent();
  }

  /** Whether a work waits for its turn. */
  boolean isWaiting() {
    return fetch.filter(WorkState.Waiting.class::isInstance).isPresent()
        || unpacking.filter(WorkState.Waiting.class::isInstance).isPresent();
  }

  /** How far the running work is. */
  Optional<ByteProgress> progress() {
    return unpacking.flatMap(Observed::progress).or(() -> fetch.flatMap(Observed::progress));
  }

  private static Optional<ByteProgress> progress(WorkState<?> work) {
    return work instanceof WorkState.Running<?> running
        ? Optional.of(running.progress())
        : Optional.empty();
  }

  /** The failure of a work that has ended. */
  Optional<ReleaseFailure> failure() {
    return unpacking.flatMap(Observed::failure).or(() -> fetch.flatMap(Observed::failure));
  }

  private static Optional<ReleaseFailure> failure(WorkState<?> work) {
    return work instanceof WorkState.Failed<?> failed
        ? Optional.of(failed.failure())
        : Optional.empty();
  }

  /** Whether a step failed for ever, and the spec is still the same. */
  boolean hasStopped() {
    return isFailing() && status.nextRetry().isEmpty() && status.observedGeneration() == generation;
  }

  /** Whether the last status shows an error. */
  boolean isFailing() {
    return prepared().filter(it -> it.isFalse() && !it.hasReason(Reason.PREPARING)).isPresent();
  }

  /** The last condition. */
  Optional<Condition> prepared() {
    return Condition.find(status.conditions(), ConditionType.PREPARED);
  }

  /** The digest: as found first, or of the spec, or of the release on the disk, or downloaded. */
  Optional<String> digest() {
    return status
        .resolvedDigest()
        .or(spec::digest)
        .or(() -> disk.release().flatMap(Release::digest))
        .or(() -> fetch.flatMap(Observed::fetched));
  }

  private static Optional<String> fetched(WorkState<String> fetch) {
    return fetch instanceof WorkState.Succeeded<String> succeeded
        ? Optional.of(succeeded.result())
        : Optional.empty();
  }

  /** Why the digest of the spec cannot be used. */
  Optional<String> badDigest() {
    var given = spec.digest();
    if (given.isEmpty()) {
      return Optional.empty();
    } else if (!DIGEST.matcher(given.get()).matches()) {
      return Optional.of(
          "cannot use the digest \"%s\": it is not \"sha256:\" and 64 hexadecimal digits in lower"
                  .formatted(given.get())
              + " case");
    }
    return status
        .resolvedDigest()
        .filter(first -> !first.equals(given.get()))
        .map(first -> "cannot change the digest from %s to %s".formatted(first, given.get()));
  }

  /** Whether the release on the disk is the wanted one. */
  private boolean isComplete() {
    return disk.release()
        .filter(it -> it.digest().isEmpty() || it.digest().equals(digest()))
        .isPresent();
  }
}
