package verwalter.controllers.deployment;

import java.util.List;
import java.util.Optional;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Selection;

/**
 * Groups whose processes may use any release of their role: those that the supervisor has not
 * received as they are now, those that are being removed, and those with a process that is being
 * stopped or a command by time that runs, which a change of the group leaves alone. What they run
 * may be of an earlier spec, and the program of a process need not contain the path of its release.
 */
final class UnknownProcesses {
  /** The group of a role on a node whose processes are not known; empty if all are. */
  static Optional<ResourceKey> of(ObjectStore store, String node, String role) {
    return on(store, node).stream()
        .filter(group -> group.spec().role().equals(role))
        .<ResourceKey>map(Resource::key)
        .findFirst();
  }

  /** The groups of a node whose processes are not known. */
  static List<Resource<ProcessGroup.Spec, ProcessGroup.Status>> on(ObjectStore store, String node) {
    return store.list(ProcessGroup.KIND, new Selection.Node(node)).stream()
        .filter(UnknownProcesses::areUnknown)
        .toList();
  }

  private static boolean areUnknown(Resource<ProcessGroup.Spec, ProcessGroup.Status> group) {
    return group.meta().deleting()
        || group
            .status()
            .filter(it -> it.observedGeneration() == group.meta().generation())
            .filter(it -> it.processes().stream().noneMatch(UnknownProcesses::isStopping))
            .filter(it -> it.commands().stream().noneMatch(UnknownProcesses::runs))
            .isEmpty();
  }

  private static boolean isStopping(ProcessGroup.Slot slot) {
    return slot.state() == ProcessGroup.State.STOPPING;
  }

  private static boolean runs(ProcessGroup.Slot command) {
    return command.state() == ProcessGroup.State.RUNNING || isStopping(command);
  }

  private UnknownProcesses() {}
}
