package verwalter.render.disk;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;

/**
 * Opens directories without following links that other users create. From the first directory in
 * which others may rename entries, it opens name by name, each relative to the one before.
 * Operations relative to the opened directory apply to it even if its path changes meanwhile.
 *
 * <p>Above that, it opens by path, since a directory with search permission only cannot be opened,
 * and only root and this user could create a link there.
 */
public final class SafePathWalker {
  private static final int KIND = 0170000;
  private static final int LINK = 0120000;
  private static final int DIRECTORY = 0040000;
  private static final int OTHERS_WRITE = 022;
  private static final int STICKY = 01000;

  /**
   * Opens a directory.
   *
   * @param directory an absolute path without links
   * @throws IOException if it contains a link by now, or cannot be opened
   */
  @SuppressWarnings("StreamResourceLeak") // the caller closes it
  public static SecureDirectoryStream<Path> into(Path directory) throws IOException {
    int safe = safeNames(directory);
    var at = directory.getRoot();
    for (int i = 0; i < safe; i++) {
      at = at.resolve(directory.getName(i));
    }
    var stream = secure(Files.newDirectoryStream(at));
    try {
      for (int i = safe; i < directory.getNameCount(); i++) {
        var name = directory.getName(i);
        at = at.resolve(name);
        mustBeDirectory(stream, name, at);
        var next = opened(stream, name, at);
        stream.close();
        stream = next;
      }
      return stream;
    } catch (IOException | RuntimeException e) {
      stream.close();
      throw e;
    }
  }

  private static SecureDirectoryStream<Path> opened(
      SecureDirectoryStream<Path> in, Path name, Path path) throws IOException {
    try {
      return in.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
    } catch (AccessDeniedException e) {
      throw new AccessDeniedException(
          path.toString(),
          null,
          "other users may rename entries of the directory, so it must be opened; the agent's user"
              + " needs permission to read it");
    }
  }

  /** The number of leading names that no other user can rename; none of them is a link. */
  private static int safeNames(Path directory) throws IOException {
    int self = Owners.self();
    var at = directory.getRoot();
    var there = Owner.of(at);
    int names = 0;
    while (names < directory.getNameCount() && there.isSafe()) {
      at = at.resolve(directory.getName(names));
      there = Owner.of(at);
      if (there.isLink()) {
        throw replaced(at);
      }
      if ((there.mode() & KIND) != DIRECTORY) {
        throw new NotDirectoryException(at.toString()); // opening a pipe would block
      }
      if (!there.isOneOf(0, self)) {
        break;
      }
      names++;
    }
    return names;
  }

  /** The owner of a path and the users that may change its entries. */
  private record Owner(int user, int mode) {
    static Owner of(Path path) throws IOException {
      var both = Files.readAttributes(path, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
      return new Owner(
          (Integer) requireNonNull(both.get("uid")), (Integer) requireNonNull(both.get("mode")));
    }

    boolean isLink() {
      return (mode & KIND) == LINK;
    }

    boolean isOneOf(int root, int self) {
      return user == root || user == self;
    }

    /** In a sticky directory users can rename only their own entries. */
    boolean isSafe() {
      return (mode & OTHERS_WRITE) == 0 || (mode & STICKY) != 0;
    }
  }

  /** Opening a pipe would block. */
  private static void mustBeDirectory(SecureDirectoryStream<Path> in, Path name, Path path)
      throws IOException {
    var view =
        in.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    var attributes = view.readAttributes();
    if (attributes.isSymbolicLink()) {
      throw replaced(path);
    }
    if (!attributes.isDirectory()) {
      throw new NotDirectoryException(path.toString());
    }
  }

  private static SecureDirectoryStream<Path> secure(DirectoryStream<Path> stream)
      throws IOException {
    if (stream instanceof SecureDirectoryStream<Path> secure) {
      return secure;
    }
    stream.close();
    throw new IOException("this system cannot open files relative to a directory");
  }

  public static IOException replaced(Path directory) {
    return new IOException(directory + " has been replaced by a link");
  }

  private SafePathWalker() {}
}
