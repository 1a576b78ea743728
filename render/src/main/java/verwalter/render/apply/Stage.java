package verwalter.render.apply;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import verwalter.render.Text;
import verwalter.render.disk.Disk;
import verwalter.render.disk.Mode;
import verwalter.render.recipe.Rendered;

/** The private directory of rendered files. The files of a failed run are kept for inspection. */
final class Stage {
  private final Path directory;
  private final Disk disk;

  Stage(Path directory, Disk disk) {
    this.directory = directory;
    this.disk = disk;
  }

  /** Writes every rendered file; returns their paths by name for each recipe in order. */
  List<Map<String, Path>> fill(Rendered rendered) throws IOException {
    disk.makeDirectory(directory);
    clear();
    var all = new ArrayList<Map<String, Path>>();
    int number = 0;
    for (var part : rendered.parts()) {
      var paths = new HashMap<String, Path>();
      for (var file : part.files().entrySet()) {
        var path = directory.resolve(++number + "." + harmless(file.getKey()));
        disk.scratch(path, Text.bytes(file.getValue()), Mode.PRIVATE);
        paths.put(file.getKey(), path);
      }
      all.add(paths);
    }
    return all;
  }

  boolean holds(Path path) {
    return path.startsWith(directory);
  }

  void clear() throws IOException {
    if (Files.isDirectory(directory)) {
      try (var files = Files.newDirectoryStream(directory)) {
        for (var file : files) {
          if (!Files.isDirectory(file)) {
            disk.delete(file);
          }
        }
      }
    }
  }

  private static String harmless(String name) {
    var letters = name.replaceAll("[^A-Za-z0-9._-]", "_");
    return letters.substring(0, Math.min(letters.length(), 100));
  }
}
