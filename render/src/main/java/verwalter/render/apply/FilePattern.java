package verwalter.render.apply;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import verwalter.render.recipe.Expansion;
import verwalter.render.recipe.Glob;

/**
 * The files that a command manages: a pattern and its literal base directory. Substituted names
 * cannot lead out of that directory.
 */
record FilePattern(Path bound, Glob glob) {
  private static final int MATCHES = 10_000;

  /** Substitutes the names as literal texts without wildcards. */
  static FilePattern of(String written, Run.Names names) throws Run.Failed {
    Run.Names quoted = name -> Glob.quoted(names.value(name));
    var text = Expansion.expand(written, quoted);
    var constant = Glob.constantPart(Expansion.constantPart(written, quoted));
    int start = constant.lastIndexOf('/') + 1;
    var bound = Destination.bound(constant);
    try {
      var glob = Glob.parse(Glob.quoted(bound.toString()) + "/" + text.substring(start));
      for (var part : glob.parts()) {
        if (part instanceof Glob.Name name && name.text().matches("\\.\\.?")) {
          throw new Run.Failed("the pattern `" + text + "` leads outside " + bound);
        }
      }
      return new FilePattern(bound, glob);
    } catch (Glob.Malformed e) {
      throw new Run.Failed("the pattern `" + text + "` " + e.getMessage());
    }
  }

  /** All matching files, in order, with the text of the first group. */
  Map<Path, String> find() throws Run.Failed {
    try {
      var found = GlobWalk.find(glob, bound);
      if (found.size() > MATCHES) {
        throw new Run.Failed("more than " + MATCHES + " files match " + glob);
      }
      var captures = new TreeMap<Path, String>();
      for (var path : found) {
        glob.capture(path.toString()).ifPresent(capture -> captures.put(path, capture));
      }
      return captures;
    } catch (IOException e) {
      throw new Run.Failed("cannot look for " + glob + ": " + e);
    }
  }

  boolean matches(Path path) {
    return glob.capture(path.toString()).isPresent();
  }

  /** The file with a name in the place of the group; absent if the pattern would not match it. */
  Optional<Destination> named(String name) throws Run.Failed {
    try {
      var path = glob.filled(name);
      return path.isPresent()
          ? Optional.of(Destination.below(bound, Path.of(path.get())))
          : Optional.empty();
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }
}
