package verwalter.controllers.schedule;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import verwalter.model.Names;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.Schedule;
import verwalter.model.json.Json;
import verwalter.render.Variables;
import verwalter.stores.api.Write;

/** Cuts a schedule into one share for each node. Pure. */
final class NodeSchedules {
  /** The share of each node: of those that are known, and of those the schedule names. */
  static Map<String, NodeSchedule.Spec> of(Schedule.Spec schedule, Collection<String> nodes) {
    var names = new TreeSet<>(nodes);
    names.addAll(Json.object(schedule.data().get("nodes")).keySet());
    names.removeIf(name -> !Names.isValid(name));
    var shares = new TreeMap<String, NodeSchedule.Spec>();
    for (var name : names) {
      shares.put(
          name, new NodeSchedule.Spec(schedule.hash(), Variables.merge(schedule.data(), name)));
    }
    return shares;
  }

  /** Nodes the schedule names although no machine of that name is known. */
  static List<String> unknown(Schedule.Spec schedule, Collection<String> nodes) {
    return Json.object(schedule.data().get("nodes")).keySet().stream()
        .filter(name -> !nodes.contains(name))
        .sorted()
        .toList();
  }

  /** What must be written so that the node schedules are these shares; nothing is ever removed. */
  static List<Write> writes(
      Map<String, NodeSchedule.Spec> shares,
      List<Resource<NodeSchedule.Spec, NodeSchedule.Status>> present) {
    var writes = new ArrayList<Write>();
    var missing = new TreeMap<>(shares);
    for (var each : present) {
      var share = missing.remove(each.name());
      if (share != null && !share.equals(each.spec())) {
        writes.add(new Write.Put(each.withSpec(share)));
      }
    }
    missing.forEach(
        (name, share) -> writes.add(new Write.Put(Resource.of(NodeSchedule.KIND, name, share))));
    return writes;
  }

  private NodeSchedules() {}
}
