package verwalter.controllers.template;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Decides what to do about one template output from what is remembered of it, and what to remember
 * of what became of that. Pure.
 *
 * @param step what to do now
 * @param state what to remember while it is done
 * @param again when to look again even if nothing happens
 */
record TemplatePlan(Step step, RoleState state, Optional<Duration> again) {

  /** What can be done about an output. */
  enum Step {
    /** Nothing: it is as it should be, or it is too early to try again. */
    NOTHING,
    /** Compare the files on disk with what was written, and put them back. */
    CHECK,
    /** Render, and apply what that gives. */
    APPLY
  }

  /** What to do. */
  static TemplatePlan of(RoleState state, Attempt now, Instant time) {
    var pause = state.pause().filter(it -> it.attempt().equals(now) && time.isBefore(it.until()));
    if (pause.isPresent()) {
      return nothing(state, Optional.of(Duration.between(time, pause.get().until())));
    }
    boolean done = state.isDone(now);
    if (done && !state.suspect()) {
      return nothing(state, Optional.empty());
    }
    return new TemplatePlan(
        done ? Step.CHECK : Step.APPLY, state.withSuspect(false), Optional.empty());
  }

  private static TemplatePlan nothing(RoleState state, Optional<Duration> again) {
    return new TemplatePlan(Step.NOTHING, state, again);
  }

  /** What to remember once files are in place, before that is written into the status. */
  static RoleState applied(RoleState state, Attempt now, Templates.Applied applied, Instant time) {
    var next = state.withPause(Optional.empty());
    if (applied.repaired()) {
      next = next.withPace(state.pace().repaired(time));
    }
    if (state.isDone(now)) {
      return next;
    }
    // Everything may have been asked for anew while this attempt was under way.
    boolean served = state.forced().isPresent() && state.forced().getAsLong() <= now.epoch();
    return next.withForced(served ? OptionalLong.empty() : state.forced())
        .withNeeds(applied.needs(), List.of());
  }

  /**
   * What follows once the status says that files are in place.
   *
   * @param allowed the held rendering that may still go through
   */
  static TemplatePlan recorded(
      RoleState state,
      Attempt now,
      Templates.Applied applied,
      Optional<String> allowed,
      Instant time) {
    var made =
        state.isDone(now)
            ? state.last().orElse(now)
            : (applied.ofSchedule() ? now : now.ofRoleAlone()).in(Optional.empty());
    var next = state.withLast(Optional.of(made.allowing(allowed)));
    if (applied.drifted().isEmpty() || applied.repaired() || applied.reportsOnly()) {
      return nothing(next, Optional.empty());
    }
    var pause = state.pace().pause(time);
    return nothing(next.withSuspect(true), Optional.of(pause.isZero() ? RoleState.SETTLE : pause));
  }

  /**
   * What follows once the status says that nothing was applied.
   *
   * @param checked whether only files were to be compared
   */
  static TemplatePlan failed(
      RoleState state, Attempt now, Templates.Failed failure, boolean checked, Instant time) {
    return switch (failure.why()) {
      case INPUT, HELD -> lasting(state, now, checked);
      case CYCLE ->
          lasting(
              state.withNeeds(failure.needs(), List.of()),
              now.in(Optional.of(failure.getMessage())),
              checked);
      case MACHINE ->
          nothing(
              state
                  .withLast(Optional.empty())
                  .withPause(Optional.of(new RoleState.Pause(now, time.plus(RoleState.RETRY)))),
              Optional.of(RoleState.RETRY));
      case WAITING ->
          nothing(state.withNeeds(failure.needs(), failure.needs()), Optional.of(RoleState.RETRY));
    };
  }

  /** The attempt is not made again; the files of before stay, and should be as written. */
  private static TemplatePlan lasting(RoleState state, Attempt attempt, boolean checked) {
    var next = state.withLast(Optional.of(attempt));
    return checked
        ? nothing(next, Optional.empty())
        : nothing(next.withSuspect(true), Optional.of(RoleState.SETTLE));
  }
}
