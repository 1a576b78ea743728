package verwalter.controllers.schedule;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import verwalter.model.Names;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.Schedule;
import verwalter.model.json.Json;
import verwalter.render.recipe.Variables;
import verwalter.stores.api.Write;

/**
 * A schedule cut into one share for each node. Pure.
 *
 * @param schedule what was cut
 * @param roles the variables of each role, by node
 */
record NodeSchedules(Schedule.Spec schedule, Map<String, Map<String, Map<String, Object>>> roles) {
  /**
   * The share of each node: of those that are known, and of those the schedule names.
   *
   * @param last what was cut before; nodes of which both schedules say the same keep their share
   */
  static NodeSchedules of(
      Schedule.Spec schedule, Collection<String> nodes, Optional<NodeSchedules> last) {
    var data = schedule.data();
    var named = Json.object(data.get("nodes"));
    var names = new TreeSet<>(nodes);
    names.addAll(named.keySet());
    names.removeIf(name -> !Names.isValid(name));
    var reusable = last.filter(its -> common(its.schedule().data()).equals(common(data)));
    var roles = new TreeMap<String, Map<String, Map<String, Object>>>();
    for (var name : names) {
      roles.put(
          name,
          reusable
              .filter(its -> same(name, named, Json.object(its.schedule().data().get("nodes"))))
              .map(its -> its.roles().get(name))
              .orElseGet(() -> Json.freeze(Variables.merge(data, name))));
    }
    return new NodeSchedules(schedule, roles);
  }

  private static boolean same(String name, Map<String, Object> now, Map<String, Object> before) {
    var node = now.get(name);
    return node != null && node.equals(before.get(name));
  }

  /** What goes into the variables of every node. */
  private static List<?> common(Map<String, Object> data) {
    return List.of(Json.object(data.get("vars")), Json.object(data.get("roles")));
  }

  /** Nodes the schedule names although no machine of that name is known. */
  static List<String> unknown(Schedule.Spec schedule, Collection<String> nodes) {
    return Json.object(schedule.data().get("nodes")).keySet().stream()
        .filter(name -> !nodes.contains(name))
        .sorted()
        .toList();
  }

  /**
   * What must be written so that the node schedules are these shares; nothing is ever removed. A
   * node schedule whose roles stay as they are is not written, and goes on naming the schedule that
   * changed it last: otherwise a change on one node would cost a write for each node.
   */
  List<Write> writes(List<Resource<NodeSchedule.Spec, NodeSchedule.Status>> present) {
    var writes = new ArrayList<Write>();
    var missing = new TreeMap<>(roles);
    for (var each : present) {
      var share = missing.remove(each.name());
      if (share != null
          && (!share.equals(each.spec().roles()) || each.spec().schedule().isEmpty())) {
        writes.add(new Write.Put(each.withSpec(spec(share))));
      }
    }
    missing.forEach(
        (name, share) ->
            writes.add(new Write.Put(Resource.of(NodeSchedule.KIND, name, spec(share)))));
    return writes;
  }

  private NodeSchedule.Spec spec(Map<String, Map<String, Object>> share) {
    return new NodeSchedule.Spec(schedule.hash(), share);
  }
}
