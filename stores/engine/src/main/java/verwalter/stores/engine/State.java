package verwalter.stores.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import verwalter.model.OwnerReference;
import verwalter.model.ResourceKey;

/**
 * All objects as they stood after an entry of the log.
 *
 * @param index the number of that entry in its log; 0 before the first
 * @param version the version of the last transaction, or of the epoch if there is none in it
 * @param kinds the objects by kind, then by name
 * @param links the index: objects by owner, node, role and label; see {@link Links}
 * @param values what specs refer to
 * @param held bytes that objects and index take in memory; an estimate
 */
record State(
    long index,
    long version,
    Tree<Tree<Stored>> kinds,
    Tree<ResourceKey> links,
    Values values,
    long held) {
  static final State EMPTY = new State(0, 0, Tree.empty(), Tree.empty(), Values.NONE, 0);

  /** A state of these objects, by kind and name. */
  static State of(long index, long version, Map<String, Map<String, Stored>> objects) {
    var kinds = new ArrayList<Map.Entry<String, Tree<Stored>>>();
    var links = new ArrayList<Map.Entry<String, ResourceKey>>();
    long bytes = 0;
    var values = Values.NONE;
    for (var kind : objects.entrySet()) {
      kinds.add(Map.entry(kind.getKey(), sorted(new ArrayList<>(kind.getValue().entrySet()))));
      for (var each : kind.getValue().values()) {
        bytes += each.heap();
        values = values.adding(each.spec().values());
        for (var prefix : Links.prefixes(each)) {
          links.add(Map.entry(prefix + each.key().name(), each.key()));
          bytes += linkHeap(prefix, each.key());
        }
      }
    }
    return new State(index, version, sorted(kinds), sorted(links), values, bytes);
  }

  /** How many bytes everything takes in memory; an estimate. */
  long bytes() {
    return held + values.bytes();
  }

  private static <V> Tree<V> sorted(List<Map.Entry<String, V>> entries) {
    entries.sort(Map.Entry.comparingByKey());
    return Tree.sorted(entries);
  }

  private static long linkHeap(String prefix, ResourceKey key) {
    return (long) HeapEstimate.TREE_NODE + HeapEstimate.text(prefix) + key.name().length();
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

  /** With {@code next} in the place of whatever bears its key. */
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
    var more = links;
    long sum = held;
    for (var prefix : Links.prefixes(object)) {
      int size = more.size();
      more = more.with(prefix + object.key().name(), object.key());
      sum += more.size() == size ? 0 : linkHeap(prefix, object.key());
    }
    return new State(index, version, kinds, more, values, sum);
  }

  private State unlinked(Stored object) {
    var fewer = links;
    long sum = held;
    for (var prefix : Links.prefixes(object)) {
      int size = fewer.size();
      fewer = fewer.without(prefix + object.key().name());
      sum -= fewer.size() == size ? 0 : linkHeap(prefix, object.key());
    }
    return new State(index, version, kinds, fewer, values, sum);
  }

  /** The same objects after another entry. */
  State at(long nextIndex, long nextVersion) {
    return new State(nextIndex, nextVersion, kinds, links, values, held);
  }

  /** The objects that name the owner with this uid. */
  List<ResourceKey> dependentsOf(String uid) {
    var found = new ArrayList<ResourceKey>();
    var prefix = Links.owner(uid);
    links.visitAfter(prefix, (link, dependent) -> link.startsWith(prefix) && found.add(dependent));
    return found;
  }

  /** Whether the owner meant is there, and not another object with its name. */
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
    boolean[] whole = {true};
    links.visitAfter(
        line.prefix() + name,
        (link, key) -> {
          if (!link.startsWith(line.prefix())) {
            return false;
          }
          var object = all.find(key.name());
          whole[0] = object == null || visitor.visit(key.name(), object);
          return whole[0];
        });
    return whole[0];
  }

  /** How many objects of a line have names that come after {@code name}. */
  int countAfter(Links.Line line, String name) {
    return line.isWhole()
        ? kind(line.kind()).countAfter(name)
        : links.countAfter(line.prefix() + name) - links.countAfter(line.prefix() + '\uffff');
  }
}
