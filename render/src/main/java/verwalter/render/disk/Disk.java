package verwalter.render.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;

/**
 * The operations with which this package changes a disk. Each happens or does not happen. Tests
 * replace it to stop between any two of them.
 *
 * <p>Paths are absolute and contain no links to directories. If a path contains such a link when an
 * operation runs, the operation fails and changes nothing.
 */
public interface Disk {

  /** Operations on one directory. */
  @FunctionalInterface
  interface Work {
    void run() throws IOException;
  }

  /**
   * Opens a directory for operations on its files and on itself. They apply to that directory even
   * if its path changes meanwhile. Changes nothing.
   */
  void within(Path directory, Work work) throws IOException;

  /** Creates a file that must not exist, with this mode before its first byte, and syncs it. */
  void create(Path file, byte[] content, Mode mode) throws IOException;

  /** The same without a sync: after a power cut the file may be missing or empty. */
  void scratch(Path file, byte[] content, Mode mode) throws IOException;

  /**
   * Writes bytes of a file from a position on, drops what follows, and syncs the file. Creates it
   * for this user only if it does not exist; its name survives a power cut only after {@link #sync}
   * of the directory.
   */
  void overwrite(Path file, long from, byte[] content) throws IOException;

  /** Creates a symbolic link that must not exist. */
  void link(Path link, Path target) throws IOException;

  /**
   * Sets the owner and group of a file, then its mode, since a change of owner clears some bits.
   *
   * @throws java.nio.file.AccessDeniedException if this process may not
   */
  void chown(Path file, Owner owner, Mode mode) throws IOException;

  /** Renames the first path to the second atomically, replacing any file there. */
  void rename(Path from, Path to) throws IOException;

  /** Removes a file or a link if it exists. */
  void delete(Path file) throws IOException;

  /** Creates a directory and its parents for this user only; an existing one is no error. */
  void makeDirectory(Path directory) throws IOException;

  /** Makes a file's content, or the names in a directory, survive a power cut. */
  void sync(Path path) throws IOException;

  /** Syncs all of them in any order, which can take hardly longer than syncing one. */
  default void sync(Collection<Path> paths) throws IOException {
    for (var path : paths) {
      sync(path);
    }
  }

  /** Another text after any event at which data that was not synced may have been lost. */
  String boot();

  /** The numeric owner of a file. */
  record Owner(int user, int group) {
    /** Such as {@code 0:0}. */
    @Override
    public String toString() {
      return user + ":" + group;
    }
  }
}
