package verwalter.scheduler.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.Json;

/** Describes the differences between two inputs of a scheduler, in sentences for people. Pure. */
public final class InputChanges {
  private static final int LONGEST = 100;

  private final Map<String, Object> before;
  private final Map<String, Object> after;
  private final List<String> said = new ArrayList<>();

  private InputChanges(Map<String, Object> before, Map<String, Object> after) {
    this.before = before;
    this.after = after;
  }

  /** One sentence for each change, except those of the time and the parents. */
  public static List<String> between(Map<String, Object> before, Map<String, Object> after) {
    var changes = new InputChanges(before, after);
    changes.runtime();
    changes.nodes();
    changes.actions();
    changes.instances();
    changes.rest();
    return changes.said;
  }

  private static Map<String, Object> part(Map<String, Object> input, String name) {
    return Json.object(input.get(name));
  }

  private void runtime() {
    for (var role : keys("runtime")) {
      var was = part(before, "runtime").get(role);
      var is = part(after, "runtime").get(role);
      if (was == null || is == null) {
        said.add("role " + role + (was == null ? " appeared" : " vanished"));
        continue;
      }
      for (var each : Difference.between(was, is)) {
        boolean version = each.path().size() == 1 && each.path().get(0).matches("v\\d.*");
        if (version && each.before().isEmpty()) {
          said.add("version %s of role %s appeared".formatted(each.place(), role));
        } else if (version && each.after().isEmpty()) {
          said.add("version %s of role %s vanished".formatted(each.place(), role));
        } else {
          said.add("setting %s of role %s: %s".formatted(each.place(), role, arrow(each)));
        }
      }
    }
  }

  private void nodes() {
    for (var node : keys("nodes")) {
      var was = part(before, "nodes").get(node);
      var is = part(after, "nodes").get(node);
      if (was == null || is == null) {
        said.add("node " + node + (was == null ? " came" : " went"));
        continue;
      }
      for (var each : Difference.between(was, is)) {
        said.add("%s of node %s: %s".formatted(each.place(), node, arrow(each)));
      }
    }
  }

  private void actions() {
    part(after, "actions")
        .forEach(
            (id, request) -> {
              if (!part(before, "actions").containsKey(id)) {
                said.add("action %s: %s".formatted(id, shortened(Json.canonical(request))));
              }
            });
  }

  private void instances() {
    for (var node : keys("instances")) {
      var was = Json.object(part(before, "instances").get(node));
      var is = Json.object(part(after, "instances").get(node));
      var roles = new TreeSet<>(was.keySet());
      roles.addAll(is.keySet());
      for (var role : roles) {
        var from = state(was.get(role));
        var to = state(is.get(role));
        if (!from.equals(to)) {
          said.add("instance %s@%s: %s -> %s".formatted(role, node, from, to));
        }
      }
    }
  }

  private static String state(@Nullable Object instance) {
    if (instance == null) {
      return "none";
    }
    var its = Json.object(instance);
    return "%s %s (%s of %s)"
        .formatted(
            its.getOrDefault("state", "new"),
            its.getOrDefault("version", ""),
            its.getOrDefault("running", 0L),
            its.getOrDefault("desired", 0L))
        .replace("  ", " ");
  }

  /** All fields without a sentence of their own. */
  private void rest() {
    var known =
        List.of("now", "parents", "runtime", "nodes", "actions", "instances", "peers", "metrics");
    var names = new TreeSet<>(before.keySet());
    names.addAll(after.keySet());
    names.removeAll(known);
    for (var name : names) {
      for (var each : Difference.between(before.get(name), after.get(name))) {
        said.add(
            "%s: %s"
                .formatted(each.path().isEmpty() ? name : name + "." + each.place(), arrow(each)));
      }
    }
    if (!Json.canonical(before.get("metrics")).equals(Json.canonical(after.get("metrics")))) {
      said.add("metrics: other values");
    }
  }

  private Set<String> keys(String name) {
    var keys = new TreeSet<>(part(before, name).keySet());
    keys.addAll(part(after, name).keySet());
    return keys;
  }

  /** The old and the new value, as text. */
  public static String arrow(Difference difference) {
    return shortened(difference.before().orElse("none"))
        + " -> "
        + shortened(difference.after().orElse("none"));
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
  }
}
