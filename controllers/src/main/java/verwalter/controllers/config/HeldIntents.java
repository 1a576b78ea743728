package verwalter.controllers.config;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import verwalter.model.RoleConfig;
import verwalter.model.RoleIntent;
import verwalter.model.service.ServiceRevisions;

/**
 * Ends what operators want of a role when its files say something new: an undo at each change, and
 * a number of processes when the file changes that number. Pure.
 */
final class HeldIntents {
  /** The annotations of a role after its files were read. */
  static Map<String, String> after(
      Map<String, String> annotations, RoleConfig.Spec before, RoleConfig.Spec after) {
    if (before.equals(after)) {
      return annotations;
    }
    var kept = new TreeMap<>(annotations);
    kept.remove(RoleIntent.REVISION);
    var old = ServiceRevisions.scales(before);
    var present = ServiceRevisions.scales(after);
    kept.keySet()
        .removeIf(
            name ->
                name.startsWith(RoleIntent.SCALE)
                    && !Objects.equals(
                        old.get(name.substring(RoleIntent.SCALE.length())),
                        present.get(name.substring(RoleIntent.SCALE.length()))));
    return kept;
  }

  private HeldIntents() {}
}
