package verwalter.controllers.template;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import verwalter.concurrent.Loop;
import verwalter.controllers.runtime.Controller;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.runtime.FinalizingReconciler;
import verwalter.controllers.runtime.Result;
import verwalter.controllers.runtime.Writes;
import verwalter.controllers.template.TemplatePlan.Step;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.RoleInstance;
import verwalter.model.Schedule;
import verwalter.model.TemplateOutput;
import verwalter.model.TemplateOutput.Spec;
import verwalter.model.TemplateOutput.Status;
import verwalter.model.json.Json;
import verwalter.render.recipe.Rendered;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Selection;
import verwalter.stores.api.Write;

/**
 * Applies the template outputs of one node. A failed rendering does not change files. It is retried
 * when its input changes, and after a pause if the failure is temporary. Drifted files are
 * restored, with growing pauses while they keep changing.
 */
public final class TemplateReconciler implements FinalizingReconciler<Spec, Status> {
  /** How many roles are rendered concurrently, so that a few slow ones do not delay the others. */
  private static final int AT_ONCE = 8;

  static final String NAME = "template";

  private final ObjectStore store;
  private final Loop loop;
  private final Templates templates;
  private final FileWatch files;
  private final OutputEvents events;
  private final String node;
  private final String version;
  private final Supplier<Future<String>> deploymentIds;

  /** By the name of the output. */
  private final Map<String, RoleState> states = new HashMap<>();

  /** The attempts with which the next files of outputs were checked. */
  private final Map<String, Attempt> checked = new HashMap<>();

  private FileWatch.Watching watching;
  private Consumer<ResourceKey> keys = key -> {};

  /** The number of changes of templates and of requests to apply everything anew. */
  private long epoch;

  /**
   * Creates a reconciler for one node.
   *
   * @param version the version of this program, for templates
   * @param deploymentIds supplies unique ids; the futures may complete on any thread
   */
  public TemplateReconciler(
      ObjectStore store,
      Loop loop,
      Templates templates,
      FileWatch files,
      Events events,
      String node,
      String version,
      Supplier<Future<String>> deploymentIds) {
    this.store = store;
    this.loop = loop;
    this.templates = templates;
    this.files = files;
    this.watching = FileWatch.NONE.start(loop, owner -> {});
    this.events = new OutputEvents(events);
    this.node = node;
    this.version = version;
    this.deploymentIds = deploymentIds;
  }

  public Controller.Builder controller() {
    return Controller.named(
            NAME,
            FinalizingReconciler.over(store, TemplateOutput.KIND, TemplateOutput.FINALIZER, this))
        .watching(store, TemplateOutput.KIND)
        .watching(store, RoleInstance.KIND, it -> waitingFor(it.spec().role()))
        .watching(store, ProcessGroup.KIND, it -> waitingFor(it.spec().role()))
        .watching(store, Schedule.KIND, schedule -> ofSchedule())
        .from(
            (on, report) -> {
              keys = report;
              watching = files.start(on, this::changed);
              return watching;
            })
        .concurrency(AT_ONCE);
  }

  private Stream<ResourceKey> waitingFor(String role) {
    return which(state -> state.waiting().contains(role));
  }

  private Stream<ResourceKey> ofSchedule() {
    return which(RoleState::dependsOnSchedule);
  }

  /** The keys of the outputs whose state matches. */
  private Stream<ResourceKey> which(Predicate<RoleState> wanted) {
    return states.entrySet().stream()
        .filter(each -> wanted.test(each.getValue()))
        .map(each -> TemplateOutput.KIND.key(each.getKey()))
        .toList()
        .stream();
  }

  private RoleState state(Resource<Spec, Status> output) {
    return states.getOrDefault(output.name(), RoleState.of(output.spec().role()));
  }

  /**
   * Replaces the state of an output. If its needs changed, all dependent roles are checked again.
   */
  private void remember(Resource<Spec, Status> output, RoleState next) {
    var before = state(output);
    states.put(output.name(), next);
    if (!before.needs().equals(next.needs())) {
      requeueDependents();
    }
  }

