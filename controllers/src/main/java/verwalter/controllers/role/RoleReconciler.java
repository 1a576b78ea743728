package verwalter.controllers.role;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.controllers.runtime.Controller;
import verwalter.controllers.runtime.ObjectCache;
import verwalter.controllers.runtime.Reconciler;
import verwalter.controllers.runtime.Result;
import verwalter.controllers.runtime.Writes;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Kind;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.RoleConfig;
import verwalter.model.RoleInstance;
import verwalter.stores.api.ObjectStore;

/**
 * Writes the condition {@code Healthy} of each role from the errors of its instances on all nodes.
 * A role without a status gets one from the config controller first. Confined to its loop.
 */
public final class RoleReconciler implements Reconciler {
  private static final String NAME = "role";

  /** Changes within this time are written together: a fault often affects many nodes. */
  private static final Duration GATHERING = Duration.ofSeconds(1);

  private final ObjectStore store;
  private final Loop loop;
  private final ObservedErrors errors = new ObservedErrors();
  private final List<ObjectCache<?, ?>> caches = new ArrayList<>();

  /** Creates a reconciler for one term of a leader. */
  public RoleReconciler(ObjectStore store, Loop loop) {
    this.store = store;
    this.loop = loop;
  }

  /** Builds the controller that runs this reconciler. */
  public Controller.Builder controller() {
    return Controller.named(NAME, this)
        .from(this::observe)
        .watching(store, RoleConfig.KIND)
        .coalescing(GATHERING);
  }

  private Watch observe(Loop on, Consumer<ResourceKey> keys) {
    cache(RoleInstance.KIND, on, keys, errors::instance);
    cache(Node.KIND, on, keys, (before, after) -> errors.node(name(before, after), after));
    cache(NodeSchedule.KIND, on, keys, (before, after) -> errors.share(name(before, after), after));
    return () -> caches.forEach(ObjectCache::close);
  }

  /** Applies a change, and returns the names of roles that it may affect. */
  @FunctionalInterface
  private interface Applied<S, T> {
    Stream<String> roles(@Nullable Resource<S, T> before, @Nullable Resource<S, T> after);
  }

  private <S, T> void cache(
      Kind<S, T> kind, Loop on, Consumer<ResourceKey> keys, Applied<S, T> applied) {
    caches.add(
        ObjectCache.of(
            store,
            kind,
            on,
            (before, after) -> applied.roles(before, after).map(RoleConfig.KIND::key).forEach(keys),
            () -> store.list(RoleConfig.KIND).forEach(role -> keys.accept(role.key()))));
  }

  private static <S, T> String name(
      @Nullable Resource<S, T> before, @Nullable Resource<S, T> after) {
    return after != null ? after.name() : before != null ? before.name() : "";
  }

  /** Before all nodes and instances are known, nothing is written: some would be missing. */
  private boolean complete() {
    return !caches.isEmpty() && caches.stream().allMatch(ObjectCache::complete);
  }

  @Override
  public Future<Result> reconcile(ResourceKey key) {
    var role = store.get(RoleConfig.KIND, key.name());
    var status = role.flatMap(Resource::status);
    if (!complete() || status.isEmpty() || role.orElseThrow().meta().deleting()) {
      return Result.done();
    }
    var generation = role.orElseThrow().meta().generation();
    var healthy =
        isUnread(role.orElseThrow().spec(), status.get())
            ? Condition.ofUnknown(
                ConditionType.HEALTHY,
                Reason.UNREADABLE,
                "its files were never read",
                generation,
                loop.now())
            : errors.of(key.name()).condition(generation, loop.now());
    var next = status.get().withConditions(Condition.put(status.get().conditions(), healthy));
    return Writes.status(store, role.orElseThrow(), next).map(Result.DONE);
  }

  /** Whether its files could not be read yet, so that it has no instances. */
  private static boolean isUnread(RoleConfig.Spec spec, RoleConfig.Status status) {
    return spec.equals(RoleConfig.Spec.UNREAD)
        && Condition.find(status.conditions(), ConditionType.CONFIG_VALID)
            .filter(it -> !it.isTrue())
            .isPresent();
  }
}
