package verwalter.controllers.deployment;

import java.time.Instant;
import java.util.Optional;
import verwalter.concurrent.Backoff;
import verwalter.controllers.deployment.ReleaseFiles.Release;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.DeploymentRef.Attempts;
import verwalter.model.DeploymentRef.State;
import verwalter.model.DeploymentRef.Status;
import verwalter.model.MessageLimit;
import verwalter.model.Reason;

/**
 * Computes the status after an event. Pure.
 *
 * <p>A failure stays in the condition until its step succeeds, so that the first error is seen and
 * not the last one, which is the reason. Two failures replace it: a full disk, since its cure is
 * another one, and a failure for ever. While the condition shows a failure that may pass, there is
 * a time of the next attempt, also while that attempt is made: without one, a failure is for ever.
 */
final class NextStatus {
  private static final String TURN = "waits for its turn";

  private final Observed seen;
  private final DeploymentEvent event;
  private final State next;
  private final Backoff backoff;

  private NextStatus(Observed seen, DeploymentEvent event, State next, Backoff backoff) {
    this.seen = seen;
    this.event = event;
    this.next = next;
    this.backoff = backoff;
  }

  /** The status of a ref that has entered the state {@code next} because of the event. */
  static Status of(Observed seen, DeploymentEvent event, State next, Backoff backoff) {
    boolean waits =
        event == DeploymentEvent.ARTIFACT_ABSENT || event == DeploymentEvent.ARTIFACT_ENDING;
    return waits ? seen.status() : new NextStatus(seen, event, next, backoff).status();
  }

  private Status status() {
    var attempts = NextAttempts.of(seen, event);
    var condition = condition();
    boolean fails = fails(condition);
    var bytes = bytes();
    return new Status(
        seen.generation(),
        next,
        event == DeploymentEvent.DIGEST_KNOWN ? seen.digest() : seen.status().resolvedDigest(),
        bytes.done(),
        bytes.total(),
        next == State.CREATED ? seen.disk().release().map(Release::path) : Optional.empty(),
        attempts,
        fails ? retry(attempts) : Optional.empty(),
        reason(fails),
        condition.isEmpty()
            ? seen.status().conditions()
            : Condition.put(seen.status().conditions(), condition.get()),
        seen.status().verifyCounter());
  }

  private ByteProgress bytes() {
    var last = new ByteProgress(seen.status().bytesDone(), seen.status().bytesTotal());
    return switch (event) {
      case ARCHIVE_COMPLETE -> seen.disk().archiveBytes().map(ByteProgress::all).orElse(last);
      case RELEASE_COMPLETE ->
          seen.disk().archiveBytes().or(last::total).map(ByteProgress::all).orElse(last);
      case RELEASE_MISSING, ARCHIVE_MISSING -> ByteProgress.NONE;
      case START -> next == State.CREATING ? new ByteProgress(0, last.total()) : last;
      default -> seen.progress().orElse(last);
    };
  }

  /** The failure that this event is. */
  private Optional<ReleaseFailure> failure() {
    return switch (event) {
      case FAILED, FAILED_FOR_EVER, NO_SPACE, DIGEST_DIFFERS, DIGEST_DIFFERS_FOR_EVER ->
          seen.failure();
      case DIGEST_BAD ->
          seen.badDigest().map(text -> new ReleaseFailure(Reason.BAD_DIGEST, false, text));
      case RELEASE_MISSING ->
          Optional.of(
              new ReleaseFailure(
                  Reason.RELEASE_LOST,
                  true,
                  "the files of the release have vanished from "
                      + seen.status().path().orElse("the disk")));
      default -> Optional.empty();
    };
  }

  private Optional<Instant> retry(Attempts attempts) {
    return switch (event) {
      case FAILED, NO_SPACE, DIGEST_DIFFERS ->
          Optional.of(seen.now().plus(backoff.delay(NextAttempts.of(seen.state(), attempts))));
      case RELEASE_MISSING -> Optional.of(seen.now());
      case DIGEST_BAD, FAILED_FOR_EVER, DIGEST_DIFFERS_FOR_EVER -> Optional.empty();
      default -> seen.status().nextRetry();
    };
  }

  private String reason(boolean fails) {
    return failure()
        .map(failure -> MessageLimit.shorten(failure.text().replace('\n', ' ')))
        .orElseGet(() -> fails ? seen.status().reason() : seen.isWaiting() ? TURN : "");
  }

  private Optional<Condition> condition() {
    var failure = failure();
    if (failure.isPresent()) {
      return seen.isFailing() && !replaces()
          ? seen.prepared()
          : Optional.of(no(failure.get().reason(), failure.get().text()));
    }
    return switch (event) {
      case RELEASE_COMPLETE -> Optional.of(yes());
      case ARCHIVE_COMPLETE -> Optional.of(seen.spec().verifyOnly() ? yes() : preparing());
      case DIGEST_KNOWN -> Optional.of(isLost() ? seen.prepared().orElseThrow() : preparing());
      case ARCHIVE_MISSING -> Optional.of(preparing());
      case START ->
          Optional.of(
              seen.isFailing() && seen.status().nextRetry().isPresent()
                  ? seen.prepared().orElseThrow()
                  : preparing());
      default -> seen.prepared();
    };
  }

  private boolean replaces() {
    return event != DeploymentEvent.FAILED && event != DeploymentEvent.DIGEST_DIFFERS;
  }

  private boolean isLost() {
    return seen.prepared().filter(it -> it.hasReason(Reason.RELEASE_LOST)).isPresent();
  }

  private static boolean fails(Optional<Condition> condition) {
    return condition.filter(it -> it.isFalse() && !it.hasReason(Reason.PREPARING)).isPresent();
  }

  private Condition yes() {
    return Condition.ofTrue(
        ConditionType.PREPARED, Reason.PREPARED, "", seen.generation(), seen.now());
  }

  private Condition preparing() {
    return no(Reason.PREPARING, "");
  }

  private Condition no(Reason reason, String message) {
    return Condition.ofFalse(
        ConditionType.PREPARED, reason, message, seen.generation(), seen.now());
  }
}
