package verwalter.controllers.template;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import verwalter.model.TemplateOutput.UsedRelease;

/** The variable {@code release} of templates. Pure. */
final class ReleaseVariable {
  /**
   * The release of a role: {@code path}, the directory with its files; {@code image}, the name for
   * process files: the path without the directory of images, which is the parent of a directory
   * that is used in place, and the directory of all releases otherwise; {@code digest}, of its
   * archive; {@code version}.
   */
  static Map<String, Object> of(UsedRelease release) {
    var path = Path.of(release.path());
    var variable = new LinkedHashMap<String, Object>();
    variable.put("path", release.path());
    variable.put("image", image(path, release.digest().isPresent() ? 2 : 1));
    release.digest().ifPresent(digest -> variable.put("digest", digest));
    release.version().ifPresent(version -> variable.put("version", version));
    return variable;
  }

  private static String image(Path path, int levels) {
    int names = path.getNameCount();
    return path.subpath(Math.max(0, names - levels), names).toString();
  }

  private ReleaseVariable() {}
}
