package verwalter.controllers.nodeschedule;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import verwalter.concurrent.Loop;
import verwalter.controllers.runtime.Controller;
import verwalter.controllers.runtime.Reconciler;
import verwalter.controllers.runtime.Result;
import verwalter.controllers.runtime.Source;
import verwalter.controllers.runtime.Writes;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.DeploymentRef;
import verwalter.model.NodeSchedule;
import verwalter.model.ProcessGroup;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.State;
import verwalter.model.Schedule;
import verwalter.model.Scheduler;
import verwalter.model.TemplateOutput;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Selection;

/**
 * Applies one node's share of the schedule. While there is no share, nothing on the node changes.
 */
public final class NodeScheduleReconciler implements Reconciler {
  private static final Duration RETRY = Duration.ofSeconds(30);

  /**
   * The states of instances that change within this time are reported together: a report lists all
   * instances. A new share does not wait.
   */
  private static final Duration GATHERING = Duration.ofMillis(50);

  private final ObjectStore store;
  private final Loop loop;
  private final String node;
  private final Responder responder;
  private final UnaryOperator<NodeSchedule.Spec> followed;
  private Consumer<ResourceKey> keys = key -> {};

  /** Creates a reconciler for the node. {@code loop} is the loop it is started on. */
  public NodeScheduleReconciler(ObjectStore store, Loop loop, String node, Responder responder) {
    this(store, loop, node, responder, UnaryOperator.identity());
  }

  /**
   * Creates a reconciler for the node.
   *
   * @param followed what the node applies of its share, which changes while it is cut off from the
   *     majority; safe to call from any thread
   */
  public NodeScheduleReconciler(
      ObjectStore store,
      Loop loop,
      String node,
      Responder responder,
      UnaryOperator<NodeSchedule.Spec> followed) {
    this.store = store;
    this.loop = loop;
    this.node = node;
    this.responder = responder;
    this.followed = followed;
  }

  /** Builds the controller that runs this reconciler. */
  public Controller.Builder controller() {
    var here = new Selection.Node(node);
    var key = NodeSchedule.KIND.key(node);
    return Controller.named("share", this)
        .watching(store, NodeSchedule.KIND, here)
        .watching(
            store,
            Schedule.KIND,
            schedule -> responder.readsSchedule() ? Stream.of(key) : Stream.of())
        .from(
            (on, report) -> {
              keys = report;
              return () -> {};
            })
        .gathering(
            GATHERING, Source.of(store, RoleInstance.KIND, here, instance -> Stream.of(key)));
  }

  /** Applies the share again after the input of the responder changed. Call on the loop. */
  public void responderChanged() {
    keys.accept(NodeSchedule.KIND.key(node));
  }

  @Override
  public Future<Result> reconcile(ResourceKey key) {
    var share = store.get(NodeSchedule.KIND, key.name());
    if (!key.name().equals(node) || share.isEmpty() || share.get().spec().schedule().isEmpty()) {
      return Result.done();
    }
    var applied = followed.apply(share.get().spec());
    return roles(applied)
        .compose(
            roles ->
                isCurrent(share.get())
                    ? carryOut(share.get(), withRoles(applied, roles))
                    : Result.done())
        .recover(
            failure ->
                failure instanceof Scheduler.Failed unknown
                    ? complain(share.get(), unknown)
                    : Future.failedFuture(failure));
  }

  private static NodeSchedule.Spec withRoles(
      NodeSchedule.Spec share, Map<String, Map<String, Object>> roles) {
    return new NodeSchedule.Spec(share.schedule(), roles, share.versions());
  }

  /** Whether this share is still the newest one. A newer one is applied next. */
  private boolean isCurrent(Resource<NodeSchedule.Spec, NodeSchedule.Status> share) {
    return store
        .get(NodeSchedule.KIND, node)
        .filter(now -> now.spec().equals(share.spec()))
        .isPresent();
  }

  private Future<Map<String, Map<String, Object>>> roles(NodeSchedule.Spec share) {
    var schedule =
        store
            .get(Schedule.KIND, Schedule.CURRENT)
            .map(Resource::spec)
            .filter(Schedule.Spec::decided);
    return loop.offload(() -> responder.roles(share, schedule));
  }

