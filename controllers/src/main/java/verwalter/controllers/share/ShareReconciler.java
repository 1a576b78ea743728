package verwalter.controllers.share;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import verwalter.controllers.runtime.Controller;
import verwalter.controllers.runtime.Reconciler;
import verwalter.controllers.runtime.Result;
import verwalter.controllers.runtime.Writes;
import verwalter.model.Condition;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.State;
import verwalter.stores.api.Loop;
import verwalter.stores.api.ObjectStore;

/**
 * Carries out one node's share of the schedule. Only a share that is there is carried out: while
 * there is none, whatever runs goes on.
 */
public final class ShareReconciler implements Reconciler {
  /** Whether every role of the share could be made a role instance. */
  public static final String ACCEPTED = "Accepted";

  private final ObjectStore store;
  private final Loop loop;
  private final String node;

  public ShareReconciler(ObjectStore store, Loop loop, String node) {
    this.store = store;
    this.loop = loop;
    this.node = node;
  }

  public Controller.Builder controller() {
    var key = NodeSchedule.KIND.key(node);
    return Controller.named("share", this)
        .watching(store, NodeSchedule.KIND)
        .watching(
            store,
            RoleInstance.KIND,
            instance -> instance.spec().node().equals(node) ? Stream.of(key) : Stream.of());
  }

  @Override
  public Future<Result> reconcile(ResourceKey key) {
    var share = store.get(NodeSchedule.KIND, key.name());
    if (!key.name().equals(node) || share.isEmpty() || share.get().spec().schedule().isEmpty()) {
      return Result.done();
    }
    var plan = SharePlan.of(share.get(), instances());
    var written = plan.writes().isEmpty() ? Future.succeededFuture() : store.commit(plan.writes());
    return written.compose(done -> report(share.get(), plan)).map(Result.DONE);
  }

  private List<Resource<RoleInstance.Spec, RoleInstance.Status>> instances() {
    return store.list(RoleInstance.KIND).stream()
        .filter(instance -> instance.spec().node().equals(node))
        .toList();
  }

  private Future<?> report(Resource<NodeSchedule.Spec, NodeSchedule.Status> share, SharePlan plan) {
    var instances = instances();
    var roles = new TreeMap<String, State>();
    instances.forEach(
        each ->
            roles.put(
                each.spec().role(),
                each.status().map(RoleInstance.Status::state).orElse(State.INITIAL)));
    var settled =
        plan.writes().isEmpty()
            && plan.refused().isEmpty()
            && instances.stream().allMatch(ShareReconciler::settled);
    var before = share.status();
    return Writes.status(
        store,
        share,
        new NodeSchedule.Status(
            share.meta().generation(),
            settled
                ? Optional.of(share.spec().schedule())
                : before.flatMap(NodeSchedule.Status::applied),
            roles,
            Condition.put(
                before.map(NodeSchedule.Status::conditions).orElse(List.of()),
                accepted(share.meta().generation(), plan))));
  }

  private Condition accepted(long generation, SharePlan plan) {
    return plan.refused().isEmpty()
        ? Condition.yes(ACCEPTED, "Accepted", "", generation, loop.now())
        : Condition.no(ACCEPTED, "RolesRefused", plan.refused().toString(), generation, loop.now());
  }

  /** Whether the instance is what its newest spec asks for. */
  private static boolean settled(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    return !instance.meta().deleting()
        && instance
            .status()
            .filter(status -> status.observedGeneration() == instance.meta().generation())
            .filter(status -> status.state() == State.RUNNING || status.state() == State.HALTED)
            .isPresent();
  }
}
