package verwalter.controllers.schedule;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.NodeSchedule;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.Schedule;
import verwalter.model.ScheduledVersions;
import verwalter.model.VersionSettings;
import verwalter.model.codec.Variables;
import verwalter.model.json.Json;
import verwalter.model.service.ScheduledServices;
import verwalter.stores.api.Write;

/**
 * A schedule split into one share for each node. Pure.
 *
 * @param schedule the schedule that was split
 * @param roles the variables of each role, by node
 */
record NodeSchedules(Schedule.Spec schedule, Map<String, Map<String, Map<String, Object>>> roles) {
  /** The limit of names in a message. */
  private static final int SHOWN = 5;

  /**
   * Computes the share of each of these nodes.
   *
   * @param last the previous shares; a node with the same roles in both schedules keeps its share
   *     object
   */
  static NodeSchedules of(
      Schedule.Spec schedule, Collection<String> nodes, Optional<NodeSchedules> last) {
    var data = schedule.data();
    var named = Json.object(data.get("nodes"));
    var names = new TreeSet<>(nodes);
    var reusable = last.filter(its -> common(its.schedule().data()).equals(common(data)));
    var roles = new TreeMap<String, Map<String, Map<String, Object>>>();
    for (var name : names) {
      roles.put(
          name,
          reusable
              .filter(its -> same(name, named, Json.object(its.schedule().data().get("nodes"))))
              .map(its -> its.roles().get(name))
              .orElseGet(() -> Json.freeze(merged(data, name))));
    }
    return new NodeSchedules(schedule, roles);
  }

  private static Map<String, Map<String, Object>> merged(Map<String, Object> data, String node) {
    return ScheduledServices.attached(data, Variables.merge(data, node));
  }

  private static boolean same(String name, Map<String, Object> now, Map<String, Object> before) {
    var node = now.get(name);
    return node != null && node.equals(before.get(name));
  }

  /** The variables that all nodes have in common. */
  private static List<?> common(Map<String, Object> data) {
    return List.of(
        Json.object(data.get("vars")),
        Json.object(data.get("roles")),
        ScheduledServices.commands(data));
  }

  /**
   * The nodes that a schedule applies to: those that the scheduler knew when it decided, those that
   * it names, and those that have a share. Any other node joined or was renamed later, and is not
   * changed until the scheduler has decided about it.
   */
  static Set<String> meant(
      Schedule.Spec schedule,
      Collection<String> decidedFor,
      List<Resource<NodeSchedule.Spec, NodeSchedule.Status>> present) {
    var meant = new TreeSet<>(decidedFor);
    meant.addAll(Json.object(schedule.data().get("nodes")).keySet());
    present.forEach(share -> meant.add(share.name()));
    return meant;
  }

  /** Nodes that the schedule assigns roles to although no node has that name. */
  static List<String> unknown(Schedule.Spec schedule, Collection<String> nodes) {
    return Json.object(schedule.data().get("nodes")).entrySet().stream()
        .filter(node -> !Json.object(Json.object(node.getValue()).get("roles")).isEmpty())
        .map(Map.Entry::getKey)
        .filter(name -> !nodes.contains(name))
        .sorted()
        .toList();
  }

  /** Returns the conditions, with one about unknown nodes if there are or were any. */
  static List<Condition> condition(
      Resource<Schedule.Spec, Schedule.Status> schedule,
      Collection<String> nodes,
      List<Condition> conditions,
      Instant now) {
    var unknown = unknown(schedule.spec(), nodes);
    var generation = schedule.meta().generation();
    if (unknown.isEmpty()) {
      return Condition.find(conditions, ConditionType.NODES_KNOWN).isEmpty()
          ? conditions
          : Condition.put(
              conditions,
              Condition.ofTrue(
                  ConditionType.NODES_KNOWN, Reason.ALL_NODES_KNOWN, "", generation, now));
    }
    var message =
        "the schedule gives roles to %s, but no node has such a name; the nodes are %s"
            .formatted(first(unknown), first(nodes.stream().sorted().toList()));
    return Condition.put(
        conditions,
        Condition.ofFalse(
            ConditionType.NODES_KNOWN, Reason.UNKNOWN_NODES, message, generation, now));
  }

  private static String first(List<String> names) {
    var shown = String.join(", ", names.subList(0, Math.min(SHOWN, names.size())));
    return names.isEmpty()
        ? "none"
        : names.size() > SHOWN ? shown + " and %d more".formatted(names.size() - SHOWN) : shown;
  }

  /**
   * Computes the writes that bring the node schedules to these shares. The node schedule of a node
   * that does not exist is removed. A node schedule with unchanged roles is not written and keeps
   * the hash of the schedule that changed it last, since a change on one node would otherwise cost
   * a write for each node.
   *
   * @param known all existing nodes
   */
  List<Write> writes(
      Collection<String> known, List<Resource<NodeSchedule.Spec, NodeSchedule.Status>> present) {
    var writes = new ArrayList<Write>();
    var missing = new TreeMap<>(roles);
    for (var each : present) {
      var share = missing.remove(each.name());
      if (!known.contains(each.name())) {
        if (!each.meta().deleting()) {
          writes.add(new Write.Remove(each));
        }
      } else if (share != null
          && (!share.equals(each.spec().roles())
              || !settings(share).equals(each.spec().versions())
              || each.spec().schedule().isEmpty())) {
        writes.add(new Write.Put(each.withSpec(spec(share))));
      }
    }
    missing.forEach(
        (name, share) ->
            writes.add(new Write.Put(Resource.of(NodeSchedule.KIND, name, spec(share)))));
    return writes;
  }

  private NodeSchedule.Spec spec(Map<String, Map<String, Object>> share) {
    return new NodeSchedule.Spec(schedule.hash(), share, settings(share));
  }

  /** The settings of the versions in a share. */
  private Map<String, VersionSettings> settings(Map<String, Map<String, Object>> share) {
    if (!schedule.data().containsKey(ScheduledVersions.KEY)) {
      return Map.of();
    }
    var settings = new TreeMap<String, VersionSettings>();
    share.forEach(
        (role, variables) -> {
          // Those of a service are in its variables: it may run several versions at a time.
          if (variables.get("version") instanceof String version
              && !ScheduledServices.isService(variables)) {
            var its = ScheduledVersions.find(schedule.data(), role, version);
            settings.put(role, its.withoutService());
          }
        });
    settings.values().removeIf(VersionSettings.NONE::equals);
    return settings;
  }
}
