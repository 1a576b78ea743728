package verwalter.cli;

import java.io.IOException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import verwalter.client.ApiClient;
import verwalter.client.ApiException;
import verwalter.client.Item;
import verwalter.client.QueryParameters;
import verwalter.client.json.PlainJson;
import verwalter.model.Names;
import verwalter.model.RoleConfig;
import verwalter.model.RoleIntent;
import verwalter.model.Schedule;
import verwalter.model.VersionSettings;

/**
 * What operators want of one role beside its files. A scheduler of the library follows it; others
 * are refused.
 */
final class RoleIntents {
  private final Session session;
  private final String role;
  private final Map<String, Object> config;

  private RoleIntents(Session session, String role, Map<String, Object> config) {
    this.session = session;
    this.role = role;
    this.config = config;
  }

  /** Those of a role that exists. */
  static RoleIntents of(Session session, String word) throws IOException {
    var role = word.replaceFirst("^(role|rcfg|roleconfig|roleconfigs)/", "");
    var type = session.type(RoleConfig.KIND.plural());
    var config = session.api().find(type, role);
    if (config.isPresent()) {
      return new RoleIntents(session, role, config.get());
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

  String role() {
    return role;
  }

  /** The configuration of the role, as the server has it. */
  Map<String, Object> config() {
    return config;
  }

  /** The versions, the oldest first. */
  List<String> versions() {
    return PlainJson.list(config, "status", "versions").stream().map(String::valueOf).toList();
  }

  Map<String, Object> metadata(String version) {
    return PlainJson.map(config, "spec", "versions", version);
  }

  /** The names of the processes of a service; empty for a role with templates. */
  List<String> processes() {
    var versions = versions();
    return versions.isEmpty()
        ? List.of()
        : PlainJson.map(metadata(versions.get(versions.size() - 1)), VersionSettings.PROCESSES)
            .entrySet()
            .stream()
            .filter(entry -> !isCommand(entry.getValue()))
            .map(Map.Entry::getKey)
            .sorted()
            .toList();
  }

  private static boolean isCommand(Object process) {
    return process instanceof Map<?, ?> its && "Command".equals(its.get("kind"));
  }

  /** The annotations with intents, by their whole names. */
  Map<String, String> present() {
    var present = new TreeMap<String, String>();
    PlainJson.map(config, "metadata", "annotations")
        .forEach((name, value) -> present.put(name, String.valueOf(value)));
    return present;
  }

  /** The state that the scheduler keeps of the role. */
  Map<String, Object> state() throws IOException {
    var schedule = session.api().find(session.type("schedule"), Schedule.CURRENT);
    return PlainJson.map(schedule.orElse(Map.of()), "spec", "data", "state", role);
  }

  /** Fails if the scheduler of the role does not follow intents. */
  RoleIntents requireFollowed(String verb) throws IOException {
    if (PlainJson.text(state(), "running").isEmpty()) {
      throw Failure.error(
          "the scheduler of %s does not %s roles by this command, since it was not made by the library"
              .formatted(role, verb),
          "its own actions: vw action %s --help; the files of its nodes: vw files --help"
              .formatted(role));
    }
    return this;
  }

  /**
   * Changes annotations.
   *
   * @param changes new values; empty to remove one
   */
  void change(Map<String, Optional<String>> changes) throws IOException {
    var annotations = new LinkedHashMap<String, Object>();
    changes.forEach((name, value) -> annotations.put(name, value.orElse(null)));
    annotations.put(RoleIntent.BY, caller());
    try {
      session
          .api()
          .patch(
              session.type(RoleConfig.KIND.plural()),
              role,
              Map.of("metadata", Map.of("annotations", annotations)),
              QueryParameters.NONE);
    } catch (ApiException refused) {
      if (refused.code() == 404) {
        throw Failure.error("the role " + role + " does not exist any more", "");
      }
      throw refused;
    }
  }

  /** The name of the caller, as the server knows it. */
  private String caller() throws IOException {
    var review = session.api().post("/apis/authentication.k8s.io/v1/selfsubjectreviews", Map.of());
    return PlainJson.text(PlainJson.map(review, "status", "userInfo"), "username");
  }

  /** The newest rollout; empty if there is none. */
  Map<String, Object> rollout() throws IOException {
    return rollouts().stream().reduce((older, newer) -> newer).orElse(Map.of());
  }

  /** The rollouts of the role that are kept, the oldest first. */
  List<Map<String, Object>> rollouts() throws IOException {
    var query = QueryParameters.NONE.field("spec.role", role);
    var list = session.api().list(session.type("rollout"), ApiClient.Shape.OBJECTS, query);
    return Item.of(list).stream()
        .map(Item::object)
        .sorted(
            Comparator.comparingLong(
                it ->
                    PlainJson.at(it, "spec", "number") instanceof Number number
                        ? number.longValue()
                        : 0))
        .toList();
  }
}
