package verwalter.artifacts;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * Follows a symbolic link as the kernel does, name by name, in a tree of which only the links are
 * known. Names that do not exist are taken as directories, so a link that leads nowhere is allowed
 * as long as it stays inside.
 */
final class LinkWalk {
  /** The kernel follows no more links in one path. */
  private static final int MOST_LINKS = 40;

  private static final int MOST_NAMES = 20_000;

  private final Map<String, String> links;

  /**
   * @param links target by path
   */
  LinkWalk(Map<String, String> links) {
    this.links = links;
  }

  /**
   * @throws MalformedArchive if the link leads out of the root, or is absolute
   */
  void check(String link) throws MalformedArchive {
    var at = new ArrayList<>(List.of(link.split("/", -1)));
    Deque<String> names = new ArrayDeque<>();
    names.add(at.remove(at.size() - 1));
    int followed = 0;
    int seen = 0;
    while (!names.isEmpty()) {
      var name = names.removeFirst();
      if (++seen > MOST_NAMES) {
        throw new MalformedArchive("the link \"%s\" is too long to follow".formatted(link));
      } else if (name.equals("..")) {
        if (at.isEmpty()) {
          throw outside(link);
        }
        at.remove(at.size() - 1);
      } else if (!name.isEmpty() && !name.equals(".")) {
        at.add(name);
        var target = links.get(String.join("/", at));
        if (target != null) {
          if (target.startsWith("/")) {
            throw outside(link);
          } else if (++followed > MOST_LINKS) {
            return; // a loop, which the kernel refuses to follow
          }
          at.remove(at.size() - 1);
          var parts = target.split("/", -1);
          for (int i = parts.length - 1; i >= 0; i--) {
            names.addFirst(parts[i]);
          }
        }
      }
    }
  }

  private MalformedArchive outside(String link) {
    return new MalformedArchive(
        "the link \"%s\" leads outside, to \"%s\"".formatted(link, links.get(link)));
  }
}
