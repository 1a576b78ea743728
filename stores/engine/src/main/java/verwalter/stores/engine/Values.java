package verwalter.stores.engine;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The values that the objects of a state refer to, with reference counts. A value without
 * references is removed.
 *
 * <p>References of objects and of other values are counted. A value keeps its children.
 *
 * @param byHash the values, by hash
 * @param bytes estimated memory of the values
 */
record Values(Tree<Counted> byHash, long bytes) {
  static final Values NONE = new Values(Tree.empty(), 0);

  /** A value with the number of specs and values that refer to it. */
  record Counted(StoredValue value, int references) {}

  @Nullable StoredValue find(String hash) {
    var found = byHash.find(hash);
    return found == null ? null : found.value();
  }

  List<StoredValue> all() {
    return byHash.values().stream().map(Counted::value).toList();
  }

  /**
   * Returns a copy with one more reference to each of these. A new value adds references to its
   * children.
   */
  Values adding(Collection<StoredValue> more) {
    var next = this;
    for (var each : more) {
      next = next.adding(each);
    }
    return next;
  }

  private Values adding(StoredValue value) {
    var found = byHash.find(value.hash());
    if (found != null) {
      var counted = new Counted(found.value(), found.references() + 1);
      return new Values(byHash.with(value.hash(), counted), bytes);
    }
    var made = new Values(byHash.with(value.hash(), new Counted(value, 1)), bytes + heap(value));
    return made.adding(value.children());
  }

  /** Returns a copy with one reference less to each of these, which all have one. */
  Values removing(Collection<StoredValue> gone) {
    var next = this;
    for (var each : gone) {
      next = next.removing(each.hash());
    }
    return next;
  }

  private Values removing(String hash) {
    var found = Objects.requireNonNull(byHash.find(hash), hash);
    if (found.references() > 1) {
      var counted = new Counted(found.value(), found.references() - 1);
      return new Values(byHash.with(hash, counted), bytes);
    }
    var value = found.value();
    return new Values(byHash.without(hash), bytes - heap(value)).removing(value.children());
  }

  private static long heap(StoredValue value) {
    return HeapEstimate.TREE_NODE + HeapEstimate.text(value.hash()) + value.heap();
  }
}
