package verwalter.controllers.instance;

import io.vertx.core.Future;
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

  public InstanceReconciler(ObjectStore store, Loop loop, Events events, String node) {
    this.store = store;
    this.loop = loop;
    this.events = events;
    this.node = node;
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
  public Future<Result> reconcile(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    var children = Children.of(store, instance);
    var replacement = ReplacementPlan.next(instance, children, loop.now());
    if (!replacement.equals(instance.status().flatMap(RoleInstance.Status::replacement))) {
      return enter(instance, children, replacement).map(Result.DONE);
    }
    return commit(InstancePlan.keep(instance, children))
        .compose(done -> report(instance))
        .map(Result.DONE);
  }

  /** Stores a phase. The next pass acts on it. */
  private Future<?> enter(
      Resource<RoleInstance.Spec, RoleInstance.Status> instance,
      Children children,
      Optional<RoleInstance.Replacement> replacement) {
    var entered =
        instance.withStatus(
            instance
                .status()
                .orElseGet(
                    () ->
                        InstanceState.of(instance, children).status(instance, children, loop.now()))
                .withReplacement(replacement));
    var state = InstanceState.of(entered, children);
    announce(instance, children, state);
    return Writes.status(store, instance, state.status(entered, children, loop.now()));
  }

  @Override
  public Future<Boolean> cleanUp(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    var children = Children.of(store, instance);
    if (children.groups().isEmpty()
        && children.output().isEmpty()
        && children.releases().refs().isEmpty()) {
      return Future.succeededFuture(true);
    }
    return commit(InstancePlan.release(children)).compose(done -> report(instance)).map(false);
  }

  private Future<?> commit(List<Write> writes) {
    return writes.isEmpty() ? Future.succeededFuture() : store.commit(writes);
  }

  private Future<?> report(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    var children = Children.of(store, instance);
    var state = InstanceState.of(instance, children);
    announce(instance, children, state);
    return Writes.status(store, instance, state.status(instance, children, loop.now()));
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
