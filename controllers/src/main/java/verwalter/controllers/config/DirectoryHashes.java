package verwalter.controllers.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import verwalter.model.ConfigHashes;

/**
 * Computes the hashes of a configuration directory. Hidden files and backups are ignored, and
 * {@code lithos/files}, into which templates write the files of each node. Of a file larger than 1
 * MiB, as in images of containers, only the size counts. Thread-safe.
 */
public final class DirectoryHashes {
  private static final long LARGEST = 1 << 20;
  private static final int DEEPEST = 64;

  /** The number of hex digits of a hash. */
  private static final int DIGITS = 20;

  private static final String UNREADABLE = "unreadable";
  private static final String LITHOS = "lithos";
  private static final String WRITTEN = "files";

  private final Path config;
  private final Supplier<String> scheduler;
  private final Map<String, Map<String, String>> areas = new HashMap<>(); // guarded by this

  /**
   * Creates the hashes of a directory, which is not read yet.
   *
   * @param scheduler computes the hash of the scheduler's code; may block
   */
  public DirectoryHashes(Path config, Supplier<String> scheduler) {
    this.config = config;
    this.scheduler = scheduler;
  }

  /** The hashes of the settings only, which are read now. Blocks on disk I/O. */
  public ConfigHashes settings() {
    var all = new TreeMap<>(area(ConfigHashes.SCHEDULER));
    all.putAll(area(ConfigHashes.RUNTIME));
    if (Files.isDirectory(config.resolve(ConfigHashes.ROLES))) {
      all.putAll(area(ConfigHashes.ROLES));
    }
    return ConfigHashes.of(all);
  }

  /**
   * Reads the areas that have changed, and those that were never read. Blocks on disk I/O.
   *
   * @param changed whether this area may have changed
   * @throws IOException if the directory cannot be listed
   */
  public synchronized ConfigHashes read(Predicate<String> changed) throws IOException {
    var present = new TreeSet<>(names(config));
    present.addAll(List.of(ConfigHashes.SCHEDULER, ConfigHashes.RUNTIME));
    areas.keySet().retainAll(present);
    for (var area : present) {
      if (changed.test(area) || !areas.containsKey(area)) {
        areas.put(area, area(area));
      }
    }
    var all = new TreeMap<String, String>();
    areas.values().forEach(all::putAll);
    return ConfigHashes.of(all);
  }

  private Map<String, String> area(String area) {
    var directory = config.resolve(area);
    return switch (area) {
      case ConfigHashes.SCHEDULER -> Map.of(area, scheduler.get());
      case ConfigHashes.RUNTIME, ConfigHashes.ROLES, ConfigHashes.TEMPLATES, LITHOS ->
          entries(area, directory);
      default -> Map.of(area, hash(List.of(directory)));
    };
  }

  /** The hash of each entry. Files and directories of one role have one hash. */
  private static Map<String, String> entries(String area, Path directory) {
    var parts = new TreeMap<String, List<Path>>();
    try {
      for (var name : names(directory)) {
        if (area.equals(LITHOS) && name.equals(WRITTEN)) {
          continue;
        }
        boolean roles = area.equals(ConfigHashes.RUNTIME) || area.equals(ConfigHashes.ROLES);
        var part = roles ? FileNames.key(name) : name;
        parts.computeIfAbsent(part, any -> new ArrayList<>()).add(directory.resolve(name));
      }
    } catch (IOException unlisted) {
      return Map.of(area, UNREADABLE);
    }
    var hashes = new HashMap<String, String>();
    parts.forEach((part, paths) -> hashes.put(area + "/" + part, hash(paths)));
    return hashes;
  }

  private static List<String> names(Path directory) throws IOException {
    try (var entries = Files.list(directory)) {
      return entries
          .map(entry -> entry.getFileName().toString())
          .filter(name -> !FileNames.isSkipped(name))
          .sorted()
          .toList();
    }
  }

  private static String hash(List<Path> paths) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      for (var path : paths) {
        add(digest, path, path.getFileName().toString(), 0);
      }
      return HexFormat.of().formatHex(digest.digest()).substring(0, DIGITS);
    } catch (IOException unreadable) {
      return UNREADABLE;
    } catch (NoSuchAlgorithmException impossible) { // every Java has SHA-256
      throw new IllegalStateException(impossible);
    }
  }

  private static void add(MessageDigest digest, Path path, String name, int depth)
      throws IOException {
    if (depth > DEEPEST) {
      throw new IOException(path + " is nested too deeply");
    }
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      text(digest, "directory " + name);
      for (var each : names(path)) {
        add(digest, path.resolve(each), name + "/" + each, depth + 1);
      }
    } else if (Files.isRegularFile(path)) {
      long size = Files.size(path);
      text(digest, "file " + name + " " + size);
      if (size <= LARGEST) {
        content(digest, path);
      }
    } else if (Files.isSymbolicLink(path)) {
      text(digest, "link " + name + " " + Files.readSymbolicLink(path));
    } else {
      text(digest, "other " + name);
    }
  }

  private static void content(MessageDigest digest, Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      digest.update(in.readNBytes((int) LARGEST));
    }
  }

  private static void text(MessageDigest digest, String text) {
    digest.update(text.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
  }
}
