package verwalter.controllers.template;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is remembered of one template output between two looks at it. It is lost when the agent
 * ends; then every output is applied once more. Immutable.
 *
 * @param role the role of the output
 * @param last the attempt whose outcome stands, so that it need not be made again
 * @param pause an attempt that failed in a way that may pass by itself
 * @param suspect whether files may differ from what was written
 * @param forced the epoch since which everything is to be applied anew, if it was not yet
 * @param settling whether changes of files are being gathered
 * @param needs the roles that its recipes need; absent until they were read
 * @param waiting the roles that it waits for
 * @param pace of putting files back
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
    Pace pace) {

  /** How long to wait before a failure that may pass by itself is tried again. */
  static final Duration RETRY = Duration.ofSeconds(30);

  /** How long changes of files are gathered before the files are compared. */
  static final Duration SETTLE = Duration.ofMillis(300);

  /** An attempt that failed, and when it may be made again. */
  record Pause(Attempt attempt, Instant until) {}

  RoleState {
    needs = needs.map(List::copyOf);
    waiting = List.copyOf(waiting);
  }

  /** An output of which nothing is known. */
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
        Pace.NEW);
  }

  /** Whether the outcome of this attempt is known. */
  boolean isDone(Attempt now) {
    return last.filter(it -> it.equals(now) || it.equals(now.ofRoleAlone())).isPresent();
  }

  /** Whether another schedule may change it though its own variables stay. */
  boolean dependsOnSchedule() {
    return last.flatMap(Attempt::schedule).isPresent();
  }

  boolean needsOthers() {
    return needs.filter(roles -> !roles.isEmpty()).isPresent();
  }

  RoleState withLast(Optional<Attempt> other) {
    return new RoleState(role, other, pause, suspect, forced, settling, needs, waiting, pace);
  }

  RoleState withPause(Optional<Pause> other) {
    return new RoleState(role, last, other, suspect, forced, settling, needs, waiting, pace);
  }

  RoleState withSuspect(boolean other) {
    return new RoleState(role, last, pause, other, forced, settling, needs, waiting, pace);
  }

  RoleState withForced(OptionalLong other) {
    return new RoleState(role, last, pause, suspect, other, settling, needs, waiting, pace);
  }

  RoleState withSettling(boolean other) {
    return new RoleState(role, last, pause, suspect, forced, other, needs, waiting, pace);
  }

  RoleState withNeeds(List<String> other, List<String> waitingFor) {
    return new RoleState(
        role, last, pause, suspect, forced, settling, Optional.of(other), waitingFor, pace);
  }

  RoleState withPace(Pace other) {
    return new RoleState(role, last, pause, suspect, forced, settling, needs, waiting, other);
  }
}
