package verwalter.render;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Who owns what this process creates. */
final class Owners {
  private static final int SET_GROUP = 02000;

  /** Whose a new file at a path will be: this process's, or its directory's group says which. */
  static Disk.Owner ofNewFile(Path file) throws IOException {
    var directory = file.getParent();
    if (directory == null) {
      throw new IllegalArgumentException(file + " is no file");
    }
    boolean inherited = (number(directory, "mode") & SET_GROUP) != 0;
    var self = Path.of("/proc/self");
    return new Disk.Owner(number(self, "uid"), number(inherited ? directory : self, "gid"));
  }

  /** Whether this process may give files to others, as root may. */
  static boolean mayGiveAway() throws IOException {
    return number(Path.of("/proc/self"), "uid") == 0;
  }

  /** Whose a file or a link is. */
  static Disk.Owner of(Path file) throws IOException {
    return new Disk.Owner(
        number(file, "uid", LinkOption.NOFOLLOW_LINKS),
        number(file, "gid", LinkOption.NOFOLLOW_LINKS));
  }

  private static int number(Path path, String attribute, LinkOption... options) throws IOException {
    return (Integer) Files.getAttribute(path, "unix:" + attribute, options);
  }

  private Owners() {}
}
