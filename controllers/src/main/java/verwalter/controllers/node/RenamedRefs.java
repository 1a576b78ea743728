package verwalter.controllers.node;

import verwalter.model.DeploymentRef;
import verwalter.model.FailedVersion;
import verwalter.model.RoleInstance.Replacement;
import verwalter.model.TemplateOutput;
import verwalter.model.TemplateOutput.UsedRelease;

/**
 * The names of deployment refs in other objects, after a machine was renamed: they end with the
 * name of the node. Pure.
 *
 * @param from the former name of the machine
 * @param to its name
 */
record RenamedRefs(String from, String to) {
  /** The name of a {@link DeploymentRef}. */
  String name(String ref) {
    var end = "@" + from;
    return ref.endsWith(end) ? ref.substring(0, ref.length() - end.length()) + "@" + to : ref;
  }

  /** The files of the release stay where they are. */
  UsedRelease release(UsedRelease it) {
    return new UsedRelease(name(it.ref()), it.path(), it.digest(), it.version());
  }

  TemplateOutput.Next files(TemplateOutput.Next it) {
    return new TemplateOutput.Next(it.template(), it.variables(), it.release().map(this::release));
  }

  Replacement replacement(Replacement it) {
    return new Replacement(
        it.phase(),
        it.from().map(this::name),
        it.to().map(this::name),
        it.down(),
        it.began(),
        it.former().map(this::files),
        it.back());
  }

  FailedVersion failed(FailedVersion it) {
    return new FailedVersion(
        it.version(),
        it.release().map(this::name),
        it.reason(),
        it.at(),
        it.restartCounter(),
        files(it.former()));
  }
}
