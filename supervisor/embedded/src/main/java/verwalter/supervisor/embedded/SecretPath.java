package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Optional;

/**
 * Paths of secrets, which an agent may read that is root. No other user may decide which file such
 * a path names: that user would get the content of any file of root.
 *
 * @param own the user id of the agent
 */
record SecretPath(long own) {
  /** As in Linux. */
  private static final int MOST_LINKS = 40;

  private static final long ROOT = 0;
  private static final int STICKY = 01000;

  /**
   * The file that a path names, without links. Each directory and each link on the way belongs to
   * root or to the agent's user, and no other user can replace what is in the directory.
   *
   * @throws IOException if another user can, with the directory or the link
   */
  Path resolve(Path path) throws IOException {
    var at = path.toAbsolutePath().normalize();
    for (int links = 0; links <= MOST_LINKS; links++) {
      var link = firstLink(at);
      if (link.isEmpty()) {
        return at;
      }
      at =
          link.get()
              .resolveSibling(Files.readSymbolicLink(link.get()))
              .resolve(link.get().relativize(at))
              .normalize();
    }
    throw new IOException("has too many links");
  }

  private Optional<Path> firstLink(Path path) throws IOException {
    var at = path.getRoot();
    for (var name : path) {
      if (Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)) {
        requireSafe(at);
      }
      at = at.resolve(name);
      if (Files.isSymbolicLink(at)) {
        requireOwner(at, attributes(at));
        return Optional.of(at);
      }
    }
    return Optional.empty();
  }

  private void requireSafe(Path directory) throws IOException {
    var attributes = attributes(directory);
    requireOwner(directory, attributes);
    int mode = ((Number) Files.getAttribute(directory, "unix:mode")).intValue();
    boolean isPrivate = attributes.group().getName().equals(attributes.owner().getName());
    if ((mode & (isPrivate ? 02 : 022)) != 0 && (mode & STICKY) == 0) {
      throw new IOException(
          "may be replaced by other users, since they may write into %s; run: chmod go-w %s"
              .formatted(directory, directory));
    }
  }

  private void requireOwner(Path path, PosixFileAttributes attributes) throws IOException {
    var uid = Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    long owner = ((Number) uid).longValue();
    if (owner != ROOT && owner != own) {
      throw new IOException(
          "may be replaced by user %s, to whom %s belongs; move it to a directory of root"
              .formatted(attributes.owner().getName(), path));
    }
  }

  private static PosixFileAttributes attributes(Path path) throws IOException {
    return Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }
}
