package verwalter.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import verwalter.cli.print.TextTable;
import verwalter.client.ApiClient;
import verwalter.client.Item;
import verwalter.client.QueryParameters;
import verwalter.client.json.PlainJson;
import verwalter.model.Names;

/**
 * {@code vw rollout status}: prints a line for each change of a rollout until it is complete, has
 * failed or was superseded.
 */
final class RolloutStatus {
  private final Session session;
  private final String role;
  private final Optional<String> to;
  private Map<String, Object> followed = Map.of();
  private String said = "";

  /**
   * Creates it.
   *
   * @param to the version whose newest rollout is followed; empty for the newest of the role
   */
  RolloutStatus(Session session, String role, Optional<String> to) {
    this.session = session;
    this.role = role;
    this.to = to;
  }

  /**
   * Follows the rollout.
   *
   * @param timeout how long to wait for its end; empty for not at all
   * @return how it ended; {@link Exit#OK} if it is under way and nobody waits for it
   */
  Exit follow(Optional<Duration> timeout) throws IOException {
    var type = session.type("rollout");
    var query = QueryParameters.NONE.field("spec.role", role);
    var present = Item.of(session.api().list(type, ApiClient.Shape.OBJECTS, query));
    requireRole(present.isEmpty());
    if (timeout.isEmpty()) {
      ended(present.stream().map(Item::object).toList());
      if (followed.isEmpty()) {
        throw none();
      }
      return exit();
    }
    boolean inTime =
        GoalWatch.await(type, query, session.now().plus(timeout.get()), this::ended, session);
    if (!inTime) {
      throw followed.isEmpty() ? none() : late(timeout.get());
    }
    return exit();
  }

  private void requireRole(boolean nothing) throws IOException {
    var type = session.type("roleconfig");
    if (!nothing || session.api().find(type, role).isPresent()) {
      return;
    }
    var known =
        Item.of(session.api().list(type, ApiClient.Shape.OBJECTS, QueryParameters.NONE)).stream()
            .map(Item::name)
            .toList();
    throw Failure.error(
        "there is no role \"" + role + "\"",
        Names.nearest(role, known)
            .map(near -> "did you mean \"" + near + "\"?")
            .orElse("list them: vw get roleconfigs"));
  }

  private Failure none() {
    return Failure.error(
        "there is no rollout of role \"%s\"%s"
            .formatted(role, to.map(version -> " to " + version).orElse("")),
        "see what is known of it: vw why " + role);
  }

  private Failure late(Duration timeout) {
    return Failure.waiting(
        Exit.TIMEOUT,
        "%s is not complete after %d s: %s".formatted(name(), timeout.toSeconds(), message()),
        "vw why " + role);
  }

  private Exit exit() {
    return switch (outcome()) {
      case "Failed" ->
          throw Failure.error("%s has failed: %s".formatted(name(), reason()), "vw why " + role);
      case "Superseded" ->
          throw Failure.waiting(
              Exit.SUPERSEDED,
              "%s was superseded: %s".formatted(name(), reason()),
              "follow the newest one: vw rollout status " + role);
      default -> Exit.OK;
    };
  }

  /** Prints the rollout if it has changed, and returns whether it has ended. */
  private boolean ended(Collection<Map<String, Object>> rollouts) {
    if (followed.isEmpty()) {
      followed =
          rollouts.stream()
              .filter(it -> to.isEmpty() || to.get().equals(PlainJson.text(it, "spec", "to")))
              .max(Comparator.comparingLong(RolloutStatus::number))
              .orElse(Map.of());
    } else {
      long number = number(followed);
      followed = rollouts.stream().filter(it -> number(it) == number).findFirst().orElse(followed);
    }
    if (!followed.isEmpty() && !message().equals(said)) {
      said = message();
      session.println("%s: %s".formatted(name(), said));
    }
    return !outcome().isEmpty();
  }

  private static long number(Map<String, Object> rollout) {
    return PlainJson.at(rollout, "spec", "number") instanceof Number number
        ? number.longValue()
        : 0;
  }

  private String name() {
    return "rollout/" + PlainJson.text(followed, "metadata", "name");
  }

  private String message() {
    return TextTable.clean(PlainJson.text(followed, "status", "message"));
  }

  private String outcome() {
    return PlainJson.text(followed, "status", "outcome");
  }

  private String reason() {
    return TextTable.clean(PlainJson.text(followed, "status", "reason"));
  }
}
