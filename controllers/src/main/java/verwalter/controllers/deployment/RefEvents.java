package verwalter.controllers.deployment;

import java.util.Optional;
import verwalter.controllers.runtime.Events;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.DeploymentRef.Status;
import verwalter.model.Event;
import verwalter.model.Reason;
import verwalter.model.ResourceKey;

/**
 * Reports what users want to know of a ref: its first error, an error for ever, that its release is
 * prepared, and what a comparison of its files has found. Repeated attempts report nothing.
 */
final class RefEvents {
  private static final String NAME = "release";

  /** Something to report; the condition says why. */
  enum News {
    /** Nothing. */
    NONE,
    /** A step has failed, or fails for ever now, or files differ. */
    WARNING,
    /** The release is prepared. */
    PREPARED
  }

  private final Events events;

  RefEvents(Events events) {
    this.events = events;
  }

  /** Reports the difference of two statuses, the later of which is durable. */
  void report(ResourceKey ref, Status before, Status after) {
    switch (prepared(before, after)) {
      case WARNING -> events.report(NAME, ref, condition(after, ConditionType.PREPARED).get());
      case PREPARED ->
          events.report(
              NAME,
              ref,
              Event.Type.NORMAL,
              Reason.PREPARED,
              after
                  .path()
                  .map("its files are in "::concat)
                  .orElse("its archive is on the disk and has its digest"));
      case NONE -> {}
    }
    if (verified(before, after) == News.WARNING) {
      events.report(NAME, ref, condition(after, ConditionType.VERIFIED).get());
    }
  }

  /** What the condition Prepared says that it did not say before. */
  static News prepared(Status before, Status after) {
    var was = condition(before, ConditionType.PREPARED);
    var is = condition(after, ConditionType.PREPARED);
    if (is.filter(Condition::isTrue).isPresent()) {
      return was.filter(Condition::isTrue).isPresent() ? News.NONE : News.PREPARED;
    } else if (!isFailing(is)) {
      return News.NONE;
    }
    boolean isKnown =
        isFailing(was)
            && was.get().reason().equals(is.get().reason())
            && before.nextRetry().isPresent() == after.nextRetry().isPresent();
    return isKnown ? News.NONE : News.WARNING;
  }

  /** What a comparison has found, if one has ended. */
  static News verified(Status before, Status after) {
    boolean isNew = !before.verifyCounter().equals(after.verifyCounter());
    var is = condition(after, ConditionType.VERIFIED);
    return isNew && is.filter(it -> !it.isTrue()).isPresent() ? News.WARNING : News.NONE;
  }

  private static boolean isFailing(Optional<Condition> prepared) {
    return prepared.filter(it -> it.isFalse() && !it.hasReason(Reason.PREPARING)).isPresent();
  }

  private static Optional<Condition> condition(Status status, ConditionType type) {
    return Condition.find(status.conditions(), type);
  }
}
