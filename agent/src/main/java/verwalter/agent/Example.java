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
import java.util.Locale;
import java.util.regex.Pattern;
import verwalter.files.FileAccess;

/** An example configuration of the clone that a demo runs a copy of. */
enum Example {
  /** {@code examples/first}: a service in one file. */
  FIRST(
      "roles/hello.yaml",
      Pattern.compile("(?m)(?<=^    ports: \\{http: )(\\d{5})-(\\d{5})(?=\\}$)"),
      "hello"),

  /** {@code examples/hello}: a scheduler, templates and images of its own. */
  HELLO(
      "runtime/hello/ports.yaml",
      Pattern.compile("(?m)(?<=^\\[\")(\\d{5})-(\\d{5})(?=\"\\]$)"),
      "lithos/images");

  private final String portsFile;
  private final Pattern range;
  private final String programs;

  Example(String portsFile, Pattern range, String programs) {
    this.portsFile = portsFile;
    this.range = range;
    this.programs = programs;
  }

  /** The name of its directory in {@code examples}, and on the command line. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return label();
  }

  /** The file of a copy that has the ports of the processes. */
  Path portsFile(Path copy) {
    return copy.resolve(portsFile);
  }

  /** Finds the first and the last port in that file, as its groups 1 and 2. */
  Pattern range() {
    return range;
  }

  /** The directory of a copy below which all its processes work. */
  Path programs(Path copy) {
    return copy.resolve(programs);
  }

  /**
   * Fails if a copy is that of another example.
   *
   * @throws SetupFailed with what to do
   */
  void requireIn(Path copy) throws SetupFailed {
    if (Files.exists(portsFile(copy))) {
      return;
    }
    for (var other : values()) {
      if (Files.exists(other.portsFile(copy))) {
        throw new SetupFailed(
            ExitCode.SETUP,
            "%s is a copy of the example %s, not %s; start over with --fresh, or give another --dir"
                .formatted(copy, other, this));
      }
    }
  }

  private Path original() throws SetupFailed {
    var home = System.getProperty("verwalter.home", "");
    var example = Path.of(home, "examples", label());
    if (home.isEmpty() || !Files.isDirectory(example)) {
      throw new SetupFailed(
          ExitCode.SETUP,
          "there is no %s; start the demo with ./verwalter in a clone".formatted(example));
    }
    return example;
  }

  /**
   * Copies the example. All users can read the copy where they can reach it, since processes of a
   * root agent have another user.
   *
   * @throws SetupFailed outside a clone, where there is none
   */
  void copyTo(Path to) throws IOException, SetupFailed {
    var from = original();
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            FileAccess.PUBLIC.makeDirectories(to.resolve(from.relativize(directory)));
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
}
