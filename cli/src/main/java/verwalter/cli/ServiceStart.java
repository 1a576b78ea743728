package verwalter.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import verwalter.cli.print.TextTable;
import verwalter.client.QueryParameters;
import verwalter.client.json.PlainJson;
import verwalter.model.InstanceError;
import verwalter.model.RoleInstance;
import verwalter.model.service.ServiceMetadata;

/** Waits until the agent has read a new file, and all processes of it run. */
final class ServiceStart {
  private static final String BROKEN = RoleInstance.State.BROKEN.name();
  private static final String RUNNING = RoleInstance.State.RUNNING.name();

  private final Session session;
  private final String role;
  private final ServiceDraft draft;
  private final Path file;

  private String progress = "";
  private boolean broken;

  /**
   * @param file where the draft was written
   */
  ServiceStart(Session session, String role, ServiceDraft draft, Path file) {
    this.session = session;
    this.role = role;
    this.draft = draft;
    this.file = file;
  }

  Exit await(Duration timeout) throws IOException {
    var deadline = session.now().plus(timeout);
    if (!awaitRevision(deadline)) {
      throw Failure.waiting(
          Exit.TIMEOUT,
          "the agent at %s has not read %s after %d s"
              .formatted(session.server(), file, timeout.toSeconds()),
          "the file stays; see vw status, and whether --config-dir of that agent is this"
              + " directory");
    }
    boolean runs =
        GoalWatch.await(
            session.type("roleinstance"),
            QueryParameters.NONE.field("spec.role", role),
            deadline,
            this::runs,
            session);
    if (!runs) {
      throw Failure.waiting(
          broken ? Exit.FAILED : Exit.TIMEOUT,
          "%s does not run after %d s: %s"
              .formatted(
                  role, timeout.toSeconds(), progress.isEmpty() ? "no node has it" : progress),
          next());
    }
    return Exit.OK;
  }

  private String next() {
    return "the file stays; vw why %1$s, vw logs %1$s, or edit %2$s".formatted(role, file);
  }

  /** Whether a revision with the content of the file appeared before the deadline. */
  private boolean awaitRevision(Instant deadline) throws IOException {
    var digest = Optional.of(ServiceMetadata.digest(draft.service()));
    return GoalWatch.await(
        session.type("roleconfig"),
        GoalWatch.named(role),
        deadline,
        configs ->
            configs.stream()
                .flatMap(it -> PlainJson.map(it, "spec", "versions").values().stream())
                .anyMatch(metadata -> ServiceMetadata.digestOf(metadata).equals(digest)),
        session);
  }

  private boolean runs(Collection<Map<String, Object>> instances) {
    long running = 0;
    boolean all = true;
    broken = false;
    var reason = "";
    for (var instance : instances) {
      var state = PlainJson.text(instance, "status", "state");
      running += number(PlainJson.text(instance, "status", "running"));
      all &= state.equals(RUNNING) && observed(instance);
      if (state.equals(BROKEN)) {
        broken = true;
        reason =
            ": %s on %s: %s"
                .formatted(
                    state.toLowerCase(Locale.ROOT),
                    PlainJson.text(instance, "spec", "node"),
                    PlainJson.text(instance, "status", "reason"));
        stopIfFinal(instance, reason);
      }
    }
    say("%d of %d processes run%s".formatted(running, draft.instances(), reason));
    return all && running >= draft.instances();
  }

  /** Ends the wait if nothing starts the processes again before the file is changed. */
  private void stopIfFinal(Map<String, Object> instance, String reason) {
    if (PlainJson.text(instance, "status", "error", "retry")
        .equals(InstanceError.Retry.ON_CHANGE.name())) {
      throw Failure.waiting(
          Exit.FAILED, role + " does not start" + TextTable.clean(reason), next());
    }
  }

  private void say(String text) {
    var clean = TextTable.clean(text);
    if (!clean.equals(progress)) {
      progress = clean;
      session.say(role + ": " + clean);
    }
  }

  private static boolean observed(Map<String, Object> instance) {
    return PlainJson.text(instance, "status", "observedGeneration")
        .equals(PlainJson.text(instance, "metadata", "generation"));
  }

  private static long number(String text) {
    return text.isEmpty() ? 0 : Long.parseLong(text);
  }
}
