package verwalter.cluster.mirror;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;

/**
 * Which states of which objects one end has, with a digest for each kind. A state is identified by
 * its mark, a hash of the object's kind, name, uid and version at its master: equal marks mean
 * equal objects, also if the master's store was lost and made anew. Confined to a loop.
 */
final class Marks {
  /**
   * The state of an object.
   *
   * @param version the version at its master
   */
  record State(long version, long mark) {}

  /**
   * All objects of a kind. The sum does not depend on their order.
   *
   * @param sum the sum of their marks, modulo 2^64
   */
  record Digest(String kind, int count, long sum) {}

  private final Map<String, Map<String, State>> kinds = new TreeMap<>();
  private final Map<String, Long> sums = new HashMap<>();

  /** The mark of a state. */
  static long mark(Resource<?, ?> object) {
    long hash = 0xcbf29ce484222325L;
    hash = add(hash, object.type().name());
    hash = add(hash, object.name());
    hash = add(hash, object.meta().uid());
    return mixed(hash ^ mixed(object.meta().version()));
  }

  /** FNV-1a, with a separator. */
  private static long add(long hash, String text) {
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    return (hash ^ 0xffff) * 0x100000001b3L;
  }

  /** The finalizer of MurmurHash3, so that sums of similar hashes differ. */
  private static long mixed(long hash) {
    long h = hash;
    h = (h ^ (h >>> 33)) * 0xff51afd7ed558ccdL;
    h = (h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return h ^ (h >>> 33);
  }

  @Nullable State get(ResourceKey key) {
    var kind = kinds.get(key.kind());
    return kind == null ? null : kind.get(key.name());
  }

  /** Whether this is the state that the object has here. */
  boolean has(Resource<?, ?> object) {
    var state = get(object.key());
    return state != null && state.mark() == mark(object);
  }

  void put(Resource<?, ?> object) {
    var key = object.key();
    var state = new State(object.meta().version(), mark(object));
    var before = kinds.computeIfAbsent(key.kind(), any -> new HashMap<>()).put(key.name(), state);
    add(key.kind(), state.mark() - (before == null ? 0 : before.mark()));
  }

  void remove(ResourceKey key) {
    var kind = kinds.get(key.kind());
    var before = kind == null ? null : kind.remove(key.name());
    if (before != null) {
      add(key.kind(), -before.mark());
    }
  }

  private void add(String kind, long difference) {
    sums.merge(kind, difference, Long::sum);
  }

  /** The number of all objects. */
  int size() {
    return kinds.values().stream().mapToInt(Map::size).sum();
  }

  /** The names of a kind. */
  List<String> names(String kind) {
    var all = kinds.get(kind);
    return all == null ? List.of() : new ArrayList<>(all.keySet());
  }

  /** The keys of all objects. */
  List<ResourceKey> keys() {
    var keys = new ArrayList<ResourceKey>();
    kinds.forEach(
        (kind, names) -> names.keySet().forEach(it -> keys.add(new ResourceKey(kind, it))));
    return keys;
  }

  Digest digest(String kind) {
    var all = kinds.get(kind);
    return new Digest(
        kind, all == null ? 0 : all.size(), Optional.ofNullable(sums.get(kind)).orElse(0L));
  }
}
