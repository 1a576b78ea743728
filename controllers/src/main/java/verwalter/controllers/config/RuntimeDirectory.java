package verwalter.controllers.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/**
 * The directory {@code runtime/}, where operators describe roles.
 *
 * <p>Each file becomes the value at the path formed by its directories and its name. Verwalter 0.13
 * reads directories in the order of the file system; here entries are sorted by key, and files come
 * before directories: {@code a.yaml} is read first, then the entries of {@code a/} are added to it.
 * If several files have the same key, the last name wins, so {@code a.yaml} replaces {@code
 * a.json}. Links to files are read; links to directories are not followed.
 */
public final class RuntimeDirectory implements ConfigReconciler.Runtime {
  private final Path config;
  private final MountCheck mounts;
  private final Limits limits;

  /**
   * Whether a directory was on another file system than its parent when roles were last read from
   * it. Outlives the agent.
   */
  public interface MountRecord {
    boolean wasMounted();

    void setMounted(boolean mounted);
  }

  /**
   * Limits of the files that are read.
   *
   * @param fileBytes size of one file
   * @param files number of files in all directories, including files of other types
   * @param bytes size of all files together
   */
  record Limits(int fileBytes, int files, long bytes) {
    static final Limits USUAL = new Limits(10 << 20, 100_000, 64 << 20);
  }

  /**
   * @param config the configuration directory, parent of {@code runtime/}
   */
  public RuntimeDirectory(Path config, MountRecord mounts) {
    this(config, mounts, Limits.USUAL);
  }

  RuntimeDirectory(Path config, MountRecord mounts, Limits limits) {
    this.config = config;
    this.mounts = new MountCheck(config, mounts);
    this.limits = limits;
  }

  /**
   * Reads all files. Blocks on disk I/O. An error in the files of one role is reported as a problem
   * of that role and does not affect other roles.
   *
   * <p>A directory that is missing or was unmounted is unknown, not empty. If {@code runtime/} is
   * empty and on another file system than the files that were read before, it is the place where a
   * file system was mounted. At the first reading, the record says whether one was.
   *
   * @throws IOException if no role can be read: the configuration directory or {@code runtime/}
   *     does not exist, cannot be listed or was unmounted, or a limit is exceeded
   */
  @Override
  public RuntimeReading read() throws IOException {
    var root = config.resolve("runtime");
    if (Files.isDirectory(root)) {
      var reading = new RuntimeWalk(root, limits).read();
      mounts.check(root, reading.roles().isEmpty() && reading.problems().isEmpty());
      return reading;
    }
    if (!Files.isDirectory(config)) {
      throw new NotDirectoryException(config + " (the configuration directory)");
    }
    if (Files.exists(root)) {
      throw new NotDirectoryException(root.toString());
    }
    throw new NoSuchFileException(
        root.toString(), null, "does not exist; if there are no roles, make it an empty directory");
  }
}
