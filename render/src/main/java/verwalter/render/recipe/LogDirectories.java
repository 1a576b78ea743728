package verwalter.render.recipe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import verwalter.render.LogPiece;
import verwalter.render.RenderFailed;
import verwalter.render.RenderProblem;
import verwalter.render.Text;
import verwalter.render.engine.Limits;
import verwalter.render.engine.Nearest;
import verwalter.render.engine.TemplateDirectory;

/**
 * Directories of external logs, by the short names that the files of the directory {@code sandbox}
 * define.
 */
public record LogDirectories(SortedMap<String, Path> directories) {
  public static final LogDirectories NONE = new LogDirectories(new TreeMap<>());

  public LogDirectories {
    directories = Collections.unmodifiableSortedMap(new TreeMap<>(directories));
  }

  /** The result of looking up a log. */
  public record Position(String message, Optional<LogPiece.ExternalLog> log) {
    private static Position none(String message) {
      return new Position(message, Optional.empty());
    }
  }

  /**
   * The size of a log.
   *
   * @param name the short name of a directory, a slash, and the rest of the path
   */
  public Position position(String name) {
    int slash = name.indexOf('/');
    if (slash <= 0) {
      return Position.none(
          "No file position: `" + name + "` is not like NAME/PATH, with a name from log-dirs");
    }
    var shortName = name.substring(0, slash);
    var directory = directories.get(shortName);
    if (directory == null) {
      return Position.none(
          "No file position: no file below sandbox/ has `"
              + shortName
              + "` among its log-dirs"
              + Nearest.hint(shortName, directories.keySet()));
    }
    try {
      var path = directory.resolve(name.substring(slash + 1).replaceFirst("^/+", "")).normalize();
      if (!path.startsWith(directory.normalize())) {
        return Position.none("No file position: `" + name + "` leads outside " + directory);
      }
      long size = Files.isRegularFile(path) ? Files.size(path) : 0;
      return new Position(
          "File position \"" + path + "\":" + size,
          Optional.of(new LogPiece.ExternalLog(name, size)));
    } catch (IOException | InvalidPathException e) {
      return Position.none("No file position: cannot look at `" + name + "`: " + e);
    }
  }

  /**
   * Reads every {@code *.yaml} below a directory, which may be missing. Blocks.
   *
   * @throws RenderFailed with every file that cannot be parsed
   */
  public static LogDirectories read(Path sandbox) throws RenderFailed {
    return read(sandbox, Limits.DEFAULT);
  }

  static LogDirectories read(Path sandbox, Limits limits) throws RenderFailed {
    var reading = new Reading(limits);
    if (Files.isDirectory(sandbox)) {
      reading.descend(sandbox, "sandbox/");
    }
    if (!reading.problems.isEmpty()) {
      throw new RenderFailed(reading.problems);
    }
    return new LogDirectories(reading.directories);
  }

  private static final class Reading {
    private final Limits limits;
    private final SortedMap<String, Path> directories = new TreeMap<>(Text.BY_CODE_POINT);
    private final List<RenderProblem> problems = new ArrayList<>();
    private int files;

    private Reading(Limits limits) {
      this.limits = limits;
    }

    private void descend(Path directory, String prefix) {
      var names = new ArrayList<String>();
      try (var entries = Files.newDirectoryStream(directory)) {
        entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
      } catch (IOException e) {
        problems.add(RenderProblem.of(prefix, "cannot be read: " + e));
      }
      names.sort(Text.BY_CODE_POINT);
      for (var name : names) {
        var path = directory.resolve(name);
        if (TemplateDirectory.skipped(name)) {
          continue;
        }
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
          descend(path, prefix + name + "/");
        } else if (name.endsWith(".yaml") || name.endsWith(".yml")) {
          read(path, prefix + name);
        }
      }
    }

    private void read(Path path, String name) {
      try {
        if (++files > limits.files() || Files.size(path) > limits.fileSize()) {
          throw new IOException("too large, or too many files");
        }
        var document = LegacyYaml.parse(name, Text.utf8(Files.readAllBytes(path)));
        if (document.isPresent()) {
          add(document.get().fields(Set.of("log-dirs")));
        }
      } catch (IOException e) {
        problems.add(RenderProblem.of(name, "cannot be read: " + e));
      } catch (RecipeError e) {
        problems.add(e.problem());
      }
    }

    private void add(Map<String, LegacyYaml> fields) throws RecipeError {
      if (!fields.containsKey("log-dirs")) {
        return;
      }
      for (var entry : fields.get("log-dirs").entries().entrySet()) {
        var value = entry.getValue().value();
        if (!value.text().startsWith("/") || value.text().indexOf('\0') >= 0) {
          throw value.error("`" + value.text() + "` is not an absolute path");
        }
        directories.put(entry.getKey(), Path.of(value.text()));
      }
    }
  }
}
