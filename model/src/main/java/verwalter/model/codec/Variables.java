package verwalter.model.codec;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import verwalter.model.json.Json;

/** Merges the layers of a schedule into the variables of each role on a node. Pure. */
public final class Variables {

  /**
   * The variables of every role that the schedule assigns to the node, by role. {@link
   * VariableOrigins} gives the layer of each variable.
   *
   * <p>For each key, the most specific of four layers wins: the role on the node, the node, the
   * role, all nodes. If the winning value is an object, the objects of other layers for the same
   * key are merged into it, one level deep. {@code role} is always the name of the role. {@code
   * node} is the name of the node unless a layer sets it. A value of another type in place of an
   * object counts as empty.
   *
   * @param data the data of a schedule
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
