package verwalter.render.apply;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import verwalter.render.Text;
import verwalter.render.recipe.Glob;

/**
 * Finds the files on disk that a {@link Glob} matches. Links below the literal base directory are
 * not followed; a link that matches is a result itself.
 */
final class GlobWalk {
  private static final int LOOKS = 200_000;

  private final List<Glob.Part> parts;
  private final Path bound;
  private final TreeSet<Path> found =
      new TreeSet<>(Comparator.comparing(Path::toString, Text.BY_CODE_POINT));
  private final int mostLooks;
  private int looks;

  private GlobWalk(Glob glob, Path bound, int mostLooks) {
    this.parts = glob.parts();
    this.bound = bound;
    this.mostLooks = mostLooks;
  }

  /**
   * All matches, in alphabetical order.
   *
   * @param bound the base directory of the pattern; may be reached through links
   */
  static List<Path> find(Glob glob, Path bound) throws IOException {
    return find(glob, bound, LOOKS);
  }

  /**
   * The same with another limit.
   *
   * @throws IOException if there are more files and directories to visit
   */
  static List<Path> find(Glob glob, Path bound, int mostLooks) throws IOException {
    var walk = new GlobWalk(glob, bound, mostLooks);
    walk.descend(bound, bound.getNameCount());
    return List.copyOf(walk.found);
  }

  private void descend(Path at, int index) throws IOException {
    if (++looks > mostLooks) {
      throw new IOException(
          "more than " + mostLooks + " files and directories to look at below " + bound);
    }
    if (index == parts.size()) {
      found.add(at);
    } else if (parts.get(index) instanceof Glob.Name name) {
      var next = at.resolve(name.text());
      if (isDirectory(at) && Files.exists(next, LinkOption.NOFOLLOW_LINKS)) {
        descend(next, index + 1);
      }
    } else if (parts.get(index) instanceof Glob.Wild wild) {
      for (var name : names(at)) {
        if (wild.expression().matcher(name).matches()) {
          descend(at.resolve(name), index + 1);
        }
      }
    } else {
      descend(at, index + 1);
      for (var name : names(at)) {
        if (!name.startsWith(".") && isDirectory(at.resolve(name))) {
          descend(at.resolve(name), index);
        }
      }
    }
  }

  private boolean isDirectory(Path path) {
    return path.equals(bound)
        ? Files.isDirectory(path)
        : Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
  }

  private List<String> names(Path directory) throws IOException {
    var names = new ArrayList<String>();
    if (isDirectory(directory)) {
      try (var entries = Files.newDirectoryStream(directory)) {
        entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
      } catch (NotDirectoryException gone) {
        return List.of();
      }
    }
    return names;
  }
}
