package verwalter.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import verwalter.cli.print.TextTable;
import verwalter.client.ApiClient;
import verwalter.client.Item;
import verwalter.client.QueryParameters;
import verwalter.client.json.PlainJson;
import verwalter.model.RoleConfig;
import verwalter.model.RoleIntent;

/**
 * {@code vw rollout status}: prints a line for each change of a rollout until it is complete, has
 * failed or was superseded.
 */
final class RolloutStatus {
  private final Session session;
  private final String role;
  private final Optional<String> to;
  private Optional<String> expected;
  private Map<String, Object> followed = Map.of();
  private String said = "";

  /**
   * Creates it.
   *
   * @param to the version whose newest rollout is followed; empty for the newest of the role
   */
  RolloutStatus(Session session, RoleIntents intents, Optional<String> to) {
    this.session = session;
    this.role = intents.role();
    this.to = to;
    this.expected = expected(intents.config());
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
    if (timeout.isEmpty()) {
      expected = Optional.empty();
      var present = Item.of(session.api().list(type, ApiClient.Shape.OBJECTS, query));
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

  /**
   * The version whose rollout must be the newest one soon: that of an undo, or the newest of a
   * service. Empty if it is not known, or while the role is paused.
   */
  private static Optional<String> expected(Map<String, Object> config) {
    var annotations = PlainJson.map(config, "metadata", "annotations");
    if ("true".equals(annotations.get(RoleIntent.PAUSED))) {
      return Optional.empty();
    }
    if (annotations.get(RoleIntent.REVISION) instanceof String revision) {
      return Optional.of(revision);
    }
    var versions = PlainJson.list(config, "status", "versions");
    boolean service =
        RoleConfig.ROLE_FILE.equals(
            PlainJson.map(config, "metadata", "labels").get(RoleConfig.ORIGIN));
    return service && !versions.isEmpty()
        ? Optional.of(String.valueOf(versions.get(versions.size() - 1)))
        : Optional.empty();
  }

  /** Whether the rollout that is meant has not begun yet. */
  private boolean isToCome(Collection<Map<String, Object>> rollouts) {
    if (expected.isEmpty() || (to.isPresent() && !to.equals(expected))) {
      return false;
    }
    var wanted = expected.get();
    var newest = newest(rollouts, any -> true);
    var last = newest(rollouts, it -> wanted.equals(PlainJson.text(it, "spec", "to")));
    return !wanted.equals(PlainJson.text(newest, "spec", "to"))
        && !PlainJson.text(last, "status", "outcome").equals("Failed");
  }

  private static Map<String, Object> newest(
      Collection<Map<String, Object>> rollouts, Predicate<Map<String, Object>> wanted) {
    return rollouts.stream()
        .filter(wanted)
        .max(Comparator.comparingLong(RolloutStatus::number))
        .orElse(Map.of());
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
      if (isToCome(rollouts)) {
        return false;
      }
      followed =
          newest(rollouts, it -> to.isEmpty() || to.get().equals(PlainJson.text(it, "spec", "to")));
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
