package verwalter.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import verwalter.client.json.PlainJson;

/** The actions that a scheduler offers for a role. Pure. */
final class RoleActions {
  private static final String SWITCH = "quick_switch";

  /**
   * The names of the actions, each with its title or an empty text: those that the schedule offers
   * now, then those that were requested before.
   *
   * @param schedule the object {@code schedule/current}
   * @param actions the objects of all known actions
   */
  static Map<String, String> of(
      String role, Map<String, Object> schedule, List<Map<String, Object>> actions) {
    var found = new LinkedHashMap<String, String>();
    var offered = PlainJson.map(schedule, "spec", "data", "roles", role);
    Stream.of(
            PlainJson.list(offered, "global_actions"),
            PlainJson.list(offered, "frontend", "migration", "buttons"),
            PlainJson.list(offered, "frontend", "buttons"))
        .flatMap(List::stream)
        .forEach(
            button ->
                found.putIfAbsent(PlainJson.text(button, "id"), PlainJson.text(button, "title")));
    if (PlainJson.text(offered, "frontend", "kind").equals("version")) {
      found.putIfAbsent(SWITCH, "Switch to --set version=VERSION");
    }
    for (var action : actions) {
      var button = PlainJson.map(action, "spec", "request", "button");
      if (PlainJson.text(button, "role").equals(role)) {
        found.putIfAbsent(PlainJson.text(button, "action"), "");
      }
    }
    found.remove("");
    return found;
  }

  private RoleActions() {}
}
