package verwalter.agent;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import verwalter.files.FileAccess;

/** The example configuration of the clone, {@code examples/hello}. */
final class Example {
  private static Path original() throws SetupFailed {
    var home = System.getProperty("verwalter.home", "");
    var example = Path.of(home, "examples", "hello");
    if (home.isEmpty() || !Files.isDirectory(example)) {
      throw new SetupFailed(
          ExitCode.SETUP,
          "there is no %s; start the demo with ./verwalter in a clone".formatted(example));
    }
    return example;
  }

  /**
   * Copies the example.
   *
   * @throws SetupFailed outside a clone, where there is none
   */
  static void copyTo(Path to) throws IOException, SetupFailed {
    var from = original();
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            FileAccess.PRIVATE.makeDirectories(to.resolve(from.relativize(directory)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(
                file,
                to.resolve(from.relativize(file)),
                StandardCopyOption.COPY_ATTRIBUTES,
                LinkOption.NOFOLLOW_LINKS);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Removes a directory with its contents, if it exists. */
  static void removeTree(Path root) throws IOException {
    if (!Files.exists(root)) {
      return;
    }
    try (var tree = Files.walk(root)) {
      for (var path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private Example() {}
}