  private void requeueDependents() {
    which(RoleState::needsOthers).forEach(keys);
  }

  /** The needs of each role whose recipes were read. */
  private Map<String, List<String>> needs() {
    var needs = new HashMap<String, List<String>>();
    states.values().forEach(state -> state.needs().ifPresent(it -> needs.put(state.role(), it)));
    return needs;
  }

  /**
   * Checks roles after the files below {@code templates/} changed. Call on the loop.
   *
   * @param changing the directories below {@code templates/} whose files are still changing: roles
   *     with templates there are checked after a later call, or when something else of them changes
   */
  public void templatesChanged(Set<String> changing) {
    epoch++;
    outputs().stream()
        .filter(output -> !changing.contains(directory(output.spec().template())))
        .forEach(output -> keys.accept(output.key()));
  }

  private static String directory(String template) {
    int end = template.indexOf('/');
    return end < 0 ? template : template.substring(0, end);
  }

  /** Applies every role anew, even if nothing changed. Call on the loop. */
  public void renderAll() {
    epoch++;
    for (var output : outputs()) {
      remember(output, state(output).withForced(OptionalLong.of(epoch)));
      keys.accept(output.key());
    }
  }

  private List<Resource<Spec, Status>> outputs() {
    return store.list(TemplateOutput.KIND, new Selection.Node(node));
  }

  /** Requests a check of the files of this output. */
  private void changed(String owner) {
    var known = states.get(owner);
    if (known != null && !known.settling()) {
      states.put(owner, known.withSettling(true));
      loop.after(RoleState.SETTLE, () -> settled(owner));
    }
  }

  private void settled(String owner) {
    if (states.computeIfPresent(owner, (name, it) -> it.withSettling(false).withSuspect(true))
        != null) {
      keys.accept(TemplateOutput.KIND.key(owner));
    }
  }

  @Override
  public boolean concerns(Resource<Spec, Status> output) {
    return output.spec().node().equals(node);
  }

  @Override
  public Future<Result> reconcile(Resource<Spec, Status> output) {
    var needs = needs();
    var now = attempt(output, needs, epoch);
    var plan = TemplatePlan.of(state(output), now, loop.now());
    remember(output, plan.state());
    if (plan.step() == Step.NOTHING) {
      return prepares(output, now)
          ? here(deploymentIds.get()).compose(id -> prepare(output, now, plan, id))
          : Future.succeededFuture(result(plan));
    }
    boolean check = plan.step() == Step.CHECK;
    return here(deploymentIds.get())
        .compose(id -> act(output, now, check, id))
        .map(
            result ->
                prepares(output, now) && state(output).isDone(now)
                    ? Result.again(Duration.ZERO)
                    : result);
  }

  /** Former files may be for programs that are not on the disk any longer. */
  private static void refusePin(Resource<Spec, Status> output) throws Templates.Failed {
    var pin = OutputStatus.pin(output);
    if (pin.isPresent()
        && (output.spec().release().isPresent() || output.spec().next().isPresent())) {
      throw new Templates.Failed(
          "files of release %s cannot be brought back, since the role has an image; run: vw files resume %s"
                  .formatted(pin.get(), output.spec().role())
              + ", and schedule the version that you want",
          true);
    }
  }

  /** Whether the next files of the output have to be checked. */
  private boolean prepares(Resource<Spec, Status> output, Attempt now) {
    return output.spec().next().isPresent()
        && output.status().isPresent()
        && !now.equals(checked.get(output.name()));
  }

