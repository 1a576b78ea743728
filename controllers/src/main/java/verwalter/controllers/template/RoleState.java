package verwalter.controllers.template;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The in-memory state of one template output. It is lost when the agent ends; every output is then
 * applied once more. Immutable.
 *
 * @param role the role of the output
 * @param last the last attempt whose outcome is known, so that it need not be repeated
 * @param pause a failed attempt that is retried later
 * @param suspect whether files may differ from the written ones
 * @param forced the epoch of a request to apply the role anew that was not served yet
 * @param settling whether changes of files are being gathered
 * @param needs the roles that its recipes need; empty until they were read
 * @param waiting the roles that it waits for
 * @param backoff the backoff of repairs
 */
record RoleState(
    String role,
    Optional<Attempt> last,
    Optional<Pause> pause,
    boolean suspect,
    OptionalLong forced,
    boolean settling,
    Optional<List<String>> needs,
    List<String> waiting,
    RepairBackoff backoff) {

  /** How long to wait before a temporary failure is retried. */
  static final Duration RETRY = Duration.ofSeconds(30);

  /** How long changes of files are gathered before the files are compared. */
  static final Duration SETTLE = Duration.ofMillis(300);

  /** A failed attempt and the time of its retry. */
  record Pause(Attempt attempt, Instant until) {
    /** Whether it is too early to retry. A clock that was set back must not prolong the pause. */
    boolean lasts(Instant now) {
      return now.isBefore(until) && !now.isBefore(until.minus(RETRY));
    }
  }

  RoleState {
    needs = needs.map(List::copyOf);
    waiting = List.copyOf(waiting);
  }

  /** The state of an output that was not seen before. */
  static RoleState of(String role) {
    return new RoleState(
        role,
        Optional.empty(),
        Optional.empty(),
        false,
        OptionalLong.empty(),
        false,
        Optional.empty(),
        List.of(),
        RepairBackoff.NEW);
  }

  /** Whether the outcome of this attempt is known. */
  boolean isDone(Attempt now) {
    return last.filter(it -> it.equals(now) || it.equals(now.ofRoleAlone())).isPresent();
  }

  /** Whether another schedule may change it although its own variables are unchanged. */
  boolean dependsOnSchedule() {
    return last.flatMap(Attempt::schedule).isPresent();
  }

  boolean needsOthers() {
    return needs.filter(roles -> !roles.isEmpty()).isPresent();
  }

  RoleState withLast(Optional<Attempt> other) {
    return new RoleState(role, other, pause, suspect, forced, settling, needs, waiting, backoff);
  }

  RoleState withPause(Optional<Pause> other) {
    return new RoleState(role, last, other, suspect, forced, settling, needs, waiting, backoff);
  }

  RoleState withSuspect(boolean other) {
    return new RoleState(role, last, pause, other, forced, settling, needs, waiting, backoff);
  }

  RoleState withForced(OptionalLong other) {
    return new RoleState(role, last, pause, suspect, other, settling, needs, waiting, backoff);
  }

  RoleState withSettling(boolean other) {
    return new RoleState(role, last, pause, suspect, forced, other, needs, waiting, backoff);
  }

  RoleState withNeeds(List<String> other, List<String> waitingFor) {
    return new RoleState(
        role, last, pause, suspect, forced, settling, Optional.of(other), waitingFor, backoff);
  }

  RoleState withBackoff(RepairBackoff other) {
    return new RoleState(role, last, pause, suspect, forced, settling, needs, waiting, other);
  }
}
