package verwalter.stores.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An immutable sorted map with string keys. A modified copy shares all but O(log n) nodes. Each
 * node stores its size, so that ranks take O(log n) time.
 *
 * <p>A weight-balanced tree after Adams, with the proven parameters 3 and 2 (Hirai and Yamamoto,
 * "Balancing weight-balanced trees"): no subtree is more than three times as large as its sibling.
 */
final class Tree<V> {
  /** How many times as large as its sibling a subtree may be. */
  static final int DELTA = 3;

  private static final int RATIO = 2;
  private static final Tree<?> EMPTY = new Tree<>();

  final String key;
  private final @Nullable V value;
  final Tree<V> left;
  final Tree<V> right;
  final int size;

  /** Visits entries in order until it returns false. */
  interface Visitor<V> {
    boolean visit(String key, V value);
  }

  private Tree() {
    this.key = "";
    this.value = null;
    this.left = this;
    this.right = this;
    this.size = 0;
  }

  private Tree(Tree<V> left, String key, V value, Tree<V> right) {
    this.key = key;
    this.value = value;
    this.left = left;
    this.right = right;
    this.size = left.size + right.size + 1;
  }

  @SuppressWarnings("unchecked") // the empty tree has no values
  static <V> Tree<V> empty() {
    return (Tree<V>) EMPTY;
  }

  /** Creates a tree of entries that are sorted by key. */
  static <V> Tree<V> sorted(List<Map.Entry<String, V>> entries) {
    if (entries.isEmpty()) {
      return empty();
    }
    int middle = entries.size() / 2;
    var root = entries.get(middle);
    return new Tree<>(
        sorted(entries.subList(0, middle)),
        root.getKey(),
        root.getValue(),
        sorted(entries.subList(middle + 1, entries.size())));
  }

  int size() {
    return size;
  }

  Optional<V> get(String name) {
    return Optional.ofNullable(find(name));
  }

  @Nullable V find(String name) {
    var at = this;
    while (at.size > 0) {
      int order = name.compareTo(at.key);
      if (order == 0) {
        return at.value;
      }
      at = order < 0 ? at.left : at.right;
    }
    return null;
  }

  Tree<V> with(String name, V next) {
    if (size == 0) {
      return new Tree<>(this, name, next, this);
    }
    int order = name.compareTo(key);
    if (order == 0) {
      return new Tree<>(left, name, next, right);
    }
    return order < 0
        ? balanced(left.with(name, next), this, right)
        : balanced(left, this, right.with(name, next));
  }

  Tree<V> without(String name) {
    if (size == 0) {
      return this;
    }
    int order = name.compareTo(key);
    if (order < 0) {
      var less = left.without(name);
      return less == left ? this : balanced(less, this, right);
    }
    if (order > 0) {
      var less = right.without(name);
      return less == right ? this : balanced(left, this, less);
    }
    return joined();
  }

  /**
   * Visits the entries after {@code name}, which need not exist. Returns false if the visitor did.
   */
  boolean visitAfter(String name, Visitor<? super V> visitor) {
    if (size == 0) {
      return true;
    }
    if (name.compareTo(key) >= 0) {
      return right.visitAfter(name, visitor);
    }
    return left.visitAfter(name, visitor)
        && visitor.visit(key, here())
        && right.visitAfter(name, visitor);
  }

  /** The number of keys after {@code name}, which need not exist. */
  int countAfter(String name) {
    int count = 0;
    var at = this;
    while (at.size > 0) {
      if (name.compareTo(at.key) >= 0) {
        at = at.right;
      } else {
        count += at.right.size + 1;
        at = at.left;
      }
    }
    return count;
  }

  List<V> values() {
    var values = new ArrayList<V>(size);
    visitAfter("", (name, each) -> values.add(each));
    return values;
  }

  @SuppressWarnings("NullAway") // only the empty tree has no value, and it is not read
  private V here() {
    return value;
  }

  private Tree<V> first() {
    return left.size == 0 ? this : left.first();
  }

  private Tree<V> last() {
    return right.size == 0 ? this : right.last();
  }

  private Tree<V> joined() {
    if (left.size == 0) {
      return right;
    }
    if (right.size == 0) {
      return left;
    }
    if (left.size > right.size) {
      var middle = left.last();
      return balanced(left.without(middle.key), middle, right);
    }
    var middle = right.first();
    return balanced(left, middle, right.without(middle.key));
  }

  /** Creates a balanced tree of {@code left}, the entry at {@code middle}, and {@code right}. */
  private static <V> Tree<V> balanced(Tree<V> left, Tree<V> middle, Tree<V> right) {
    if (left.size + right.size <= 1) {
      return node(left, middle, right);
    }
    if (right.size > DELTA * left.size) {
      return right.left.size < RATIO * right.right.size
          ? node(node(left, middle, right.left), right, right.right)
          : node(
              node(left, middle, right.left.left),
              right.left,
              node(right.left.right, right, right.right));
    }
    if (left.size > DELTA * right.size) {
      return left.right.size < RATIO * left.left.size
          ? node(left.left, left, node(left.right, middle, right))
          : node(
              node(left.left, left, left.right.left),
              left.right,
              node(left.right.right, middle, right));
    }
    return node(left, middle, right);
  }

  private static <V> Tree<V> node(Tree<V> left, Tree<V> middle, Tree<V> right) {
    return new Tree<>(left, middle.key, middle.here(), right);
  }
}