  /** Checks the next files. A failure of the machine is retried. */
  private Future<Result> prepare(
      Resource<Spec, Status> output, Attempt now, TemplatePlan plan, String deployment) {
    var next = output.spec().switchedTo(output.spec().next().orElseThrow());
    var wanted = wanted(output.withSpec(next), deployment);
    var before = before(output, false);
    return loop.offload(
            () -> {
              refusePin(output);
              templates.prepare(wanted, before);
              return Optional.<Templates.Failed>empty();
            })
        .recover(
            failure ->
                failure instanceof Templates.Failed failed
                    ? Future.succeededFuture(Optional.of(failed))
                    : Future.failedFuture(failure))
        .compose(
            failure -> {
              boolean again =
                  failure.filter(it -> it.why() == Templates.Failed.Why.MACHINE).isPresent();
              var status =
                  OutputStatus.prepared(output, output.status().orElseThrow(), failure, loop.now());
              return Writes.status(store, output, status)
                  .map(
                      written -> {
                        if (again) {
                          return Result.again(RoleState.RETRY);
                        }
                        checked.put(output.name(), now);
                        return result(plan);
                      });
            });
  }

  private Future<Result> act(
      Resource<Spec, Status> output, Attempt now, boolean check, String deployment) {
    var wanted = wanted(output, deployment);
    var before = before(output, state(output).forced().isPresent());
    return loop.offload(
            () -> {
              refusePin(output);
              return act(wanted, output, before, check);
            })
        .compose(applied -> succeeded(output, applied, wanted, now))
        .recover(failure -> recover(output, failure, now, check));
  }

  /** Returns a future that completes on this loop. */
  private <V> Future<V> here(Future<V> future) {
    var promise = Promise.<V>promise();
    future.onComplete(outcome -> loop.execute(() -> promise.handle(outcome)));
    return promise.future();
  }

  private static Result result(TemplatePlan plan) {
    return new Result(plan.again());
  }

  private Attempt attempt(
      Resource<Spec, Status> output, Map<String, List<String>> needs, long since) {
    var role = output.spec().role();
    return new Attempt(
        output.meta().uid(),
        output.meta().generation(),
        since,
        Optional.of(schedule().map(Schedule.Spec::hash).orElse("")),
        OutputStatus.pin(output),
        OutputStatus.allowed(output),
        Needs.cycle(role, needs.getOrDefault(role, List.of()), needs));
  }

  /** Performs the step. Runs off the loop. */
  private Templates.Applied act(
      Templates.Wanted wanted,
      Resource<Spec, Status> output,
      Templates.Before before,
      boolean checkOnly)
      throws Templates.Failed {
    boolean unseen = watch(output.name(), before.files());
    var applied = checkOnly ? templates.check(wanted, before) : templates.apply(wanted, before);
    unseen = watch(output.name(), applied.files()) || unseen;
    if (unseen) {
      loop.execute(() -> changed(output.name())); // a file may have changed before it was watched
    }
    return applied;
  }

  private boolean watch(String owner, List<TemplateOutput.File> written) {
    return watching.watch(owner, written.stream().map(TemplateOutput.File::path).toList());
  }

  private Optional<Schedule.Spec> schedule() {
    return store.get(Schedule.KIND, Schedule.CURRENT).map(Resource::spec);
  }

  private static Templates.Before before(Resource<Spec, Status> output, boolean forced) {
    return output
        .status()
        .map(
            last ->
                new Templates.Before(
                    forced ? "" : last.input(), last.files(), last.processes(), last.releases()))
        .orElse(Templates.Before.NOTHING);
  }

  private Templates.Wanted wanted(Resource<Spec, Status> output, String deployment) {
    var spec = output.spec();
    return new Templates.Wanted(
        output.name(),
        spec.role(),
        spec.template(),
        variables(spec, deployment),
        input(spec),
        deployment,
        loop.now(),
        OutputStatus.pin(output),
        OutputStatus.allowed(output),
        state(output).backoff().pause(loop.now()).isZero(),
        neighbours());
  }

  /** Supplies the needs of the node, based on the present states. The supplier reads the store. */
  private Supplier<Needs> neighbours() {
    var needs = needs();
    var remembered = Map.copyOf(states);
    long since = epoch;
    return () ->
        ObservedNeeds.of(
            store,
            node,
            needs,
            each ->
                Optional.ofNullable(remembered.get(each.name()))
                    .filter(state -> state.isDone(attempt(each, needs, since)))
                    .isPresent());
  }

