package verwalter.model.codec;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import verwalter.model.json.Json;

/** Merges what a schedule says for one node into the variables of each role there. Pure. */
public final class Variables {

  /**
   * The variables of every role that the schedule puts on the node, by role. {@link
   * VariableOrigins} says where each of them comes from.
   *
   * <p>Of the four layers the most specific wins, key by key: the role on the node, the node, the
   * role, everybody. Where the winner is an object, the objects that other layers have for the same
   * key are merged into it, one level deep. {@code role} is always the role's name; {@code node} is
   * the node's unless a layer says otherwise. What should be an object and is not counts as empty.
   *
   * @param data of a schedule
   */
  public static SortedMap<String, Map<String, Object>> merge(
      Map<String, Object> data, String node) {
    var merged = new TreeMap<String, Map<String, Object>>(Json.BY_CODE_POINT);
    for (var role : VariableLayers.roles(data, node)) {
      VariableLayers.of(data, node, role).ifPresent(it -> merged.put(role, it.merged()));
    }
    return Collections.unmodifiableSortedMap(merged);
  }

  private Variables() {}
}
