package verwalter.controllers.instance;

import java.util.Optional;
import verwalter.model.FailedVersion;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.Phase;
import verwalter.model.RoleInstance.Replacement;
import verwalter.model.TemplateOutput;

/**
 * What an instance is brought to: the version of its spec, or the former one after that version has
 * failed. Pure.
 */
final class Goal {
  /**
   * The failure because of which the instance has, or goes back to, the former version. It ends
   * with another release, and with a restart or a purge that was requested later. A way back that
   * has begun to stop processes is finished first.
   */
  static Optional<FailedVersion> failed(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    return instance
        .status()
        .flatMap(RoleInstance.Status::failed)
        .filter(failed -> isOf(failed, instance.spec()) || isUnfinished(instance));
  }

  /** Whether the spec still asks for the version that has failed, and for nothing more. */
  static boolean isOf(FailedVersion failed, RoleInstance.Spec spec) {
    return failed.version().equals(spec.version())
        && !isFormer(failed.former(), spec)
        && failed.release().equals(ReleaseRefs.target(spec))
        && spec.restartCounter().orElse(Long.MIN_VALUE)
            <= failed.restartCounter().orElse(Long.MIN_VALUE);
  }

  /** Whether the spec asks for what the instance went back to. */
  private static boolean isFormer(TemplateOutput.Next former, RoleInstance.Spec spec) {
    return former.template().equals(spec.template())
        && former.variables().equals(spec.variables())
        && former.release().map(TemplateOutput.UsedRelease::ref).equals(ReleaseRefs.target(spec));
  }

  private static boolean isUnfinished(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    return instance
        .status()
        .flatMap(RoleInstance.Status::replacement)
        .filter(Replacement::back)
        .filter(it -> it.phase() == Phase.STOP || it.phase() == Phase.SWITCH)
        .isPresent();
  }

  /** The name of the release that the instance is brought to. */
  static Optional<String> release(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    var failed = failed(instance);
    return failed.isPresent()
        ? failed.get().former().release().map(TemplateOutput.UsedRelease::ref)
        : ReleaseRefs.target(instance.spec());
  }

  /** The version that the instance is brought to. */
  static Optional<String> version(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    var failed = failed(instance);
    return failed.isPresent() ? failed.get().former().version() : instance.spec().version();
  }

  private Goal() {}
}
