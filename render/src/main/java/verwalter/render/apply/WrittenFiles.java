package verwalter.render.apply;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import verwalter.model.TemplateOutput;
import verwalter.render.disk.Disk;
import verwalter.render.disk.Mode;

/**
 * The files of a role's last application, stored in the role's state directory. The caller stores
 * them elsewhere too, but later: after a crash in between, this list still knows the files on disk.
 */
final class WrittenFiles {
  static final ObjectMapper JSON =
      JsonMapper.builder()
          .addModule(new Jdk8Module())
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_ABSENT, JsonInclude.Include.ALWAYS))
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();
  private static final TypeReference<List<TemplateOutput.File>> FILES = new TypeReference<>() {};

  private final Path directory;
  private final Path file;
  private final Disk disk;

  WrittenFiles(Path directory, Disk disk) {
    this.directory = directory;
    this.file = directory.resolve("written");
    this.disk = disk;
  }

  static List<TemplateOutput.File> of(JsonNode list) throws IOException {
    return JSON.readValue(JSON.treeAsTokens(list), FILES);
  }

  List<TemplateOutput.File> read() throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    try {
      return JSON.readValue(Files.readAllBytes(file), FILES);
    } catch (JsonProcessingException broken) {
      throw new IOException(
          "%s is broken; remove it, and look for files that the role no longer produces"
              .formatted(file),
          broken);
    }
  }

  /** Stores these files durably and drops all others; writes nothing if they are stored already. */
  void store(List<TemplateOutput.File> files) throws IOException {
    if (files.isEmpty()) {
      disk.delete(file);
      return;
    }
    if (Files.exists(file) && read().equals(files)) {
      return;
    }
    var draft = file.resolveSibling("written.draft");
    disk.delete(draft);
    disk.create(draft, JSON.writeValueAsBytes(files), Mode.PRIVATE);
    disk.rename(draft, file);
    disk.sync(directory);
  }
}
