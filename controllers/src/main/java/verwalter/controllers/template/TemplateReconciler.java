package verwalter.controllers.template;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import verwalter.concurrent.Loop;
import verwalter.controllers.runtime.Controller;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.runtime.FinalizingReconciler;
import verwalter.controllers.runtime.Result;
import verwalter.controllers.runtime.Writes;
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
import verwalter.stores.api.Write;

/**
 * Keeps the template outputs of one node. A rendering that fails leaves the files as they are; it
 * is tried again when its input changes, and when the failure may pass by itself also later. Files
 * that somebody else changes are put back when that is noticed, after ever longer pauses while it
 * goes on.
 */
public final class TemplateReconciler implements FinalizingReconciler<Spec, Status> {
  private static final Duration RETRY = Duration.ofSeconds(30);

  /** How long changes of files are gathered before they are looked at. */
  private static final Duration SETTLE = Duration.ofMillis(300);

  /** How many roles are rendered at once, so that a few slow ones do not delay the others. */
  private static final int AT_ONCE = 8;

  static final String NAME = "template";

  private final ObjectStore store;
  private final Loop loop;
  private final Templates templates;
  private final FileWatch files;
  private final OutputEvents events;
  private final String node;
  private final String version;
  private final Supplier<String> deploymentIds;
  private final Map<String, Attempt> attempts = new HashMap<>();
  private final Map<String, Pause> pauses = new HashMap<>();
  private final Set<String> suspects = new HashSet<>();
  private final Set<String> forced = new HashSet<>();
  private final Set<String> settling = new HashSet<>();
  private final Map<String, List<String>> needs = new HashMap<>();
  private final Map<String, List<String>> waiting = new HashMap<>();
  private final Pace pace = new Pace();
  private FileWatch.Watching watching;
  private Consumer<ResourceKey> keys = key -> {};
  private long epoch;

  /** An attempt that failed, and when it may be made again. */
  private record Pause(Attempt attempt, Instant until) {}

