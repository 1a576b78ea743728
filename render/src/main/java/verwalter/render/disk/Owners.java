package verwalter.render.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Who owns what this process creates. */
public final class Owners {
  private static final int SET_GROUP = 02000;

  /** Whose a new file at a path will be: this process's, or its directory's group says which. */
  public static Disk.Owner ofNewFile(Path file) throws IOException {
    var directory = file.getParent();
    if (directory == null) {
      throw new IllegalArgumentException(file + " is no file");
    }
    boolean inherited = (number(directory, "mode") & SET_GROUP) != 0;
    var self = Path.of("/proc/self"); // whose group is that of this process
    return new Disk.Owner(self(), number(inherited ? directory : self, "gid"));
  }

  /** The user of this process, which stays the same; looked up when first asked for. */
  private static final class Self {
    static final int USER = user();

    private static int user() {
      try {
        return number(Path.of("/proc/self"), "uid");
      } catch (IOException e) {
        throw new UncheckedIOException("cannot tell which user this is", e);
      }
    }
  }

  /** The user of this process. */
  public static int self() {
    return Self.USER;
  }

  /** Whether this process may give files to others, as root may. */
  static boolean mayGiveAway() {
    return self() == 0;
  }

  /** Whose a file or a link is. */
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
