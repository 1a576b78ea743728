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
 * Opens directories so that nobody can put a link into the way: from where others may rename things
 * it goes name by name, each relative to the one before. What is then done relative to the
 * directory happens there, whatever its path leads to meanwhile.
 *
 * <p>Above that it goes by path, since a directory that may be entered but not read cannot be
 * opened, and there only root and this user could put a link.
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
   * @param directory an absolute path without links in it
   * @throws IOException if there is a link in it by now, or it cannot be opened
   */
  @SuppressWarnings("StreamResourceLeak") // whoever calls closes it
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
          "others may rename what is there, so it must be opened, for which the agent's user needs"
              + " the right to read it");
    }
  }

  /** How many names nobody else can give to something else; no link is among them. */
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
        throw new NotDirectoryException(at.toString()); // opening a pipe would wait for ever
      }
      if (!there.isOneOf(0, self)) {
        break;
      }
      names++;
    }
    return names;
  }

  /** Whose a path is and who may change what is in it. */
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

    /** In a sticky directory everybody only renames what is theirs. */
    boolean isSafe() {
      return (mode & OTHERS_WRITE) == 0 || (mode & STICKY) != 0;
    }
  }

  /** Opening a pipe would wait for ever. */
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
