package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import verwalter.model.ProcessSpec;
import verwalter.model.codec.Codec;

/**
 * Stores the processes of each group that have a command. Process files of lithos cannot express
 * these, so they are in {@code GROUP.json} beside them. A group without such processes has no file.
 */
record CommandFiles(Path directory) {

  /** The content of a file. */
  record Commands(Map<String, ProcessSpec> processes) {}

  private Path file(String group) {
    return directory.resolve(group + ".json");
  }

  /** The processes by name; none if there is no file. */
  Map<String, ProcessSpec> read(String group) throws IOException {
    var file = file(group);
    if (!Files.exists(file)) {
      return Map.of();
    }
    if (Files.size(file) > DurableFiles.MOST_BYTES) {
      throw new IOException(file + " is larger than 4 MiB");
    }
    return Codec.part(Files.readString(file), Commands.class).processes();
  }

  /** Whether the group has a file. */
  boolean exist(String group) {
    return Files.exists(file(group));
  }

  /** Writes the file if its content differs; returns whether it did. */
  boolean write(String group, Map<String, ProcessSpec> processes) throws IOException {
    return processes.isEmpty()
        ? remove(group)
        : DurableFiles.write(file(group), Codec.partJson(new Commands(processes)) + "\n");
  }

  boolean remove(String group) throws IOException {
    return DurableFiles.remove(file(group));
  }
}
