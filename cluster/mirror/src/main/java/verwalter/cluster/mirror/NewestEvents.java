package verwalter.cluster.mirror;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import verwalter.model.Event;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;

/**
 * Selects the newest events of a node, which the leader receives. The node keeps the others itself,
 * since the leader of a large cluster has no room for the events of all nodes. Confined to a loop.
 */
final class NewestEvents {
  /** The number of events of all nodes together. */
  private static final int OF_ALL = 20_000;

  /** The number of events of a node in a cluster of any size. */
  private static final int LEAST = 20;

  /** An event by the time when it happened last. */
  private record Place(Instant last, String name) {}

  private final IntSupplier nodes;
  private final TreeSet<Place> newest =
      new TreeSet<>(Comparator.comparing(Place::last).thenComparing(Place::name));
  private final Map<String, Place> places = new HashMap<>();

  /**
   * Creates an empty selection.
   *
   * @param nodes the present number of nodes of the cluster
   */
  NewestEvents(IntSupplier nodes) {
    this.nodes = nodes;
  }

  /** The number of events that a node sends in a cluster of this size. */
  static int most(int nodes) {
    return Math.max(LEAST, OF_ALL / Math.max(1, nodes));
  }

  /** Selects the newest of all events of the node. */
  void select(Collection<? extends Resource<?, ?>> all) {
    newest.clear();
    places.clear();
    all.forEach(this::add);
    var unused = trim();
  }

  /**
   * Notes a new state of an event.
   *
   * @return the events that are not selected any more, which may contain this one
   */
  List<ResourceKey> put(Resource<?, ?> event) {
    add(event);
    return trim();
  }

  private void add(Resource<?, ?> event) {
    remove(event.name());
    if (event.spec() instanceof Event.Spec spec) {
      var place = new Place(spec.last(), event.name());
      places.put(event.name(), place);
      newest.add(place);
    }
  }

  private List<ResourceKey> trim() {
    var dropped = new ArrayList<ResourceKey>();
    int surplus = newest.size() - most(nodes.getAsInt());
    for (int i = 0; i < surplus; i++) {
      var oldest = newest.pollFirst();
      if (oldest != null) {
        places.remove(oldest.name());
        dropped.add(Event.KIND.key(oldest.name()));
      }
    }
    return dropped;
  }

  /** An event was removed. */
  void remove(String name) {
    var place = places.remove(name);
    if (place != null) {
      newest.remove(place);
    }
  }

  /** Whether the leader receives the event. */
  boolean has(String name) {
    return places.containsKey(name);
  }
}
