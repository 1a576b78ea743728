package verwalter.render;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces single files atomically, each through a temporary one beside it. Takes paths without
 * links to directories in them, and refuses one that has got such a link since it was looked at.
 *
 * <p>What was switched survives a power cut only once it has settled, all of it together: syncing
 * takes far longer than everything else.
 */
final class Switch {
  private static final Logger LOG = LoggerFactory.getLogger(Switch.class);

  private final Disk disk;
  private final String owner;
  private final Set<Path> unsettled = new TreeSet<>();

  /**
   * @param owner tells the temporary files of one state directory from those of others
   */
  Switch(Disk disk, String owner) {
    this.disk = disk;
    this.owner = owner;
  }

  void write(Path path, byte[] content, Mode mode) throws IOException {
    var temporary = temporary(path);
    mustBeWhereItWas(path);
    disk.delete(temporary);
    disk.scratch(temporary, content, mode);
    mustBeWhereItWas(path);
    disk.rename(temporary, path);
    unsettled.add(path);
  }

  void remove(Path path) throws IOException {
    mustBeWhereItWas(path);
    disk.delete(path);
    unsettled.add(path);
  }

  /** Settles a file together with the others that somebody else has written. */
  void owe(Path path) {
    unsettled.add(path);
  }

  /** Makes sure that everything switched so far survives a power cut. */
  void settle() throws IOException {
    var directories = new TreeSet<Path>();
    for (var path : unsettled) {
      if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
        disk.sync(path);
      }
      directories.add(directory(path));
    }
    for (var directory : directories) {
      if (Files.isDirectory(directory)) {
        disk.sync(directory);
      }
    }
    unsettled.clear();
  }

  private static void mustBeWhereItWas(Path path) throws IOException {
    if (!isWhereItWas(path)) {
      throw new IOException(directory(path) + " has been replaced by a link");
    }
  }

  private static boolean isWhereItWas(Path path) throws IOException {
    return directory(path).toRealPath().equals(directory(path));
  }

  /**
   * Makes the path what it was, and says whether it was something else. Where the directory is
   * gone, or a link has taken its place, there is nothing to put back.
   */
  boolean restore(Path path, FileState old) throws IOException {
    unsettled.remove(path);
    if (!Files.isDirectory(directory(path)) || !isWhereItWas(path)) {
      return false;
    }
    disk.delete(temporary(path));
    if (FileState.of(path).equals(old)) {
      return false;
    }
    if (old instanceof FileState.Regular file) {
      restore(path, file);
    } else if (old instanceof FileState.Link link) {
      disk.link(temporary(path), link.target());
      disk.rename(temporary(path), path);
    } else {
      disk.delete(path);
    }
    disk.sync(directory(path));
    return true;
  }

  private void restore(Path path, FileState.Regular file) throws IOException {
    var temporary = temporary(path);
    disk.create(temporary, file.content(), file.mode());
    if (!(FileState.of(temporary) instanceof FileState.Regular now)
        || !now.owner().equals(file.owner())) {
      giveBack(path, file);
    }
    disk.rename(temporary, path);
  }

  /**
   * Where only root could, the file stays ours and lends nobody our rights: its bytes count for
   * more, and waiting for another user would hold up the role for ever.
   */
  private void giveBack(Path path, FileState.Regular file) throws IOException {
    var temporary = temporary(path);
    try {
      disk.chown(temporary, file.owner());
    } catch (AccessDeniedException notRoot) {
      LOG.warn("{} is put back, but cannot be given back to {}", path, file.owner());
      disk.delete(temporary);
      disk.create(temporary, file.content(), file.mode().lendingNothing());
    }
  }

  /** Always the same for one path, so that a leftover is found and removed. */
  Path temporary(Path path) {
    var hash = Text.sha256(Text.bytes(owner + "\0" + path.getFileName())).substring(0, 16);
    return path.resolveSibling(".tmp.verwalter." + hash);
  }

  private static Path directory(Path path) {
    var parent = path.getParent();
    if (parent == null) {
      throw new IllegalArgumentException(path + " is no file");
    }
    return parent;
  }
}
