package verwalter.render;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Where a command may write: an absolute path with a name. */
final class Destination {
  static Path of(String text) throws Run.Failed {
    try {
      var path = Path.of(text);
      if (!path.isAbsolute() || path.getFileName() == null || text.endsWith("/")) {
        throw new Run.Failed("the destination `" + text + "` is not the absolute path of a file");
      }
      return path.normalize();
    } catch (InvalidPathException e) {
      throw new Run.Failed("the destination `" + text + "` is no path: " + e.getReason());
    }
  }

  private Destination() {}
}
