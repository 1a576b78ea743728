package verwalter.stores.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import verwalter.model.OwnerReference;
import verwalter.model.ResourceKey;

/**
 * The state of all objects after an entry of the log.
 *
 * @param index the number of that entry in its log; 0 before the first
 * @param version the version of the last transaction, or of the epoch if there is none in it
 * @param kinds the objects by kind, then by name
 * @param ranges the index: the objects of each {@link IndexRange}, by its key and by name
 * @param values the values that specs refer to
 * @param held estimated memory of objects and index in bytes
 */
record State(
    long index,
    long version,
    Tree<Tree<Stored>> kinds,
    Tree<Tree<ResourceKey>> ranges,
    Values values,
    long held) {
  static final State EMPTY = new State(0, 0, Tree.empty(), Tree.empty(), Values.NONE, 0);

  /** Creates a state of these objects, by kind and name. */
  static State of(long index, long version, Map<String, Map<String, Stored>> objects) {
    var kinds = new ArrayList<Map.Entry<String, Tree<Stored>>>();
    var byRange = new TreeMap<String, List<Map.Entry<String, ResourceKey>>>();
    long bytes = 0;
    var values = Values.NONE;
    for (var kind : objects.entrySet()) {
      kinds.add(Map.entry(kind.getKey(), sorted(new ArrayList<>(kind.getValue().entrySet()))));
      for (var each : kind.getValue().values()) {
        bytes += each.heap();
        values = values.adding(each.spec().values());
        for (var key : IndexKeys.of(each)) {
          byRange
              .computeIfAbsent(key, any -> new ArrayList<>())
              .add(Map.entry(each.key().name(), each.key()));
        }
      }
    }
    var ranges = new ArrayList<Map.Entry<String, Tree<ResourceKey>>>();
    for (var range : byRange.entrySet()) {
      ranges.add(Map.entry(range.getKey(), sorted(range.getValue())));
      bytes += rangeHeap(range.getKey(), range.getValue().size());
    }
    return new State(index, version, sorted(kinds), sorted(ranges), values, bytes);
  }

  /** The estimated memory of the state in bytes. */
  long bytes() {
    return held + values.bytes();
  }

  private static <V> Tree<V> sorted(List<Map.Entry<String, V>> entries) {
    entries.sort(Map.Entry.comparingByKey());
    return Tree.sorted(entries);
  }

  private static long rangeHeap(String key, int size) {
    return size == 0 ? 0 : HeapEstimate.text(key) + (1L + size) * HeapEstimate.TREE_NODE;
  }

  private Tree<ResourceKey> range(String key) {
    var found = ranges.find(key);
    return found == null ? Tree.empty() : found;
  }

  Tree<Stored> kind(String name) {
    var found = kinds.find(name);
    return found == null ? Tree.empty() : found;
  }

  @Nullable Stored find(ResourceKey key) {
    return kind(key.kind()).find(key.name());
  }

  int size() {
    return kinds.values().stream().mapToInt(Tree::size).sum();
  }

  /** Returns a copy in which {@code next} is added, or replaces the object with its key. */
  State with(Stored next) {
    var key = next.key();
    var before = find(key);
    var cleared = before == null || IndexKeys.same(before, next) ? this : unindexed(before);
    var indexed = IndexKeys.same(before, next) ? cleared : cleared.indexed(next);
    var named = kind(key.kind()).with(key.name(), next);
    long freed = before == null ? 0 : before.heap();
    return new State(
        index,
        version,
        kinds.with(key.kind(), named),
        indexed.ranges,
        before != null && before.spec() == next.spec()
            ? values
            : exchanged(before, next.spec().values()),
        indexed.held - freed + next.heap());
  }

  private Values exchanged(@Nullable Stored before, Collection<StoredValue> next) {
    var more = values.adding(next);
    return before == null ? more : more.removing(before.spec().values());
  }

  State without(Stored gone) {
    var key = gone.key();
    var named = kind(key.kind()).without(key.name());
    var unindexed = unindexed(gone);
    return new State(
        index,
        version,
        named.size() == 0 ? kinds.without(key.kind()) : kinds.with(key.kind(), named),
        unindexed.ranges,
        values.removing(gone.spec().values()),
        unindexed.held - gone.heap());
  }

  private State indexed(Stored object) {
    var next = this;
    for (var key : IndexKeys.of(object)) {
      next = next.withRange(key, next.range(key).with(object.key().name(), object.key()));
    }
    return next;
  }

  private State unindexed(Stored object) {
    var next = this;
    for (var key : IndexKeys.of(object)) {
      next = next.withRange(key, next.range(key).without(object.key().name()));
    }
    return next;
  }

  /** Returns a copy with {@code range} as the range {@code key}. An empty range is not stored. */
  private State withRange(String key, Tree<ResourceKey> range) {
    long sum = held + rangeHeap(key, range.size()) - rangeHeap(key, range(key).size());
    var next = range.size() == 0 ? ranges.without(key) : ranges.with(key, range);
    return new State(index, version, kinds, next, values, sum);
  }

  /** Returns the same objects with another index and version. */
  State at(long nextIndex, long nextVersion) {
    return new State(nextIndex, nextVersion, kinds, ranges, values, held);
  }

  /** The objects with an owner with this uid. */
  List<ResourceKey> dependentsOf(String uid) {
    var found = new ArrayList<ResourceKey>();
    var prefix = IndexKeys.owner(uid);
    ranges.visitAfter(
        prefix, (each, range) -> each.startsWith(prefix) && found.addAll(range.values()));
    return found;
  }

  /** Whether the owner exists with the referenced uid. */
  boolean has(OwnerReference owner) {
    var found = find(owner.key());
    return found != null && found.uid().equals(owner.uid());
  }

  /**
   * Visits the objects of a range whose names come after {@code name}, in order of their names.
   *
   * @return whether there was none that the visitor refused
   */
  boolean visit(IndexRange range, String name, Tree.Visitor<Stored> visitor) {
    var all = kind(range.kind());
    if (range.isWhole()) {
      return all.visitAfter(name, visitor);
    }
    return range(range.key())
        .visitAfter(
            name,
            (each, key) -> {
              var object = all.find(each);
              return object == null || visitor.visit(each, object);
            });
  }

  /** How many objects of a range have names that come after {@code name}. */
  int countAfter(IndexRange range, String name) {
    return range.isWhole()
        ? kind(range.kind()).countAfter(name)
        : range(range.key()).countAfter(name);
  }
}