  private static String input(Spec spec) {
    var input = new LinkedHashMap<String, Object>();
    input.put("template", spec.template());
    input.put("variables", spec.variables());
    spec.release().ifPresent(release -> input.put("release", release.path()));
    return Json.hash(input);
  }

  private Map<String, Object> variables(Spec spec, String deployment) {
    var variables = new LinkedHashMap<>(spec.variables());
    spec.release().map(ReleaseVariable::of).ifPresent(it -> variables.put("release", it));
    variables.put("role", spec.role());
    variables.put("timestamp", loop.now().toString());
    variables.put("deployment_id", deployment);
    variables.put("verwalter_version", "v" + version);
    schedule().ifPresent(known -> variables.put(Rendered.SCHEDULE, known.data()));
    return variables;
  }

  private Future<Result> succeeded(
      Resource<Spec, Status> output,
      Templates.Applied applied,
      Templates.Wanted wanted,
      Attempt now) {
    var status =
        state(output).isDone(now) && before(output, false).digest().equals(applied.digest())
            ? OutputStatus.checked(output, applied, wanted.deployment(), loop.now())
            : OutputStatus.succeeded(output, applied, wanted.deployment(), loop.now());
    events.applied(output, applied, status);
    remember(output, TemplatePlan.applied(state(output), now, applied, loop.now()));
    return written(output, status).map(done -> recorded(output, applied, now, done));
  }

  private Result recorded(
      Resource<Spec, Status> output,
      Templates.Applied applied,
      Attempt now,
      Resource<Spec, Status> written) {
    var allowed = OutputStatus.allowed(written);
    var plan = TemplatePlan.recorded(state(output), now, applied, allowed, loop.now());
    remember(output, plan.state());
    waitingFor(output.spec().role()).forEach(keys);
    return result(plan);
  }

  /** Writes the status and removes the permission, which is valid for one rendering only. */
  private Future<Resource<Spec, Status>> written(Resource<Spec, Status> output, Status status) {
    if (OutputStatus.allowed(output).isEmpty() || output.spec().next().isPresent()) {
      return Writes.status(store, output, status);
    }
    var annotations = new HashMap<>(output.meta().annotations());
    annotations.remove(TemplateOutput.ALLOW);
    var next = output.withMeta(output.meta().withAnnotations(annotations)).withStatus(status);
    return store
        .commit(List.of(new Write.Put(next), new Write.PutStatus(next)))
        .map(done -> store.get(TemplateOutput.KIND, next.name()).orElse(next));
  }

  private Future<Result> recover(
      Resource<Spec, Status> output, Throwable failure, Attempt now, boolean checked) {
    if (failure instanceof Templates.Failed failed) {
      return failed(output, failed, now, checked);
    }
    if (checked) {
      remember(output, state(output).withSuspect(true));
    }
    return Future.failedFuture(failure);
  }

  private Future<Result> failed(
      Resource<Spec, Status> output, Templates.Failed failure, Attempt now, boolean checked) {
    var why = failure.getMessage() + " (the previous files stay in place)";
    var status = OutputStatus.failed(output, failure, why, loop.now());
    events.failed(output, failure, why, status);
    return Writes.status(store, output, status)
        .map(
            written -> {
              var plan = TemplatePlan.failed(state(output), now, failure, checked, loop.now());
              remember(output, plan.state());
              return result(plan);
            });
  }

  @Override
  public Future<Boolean> cleanUp(Resource<Spec, Status> output) {
    var written = output.status().map(Status::files).orElseGet(List::of);
    return loop.offload(
            () -> {
              watching.watch(output.name(), List.of());
              templates.remove(output.name(), written);
              return true;
            })
        .onSuccess(
            gone -> {
              states.remove(output.name());
              checked.remove(output.name());
              requeueDependents();
            });
  }
}
