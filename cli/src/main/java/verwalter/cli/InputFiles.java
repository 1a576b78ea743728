package verwalter.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import verwalter.cli.yaml.Manifest;
import verwalter.cli.yaml.ManifestException;

/** The files that {@code -f} names. */
final class InputFiles {
  private static final int LONGEST = 16 << 20;

  /** All objects of all files in order; of a directory, its YAML and JSON files by name. */
  static List<Manifest> read(List<String> files, Environment environment) throws IOException {
    var manifests = new ArrayList<Manifest>();
    for (var file : files) {
      if (file.equals("-")) {
        var bytes = environment.in().readNBytes(LONGEST + 1);
        manifests.addAll(Manifest.read("<stdin>", text("<stdin>", bytes)));
      } else {
        for (var path : paths(Path.of(file))) {
          manifests.addAll(Manifest.read(path.toString(), text(path)));
        }
      }
    }
    if (manifests.isEmpty()) {
      throw Failure.error("no objects in " + String.join(", ", files), "");
    }
    return manifests;
  }

  private static List<Path> paths(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    try (var entries = Files.list(path)) {
      return entries.filter(InputFiles::isManifest).sorted().toList();
    }
  }

  private static boolean isManifest(Path path) {
    var name = path.getFileName().toString();
    return !name.startsWith(".")
        && (name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json"))
        && Files.isRegularFile(path);
  }

  private static String text(Path path) throws IOException {
    if (!Files.exists(path)) {
      throw Failure.error("the path \"" + path + "\" does not exist", "");
    }
    try (var content = Files.newInputStream(path)) {
      return text(path.toString(), content.readNBytes(LONGEST + 1));
    }
  }

  private static String text(String file, byte[] bytes) {
    if (bytes.length > LONGEST) {
      throw new ManifestException(file, "longer than 16 MiB");
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new ManifestException(file, "not UTF-8");
    }
  }

  private InputFiles() {}
}
