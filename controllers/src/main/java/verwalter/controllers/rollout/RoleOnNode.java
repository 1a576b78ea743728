package verwalter.controllers.rollout;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.Rollout;
import verwalter.model.json.Json;

/**
 * The processes of a role on one node, as the node reports them. Pure.
 *
 * @param instance the role on the node
 * @param groups its processes
 */
record RoleOnNode(
    Resource<RoleInstance.Spec, RoleInstance.Status> instance,
    Collection<Resource<ProcessGroup.Spec, ProcessGroup.Status>> groups) {
  /** The states in which processes may not be those of the spec yet. */
  private static final List<RoleInstance.State> CHANGING =
      List.of(
          RoleInstance.State.INITIAL,
          RoleInstance.State.WAITING,
          RoleInstance.State.PREPARING,
          RoleInstance.State.RENDERING);

  /** The name of a process and its index in the name of a slot. */
  private static final Pattern SLOT = Pattern.compile("(?:.*/)?(.*?)(?:\\.\\d+)?");

  /** Whether the node is still taking over what it shall run, so that its processes may be old. */
  boolean changing() {
    var status = instance.status();
    return status.isEmpty()
        || status.get().observedGeneration() != instance.meta().generation()
        || CHANGING.contains(status.get().state())
        || groups.stream().anyMatch(group -> !observed(group));
  }

  private static boolean observed(Resource<ProcessGroup.Spec, ProcessGroup.Status> group) {
    return group
        .status()
        .filter(it -> it.observedGeneration() == group.meta().generation())
        .isPresent();
  }

  /** Why not all processes run; empty if they do. */
  Optional<String> reason() {
    return instance.status().map(RoleInstance.Status::reason).filter(it -> !it.isEmpty());
  }

  /**
   * The number of processes that run a version. While the node is changing it is that of before,
   * unless processes have ended.
   */
  Rollout.OnNode count(String version, Optional<Rollout.OnNode> before) {
    int desired = instance.status().map(RoleInstance.Status::desired).orElse(0);
    if (changing()) {
      return new Rollout.OnNode(
          Math.min(before.map(Rollout.OnNode::updated).orElse(0), running()),
          before.map(Rollout.OnNode::desired).orElse(desired));
    }
    return new Rollout.OnNode((int) slots().filter(slot -> runs(slot, version)).count(), desired);
  }

  private java.util.stream.Stream<ProcessGroup.Slot> slots() {
    return groups.stream()
        .flatMap(group -> group.status().stream())
        .flatMap(status -> status.processes().stream())
        .filter(slot -> slot.state() == ProcessGroup.State.RUNNING);
  }

  private int running() {
    return (int) slots().count();
  }

  private boolean runs(ProcessGroup.Slot slot, String version) {
    var present = instance.status().orElseThrow();
    if (present.replacement().isPresent() || present.failed().isPresent()) {
      return present.version().equals(Optional.of(version));
    }
    var name = SLOT.matcher(slot.name());
    var variables = instance.spec().variables();
    var daemon =
        name.matches()
            ? Json.object(Json.object(variables.get("daemons")).get(name.group(1)))
            : null;
    var its = daemon == null ? null : daemon.get("version");
    return version.equals(its == null ? variables.get("version") : its);
  }
}
