package verwalter.model;

import java.util.Optional;

/** Determines the node and the role of an object. */
final class Placement {
  static Optional<String> node(Resource<?, ?> object) {
    var spec = object.spec();
    if (spec instanceof Node.Spec || spec instanceof NodeSchedule.Spec) {
      return Optional.of(object.name());
    }
    if (spec instanceof RoleInstance.Spec instance) {
      return Optional.of(instance.node());
    }
    if (spec instanceof TemplateOutput.Spec output) {
      return Optional.of(output.node());
    }
    if (spec instanceof ProcessGroup.Spec group) {
      return Optional.of(group.node());
    }
    if (spec instanceof DeploymentRef.Spec ref) {
      return Optional.of(ref.node());
    }
    if (spec instanceof Artifact.Spec artifact) {
      return Optional.of(artifact.node());
    }
    return spec instanceof Event.Spec event ? node(event.regarding()) : Optional.empty();
  }

  static Optional<String> role(Resource<?, ?> object) {
    var spec = object.spec();
    if (spec instanceof RoleConfig.Spec) {
      return Optional.of(object.name());
    }
    if (spec instanceof Rollout.Spec rollout) {
      return Optional.of(rollout.role());
    }
    if (spec instanceof RoleInstance.Spec instance) {
      return Optional.of(instance.role());
    }
    if (spec instanceof TemplateOutput.Spec output) {
      return Optional.of(output.role());
    }
    if (spec instanceof ProcessGroup.Spec group) {
      return Optional.of(group.role());
    }
    if (spec instanceof DeploymentRef.Spec ref) {
      return Optional.of(ref.role());
    }
    return spec instanceof Event.Spec event ? role(event.regarding()) : Optional.empty();
  }

  private static Optional<String> node(ResourceKey key) {
    if (isAny(key, Node.KIND, NodeSchedule.KIND)) {
      return Optional.of(key.name());
    }
    int at = key.name().lastIndexOf('@');
    return at >= 0 && isAny(key, RoleInstance.KIND, TemplateOutput.KIND, ProcessGroup.KIND)
        ? Optional.of(key.name().substring(at + 1))
        : Optional.empty();
  }

  /** The role of the object with this key. The name of a process group does not contain a role. */
  private static Optional<String> role(ResourceKey key) {
    if (isAny(key, RoleConfig.KIND)) {
      return Optional.of(key.name());
    }
    int at = key.name().lastIndexOf('@');
    return at >= 0 && isAny(key, RoleInstance.KIND, TemplateOutput.KIND)
        ? Optional.of(key.name().substring(0, at))
        : Optional.empty();
  }

  private static boolean isAny(ResourceKey key, Kind<?, ?>... kinds) {
    for (var kind : kinds) {
      if (kind.name().equals(key.kind())) {
        return true;
      }
    }
    return false;
  }

  private Placement() {}
}
