package verwalter.render.apply;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import verwalter.render.recipe.Expansion;

/**
 * A path that a command may write: an absolute path below a directory that the administrator wrote
 * literally. Substituted names, section names, and links below that directory cannot lead out of
 * it.
 *
 * @param bound the literal directory; links on the way to it are followed
 */
record Destination(Path bound, Path path) {

  /** Substitutes the names in the path of a file. */
  static Destination of(String written, Run.Names names) throws Run.Failed {
    var text = Expansion.expand(written, names);
    var path = path(text);
    var constant = Expansion.constantPart(written, names);
    var bound = constant.equals(text) ? parent(path) : bound(constant);
    return below(bound, path);
  }

  /** The literal directory at the beginning of a text with substitutions. */
  static Path bound(String constant) throws Run.Failed {
    return absolute(constant.substring(0, constant.lastIndexOf('/') + 1)).normalize();
  }

  static Destination below(Path bound, Path path) throws Run.Failed {
    var normal = path.normalize();
    if (!normal.startsWith(bound) || normal.equals(bound)) {
      throw new Run.Failed("the destination " + path + " leads outside " + bound);
    }
    return new Destination(bound, normal);
  }

  private static Path path(String text) throws Run.Failed {
    var path = absolute(text);
    if (path.getFileName() == null || text.endsWith("/") || path.endsWith("..")) {
      throw new Run.Failed("the destination `" + text + "` is not the absolute path of a file");
    }
    return path.normalize();
  }

  private static Path absolute(String text) throws Run.Failed {
    try {
      var path = Path.of(text);
      if (!path.isAbsolute()) {
        throw new Run.Failed("the destination `" + text + "` is not the absolute path of a file");
      }
      return path;
    } catch (InvalidPathException e) {
      throw new Run.Failed("the destination `" + text + "` is not a valid path: " + e.getReason());
    }
  }

  private static Path parent(Path path) throws Run.Failed {
    var parent = path.getParent();
    if (parent == null) {
      throw new Run.Failed("the destination " + path + " is not a file");
    }
    return parent;
  }

  /** The same file by a path without links to directories. */
  Path real() throws Run.Failed {
    try {
      var at = bound.toRealPath();
      var names = bound.relativize(path);
      for (int i = 0; i < names.getNameCount() - 1; i++) {
        at = at.resolve(names.getName(i));
        mustNotBeLink(at);
      }
      if (!Files.isDirectory(at)) {
        throw new Run.Failed(missing(parent(path)));
      }
      return at.resolve(names.getName(names.getNameCount() - 1));
    } catch (NoSuchFileException e) {
      throw new Run.Failed(missing(bound));
    } catch (IOException e) {
      throw new Run.Failed("cannot look at " + bound + ": " + e);
    }
  }

  /** A file that was written before, by a path without links to directories if possible. */
  static Path reached(Path path) throws IOException {
    var parent = path.getParent();
    return parent != null && Files.isDirectory(parent)
        ? parent.toRealPath().resolve(path.getFileName())
        : path;
  }

  private void mustNotBeLink(Path directory) throws Run.Failed {
    if (Files.isSymbolicLink(directory)) {
      throw new Run.Failed(
          directory
              + " is a link, and below "
              + bound
              + " links are not followed; write its target");
    }
  }

  private static String missing(Path directory) {
    return "the directory " + directory + " does not exist; create it first";
  }
}
