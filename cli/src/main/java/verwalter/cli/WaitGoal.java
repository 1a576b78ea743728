package verwalter.cli;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import verwalter.cli.json.JsonPath;
import verwalter.cli.json.JsonPathException;
import verwalter.client.json.PlainJson;

/** What an object should become, as {@code --for} of {@code kubectl wait} says it. Pure. */
sealed interface WaitGoal {
  String FORMS = "create, delete, condition=NAME[=STATUS] or jsonpath='{PATH}'[=VALUE]";

  /**
   * Whether an object has become so.
   *
   * @param object the present object; empty if there is none
   */
  boolean isReached(Optional<Map<String, Object>> object);

  /** How a present object differs from the goal, for people. */
  String missing(Map<String, Object> object);

  /** Whether an object that does not exist can reach the goal. */
  default boolean allowsAbsence() {
    return false;
  }

  /**
   * Reads a goal.
   *
   * @throws Failure if the text is none
   */
  static WaitGoal parse(String text) {
    int equals = text.indexOf('=');
    var word = equals < 0 ? text : text.substring(0, equals);
    var rest = equals < 0 ? "" : text.substring(equals + 1);
    return switch (word) {
      case "create" -> new Created();
      case "delete" -> new Deleted();
      case "condition" -> condition(rest);
      case "jsonpath" -> path(rest);
      default -> throw Failure.usage("--for \"" + text + "\" is unknown", "it is " + FORMS);
    };
  }

  private static WaitGoal condition(String text) {
    int equals = text.indexOf('=');
    var name = equals < 0 ? text : text.substring(0, equals);
    if (name.isEmpty()) {
      throw Failure.usage("--for=condition= has no name", "--for=condition=Ready");
    }
    return new HasCondition(name, equals < 0 ? "True" : text.substring(equals + 1));
  }

  private static WaitGoal path(String text) {
    int end = text.lastIndexOf('}');
    int equals = text.indexOf('=', Math.max(0, end));
    var path = equals < 0 ? text : text.substring(0, equals);
    if (path.isBlank()) {
      throw Failure.usage(
          "--for=jsonpath= has no path", "--for=jsonpath='{.status.state}'=RUNNING");
    }
    try {
      var value = equals < 0 ? Optional.<String>empty() : Optional.of(text.substring(equals + 1));
      return new HasValue(path, JsonPath.path(path), value);
    } catch (JsonPathException wrong) {
      throw Failure.usage("--for=jsonpath: " + wrong.getMessage(), "");
    }
  }

  /** The object exists. */
  record Created() implements WaitGoal {
    @Override
    public boolean isReached(Optional<Map<String, Object>> object) {
      return object.isPresent();
    }

    @Override
    public String missing(Map<String, Object> object) {
      return "";
    }

    @Override
    public boolean allowsAbsence() {
      return true;
    }
  }

  /** The object does not exist. */
  record Deleted() implements WaitGoal {
    @Override
    public boolean isReached(Optional<Map<String, Object>> object) {
      return object.isEmpty();
    }

    @Override
    public String missing(Map<String, Object> object) {
      return PlainJson.text(object, "metadata", "deletionTimestamp").isEmpty()
          ? "it is not being deleted"
          : "it waits for " + PlainJson.list(object, "metadata", "finalizers");
    }

    @Override
    public boolean allowsAbsence() {
      return true;
    }
  }

  /** A condition has a status, and is about the present generation of the object. */
  record HasCondition(String name, String status) implements WaitGoal {
    @Override
    public boolean isReached(Optional<Map<String, Object>> object) {
      return object
          .filter(
              present ->
                  condition(present)
                      .filter(it -> PlainJson.text(it, "status").equalsIgnoreCase(status))
                      .filter(it -> isCurrent(it, present))
                      .isPresent())
          .isPresent();
    }

    private Optional<Object> condition(Map<String, Object> object) {
      return PlainJson.list(object, "status", "conditions").stream()
          .filter(it -> PlainJson.text(it, "type").equalsIgnoreCase(name))
          .findFirst();
    }

    private static boolean isCurrent(Object condition, Map<String, Object> object) {
      return !(PlainJson.at(condition, "observedGeneration") instanceof Number observed)
          || !(PlainJson.at(object, "metadata", "generation") instanceof Number generation)
          || observed.longValue() >= generation.longValue();
    }

    @Override
    public String missing(Map<String, Object> object) {
      return condition(object)
          .map(
              it ->
                  "condition %s is %s%s"
                      .formatted(
                          name,
                          PlainJson.text(it, "status"),
                          isCurrent(it, object)
                              ? reason(PlainJson.text(it, "message"))
                              : " for an earlier generation"))
          .orElse("it has no condition " + name);
    }

    private static String reason(String message) {
      return message.isEmpty() ? "" : ": " + message;
    }
  }

  /** A path has a value, or this one. */
  record HasValue(String text, JsonPath path, Optional<String> value) implements WaitGoal {
    @Override
    public boolean isReached(Optional<Map<String, Object>> object) {
      var found = object.map(this::values).orElse(List.of());
      return value.map(it -> found.size() == 1 && found.contains(it)).orElse(!found.isEmpty());
    }

    private List<String> values(Map<String, Object> object) {
      return path.find(object).stream()
          .filter(Objects::nonNull)
          .map((@Nullable Object it) -> String.valueOf(it))
          .toList();
    }

    @Override
    public String missing(Map<String, Object> object) {
      var found = values(object);
      return found.isEmpty()
          ? text + " has no value"
          : "%s is %s".formatted(text, String.join(", ", found));
    }
  }
}
