package verwalter.stores.engine;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import verwalter.stores.api.Selection;

/**
 * The keys of the index. The index has a range for each selection of each kind, and lists there the
 * objects by name. The key of a range is {@code type of the selection | value | kind}.
 */
final class IndexKeys {
  private static final char END = '\0';
  private static final char ESCAPE = '\1';

  /** The keys of all ranges that contain the object. */
  static Set<String> of(Stored object) {
    var kind = object.key().kind();
    var keys = new LinkedHashSet<String>();
    for (var owner : object.owners()) {
      keys.add(owner(owner.uid()) + kind + END);
    }
    object.head().node().ifPresent(node -> keys.add("n" + escaped(node) + END + kind + END));
    object.head().role().ifPresent(role -> keys.add("r" + escaped(role) + END + kind + END));
    object.meta().labels().forEach((key, value) -> keys.add(label(key, value) + kind + END));
    return keys;
  }

  /** Whether the index has two objects with the same name in the same ranges. */
  static boolean same(@Nullable Stored one, Stored other) {
    return one != null
        && one.head().node().equals(other.head().node())
        && one.head().role().equals(other.head().role())
        && one.owners().equals(other.owners())
        && one.meta().labels().equals(other.meta().labels());
  }

  /** The prefix of the keys of ranges of objects of any kind with this owner. */
  static String owner(String uid) {
    return "o" + escaped(uid) + END;
  }

  private static String label(String key, String value) {
    return "l" + escaped(key) + END + escaped(value) + END;
  }

  static String key(String kind, Selection selection) {
    if (selection instanceof Selection.Owner owner) {
      return owner(owner.uid()) + kind + END;
    }
    if (selection instanceof Selection.Node node) {
      return "n" + escaped(node.name()) + END + kind + END;
    }
    if (selection instanceof Selection.Role role) {
      return "r" + escaped(role.name()) + END + kind + END;
    }
    if (selection instanceof Selection.Label label) {
      return label(label.key(), label.value()) + kind + END;
    }
    return "";
  }

  /** The text without the characters that separate the parts of a key. */
  private static String escaped(String text) {
    return text.indexOf(END) < 0 && text.indexOf(ESCAPE) < 0
        ? text
        : text.replace("\1", "\1b").replace("\0", "\1a");
  }

  private IndexKeys() {}
}
