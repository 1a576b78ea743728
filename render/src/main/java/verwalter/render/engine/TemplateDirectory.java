package verwalter.render.engine;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import verwalter.render.RenderFailed;
import verwalter.render.RenderProblem;
import verwalter.render.Text;
import verwalter.render.engine.handlebars.RenderState;

/**
 * The texts of one template directory by relative path, in that order. Only templates and recipes
 * are read.
 */
public record TemplateDirectory(SortedMap<String, String> files) {

  public TemplateDirectory {
    files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
  }

  /** A hash of all names and texts. */
  public String digest() {
    var digest = Text.digest();
    files.forEach((name, text) -> Text.add(digest, name, text));
    return HexFormat.of().formatHex(digest.digest());
  }

  /**
   * The text of a file, named relative to another file's directory; absent if it does not exist.
   */
  public Optional<String> file(String path) {
    return Optional.ofNullable(files.get(path));
  }

  /**
   * Reads the directory in sorted order. Hidden files, backups and links to directories are
   * skipped. A link that leads outside the directory is an error.
   */
  public static TemplateDirectory read(Path directory, Limits limits) throws RenderFailed {
    var walk = new RenderState(limits);
    try {
      walk.root = directory.toRealPath();
      walk.descend(walk.root, "");
    } catch (IOException | RuntimeException e) {
      walk.problems.add(
          RenderProblem.of(directory.toString(), "cannot read the template directory: " + e));
    }
    if (!walk.problems.isEmpty()) {
      throw new RenderFailed(walk.problems);
    }
    return new TemplateDirectory(walk.files);
  }

  /** Whether the file name is that of a recipe. */
  public static boolean isRecipe(String name) {
    return name.endsWith(".render.yaml") || name.endsWith(".render.yml");
  }

  /** Whether the file name is ignored in the configuration directory. */
  public static boolean skipped(String name) {
    return name.startsWith(".")
        || name.endsWith("~")
        || name.endsWith(".bak")
        || (name.startsWith("#") && name.endsWith("#"));
  }

  private static final class RenderState {
    private final Limits limits;
    private final SortedMap<String, String> files = new TreeMap<>(Text.BY_CODE_POINT);
    private final List<RenderProblem> problems = new ArrayList<>();
    private Path root = Path.of("");

    private RenderState(Limits limits) {
      this.limits = limits;
    }

    private void descend(Path directory, String prefix) throws IOException {
      var names = new ArrayList<String>();
      try (var entries = Files.newDirectoryStream(directory)) {
        entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
      }
      names.sort(Text.BY_CODE_POINT);
      for (var name : names) {
        if (!skipped(name)) {
          visit(directory.resolve(name), prefix + name);
        }
      }
    }

    private void visit(Path path, String name) throws IOException {
      if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
        descend(path, name + "/");
      } else if (matters(name) && !Files.isDirectory(path)) {
        if (files.size() == limits.files()) {
          throw new IOException("more than " + limits.files() + " templates and recipes");
        }
        read(path, name);
      }
    }

    private void read(Path path, String name) {
      try {
        var real = path.toRealPath();
        if (!real.startsWith(root)) {
          problems.add(
              RenderProblem.of(name, "is a link that leads outside the template directory"));
        } else if (!Files.isRegularFile(real)) {
          problems.add(RenderProblem.of(name, "is not a regular file"));
        } else if (Files.size(real) > limits.fileSize()) {
          problems.add(RenderProblem.of(name, "is larger than " + limits.fileSize() + " bytes"));
        } else {
          files.put(name, Text.utf8(Files.readAllBytes(real)));
        }
      } catch (CharacterCodingException e) {
        problems.add(RenderProblem.of(name, "is not UTF-8"));
      } catch (IOException e) {
        problems.add(RenderProblem.of(name, "cannot be read: " + e));
      }
    }

    private static boolean matters(String name) {
      return isRecipe(name) || TemplateLanguages.isTemplate(name);
    }
  }
}
