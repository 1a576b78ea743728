package verwalter.render.apply;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.render.Text;
import verwalter.render.disk.Disk;
import verwalter.render.disk.FileState;
import verwalter.render.disk.Mode;
import verwalter.render.disk.Owners;
import verwalter.render.disk.SafePathWalker;

/**
 * Replaces single files atomically through a temporary file in the same directory. Paths must not
 * contain links to directories; the disk refuses a path that contains one by then.
 *
 * <p>Changes survive a power cut only after {@link #sync}, which syncs many of them together, since
 * syncing takes most of the time.
 */
final class Switch {
  private static final Logger LOG = LoggerFactory.getLogger(Switch.class);

  private final Disk disk;
  private final String owner;

  /**
   * @param owner distinguishes the temporary files of one state directory from those of others
   */
  Switch(Disk disk, String owner) {
    this.disk = disk;
    this.owner = owner;
  }

  void write(Path path, byte[] content, Mode mode) throws IOException {
    var temporary = temporary(path);
    disk.within(
        directory(path),
        () -> {
          disk.delete(temporary);
          disk.scratch(temporary, content, mode);
          disk.rename(temporary, path);
        });
    if (!isWhereItWas(path)) {
      throw SafePathWalker.replaced(directory(path));
    }
  }

  void remove(Path path) throws IOException {
    disk.delete(path);
  }

  /**
   * Makes the present state of these paths survive a power cut. A directory that is gone or was
   * replaced by a link is left out.
   */
  void sync(Collection<Path> changed) throws IOException {
    var directories = new TreeMap<Path, List<Path>>();
    for (var path : changed) {
      directories.computeIfAbsent(directory(path), each -> new ArrayList<>()).add(path);
    }
    for (var each : directories.entrySet()) {
      if (Files.isDirectory(each.getKey()) && isWhereItWas(each.getValue().get(0))) {
        disk.within(each.getKey(), () -> sync(each.getKey(), each.getValue()));
      }
    }
  }

  private void sync(Path directory, List<Path> paths) throws IOException {
    var all = new ArrayList<Path>();
    for (var path : paths) {
      if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
        all.add(path);
      }
    }
    all.add(directory);
    disk.sync(all);
  }

  private static boolean isWhereItWas(Path path) throws IOException {
    return directory(path).toRealPath().equals(directory(path));
  }

  /**
   * Restores a path; returns whether it differed. If the directory is gone or was replaced by a
   * link, there is nothing to restore.
   */
  boolean restore(Path path, FileState old) throws IOException {
    if (!Files.isDirectory(directory(path)) || !isWhereItWas(path)) {
      return false;
    }
    disk.delete(temporary(path));
    if (FileState.of(path).equals(old)) {
      return false;
    }
    disk.within(directory(path), () -> putBack(path, old));
    return true;
  }

  private void putBack(Path path, FileState old) throws IOException {
    if (old instanceof FileState.Regular file) {
      putBack(path, file);
    } else if (old instanceof FileState.Link link) {
      disk.link(temporary(path), link.target());
      disk.rename(temporary(path), path);
    } else {
      disk.delete(path);
    }
    disk.sync(directory(path));
  }

  /**
   * A set-user-ID file of another user must not run with the rights of this process before its
   * owner is restored.
   */
  private void putBack(Path path, FileState.Regular file) throws IOException {
    var temporary = temporary(path);
    boolean ours = Owners.ofNewFile(temporary).equals(file.owner());
    disk.create(temporary, file.content(), ours ? file.mode() : file.mode().withoutSetIds());
    if (!ours) {
      giveBack(path, file);
    }
    disk.rename(temporary, path);
  }

  /**
   * If only root could restore the owner, the file keeps that of this process: its content is more
   * important, and waiting for another user would block the role.
   */
  private void giveBack(Path path, FileState.Regular file) throws IOException {
    try {
      disk.chown(temporary(path), file.owner(), file.mode());
    } catch (AccessDeniedException notRoot) {
      LOG.warn("{} is restored, but its owner {} is not", path, file.owner());
    }
  }

  /** The same name for the same path, so that a leftover file is found and removed. */
  Path temporary(Path path) {
    var hash = Text.sha256(Text.bytes(owner + "\0" + path.getFileName())).substring(0, 16);
    return path.resolveSibling(".tmp.verwalter." + hash);
  }

  private static Path directory(Path path) {
    var parent = path.getParent();
    if (parent == null) {
      throw new IllegalArgumentException(path + " is not a file");
    }
    return parent;
  }
}
