package verwalter.render.apply;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import verwalter.render.disk.Disk;
import verwalter.render.disk.FileState;
import verwalter.render.disk.Mode;

/**
 * The undo journal of one transaction. Before the first change, it stores the former state of every
 * path that may change. Either the journal is removed and the new files are valid, or it exists and
 * {@link #rollback} restores the old ones.
 */
final class Undo {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Files up to this size in bytes are stored in the journal itself, which saves a sync. */
  private static final int SMALL = 64 << 10;

  private final Path directory;
  private final Disk disk;
  private final Switch files;
  private final List<Map<String, Object>> entries = new ArrayList<>();

  Undo(Path directory, Disk disk, Switch files) {
    this.directory = directory;
    this.disk = disk;
    this.files = files;
  }

  private Path journal() {
    return directory.resolve("journal");
  }

  /** Whether a transaction has begun and not ended. */
  boolean isPending() {
    return Files.exists(journal());
  }

  /**
   * Stores the current state of these paths. {@link #clean} has removed the transaction before.
   *
   * @throws IOException if one of them is neither absent nor a file or a link
   */
  void begin(Collection<Path> paths) throws IOException {
    disk.makeDirectory(directory);
    entries.clear();
    extend(paths);
  }

  /** Stores further paths of a transaction that has begun, before any of these is changed. */
  void extend(Collection<Path> paths) throws IOException {
    for (var path : paths) {
      entries.add(entry(path, directory.resolve("old." + entries.size())));
    }
    if (entries.stream().anyMatch(entry -> entry.containsKey("backup"))) {
      disk.sync(directory);
    }
    var draft = directory.resolve("draft");
    disk.create(draft, JSON.writeValueAsBytes(entries), Mode.PRIVATE);
    disk.rename(draft, journal());
    disk.sync(directory);
  }

  private Map<String, Object> entry(Path path, Path backup) throws IOException {
    var state = FileState.of(path);
    if (state instanceof FileState.Regular file) {
      boolean small = file.content().length <= SMALL;
      if (!small) {
        disk.create(backup, file.content(), Mode.PRIVATE);
      }
      return Map.of(
          "path",
          path.toString(),
          small ? "content" : "backup",
          small ? file.content() : backup.getFileName().toString(),
          "mode",
          file.mode().toString(),
          "user",
          file.owner().user(),
          "group",
          file.owner().group());
    }
    if (state instanceof FileState.Link link) {
      return Map.of("path", path.toString(), "link", link.target().toString());
    }
    if (state instanceof FileState.Other other) {
      throw new IOException(path + " is " + other.what());
    }
    return Map.of("path", path.toString());
  }

  /** The new files are valid as soon as the journal is removed; the rest is cleanup. */
  void commit() throws IOException {
    disk.delete(journal());
    try {
      disk.sync(directory);
      clean();
    } catch (IOException e) {
      // A power cut now may restore the journal, and so the old files: still all or none.
    }
  }

  /** Restores the paths that differ, and returns them. Idempotent. */
  List<String> rollback() throws IOException {
    var restored = new ArrayList<String>();
    for (var entry : JSON.readTree(Files.readAllBytes(journal()))) {
      var path = Path.of(entry.path("path").asText());
      FileState old = new FileState.Absent();
      if (entry.has("link")) {
        old = new FileState.Link(Path.of(entry.path("link").asText()));
      } else if (entry.has("mode")) {
        old =
            new FileState.Regular(
                entry.has("content")
                    ? entry.path("content").binaryValue()
                    : Files.readAllBytes(directory.resolve(entry.path("backup").asText())),
                Mode.octal(entry.path("mode").asText()),
                new Disk.Owner(entry.path("user").asInt(), entry.path("group").asInt()));
      }
      if (files.restore(path, old)) {
        restored.add(path.toString());
      }
    }
    commit();
    return restored;
  }

  /** Removes the leftovers of a transaction that never began or has ended. */
  void clean() throws IOException {
    if (Files.isDirectory(directory) && !isPending()) {
      try (var leftovers = Files.newDirectoryStream(directory)) {
        for (var leftover : leftovers) {
          disk.delete(leftover);
        }
      }
    }
  }
}
