package verwalter.controllers.config;

import java.util.Comparator;
import java.util.Set;

/**
 * The names of files and directories below the configuration directory: their keys, extensions and
 * order.
 */
final class FileNames {
  private static final Set<String> STRIPPED = Set.of("yaml", "yml", "json", "txt", "d");

  /** Sorts by key, then by whole name. */
  static final Comparator<String> ORDER =
      Comparator.comparing(FileNames::key).thenComparing(Comparator.naturalOrder());

  /** Whether the file is hidden, a backup or the temporary file of an editor. */
  static boolean isSkipped(String name) {
    return name.startsWith(".")
        || name.endsWith("~")
        || name.endsWith(".bak")
        || (name.startsWith("#") && name.endsWith("#"));
  }

  /** The part after the last dot; empty if there is no dot. */
  static String extension(String name) {
    int dot = name.lastIndexOf('.');
    return dot <= 0 ? "" : name.substring(dot + 1);
  }

  /** The name without its extension, if the extension names a format. */
  static String key(String name) {
    var extension = extension(name);
    return STRIPPED.contains(extension)
        ? name.substring(0, name.length() - extension.length() - 1)
        : name;
  }

  private FileNames() {}
}