  private Future<Result> carryOut(
      Resource<NodeSchedule.Spec, NodeSchedule.Status> share, NodeSchedule.Spec applied) {
    var instances = instances();
    var plan =
        NodeSchedulePlan.of(share.name(), applied, instances, orphans(instances), releases());
    var written = plan.writes().isEmpty() ? Future.succeededFuture() : store.commit(plan.writes());
    return written.compose(done -> report(share, plan, Optional.empty())).map(Result.DONE);
  }

  /** Reports that the roles are unknown and retries later. Nothing on the node changes. */
  private Future<Result> complain(
      Resource<NodeSchedule.Spec, NodeSchedule.Status> share, Scheduler.Failed unknown) {
    return isCurrent(share)
        ? report(share, NodeSchedulePlan.NOTHING, Optional.of(unknown)).map(Result.again(RETRY))
        : Result.done();
  }

  private List<Resource<RoleInstance.Spec, RoleInstance.Status>> instances() {
    return store.list(RoleInstance.KIND, new Selection.Node(node));
  }

  private List<DeploymentRef.Spec> releases() {
    return store.list(DeploymentRef.KIND, new Selection.Node(node)).stream()
        .map(Resource::spec)
        .toList();
  }

  /** The specs of instances that do not exist and have children on the node, by role. */
  private Map<String, RoleInstance.Spec> orphans(
      List<Resource<RoleInstance.Spec, RoleInstance.Status>> instances) {
    var here = new Selection.Node(node);
    var orphans = new TreeMap<String, RoleInstance.Spec>();
    for (var group : store.list(ProcessGroup.KIND, here)) {
      orphans.put(group.spec().role(), orphan(group.spec().role(), "", Map.of()));
    }
    for (var output : store.list(TemplateOutput.KIND, here)) {
      var spec = output.spec();
      orphans.put(spec.role(), orphan(spec.role(), spec.template(), spec.variables()));
    }
    instances.forEach(instance -> orphans.remove(instance.spec().role()));
    return orphans;
  }

  private RoleInstance.Spec orphan(String role, String template, Map<String, Object> variables) {
    return new RoleInstance.Spec(role, node, template, Optional.empty(), variables);
  }

  private Future<?> report(
      Resource<NodeSchedule.Spec, NodeSchedule.Status> share,
      NodeSchedulePlan plan,
      Optional<Scheduler.Failed> unknown) {
    var instances = instances();
    var roles = new TreeMap<String, State>();
    instances.forEach(
        each ->
            roles.put(
                each.spec().role(),
                each.status().map(RoleInstance.Status::state).orElse(State.INITIAL)));
    var settled =
        unknown.isEmpty()
            && plan.writes().isEmpty()
            && plan.refused().isEmpty()
            && instances.stream().allMatch(NodeScheduleReconciler::settled);
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
                accepted(share.meta().generation(), plan, unknown))));
  }

  private Condition accepted(
      long generation, NodeSchedulePlan plan, Optional<Scheduler.Failed> unknown) {
    if (unknown.isPresent()) {
      var why = unknown.get().getMessage() + " (running roles are not changed)";
      return Condition.ofFalse(
          ConditionType.ACCEPTED, Reason.QUERY_FAILED, why, generation, loop.now());
    }
    return plan.refused().isEmpty()
        ? Condition.ofTrue(ConditionType.ACCEPTED, Reason.ACCEPTED, "", generation, loop.now())
        : Condition.ofFalse(
            ConditionType.ACCEPTED,
            Reason.ROLES_REFUSED,
            plan.refused().toString(),
            generation,
            loop.now());
  }

  /** Whether the instance matches its newest spec. */
  private static boolean settled(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    return !instance.meta().deleting()
        && instance
            .status()
            .filter(status -> status.observedGeneration() == instance.meta().generation())
            .filter(status -> status.state() == State.RUNNING || status.state() == State.HALTED)
            .filter(status -> status.failed().isEmpty())
            .isPresent();
  }
}
