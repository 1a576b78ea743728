package verwalter.controllers.rollout;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.controllers.runtime.Controller;
import verwalter.controllers.runtime.ObjectCache;
import verwalter.controllers.runtime.Reconciler;
import verwalter.controllers.runtime.Result;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.RoleConfig;
import verwalter.model.RoleInstance;
import verwalter.model.Rollout;
import verwalter.model.Schedule;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Write;

/**
 * Writes the rollouts of each role: begins one when the schedule wants another version, says how
 * far it is, and ends it. Removes those of roles that are gone. Says in the role whether the last
 * one has failed. Confined to its loop.
 */
public final class RolloutReconciler implements Reconciler {
  private static final String NAME = "rollout";

  /** Changes within this time are written together. */
  private static final Duration GATHERING = Duration.ofMillis(200);

  private final ObjectStore store;
  private final Loop loop;
  private final ObjectsByRole<RoleInstance.Spec, RoleInstance.Status> instances =
      new ObjectsByRole<>(RoleInstance.Spec::role);
  private final ObjectsByRole<ProcessGroup.Spec, ProcessGroup.Status> groups =
      new ObjectsByRole<>(ProcessGroup.Spec::role);
  private final ObjectsByRole<Rollout.Spec, Rollout.Status> rollouts =
      new ObjectsByRole<>(Rollout.Spec::role);
  private final List<ObjectCache<?, ?>> caches = new ArrayList<>();

  /** Creates a reconciler for one term of a leader. */
  public RolloutReconciler(ObjectStore store, Loop loop) {
    this.store = store;
    this.loop = loop;
  }

  /** Builds the controller that runs this reconciler. */
  public Controller.Builder controller() {
    return Controller.named(NAME, this)
        .from(this::observe)
        .watching(store, RoleConfig.KIND)
        .watching(store, Schedule.KIND, any -> roles())
        .coalescing(GATHERING);
  }

  private Stream<ResourceKey> roles() {
    return store.list(RoleConfig.KIND).stream().map(Resource::key);
  }

  private Watch observe(Loop on, Consumer<ResourceKey> keys) {
    Runnable all = () -> roles().forEach(keys);
    Consumer<String> changed = role -> keys.accept(RoleConfig.KIND.key(role));
    caches.add(instances.watch(store, RoleInstance.KIND, on, changed, all));
    caches.add(groups.watch(store, ProcessGroup.KIND, on, changed, all));
    caches.add(rollouts.watch(store, Rollout.KIND, on, changed, all));
    return () -> caches.forEach(ObjectCache::close);
  }

  @Override
  public Future<Result> reconcile(ResourceKey key) {
    if (caches.isEmpty() || !caches.stream().allMatch(ObjectCache::complete)) {
      return Result.done();
    }
    var writes = writes(key.name());
    return writes.isEmpty() ? Result.done() : store.commit(writes).map(Result.DONE);
  }

  private List<Write> writes(String name) {
    var known =
        rollouts.of(name).stream()
            .sorted(Comparator.comparingLong(it -> it.spec().number()))
            .toList();
    var role = store.get(RoleConfig.KIND, name);
    if (role.isEmpty()) {
      return known.stream().<Write>map(Write.Remove::new).toList();
    }
    var schedule = store.get(Schedule.KIND, Schedule.CURRENT);
    var before = known.isEmpty() ? "" : known.get(known.size() - 1).spec().to();
    boolean open = !known.isEmpty() && Rollout.open(known.get(known.size() - 1));
    return schedule
        .flatMap(it -> ScheduledVersion.of(it.spec().data(), name, before, open))
        .map(
            wanted ->
                new RolloutPlan(role.get(), wanted, nodes(name, wanted), known, loop.now())
                    .writes())
        .orElse(List.of());
  }

  private Map<String, Optional<RoleOnNode>> nodes(String role, ScheduledVersion wanted) {
    var nodes = new TreeMap<String, Optional<RoleOnNode>>();
    wanted.nodes().keySet().forEach(node -> nodes.put(node, Optional.empty()));
    var groupsOf =
        groups.of(role).stream().collect(Collectors.groupingBy(group -> group.spec().node()));
    for (var instance : instances.of(role)) {
      var node = instance.spec().node();
      var its = groupsOf.getOrDefault(node, List.of());
      nodes.put(node, Optional.of(new RoleOnNode(instance, its)));
    }
    return nodes;
  }
}
