package verwalter.controllers.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.controllers.runtime.ObjectCache;
import verwalter.controllers.runtime.Source;
import verwalter.model.Action;
import verwalter.model.Kind;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.RoleConfig;
import verwalter.model.RoleInstance;
import verwalter.stores.api.ObjectStore;

/**
 * The state that the scheduler sees, kept up to date by watches. An event costs one object,
 * independent of the size of the cluster. Names the schedule's key at each change. Confined to its
 * loop.
 */
final class ObservedCluster implements Source {
  private final ObjectStore store;
  private final ResourceKey key;
  private final ObservedInstances instances = new ObservedInstances();
  private final List<ObjectCache<?, ?>> caches = new ArrayList<>();
  private @Nullable ObjectCache<Node.Spec, Node.Status> nodes;
  private @Nullable ObjectCache<RoleConfig.Spec, RoleConfig.Status> roles;
  private @Nullable ObjectCache<NodeSchedule.Spec, NodeSchedule.Status> shares;
  private @Nullable ObjectCache<Action.Spec, Action.Status> actions;

  ObservedCluster(ObjectStore store, ResourceKey key) {
    this.store = store;
    this.key = key;
  }

  @Override
  public Watch start(Loop loop, Consumer<ResourceKey> keys) {
    Runnable changed = () -> keys.accept(key);
    nodes = cache(Node.KIND, loop, changed, (before, after) -> {});
    roles = cache(RoleConfig.KIND, loop, changed, (before, after) -> {});
    shares = cache(NodeSchedule.KIND, loop, changed, instances::share);
    actions = cache(Action.KIND, loop, changed, (before, after) -> {});
    cache(RoleInstance.KIND, loop, changed, instances::instance);
    cache(ProcessGroup.KIND, loop, changed, instances::group);
    return () -> caches.forEach(ObjectCache::close);
  }

  private <S, T> ObjectCache<S, T> cache(
      Kind<S, T> kind, Loop loop, Runnable changed, ObjectCache.Listener<S, T> listener) {
    var cache =
        ObjectCache.of(
            store,
            kind,
            loop,
            (before, after) -> {
              listener.changed(before, after);
              changed.run();
            },
            changed);
    caches.add(cache);
    return cache;
  }

  /**
   * Whether all caches are complete. Before that, a decision would use only a part of the state.
   */
  boolean complete() {
    return !caches.isEmpty() && caches.stream().allMatch(ObjectCache::complete);
  }

  List<Resource<Node.Spec, Node.Status>> nodes() {
    return objects(nodes);
  }

  List<Resource<RoleConfig.Spec, RoleConfig.Status>> roles() {
    return objects(roles);
  }

  List<Resource<NodeSchedule.Spec, NodeSchedule.Status>> shares() {
    return objects(shares);
  }

  /**
   * All actions, read from the store, so that an action that was just completed does not appear as
   * pending.
   */
  List<Resource<Action.Spec, Action.Status>> actions() {
    return objects(actions).stream()
        .map(each -> Action.pending(each) ? store.get(Action.KIND, each.name()) : Optional.of(each))
        .flatMap(Optional::stream)
        .toList();
  }

  /** The role instances, by node and role. */
  Map<String, Object> instances() {
    return instances.input();
  }

  private static <S, T> List<Resource<S, T>> objects(@Nullable ObjectCache<S, T> cache) {
    return cache == null ? List.of() : List.copyOf(cache.objects());
  }
}
