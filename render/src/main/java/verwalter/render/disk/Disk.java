package verwalter.render.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;

/**
 * The few changes that this package makes to a disk, each either done or not done. A test stands in
 * here and stops the world between any two of them.
 *
 * <p>Paths are absolute and have no links to directories in them. Where one has come to have such a
 * link by the time of a step, that step fails and changes nothing.
 */
public interface Disk {

  /** Steps that belong together. */
  @FunctionalInterface
  interface Work {
    void run() throws IOException;
  }

  /**
   * Opens a directory for steps on files in it and on itself. All of them happen there, whatever
   * its path leads to meanwhile. Changes nothing.
   */
  void within(Path directory, Work work) throws IOException;

  /** Creates a file that must not exist, with this mode before its first byte, and syncs it. */
  void create(Path file, byte[] content, Mode mode) throws IOException;

  /** The same, except that it may be gone or empty after a power cut until it is synced. */
  void scratch(Path file, byte[] content, Mode mode) throws IOException;

  /** Creates a symbolic link that must not exist. */
  void link(Path link, Path target) throws IOException;

  /**
   * Gives a file to a user and a group, and sets its mode, of which a change of owner clears some.
   *
   * @throws java.nio.file.AccessDeniedException if this process is not one that may
   */
  void chown(Path file, Owner owner, Mode mode) throws IOException;

  /** Replaces whatever is at the second path, atomically. */
  void rename(Path from, Path to) throws IOException;

  /** Removes a file or a link if it is there. */
  void delete(Path file) throws IOException;

  /** Creates a directory, and its parents, for this user only; one that exists is fine. */
  void makeDirectory(Path directory) throws IOException;

  /** Makes sure that a file's content, or the names in a directory, survive a power cut. */
  void sync(Path path) throws IOException;

  /** The same for all of them, in any order: together that may take hardly longer than for one. */
  default void sync(Collection<Path> paths) throws IOException {
    for (var path : paths) {
      sync(path);
    }
  }

  /** Numeric owner of a file. */
  record Owner(int user, int group) {
    /** Such as {@code 0:0}. */
    @Override
    public String toString() {
      return user + ":" + group;
    }
  }
}
