package verwalter.render.recipe;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import verwalter.render.Text;
import verwalter.render.engine.Nearest;

/**
 * The settings of a recipe besides templates and commands.
 *
 * @param guards of its templates, by name
 * @param reportsDrift whether changed files are only reported
 * @param needs roles that must be done before
 */
public record Rules(SortedMap<String, Guard> guards, boolean reportsDrift, List<String> needs) {
  /** No settings. */
  static final Rules NONE = new Rules(new TreeMap<>(), false, List.of());

  public Rules {
    guards = Collections.unmodifiableSortedMap(new TreeMap<>(guards));
    needs = List.copyOf(needs);
  }

  /** Parses the guards of a recipe whose templates have these names. */
  static SortedMap<String, Guard> guards(LegacyYaml section, SortedMap<String, ?> templates)
      throws RecipeError {
    var guards = new TreeMap<String, Guard>(Text.BY_CODE_POINT);
    for (Map.Entry<String, LegacyYaml.Entry> entry : section.entries().entrySet()) {
      if (!templates.containsKey(entry.getKey())) {
        throw entry
            .getValue()
            .key()
            .error(
                "there is no template named `%s` to guard; named are %s%s"
                    .formatted(
                        entry.getKey(),
                        String.join(", ", templates.keySet()),
                        Nearest.hint(entry.getKey(), templates.keySet())));
      }
      guards.put(entry.getKey(), Guard.read(entry.getValue().value()));
    }
    return guards;
  }

  /** Whether drift is only reported. */
  static boolean reportsDrift(LegacyYaml value) throws RecipeError {
    var word = value.text();
    if (!word.equals("repair") && !word.equals("report")) {
      throw value.error("drift is repair or report, not `" + word + "`");
    }
    return word.equals("report");
  }

  /** Names of roles, without duplicates. */
  static List<String> needs(LegacyYaml section) throws RecipeError {
    var needs = new TreeMap<String, LegacyYaml>();
    for (var item : section.items()) {
      var role = item.text();
      if (role.isEmpty() || needs.put(role, item) != null) {
        throw item.error("`" + role + "` is " + (role.isEmpty() ? "no role" : "there twice"));
      }
    }
    return List.copyOf(needs.keySet());
  }
}
