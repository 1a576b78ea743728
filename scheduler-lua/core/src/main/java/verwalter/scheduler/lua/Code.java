package verwalter.scheduler.lua;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * All source texts of one scheduler, read at one moment. So a program never mixes files of
 * different times, and can be run again after its directory has changed.
 *
 * @param place the name of the directory in messages
 * @param files bytes as Latin-1, by path below the directory, with {@code /} as separator
 * @param problems why a path cannot be read
 */
public record Code(String place, Map<String, String> files, Map<String, String> problems) {
  /** The name of a scheduler in WebAssembly, which takes precedence over {@code main.lua}. */
  public static final String SCHEDULER = "scheduler.wasm";

  /** The name of the program that answers queries and selects what a node renders. */
  public static final String QUERY = "query.wasm";

  /** The key of a text that runs in place of {@code main.lua}; no file has such a name. */
  static final String START = "(start)";

  private static final int LARGEST = 4 << 20;
  private static final int LARGEST_MODULE = 16 << 20;
  private static final int MOST = 2_000;
  private static final int DEPTH = 32;

  public Code {
    files = Map.copyOf(files);
    problems = Map.copyOf(problems);
  }

  /**
   * Reads every {@code .lua} file below a directory, and the two WebAssembly modules in it. Never
   * fails: errors are stored by path. Links that lead out of the directory are refused; directories
   * whose names start with a dot are skipped.
   */
  public static Code read(Path directory) {
    var reading = new Reading(directory);
    try {
      Files.walkFileTree(directory, Set.of(FileVisitOption.FOLLOW_LINKS), DEPTH, reading);
    } catch (IOException problem) {
      reading.problems.put("", "cannot read " + directory + ": " + problem);
    }
    return new Code(directory.toString(), reading.files, reading.problems);
  }

  /**
   * The program of a configuration without a scheduler of its own: the standard scheduler of the
   * library.
   *
   * @param directory where a scheduler of its own would be
   */
  public static Code standard(Path directory) {
    var text = "return {scheduler = require(\"verwalter/standard\").scheduler}\n";
    return new Code(directory.toString(), Map.of("main.lua", text), Map.of());
  }

  /** The same code with this text as its program; {@code main.lua} is then one of the modules. */
  public Code starting(String text) {
    var all = new TreeMap<>(files);
    all.put(START, text);
    return new Code(place, all, problems);
  }

  /** As {@link #read}, but only one of the two modules; empty if it does not exist. */
  public static Code module(Path directory, String name) {
    var reading = new Reading(directory);
    var file = directory.resolve(name);
    if (Files.isRegularFile(file)) {
      reading.read(file, name);
    }
    return new Code(directory.toString(), reading.files, reading.problems);
  }

  /** One traversal of a directory. */
  private static final class Reading extends SimpleFileVisitor<Path> {
    private final Path directory;
    private final Map<String, String> files = new TreeMap<>();
    private final Map<String, String> problems = new TreeMap<>();

    Reading(Path directory) {
      this.directory = directory;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes)
        throws IOException {
      boolean below = path.equals(directory) || !path.getFileName().toString().startsWith(".");
      return below && inside(path) ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      var path = directory.relativize(file).toString();
      boolean source = path.endsWith(".lua") || isModule(path);
      if (source && attributes.isRegularFile()) {
        read(file, path);
      }
      return files.size() < MOST ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException problem) {
      var path = directory.relativize(file).toString();
      if (!path.isEmpty()) {
        problems.put(path, "cannot read '" + path + "': " + problem);
      }
      return FileVisitResult.CONTINUE;
    }

    private boolean inside(Path path) throws IOException {
      return path.toRealPath().startsWith(directory.toRealPath());
    }

    private void read(Path file, String path) {
      try (var in = Files.newInputStream(file)) {
        if (inside(file)) {
          files.put(path, text(path, in));
        } else {
          problems.put(path, "'" + path + "' is a link that leaves the scheduler's directory");
        }
      } catch (IOException problem) {
        problems.put(path, "cannot read '" + path + "': " + problem.getMessage());
      }
    }
  }

  /** Whether a file of that name exists, even one that cannot be read. */
  public boolean has(String path) {
    return files.containsKey(path) || problems.containsKey(path);
  }

  private static boolean isModule(String path) {
    return path.equals(SCHEDULER) || path.equals(QUERY);
  }

  /** Reads a source text up to a size limit. */
  static String text(String path, InputStream in) throws IOException {
    int largest = isModule(path) ? LARGEST_MODULE : LARGEST;
    var bytes = in.readNBytes(largest + 1);
    if (bytes.length > largest) {
      throw new IOException("'" + path + "' is longer than " + largest + " bytes");
    }
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** SHA-1 of all paths and texts in lower-case hex: equal code has an equal hash. */
  public String hash() {
    try {
      var digest = MessageDigest.getInstance("SHA-1");
      new TreeMap<>(files)
          .forEach(
              (path, text) -> {
                digest.update(
                    (path + "\0" + text.length() + "\0").getBytes(StandardCharsets.UTF_8));
                digest.update(text.getBytes(StandardCharsets.ISO_8859_1));
              });
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException impossible) { // every Java has SHA-1
      throw new IllegalStateException(impossible);
    }
  }
}
