package verwalter.scheduler.lua;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the Lua source of a program and its modules. The name of a module is a path below the
 * program's directory; the extension of its last part, if any, is replaced by {@code .lua}.
 * Absolute names, names with {@code ..}, and links that lead out of the directory are refused. A
 * name that starts with {@code verwalter/} and is not in the directory is searched among the
 * bundled modules.
 */
public final class Sources {
  private static final String OURS = "verwalter/";

  private final Code code;

  public Sources(Code code) {
    this.code = code;
  }

  /**
   * One source text.
   *
   * @param name the path below the directory, as in messages
   * @param text its bytes as Latin-1; a first line that starts with {@code #} is empty
   * @param bundled whether it is one of Verwalter's modules
   */
  public record Source(String name, String text, boolean bundled) {}

  /** The source does not exist or cannot be read; the message names it. */
  public static final class Missing extends Exception {
    private static final long serialVersionUID = 1;

    Missing(String message) {
      super(message, null, false, false);
    }
  }

  /** The source of {@code main.lua}, or of the text that replaces it. */
  public Source main() throws Missing {
    return read(code.files().containsKey(Code.START) ? Code.START : "main.lua");
  }

  /** The source of a module. */
  public Source module(String name) throws Missing {
    var path = path(name);
    if (path.startsWith(OURS) && !code.files().containsKey(path)) {
      var bundled = bundled(path);
      if (bundled != null) {
        return new Source(path, cleaned(bundled), true);
      }
    }
    return read(path);
  }

  private static String path(String name) throws Missing {
    if (name.isEmpty() || name.startsWith("/") || name.indexOf('\0') >= 0) {
      throw new Missing("'" + name + "' is not a path below the scheduler's directory");
    }
    var path = new StringBuilder();
    for (var part : name.split("/", -1)) {
      if (part.equals("..")) {
        throw new Missing("'" + name + "' leaves the scheduler's directory");
      }
      if (!part.isEmpty() && !part.equals(".")) {
        path.append(path.isEmpty() ? "" : "/").append(part);
      }
    }
    int dot = path.lastIndexOf(".");
    int last = path.lastIndexOf("/") + 1;
    return (dot > last ? path.substring(0, dot) : path.toString()) + ".lua";
  }

  private Source read(String path) throws Missing {
    var problem = code.problems().getOrDefault(path, code.problems().get(""));
    if (problem != null) {
      throw new Missing(problem);
    }
    var text = code.files().get(path);
    if (text == null) {
      throw new Missing("no file '" + path + "' in " + code.place());
    }
    return new Source(path, cleaned(text), false);
  }

  private static @Nullable String bundled(String path) throws Missing {
    try (var in =
        Sources.class.getResourceAsStream("/verwalter/lua/" + path.substring(OURS.length()))) {
      return in == null ? null : Code.text(path, in);
    } catch (IOException problem) {
      throw new Missing("cannot read '" + path + "': " + problem);
    }
  }

  /** Removes a byte order mark, and empties a first line that starts with #. */
  private static String cleaned(String text) {
    if (text.startsWith("\u00ef\u00bb\u00bf")) {
      return cleaned(text.substring(3));
    }
    if (text.startsWith("#")) {
      int end = text.indexOf('\n');
      return end < 0 ? "" : text.substring(end);
    }
    return text;
  }
}
