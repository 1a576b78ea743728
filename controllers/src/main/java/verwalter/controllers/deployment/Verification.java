package verwalter.controllers.deployment;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import verwalter.controllers.deployment.ReleaseFiles.Found;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.DeploymentRef.Spec;
import verwalter.model.DeploymentRef.State;
import verwalter.model.DeploymentRef.Status;
import verwalter.model.MessageLimit;
import verwalter.model.Reason;

/**
 * The comparison of the files of a release with their list, which operators request by a counter.
 * It waits until the release is there, is made once for each number, and is not repeated when it
 * fails. Pure.
 *
 * @param generation of the spec
 * @param disk what is on the disk
 * @param work the comparison in progress, or its result
 * @param counter the number that it was begun for
 */
record Verification(
    Spec spec,
    long generation,
    Found disk,
    Optional<WorkState<List<String>>> work,
    Optional<Long> counter,
    Instant now) {
  /** The number of differences that a condition names. */
  static final int MOST_LINES = 10;

  /** Whether a comparison is requested that was not carried out. */
  boolean isWanted(Status status) {
    return spec.verifyCounter().orElse(0L) > status.verifyCounter().orElse(0L);
  }

  /** Whether it begins now. */
  boolean begins(Status status) {
    return isWanted(status) && work.isEmpty() && status.state() == State.CREATED && !isInPlace();
  }

  private boolean isInPlace() {
    return disk.release().filter(it -> it.digest().isEmpty()).isPresent();
  }

  /** The status with the progress or the result. */
  Status applied(Status status) {
    if (!isWanted(status)) {
      return status;
    } else if (work.isPresent()) {
      return followed(status, work.get());
    } else if (status.state() == State.CREATED && isInPlace()) {
      var why = "the directory is used in place, and has no list of its files";
      return status.verified(unknown(Reason.BAD_SOURCE, why), spec.verifyCounter());
    }
    return status;
  }

  private Status followed(Status status, WorkState<List<String>> work) {
    if (work instanceof WorkState.Succeeded<List<String>> it) {
      return status.verified(result(it.result()), counter);
    } else if (work instanceof WorkState.Failed<List<String>> it) {
      return status.verified(unknown(it.failure().reason(), it.failure().text()), counter);
    } else if (work instanceof WorkState.Running<List<String>> it) {
      return status.waiting(
          status.attempts(), status.nextRetry(), "compares its files" + percent(it.progress()));
    }
    return status.waiting(
        status.attempts(), status.nextRetry(), "waits until its files can be compared");
  }

  private static String percent(ByteProgress progress) {
    return progress
        .total()
        .filter(total -> total > 0)
        .map(total -> ", %d %%".formatted((long) (100.0 * progress.done() / total)))
        .orElse("");
  }

  private Condition result(List<String> differences) {
    return differences.isEmpty()
        ? Condition.ofTrue(ConditionType.VERIFIED, Reason.INTACT, "", generation, now)
        : Condition.ofFalse(
            ConditionType.VERIFIED, Reason.DAMAGED, message(differences), generation, now);
  }

  private static String message(List<String> differences) {
    var shown = differences.subList(0, Math.min(MOST_LINES, differences.size()));
    int more = differences.size() - shown.size();
    return MessageLimit.shorten(
        String.join("\n", shown) + (more == 0 ? "" : "\nand %d more".formatted(more)));
  }

  private Condition unknown(Reason reason, String why) {
    return Condition.ofUnknown(
        ConditionType.VERIFIED, reason, MessageLimit.shorten(why), generation, now);
  }
}
