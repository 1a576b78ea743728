package verwalter.cluster.forks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import verwalter.model.Action;
import verwalter.model.Kind;
import verwalter.model.Metadata;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.Schedule;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Write;

/** What members of a side copy from the fork of its leader. Pure. */
public final class CopiedObjects {
  /** The kinds of copied objects. */
  static final List<Kind<?, ?>> KINDS =
      List.of(Schedule.KIND, NodeSchedule.KIND, Action.KIND, Node.KIND);

  /** Whether objects of this kind are copied. */
  public static boolean contains(ResourceKey key) {
    return KINDS.stream().anyMatch(kind -> kind.name().equals(key.kind()));
  }

  /** All copied objects of a store. */
  static Map<ResourceKey, Resource<?, ?>> of(ObjectStore store) {
    var all = new TreeMap<ResourceKey, Resource<?, ?>>();
    KINDS.forEach(kind -> store.list(kind).forEach(each -> all.put(each.key(), each)));
    return all;
  }

  /**
   * The writes that make a store equal to the leader's. A node writes the status of its own objects
   * itself, so its Node and the status of its share stay.
   *
   * @param node the name of the node that the store belongs to
   */
  static List<Write> writes(ObjectStore store, String node, SideMessage.Copy copy) {
    var writes = new ArrayList<Write>();
    for (var object : copy.objects()) {
      if (contains(object.key()) && !object.key().equals(Node.KIND.key(node))) {
        write(object, ForkReturn.read(store, object.key()), node, writes);
      }
    }
    removed(store, copy)
        .filter(key -> contains(key) && !key.kind().equals(Node.KIND.name()))
        .flatMap(key -> ForkReturn.read(store, key).stream())
        .forEach(object -> writes.add(new Write.Remove(object)));
    return writes;
  }

  private static Stream<ResourceKey> removed(ObjectStore store, SideMessage.Copy copy) {
    if (!copy.isWhole()) {
      return copy.removed().stream();
    }
    var kept = copy.objects().stream().map(Resource::key).collect(Collectors.toSet());
    return of(store).keySet().stream().filter(key -> !kept.contains(key));
  }

  private static <S, T> void write(
      Resource<S, T> object, Optional<Resource<?, ?>> present, String node, List<Write> writes) {
    if (present.isEmpty()) {
      var meta = object.meta().committed("", 0, 0, Optional.empty(), Optional.empty());
      writes.add(new Write.Put(object.withMeta(meta)));
      return;
    }
    var old = present.get();
    var meta = old.meta();
    if (meta.deleting()) {
      return;
    }
    if (!old.spec().equals(object.spec()) || !sameMarks(meta, object.meta())) {
      var next =
          meta.withLabels(object.meta().labels()).withAnnotations(object.meta().annotations());
      writes.add(
          new Write.Put(new Resource<>(object.type(), next, object.spec(), Optional.empty())));
    }
    boolean isOwn = object.key().equals(NodeSchedule.KIND.key(node));
    if (!isOwn && object.status().isPresent() && !old.status().equals(object.status())) {
      writes.add(new Write.PutStatus(object.withMeta(meta.withVersion(0))));
    }
  }

  private static boolean sameMarks(Metadata one, Metadata two) {
    return one.labels().equals(two.labels()) && one.annotations().equals(two.annotations());
  }

  private CopiedObjects() {}
}
