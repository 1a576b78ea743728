package verwalter.controllers.config;

import java.util.Comparator;
import java.util.Set;

/** What the names of files and directories below the configuration directory say. */
final class FileNames {
  private static final Set<String> STRIPPED = Set.of("yaml", "yml", "json", "txt", "d");

  /** Sorts by key, then by whole name: no order but the names' own. */
  static final Comparator<String> ORDER =
      Comparator.comparing(FileNames::key).thenComparing(Comparator.naturalOrder());

  /** Whether the name is hidden, a backup or an editor's own (verwalter.md 2.1). */
  static boolean isSkipped(String name) {
    return name.startsWith(".")
        || name.endsWith("~")
        || name.endsWith(".bak")
        || (name.startsWith("#") && name.endsWith("#"));
  }

  /** What follows the last dot; empty without one. */
  static String extension(String name) {
    int dot = name.lastIndexOf('.');
    return dot <= 0 ? "" : name.substring(dot + 1);
  }

  /** The name without its extension, if that is one that says how to read it. */
  static String key(String name) {
    var extension = extension(name);
    return STRIPPED.contains(extension)
        ? name.substring(0, name.length() - extension.length() - 1)
        : name;
  }

  private FileNames() {}
}
