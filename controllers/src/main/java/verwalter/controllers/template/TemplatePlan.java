package verwalter.controllers.template;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Decides the next step for one template output from its in-memory state, and computes the new
 * state. Pure.
 *
 * @param step what to do now
 * @param state the state during the step
 * @param again when to check again even if nothing happens
 */
record TemplatePlan(Step step, RoleState state, Optional<Duration> again) {

  /** The possible steps. */
  enum Step {
    /** Do nothing: the output is up to date, or it is too early to retry. */
    NOTHING,
    /** Compare the files on disk with the written ones, and restore them. */
    CHECK,
    /** Render and apply. */
    APPLY
  }

  /** Decides the next step. */
  static TemplatePlan of(RoleState state, Attempt now, Instant time) {
    var pause = state.pause().filter(it -> it.attempt().equals(now) && it.lasts(time));
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

  /** The state after the files were applied, before the status is written. */
  static RoleState applied(RoleState state, Attempt now, Templates.Applied applied, Instant time) {
    var next = state.withPause(Optional.empty());
    if (applied.repaired()) {
      next = next.withBackoff(state.backoff().repaired(time));
    }
    if (state.isDone(now)) {
      return next;
    }
    // A new application may have been requested during this attempt.
    boolean served = state.forced().isPresent() && state.forced().getAsLong() <= now.epoch();
    return next.withForced(served ? OptionalLong.empty() : state.forced())
        .withNeeds(applied.needs(), List.of());
  }

  /**
   * The plan after the status of a successful attempt was written.
   *
   * @param allowed the held rendering that is still allowed
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
    var pause = state.backoff().pause(time);
    return nothing(next.withSuspect(true), Optional.of(pause.isZero() ? RoleState.SETTLE : pause));
  }

  /**
   * The plan after the status of a failed attempt was written.
   *
   * @param checked whether the attempt was only a check of the files
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

  /**
   * The plan after a lasting failure: the attempt is not repeated, and the previous files are
   * checked.
   */
  private static TemplatePlan lasting(RoleState state, Attempt attempt, boolean checked) {
    var next = state.withLast(Optional.of(attempt));
    return checked
        ? nothing(next, Optional.empty())
        : nothing(next.withSuspect(true), Optional.of(RoleState.SETTLE));
  }
}
