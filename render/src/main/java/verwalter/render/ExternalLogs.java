package verwalter.render;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Directories where others write logs, by the names that files below {@code sandbox/} give them in
 * {@code log-dirs} (verwalter.md 2.3).
 */
public final class ExternalLogs {
  private final Path sandbox;

  /** Reads below that directory, anew at each question. */
  public ExternalLogs(Path sandbox) {
    this.sandbox = sandbox;
  }

  /**
   * The directory of a name; of several files that have the name, the last counts. Blocks.
   *
   * @throws RenderFailed if a file cannot be understood; the message has its place
   */
  public Optional<Path> directory(String name) throws RenderFailed {
    var found = Optional.<Path>empty();
    var files = new ArrayList<Path>();
    list(sandbox, files);
    for (var file : files) {
      var here = in(file, name);
      if (here.isPresent()) {
        found = here;
      }
    }
    return found;
  }

  private void list(Path directory, List<Path> files) throws RenderFailed {
    var entries = new ArrayList<Path>();
    try (var stream = Files.newDirectoryStream(directory)) {
      stream.forEach(entries::add);
    } catch (IOException unreadable) {
      throw new RenderFailed(Problem.of(shown(directory), "cannot be read: " + unreadable));
    }
    entries.sort(null);
    for (var entry : entries) {
      var name = String.valueOf(entry.getFileName());
      if (name.startsWith(".")) {
        continue;
      }
      if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
        list(entry, files);
      } else if (name.endsWith(".yaml") || name.endsWith(".yml")) {
        files.add(entry);
      }
    }
  }

  private String shown(Path path) {
    return "sandbox/" + sandbox.relativize(path);
  }

  private Optional<Path> in(Path file, String name) throws RenderFailed {
    try {
      if (Files.size(file) > Limits.DEFAULT.fileSize()) {
        throw new IOException("it is too large");
      }
      var document = Quire.parse(shown(file), Text.utf8(Files.readAllBytes(file)));
      if (document.isEmpty()) {
        return Optional.empty();
      }
      var names = document.get().fields(Set.of("log-dirs")).get("log-dirs");
      var entry = names == null ? null : names.entries().get(name);
      if (entry == null) {
        return Optional.empty();
      }
      var directory = entry.value().text();
      if (!directory.startsWith("/")) {
        throw entry.value().error("`" + directory + "` is not an absolute path");
      }
      return Optional.of(Path.of(directory));
    } catch (IOException unreadable) {
      throw new RenderFailed(Problem.of(shown(file), "cannot be read: " + unreadable));
    } catch (RecipeError mistake) {
      throw new RenderFailed(mistake.problem());
    }
  }
}
