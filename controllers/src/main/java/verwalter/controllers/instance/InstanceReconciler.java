package verwalter.controllers.instance;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import verwalter.concurrent.Loop;
import verwalter.controllers.runtime.Controller;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.runtime.FinalizingReconciler;
import verwalter.controllers.runtime.Result;
import verwalter.controllers.runtime.Writes;
import verwalter.model.DeploymentRef;
import verwalter.model.Event;
import verwalter.model.ProcessGroup;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.Phase;
import verwalter.model.RoleInstance.State;
import verwalter.model.TemplateOutput;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Selection;
import verwalter.stores.api.Write;

/**
 * Keeps each role instance of one node: its releases, its template output, its process groups, its
 * status.
 */
public final class InstanceReconciler
    implements FinalizingReconciler<RoleInstance.Spec, RoleInstance.Status> {
  private static final String NAME = "instance";

  private final ObjectStore store;
  private final Loop loop;
  private final Events events;
  private final String node;
  private final StartWaits waits;
  private final StartTrials trials;

  /** Creates a reconciler for the node. {@code loop} is the loop it is started on. */
  public InstanceReconciler(
      ObjectStore store, Loop loop, Events events, String node, StartLimits limits) {
    this.store = store;
    this.loop = loop;
    this.events = events;
    this.node = node;
    this.waits = new StartWaits(store, loop, node, limits);
    this.trials = new StartTrials(loop);
  }

  /** Builds the controller that runs this reconciler. */
  public Controller.Builder controller() {
    var here = new Selection.Node(node);
    return Controller.named(
            NAME, FinalizingReconciler.over(store, RoleInstance.KIND, RoleInstance.FINALIZER, this))
        .watching(store, RoleInstance.KIND, here)
        .watching(
            store,
            TemplateOutput.KIND,
            here,
            output -> Stream.of(RoleInstance.KIND.key(output.name())))
        .watching(store, ProcessGroup.KIND, here, group -> Stream.of(keyOf(group.spec())))
        .watching(
            store,
            DeploymentRef.KIND,
            here,
            ref -> Stream.of(RoleInstance.KIND.key(RoleInstance.name(ref.spec().role(), node))))
        .from(waits)
        .from(
            (on, report) -> {
              trials.reportTo(report);
              return () -> {};
            })
        .concurrency(8);
  }

  private static ResourceKey keyOf(ProcessGroup.Spec group) {
    return RoleInstance.KIND.key(RoleInstance.name(group.role(), group.node()));
  }

  @Override
  public boolean concerns(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    return instance.spec().node().equals(node);
  }

  @Override
  public Future<Result> reconcile(Resource<RoleInstance.Spec, RoleInstance.Status> stored) {
    var children = Children.of(store, stored);
    var instance = ExecutedCommands.of(stored, children).applyTo(stored, loop.now());
    var gate = waits.gate(instance, children);
    var gated = with(gate, instance, children);
    var plan = ReplacementPlan.next(gated, children, trials.look(gated, children), loop.now());
    if (gate.isNews(instance) || plan.isNews(instance)) {
      waits.granting(instance, gate);
      return enter(stored, instance, children, gate, plan).map(done -> Result.DONE);
    }
    return commit(InstancePlan.keep(instance, children))
        .compose(done -> report(stored, instance, Optional.of(gate)))
        .map(done -> Result.DONE);
  }

  /**
   * Stores a phase and a gate. The next pass acts on them, except that files are switched and
   * processes started together with their phase: nothing runs then, and each pass costs time.
   */
  private Future<?> enter(
      Resource<RoleInstance.Spec, RoleInstance.Status> stored,
      Resource<RoleInstance.Spec, RoleInstance.Status> instance,
      Children children,
      StartGate gate,
      ReplacementPlan plan) {
    var entered = with(gate, instance, children);
    var status = entered.status().orElseThrow().with(plan.replacement(), plan.failed());
    announceFailure(instance, plan);
    var next = entered.withStatus(status);
    var writes =
        actsAtOnce(instance, plan)
                && !gate.isNews(instance)
                && !waits.gate(next, children).isNews(next)
            ? InstancePlan.keep(next, children)
            : List.<Write>of();
    return report(stored, next, children, writes);
  }

  /** Whether no process runs, so that the phase that begins is not delayed by another pass. */
  private static boolean actsAtOnce(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, ReplacementPlan plan) {
    var last = instance.status().flatMap(RoleInstance.Status::replacement).map(it -> it.phase());
    var next = plan.replacement().map(it -> it.phase());
    return (last.equals(Optional.of(Phase.STOP)) && next.equals(Optional.of(Phase.SWITCH)))
        || (last.equals(Optional.of(Phase.SWITCH)) && next.equals(Optional.of(Phase.START)));
  }

  /** The instance as it is with that gate. */
  private Resource<RoleInstance.Spec, RoleInstance.Status> with(
      StartGate gate,
      Resource<RoleInstance.Spec, RoleInstance.Status> instance,
      Children children) {
    var status =
        instance
            .status()
            .orElseGet(
                () -> InstanceState.of(instance, children).status(instance, children, loop.now()));
    return instance.withStatus(gate.store(instance, status, loop.now()));
  }

  @Override
  public Future<Boolean> cleanUp(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    trials.forget(instance.name());
    var children = Children.of(store, instance);
    if (children.groups().isEmpty()
        && children.output().isEmpty()
        && children.releases().refs().isEmpty()) {
      return Future.succeededFuture(true);
    }
    return commit(InstancePlan.release(children))
        .compose(done -> report(instance, instance, Optional.empty()))
        .map(false);
  }

  private Future<?> commit(List<Write> writes) {
    return writes.isEmpty() ? Future.succeededFuture() : store.commit(writes);
  }

  private Future<?> report(
      Resource<RoleInstance.Spec, RoleInstance.Status> stored,
      Resource<RoleInstance.Spec, RoleInstance.Status> instance,
      Optional<StartGate> gate) {
    var children = Children.of(store, instance);
    var next = gate.map(it -> with(it, instance, children)).orElse(instance);
    return report(stored, next, children, List.of());
  }

  /**
   * Reports the state of an instance, in one transaction with the writes.
   *
   * @param stored the instance as it is in the store
   * @param next the instance with what is stored together with its state
   */
  private Future<?> report(
      Resource<RoleInstance.Spec, RoleInstance.Status> stored,
      Resource<RoleInstance.Spec, RoleInstance.Status> next,
      Children children,
      List<Write> writes) {
    var state = InstanceState.of(next, children);
    announce(stored, children, state);
    var status = state.status(next, children, loop.now());
    if (writes.isEmpty()) {
      return Writes.status(store, stored, status);
    }
    var all = new ArrayList<>(writes);
    all.add(new Write.PutStatus(stored.withStatus(status)));
    return store.commit(all);
  }

  /** Reports a version that has failed. */
  private void announceFailure(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance, ReplacementPlan plan) {
    plan.failed()
        .filter(it -> !instance.status().flatMap(RoleInstance.Status::failed).equals(plan.failed()))
        .ifPresent(
            it ->
                events.report(
                    NAME,
                    instance.key(),
                    Event.Type.WARNING,
                    Reason.REVERTED,
                    InstanceState.goesBack(it)));
  }

  /** Reports another state as an event. */
  private void announce(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance,
      Children children,
      InstanceState state) {
    var before = instance.status();
    if (before.filter(last -> last.state() == state.state()).isEmpty()
        || (state.state() == State.BROKEN
            && before.filter(last -> last.reason().equals(state.reason())).isEmpty())) {
      events.report(
          NAME,
          instance.key(),
          state.state() == State.BROKEN ? Event.Type.WARNING : Event.Type.NORMAL,
          Reason.became(state.state()),
          state.announcement(children));
    }
  }
}
