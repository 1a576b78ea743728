package verwalter.stores.engine;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values that the objects of a state refer to, each with the number of references to it. A
 * value without any is forgotten.
 *
 * @param byHash the values, by hash
 * @param bytes that they take in memory; an estimate
 */
record Values(Tree<Counted> byHash, long bytes) {
  static final Values NONE = new Values(Tree.empty(), 0);

  /** A value and how many objects' specs refer to it. */
  record Counted(StoredValue value, int references) {}

  @Nullable StoredValue find(String hash) {
    var found = byHash.find(hash);
    return found == null ? null : found.value();
  }

  List<StoredValue> all() {
    return byHash.values().stream().map(Counted::value).toList();
  }

  /** With one more reference to each of these. */
  Values adding(Collection<StoredValue> more) {
    var next = byHash;
    long sum = bytes;
    for (var each : more) {
      var found = next.find(each.hash());
      int references = found == null ? 0 : found.references();
      sum += found == null ? heap(each) : 0;
      var value = found == null ? each : found.value();
      next = next.with(each.hash(), new Counted(value, references + 1));
    }
    return new Values(next, sum);
  }

  /** With one reference less to each of these. */
  Values removing(Collection<StoredValue> gone) {
    var next = byHash;
    long sum = bytes;
    for (var each : gone) {
      var found = next.find(each.hash());
      if (found != null && found.references() > 1) {
        next = next.with(each.hash(), new Counted(found.value(), found.references() - 1));
      } else if (found != null) {
        next = next.without(each.hash());
        sum -= heap(found.value());
      }
    }
    return new Values(next, sum);
  }

  private static long heap(StoredValue value) {
    return HeapEstimate.TREE_NODE + HeapEstimate.text(value.hash()) + value.heap();
  }
}
