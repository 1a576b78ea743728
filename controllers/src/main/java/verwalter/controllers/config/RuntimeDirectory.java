package verwalter.controllers.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Map;

/**
 * The directory {@code runtime/}, where operators describe roles.
 *
 * <p>Each file becomes the value at the path that its directories and its name make. Verwalter 0.13
 * reads directories in the order of the file system; here the order is that of the keys, and files
 * come before directories: {@code a.yaml}, then what is in {@code a/}, which is added to it. Of
 * files with the same key the last name wins, so {@code a.yaml} replaces {@code a.json}. Links to
 * files are read, links to directories are not followed.
 */
public final class RuntimeDirectory implements ConfigReconciler.Runtime {
  private final Path config;
  private final Limits limits;

  /**
   * How much is read at most.
   *
   * @param fileBytes of one file
   * @param files in all directories, those of other types included
   * @param bytes of all files together
   */
  record Limits(int fileBytes, int files, long bytes) {
    static final Limits USUAL = new Limits(10 << 20, 100_000, 64 << 20);
  }

  /**
   * @param config the configuration directory, parent of {@code runtime/}
   */
  public RuntimeDirectory(Path config) {
    this(config, Limits.USUAL);
  }

  RuntimeDirectory(Path config, Limits limits) {
    this.config = config;
    this.limits = limits;
  }

  /**
   * Reads all files. Blocks for as long as the disk does. What is wrong with the files of one role
   * is a problem of that role; no other role suffers. Without {@code runtime/} there are no roles.
   *
   * @throws IOException if nothing can be said about any role: the configuration directory is not
   *     there, {@code runtime/} cannot be listed, or there is more than the limits allow
   */
  @Override
  public RuntimeReading read() throws IOException {
    var root = config.resolve("runtime");
    if (Files.isDirectory(root)) {
      return new RuntimeWalk(root, limits).read();
    }
    if (!Files.isDirectory(config)) {
      throw new NotDirectoryException(config + " (the configuration directory)");
    }
    if (Files.exists(root)) {
      throw new NotDirectoryException(root.toString());
    }
    return new RuntimeReading(Map.of(), Map.of());
  }
}