  /**
   * A reconciler for one node.
   *
   * @param version of this program, for templates
   * @param deploymentIds ids that are never given twice
   */
  public TemplateReconciler(
      ObjectStore store,
      Loop loop,
      Templates templates,
      FileWatch files,
      Events events,
      String node,
      String version,
      Supplier<String> deploymentIds) {
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
            (on, heard) -> {
              keys = heard;
              watching = files.start(on, this::changed);
              return watching;
            })
        .concurrency(AT_ONCE);
  }

  private Stream<ResourceKey> waitingFor(String role) {
    return waiting.entrySet().stream()
        .filter(each -> each.getValue().contains(role))
        .map(each -> TemplateOutput.KIND.key(each.getKey()));
  }

  /** What these roles need is another than before: whom that may concern looks again. */
  private void needs(String role, List<String> now) {
    if (!now.equals(needs.put(role, now))) {
      requeueDependents();
    }
  }

  private void requeueDependents() {
    for (var output : store.list(TemplateOutput.KIND)) {
      if (!needs.getOrDefault(output.spec().role(), List.of()).isEmpty()) {
        keys.accept(output.key());
      }
    }
  }

  /** What another schedule may change though its own variables stay. */
  private Stream<ResourceKey> ofSchedule() {
    return attempts.entrySet().stream()
        .filter(each -> each.getValue().schedule().isPresent())
        .map(each -> TemplateOutput.KIND.key(each.getKey()));
  }

  /** The files below {@code templates/} have changed. Call on the loop. */
  public void templatesChanged() {
    epoch++;
    store.list(TemplateOutput.KIND).forEach(output -> keys.accept(output.key()));
  }

  /** Applies every role anew, as if nothing of it were in place. Call on the loop. */
  public void renderAll() {
    epoch++;
    for (var output : store.list(TemplateOutput.KIND)) {
      forced.add(output.name());
      keys.accept(output.key());
    }
  }

  /** Some file of this output may be another now. */
  private void changed(String owner) {
    if (settling.add(owner)) {
      loop.after(
          SETTLE,
          () -> {
            settling.remove(owner);
            suspects.add(owner);
            keys.accept(TemplateOutput.KIND.key(owner));
          });
    }
  }

  @Override
  public boolean concerns(Resource<Spec, Status> output) {
    return output.spec().node().equals(node);
  }

  @Override
  public Future<Result> reconcile(Resource<Spec, Status> output) {
    var now = attempt(output);
    boolean done = isDone(output, now);
    var pause = Optional.ofNullable(pauses.get(output.name()));
    if (pause
        .filter(it -> it.attempt().equals(now) && loop.now().isBefore(it.until()))
        .isPresent()) {
      return Future.succeededFuture(
          Result.again(Duration.between(loop.now(), pause.get().until())));
    }
    if (!suspects.remove(output.name()) && done) {
      return Result.done();
    }
    var wanted = wanted(output, deploymentIds.get());
    var before = before(output, forced.contains(output.name()));
    return loop.offload(() -> act(wanted, output, before, done))
        .compose(applied -> succeeded(output, applied, wanted, now))
        .recover(failure -> recover(output, failure, now, done));
  }

  private Attempt attempt(Resource<Spec, Status> output) {
    var role = output.spec().role();
    return new Attempt(
        output.meta().uid(),
        output.meta().generation(),
        epoch,
        Optional.of(schedule().map(Schedule.Spec::hash).orElse("")),
        OutputStatus.pin(output),
        OutputStatus.allowed(output),
        Needs.circle(role, needs.getOrDefault(role, List.of()), needs));
  }

  private boolean isDone(Resource<Spec, Status> output, Attempt now) {
    var last = attempts.get(output.name());
    return now.equals(last) || now.ofRoleAlone().equals(last);
  }

  /** Off the loop. */
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
      loop.execute(() -> changed(output.name())); // what was changed before it was looked at
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
        Json.hash(Map.of("template", spec.template(), "variables", spec.variables())),
        deployment,
        loop.now(),
        OutputStatus.pin(output),
        OutputStatus.allowed(output),
        pace.pause(output.name(), loop.now()).isZero(),
        Neighbours.of(store, node, needs, each -> isDone(each, attempt(each))));
  }

  private Map<String, Object> variables(Spec spec, String deployment) {
    var variables = new LinkedHashMap<>(spec.variables());
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
    boolean checked = isDone(output, now);
    var made =
        checked
            ? attempts.getOrDefault(output.name(), now)
            : (applied.ofSchedule() ? now : now.ofRoleAlone()).in(Optional.empty());
    var status =
        checked && before(output, false).digest().equals(applied.digest())
            ? OutputStatus.checked(output, applied, wanted.deployment(), loop.now())
            : OutputStatus.succeeded(output, applied, wanted.deployment(), loop.now());
    events.applied(output, applied, status);
    if (applied.repaired()) {
      pace.repaired(output.name(), loop.now());
    }
    if (!checked) {
      forced.remove(output.name());
      needs(output.spec().role(), applied.needs());
      waiting.remove(output.name());
    }
    pauses.remove(output.name());
    return written(output, status)
        .map(
            done -> {
              attempts.put(output.name(), made.allowing(OutputStatus.allowed(done)));
              waitingFor(output.spec().role()).forEach(keys);
              return result(output, applied);
            });
  }

  /** The permission is used up, so that it holds for one rendering only. */
  private Future<Resource<Spec, Status>> written(Resource<Spec, Status> output, Status status) {
    if (OutputStatus.allowed(output).isEmpty()) {
      return Writes.status(store, output, status);
    }
    var annotations = new HashMap<>(output.meta().annotations());
    annotations.remove(TemplateOutput.ALLOW);
    var next = output.withMeta(output.meta().withAnnotations(annotations)).withStatus(status);
    return store
        .commit(List.of(new Write.Put(next), new Write.PutStatus(next)))
        .map(done -> store.get(TemplateOutput.KIND, next.name()).orElse(next));
  }

  private Result result(Resource<Spec, Status> output, Templates.Applied applied) {
    if (applied.drifted().isEmpty() || applied.repaired() || applied.reportsOnly()) {
      return Result.DONE;
    }
    suspects.add(output.name());
    var pause = pace.pause(output.name(), loop.now());
    return Result.again(pause.isZero() ? SETTLE : pause);
  }

  private Future<Result> recover(
      Resource<Spec, Status> output, Throwable failure, Attempt now, boolean checked) {
    if (failure instanceof Templates.Failed failed) {
      return failed(output, failed, now, checked);
    }
    if (checked) {
      suspects.add(output.name());
    }
    return Future.failedFuture(failure);
  }

  private Future<Result> failed(
      Resource<Spec, Status> output, Templates.Failed failure, Attempt now, boolean checked) {
    var why = failure.getMessage() + " (the files before stay)";
    var status = OutputStatus.failed(output, failure, why, loop.now());
    events.failed(output, failure, why, status);
    return Writes.status(store, output, status).map(written -> next(output, failure, now, checked));
  }

  private Result next(
      Resource<Spec, Status> output, Templates.Failed failure, Attempt now, boolean checked) {
    return switch (failure.why()) {
      case INPUT, HELD -> lasting(output, now, checked);
      case CYCLE -> {
        waiting.remove(output.name());
        needs(output.spec().role(), failure.needs());
        yield lasting(output, now.in(Optional.of(failure.getMessage())), checked);
      }
      case MACHINE -> {
        attempts.remove(output.name());
        pauses.put(output.name(), new Pause(now, loop.now().plus(RETRY)));
        yield Result.again(RETRY);
      }
      case WAITING -> {
        needs(output.spec().role(), failure.needs());
        waiting.put(output.name(), failure.needs());
        yield Result.again(RETRY);
      }
    };
  }

  private Result lasting(Resource<Spec, Status> output, Attempt attempt, boolean checked) {
    attempts.put(output.name(), attempt); // with the schedule, which may be what is wrong
    if (checked) {
      return Result.DONE;
    }
    suspects.add(output.name()); // the files before stay, and should be as written
    return Result.again(SETTLE);
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
              attempts.remove(output.name());
              forced.remove(output.name());
              pauses.remove(output.name());
              suspects.remove(output.name());
              waiting.remove(output.name());
              needs.remove(output.spec().role());
              requeueDependents();
              pace.forget(output.name());
            });
  }
}
