package verwalter.render.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** The owners of files that this process creates. */
public final class Owners {
  private static final int SET_GROUP = 02000;

  /**
   * The owner of a new file at a path: this process's user, and its group or that of the directory.
   */
  public static Disk.Owner ofNewFile(Path file) throws IOException {
    var directory = file.getParent();
    if (directory == null) {
      throw new IllegalArgumentException(file + " is not a file");
    }
    boolean inherited = (number(directory, "mode") & SET_GROUP) != 0;
    var self = Path.of("/proc/self"); // the group of this process
    return new Disk.Owner(self(), number(inherited ? directory : self, "gid"));
  }

  /** The user of this process, which does not change; determined on first use. */
  private static final class Self {
    static final int USER = user();

    private static int user() {
      try {
        return number(Path.of("/proc/self"), "uid");
      } catch (IOException e) {
        throw new UncheckedIOException("cannot determine the user of this process", e);
      }
    }
  }

  /** The user of this process. */
  public static int self() {
    return Self.USER;
  }

  /** Whether this process may change owners, as root may. */
  static boolean mayGiveAway() {
    return self() == 0;
  }

  /** The owner of a file or a link. */
  public static Disk.Owner of(Path file) throws IOException {
    return new Disk.Owner(
        number(file, "uid", LinkOption.NOFOLLOW_LINKS),
        number(file, "gid", LinkOption.NOFOLLOW_LINKS));
  }

  private static int number(Path path, String attribute, LinkOption... options) throws IOException {
    return (Integer) Files.getAttribute(path, "unix:" + attribute, options);
  }

  private Owners() {}
}
