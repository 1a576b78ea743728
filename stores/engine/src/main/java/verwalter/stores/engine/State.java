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
 * @param links the index: the objects of each {@link Links.Line}, by its prefix and by name
 * @param values the values that specs refer to
 * @param held estimated memory of objects and index in bytes
 */
record State(
    long index,
    long version,
    Tree<Tree<Stored>> kinds,
    Tree<Tree<ResourceKey>> links,
    Values values,
    long held) {
  static final State EMPTY = new State(0, 0, Tree.empty(), Tree.empty(), Values.NONE, 0);

  /** Creates a state of these objects, by kind and name. */
  static State of(long index, long version, Map<String, Map<String, Stored>> objects) {
    var kinds = new ArrayList<Map.Entry<String, Tree<Stored>>>();
    var links = new TreeMap<String, List<Map.Entry<String, ResourceKey>>>();
    long bytes = 0;
    var values = Values.NONE;
    for (var kind : objects.entrySet()) {
      kinds.add(Map.entry(kind.getKey(), sorted(new ArrayList<>(kind.getValue().entrySet()))));
      for (var each : kind.getValue().values()) {
        bytes += each.heap();
        values = values.adding(each.spec().values());
        for (var prefix : Links.prefixes(each)) {
          links
              .computeIfAbsent(prefix, any -> new ArrayList<>())
              .add(Map.entry(each.key().name(), each.key()));
        }
      }
    }
    var lines = new ArrayList<Map.Entry<String, Tree<ResourceKey>>>();
    for (var line : links.entrySet()) {
      lines.add(Map.entry(line.getKey(), sorted(line.getValue())));
      bytes += lineHeap(line.getKey()) + (long) HeapEstimate.TREE_NODE * line.getValue().size();
    }
    return new State(index, version, sorted(kinds), sorted(lines), values, bytes);
  }

  /** The estimated memory of the state in bytes. */
  long bytes() {
    return held + values.bytes();
  }

  private static <V> Tree<V> sorted(List<Map.Entry<String, V>> entries) {
    entries.sort(Map.Entry.comparingByKey());
    return Tree.sorted(entries);
  }

  private static long lineHeap(String prefix) {
    return (long) HeapEstimate.TREE_NODE + HeapEstimate.text(prefix);
  }

  private Tree<ResourceKey> line(String prefix) {
    var found = links.find(prefix);
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
    var cleared = before == null || Links.same(before, next) ? this : unlinked(before);
    var linked = Links.same(before, next) ? cleared : cleared.linked(next);
    var named = kind(key.kind()).with(key.name(), next);
    long freed = before == null ? 0 : before.heap();
    return new State(
        index,
        version,
        kinds.with(key.kind(), named),
        linked.links,
        before != null && before.spec() == next.spec()
            ? values
            : exchanged(before, next.spec().values()),
        linked.held - freed + next.heap());
  }

  private Values exchanged(@Nullable Stored before, Collection<StoredValue> next) {
    var more = values.adding(next);
    return before == null ? more : more.removing(before.spec().values());
  }

  State without(Stored gone) {
    var key = gone.key();
    var named = kind(key.kind()).without(key.name());
    var unlinked = unlinked(gone);
    return new State(
        index,
        version,
        named.size() == 0 ? kinds.without(key.kind()) : kinds.with(key.kind(), named),
        unlinked.links,
        values.removing(gone.spec().values()),
        unlinked.held - gone.heap());
  }

  private State linked(Stored object) {
    var next = this;
    for (var prefix : Links.prefixes(object)) {
      next = next.withLine(prefix, next.line(prefix).with(object.key().name(), object.key()));
    }
    return next;
  }

  private State unlinked(Stored object) {
    var next = this;
    for (var prefix : Links.prefixes(object)) {
      next = next.withLine(prefix, next.line(prefix).without(object.key().name()));
    }
    return next;
  }

  /** With {@code line} under {@code prefix}; an empty one takes no place. */
  private State withLine(String prefix, Tree<ResourceKey> line) {
    int before = line(prefix).size();
    long sum = held + (long) HeapEstimate.TREE_NODE * (line.size() - before);
    sum += before == 0 ? lineHeap(prefix) : 0;
    sum -= line.size() == 0 ? lineHeap(prefix) : 0;
    var lines = line.size() == 0 ? links.without(prefix) : links.with(prefix, line);
    return new State(index, version, kinds, lines, values, sum);
  }

  /** Returns the same objects with another index and version. */
  State at(long nextIndex, long nextVersion) {
    return new State(nextIndex, nextVersion, kinds, links, values, held);
  }

  /** The objects with an owner with this uid. */
  List<ResourceKey> dependentsOf(String uid) {
    var found = new ArrayList<ResourceKey>();
    var prefix = Links.owner(uid);
    links.visitAfter(
        prefix, (each, line) -> each.startsWith(prefix) && found.addAll(line.values()));
    return found;
  }

  /** Whether the owner exists with the referenced uid. */
  boolean has(OwnerReference owner) {
    var found = find(owner.key());
    return found != null && found.uid().equals(owner.uid());
  }

  /**
   * Visits the objects of a line whose names come after {@code name}, in order of their names.
   *
   * @return whether there was none that the visitor refused
   */
  boolean visit(Links.Line line, String name, Tree.Visitor<Stored> visitor) {
    var all = kind(line.kind());
    if (line.isWhole()) {
      return all.visitAfter(name, visitor);
    }
    return line(line.prefix())
        .visitAfter(
            name,
            (each, key) -> {
              var object = all.find(each);
              return object == null || visitor.visit(each, object);
            });
  }

  /** How many objects of a line have names that come after {@code name}. */
  int countAfter(Links.Line line, String name) {
    return line.isWhole()
        ? kind(line.kind()).countAfter(name)
        : line(line.prefix()).countAfter(name);
  }
}
