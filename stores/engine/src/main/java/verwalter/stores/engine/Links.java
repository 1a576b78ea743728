package verwalter.stores.engine;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import verwalter.stores.api.Selection;

/**
 * The keys of the index. An object is found under one key for each selection that it belongs to,
 * {@code what it is selected by | value | kind}, and there by its name.
 */
final class Links {
  private static final char END = '\0';
  private static final char ESCAPE = '\1';

  /**
   * The objects of a kind that belong to a selection.
   *
   * @param kind its name
   * @param prefix of their keys in the index; empty for all objects of the kind
   */
  record Line(String kind, Selection selection, String prefix) {
    static Line of(String kind, Selection selection) {
      return new Line(kind, selection, Links.prefix(kind, selection));
    }

    boolean isWhole() {
      return prefix.isEmpty();
    }

    /** Whether the object, which is of this kind, belongs to it. */
    boolean has(Stored object) {
      if (selection instanceof Selection.Node node) {
        return object.head().node().filter(node.name()::equals).isPresent();
      }
      if (selection instanceof Selection.Role role) {
        return object.head().role().filter(role.name()::equals).isPresent();
      }
      if (selection instanceof Selection.Label label) {
        return label.value().equals(object.meta().labels().get(label.key()));
      }
      if (selection instanceof Selection.Owner owner) {
        return object.owners().stream().anyMatch(its -> its.uid().equals(owner.uid()));
      }
      return true;
    }
  }

  /** The prefixes of all keys under which the index finds the object. */
  static Set<String> prefixes(Stored object) {
    var kind = object.key().kind();
    var prefixes = new LinkedHashSet<String>();
    for (var owner : object.owners()) {
      prefixes.add(owner(owner.uid()) + kind + END);
    }
    object.head().node().ifPresent(node -> prefixes.add("n" + escaped(node) + END + kind + END));
    object.head().role().ifPresent(role -> prefixes.add("r" + escaped(role) + END + kind + END));
    object.meta().labels().forEach((key, value) -> prefixes.add(label(key, value) + kind + END));
    return prefixes;
  }

  /** Whether the index finds both under the same keys; they bear the same name. */
  static boolean same(@Nullable Stored one, Stored other) {
    return one != null
        && one.head().node().equals(other.head().node())
        && one.head().role().equals(other.head().role())
        && one.owners().equals(other.owners())
        && one.meta().labels().equals(other.meta().labels());
  }

  /** The prefix of the keys of everything that names an owner, of any kind. */
  static String owner(String uid) {
    return "o" + escaped(uid) + END;
  }

  private static String label(String key, String value) {
    return "l" + escaped(key) + END + escaped(value) + END;
  }

  private static String prefix(String kind, Selection selection) {
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

  private Links() {}
}
