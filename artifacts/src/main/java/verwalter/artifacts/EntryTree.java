package verwalter.artifacts;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The names that were unpacked so far. Decides which further names are allowed; touches no disk.
 * Paths are relative, without a slash at the end; the empty path is the root.
 */
final class EntryTree {
  private final UnpackLimits limits;

  /** By the path without case, so that names which differ only by case are found. */
  private final Map<String, Node> nodes = new HashMap<>();

  private final Map<String, String> links = new HashMap<>();

  /**
   * What has a name; a directory is implied by the names in it until it has an entry of its own.
   */
  private record Node(String path, ArchiveEntry.Type type, boolean isImplied) {}

  EntryTree(UnpackLimits limits) {
    this.limits = limits;
  }

  /**
   * The path of a name in an archive: without slashes that mean nothing, and without {@code .}.
   *
   * @throws MalformedArchive if it leads out of the root or cannot be a path
   */
  String path(String name) throws MalformedArchive, ArchiveLimit {
    if (name.startsWith("/")) {
      throw new MalformedArchive("the name \"%s\" is absolute".formatted(name));
    } else if (name.indexOf(0) >= 0) {
      throw new MalformedArchive("a name has a zero byte");
    }
    var path = new ArrayList<String>();
    for (var part : name.split("/", -1)) {
      if (part.equals("..")) {
        throw new MalformedArchive("the name \"%s\" contains \"..\"".formatted(name));
      } else if (!part.isEmpty() && !part.equals(".")) {
        limit(bytes(part), limits.nameBytes(), "a name has %d bytes", "nameBytes");
        path.add(part);
      }
    }
    var joined = String.join("/", path);
    limit(path.size(), limits.depth(), "a path has %d names", "depth");
    limit(bytes(joined), limits.pathBytes(), "a path has %d bytes", "pathBytes");
    return joined;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static void limit(long value, long limit, String what, String setting)
      throws ArchiveLimit {
    if (value > limit) {
      throw new ArchiveLimit(what.formatted(value), limit, setting);
    }
  }

  /**
   * Adds an entry.
   *
   * @return directories that it implies and that do not exist yet, the outermost first
   * @throws MalformedArchive if the name exists, also by case, or leads through a file or link
   */
  List<String> add(String path, ArchiveEntry.Type type) throws MalformedArchive, ArchiveLimit {
    var implied = new ArrayList<String>();
    for (int slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
      var parent = path.substring(0, slash);
      var present = nodes.get(folded(parent));
      if (present == null) {
        put(new Node(parent, ArchiveEntry.Type.DIRECTORY, true));
        implied.add(parent);
      } else {
        mustBe(parent, present);
        if (present.type() != ArchiveEntry.Type.DIRECTORY) {
          throw new MalformedArchive(
              "\"%s\" leads through \"%s\", which is not a directory".formatted(path, parent));
        }
      }
    }
    var present = nodes.get(folded(path));
    if (present != null) {
      mustBe(path, present);
      if (!present.isImplied() || type != ArchiveEntry.Type.DIRECTORY) {
        throw new MalformedArchive("\"%s\" exists twice".formatted(path));
      }
    }
    put(new Node(path, type, false));
    return implied;
  }

  private void put(Node node) throws ArchiveLimit {
    limit(nodes.size() + 1L, limits.entries(), "it has at least %d entries", "entries");
    nodes.put(folded(node.path()), node);
  }

  private static void mustBe(String path, Node present) throws MalformedArchive {
    if (!present.path().equals(path)) {
      throw new MalformedArchive(
          "\"%s\" and \"%s\" differ only by case".formatted(present.path(), path));
    }
  }

  private static String folded(String path) {
    return path.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
  }

  /** Whether a path is a file, which a hard link may name. */
  boolean isFile(String path) {
    var present = nodes.get(folded(path));
    return present != null
        && present.path().equals(path)
        && (present.type() == ArchiveEntry.Type.FILE
            || present.type() == ArchiveEntry.Type.HARD_LINK);
  }

  /** Whether a directory exists already. */
  boolean isDirectory(String path) {
    var present = nodes.get(folded(path));
    return present != null && present.type() == ArchiveEntry.Type.DIRECTORY;
  }

  /** Notes the target of a symbolic link. */
  void link(String path, String target) {
    links.put(path, target);
  }

  /**
   * Checks, after all entries, that no link leads out of the root, also not by way of others.
   *
   * @throws MalformedArchive if one does
   */
  void checkLinks() throws MalformedArchive {
    for (var link : links.entrySet()) {
      new LinkWalk(links).check(link.getKey());
    }
  }

  /** All directories. */
  List<String> directories() {
    var all = new ArrayList<String>();
    for (var node : nodes.values()) {
      if (node.type() == ArchiveEntry.Type.DIRECTORY) {
        all.add(node.path());
      }
    }
    return all;
  }
}
