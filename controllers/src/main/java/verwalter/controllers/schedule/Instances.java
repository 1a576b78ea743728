package verwalter.controllers.schedule;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import verwalter.model.FailedVersion;
import verwalter.model.InstanceError;
import verwalter.model.NodeSchedule;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;

/** Converts role instances to the scheduler's input: by node and role, with each process. Pure. */
final class Instances {
  static Map<String, Object> of(
      List<Resource<RoleInstance.Spec, RoleInstance.Status>> instances,
      List<Resource<ProcessGroup.Spec, ProcessGroup.Status>> groups) {
    var processes = new HashMap<String, Map<String, Object>>();
    for (var group : groups) {
      var its =
          processes.computeIfAbsent(
              RoleInstance.name(group.spec().role(), group.spec().node()), key -> new TreeMap<>());
      group
          .status()
          .ifPresent(
              status ->
                  status
                      .processes()
                      .forEach(it -> its.put(it.name(), of(it, group.meta().deleting()))));
    }
    var nodes = new TreeMap<String, Map<String, Object>>();
    for (var instance : instances) {
      nodes
          .computeIfAbsent(instance.spec().node(), node -> new TreeMap<>())
          .put(
              instance.spec().role(),
              of(instance, processes.getOrDefault(instance.name(), Map.of())));
    }
    return new LinkedHashMap<>(nodes);
  }

  /** The roles that a node should run, of which it has not reported any: each may run or not. */
  static Map<String, Object> unknown(NodeSchedule.Spec share) {
    var roles = new TreeMap<String, Object>();
    share
        .roles()
        .forEach(
            (role, variables) -> {
              var unknown = new LinkedHashMap<String, Object>();
              if (variables.get("version") instanceof String version) {
                unknown.put("version", version);
              }
              unknown.put("state", "unknown");
              unknown.put("processes", Map.of());
              roles.put(role, unknown);
            });
    return roles;
  }

  private static Map<String, Object> of(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, Map<String, Object> processes) {
    var seen = new LinkedHashMap<String, Object>();
    instance
        .status()
        .flatMap(RoleInstance.Status::version)
        .or(() -> instance.spec().version())
        .ifPresent(version -> seen.put("version", version));
    instance
        .status()
        .ifPresent(
            status -> {
              seen.put("state", status.state().name().toLowerCase(Locale.ROOT));
              seen.put("since", status.since().toEpochMilli());
              seen.put("desired", (long) status.desired());
              seen.put("running", (long) status.running());
              seen.put("restarts", status.restarts());
              seen.put("reason", status.reason());
              status
                  .failed()
                  .flatMap(FailedVersion::version)
                  .ifPresent(version -> seen.put("failed", version));
              status.error().ifPresent(error -> seen.put("error", of(error)));
            });
    seen.put("processes", processes);
    return seen;
  }

  /** Why the instance fails. {@code retry} is false if only a change can help. */
  private static Map<String, Object> of(InstanceError error) {
    var seen = new LinkedHashMap<String, Object>();
    seen.put("message", error.message());
    seen.put("retry", error.retry() != InstanceError.Retry.ON_CHANGE);
    error.at().ifPresent(at -> seen.put("retry_at", at.toEpochMilli()));
    return seen;
  }

  /** The processes of a group that is being removed are stopped, which its status does not show. */
  private static Map<String, Object> of(ProcessGroup.Slot slot, boolean removed) {
    var seen = new LinkedHashMap<String, Object>();
    var state = removed ? ProcessGroup.State.STOPPING : slot.state();
    seen.put("state", state.name().toLowerCase(Locale.ROOT));
    slot.started().ifPresent(at -> seen.put("since", at.toEpochMilli()));
    seen.put("restarts", slot.restarts());
    slot.readiness()
        .ifPresent(
            its -> {
              seen.put("ready", its.ready().name().toLowerCase(Locale.ROOT));
              seen.put("ready_since", its.since().toEpochMilli());
              seen.put("ready_reason", its.reason());
            });
    return seen;
  }

  private Instances() {}
}
