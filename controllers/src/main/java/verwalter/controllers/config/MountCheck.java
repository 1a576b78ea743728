package verwalter.controllers.config;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Tells an empty directory from the place where a file system with its files is mounted usually. If
 * it is empty and on another file system than the files that were read before, nothing is mounted.
 * At the first reading, the record says whether something was.
 */
final class MountCheck {
  private final Path config;
  private final RuntimeDirectory.MountRecord mounts;

  /** The file system of the last files that were read. */
  private volatile @Nullable Object lastDevice;

  /**
   * @param config the parent of the directories that are checked
   */
  MountCheck(Path config, RuntimeDirectory.MountRecord mounts) {
    this.config = config;
    this.mounts = mounts;
  }

  /**
   * @param empty whether no file was found in {@code root}
   * @throws IOException if the file system with the files is not mounted
   */
  void check(Path root, boolean empty) throws IOException {
    var device = Files.getAttribute(root, "unix:dev");
    boolean mounted = !device.equals(Files.getAttribute(config, "unix:dev"));
    if (!empty) {
      lastDevice = device;
      mounts.setMounted(mounted);
    } else if (lastDevice == null ? mounts.wasMounted() && !mounted : !lastDevice.equals(device)) {
      throw new FileSystemException(
          root.toString(),
          null,
          "is empty, and the file system with its files is not mounted; if there are no roles any"
              + " more, write a file of a role into it, and remove it after that role is shown");
    }
  }
}
