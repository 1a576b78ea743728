package verwalter.render.apply;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import verwalter.render.Text;
import verwalter.render.disk.Disk;
import verwalter.render.disk.Mode;
import verwalter.render.recipe.Rendered;

/**
 * The private directory of rendered files. They are written only before a program that may read
 * them, and after a failed run, for inspection.
 */
final class Stage {
  private final Path directory;
  private final Disk disk;
  private final Map<String, byte[]> unwritten = new TreeMap<>();
  private boolean empty;

  Stage(Path directory, Disk disk) {
    this.directory = directory;
    this.disk = disk;
  }

  /** Takes every rendered file; returns their paths by name for each recipe in order. */
  List<Map<String, Path>> fill(Rendered rendered) throws IOException {
    clear();
    var all = new ArrayList<Map<String, Path>>();
    int number = 0;
    for (var part : rendered.parts()) {
      var paths = new HashMap<String, Path>();
      for (var file : part.files().entrySet()) {
        var path = directory.resolve(++number + "." + harmless(file.getKey()));
        unwritten.put(path.toString(), Text.bytes(file.getValue()));
        paths.put(file.getKey(), path);
      }
      all.add(paths);
    }
    return all;
  }

  boolean holds(Path path) {
    return path.startsWith(directory);
  }

  /** The bytes of a file that was not written yet. */
  Optional<byte[]> unwritten(String path) {
    return Optional.ofNullable(unwritten.get(path));
  }

  /** Writes the files that were not written yet. */
  void write() throws IOException {
    if (!unwritten.isEmpty()) {
      empty = false;
      disk.makeDirectory(directory);
      for (var file : unwritten.entrySet()) {
        disk.scratch(Path.of(file.getKey()), file.getValue(), Mode.PRIVATE);
      }
      unwritten.clear();
    }
  }

  void clear() throws IOException {
    unwritten.clear();
    if (!empty && Files.isDirectory(directory)) {
      try (var files = Files.newDirectoryStream(directory)) {
        for (var file : files) {
          if (!Files.isDirectory(file)) {
            disk.delete(file);
          }
        }
      }
    }
    empty = true;
  }

  private static String harmless(String name) {
    var letters = name.replaceAll("[^A-Za-z0-9._-]", "_");
    return letters.substring(0, Math.min(letters.length(), 100));
  }
}
