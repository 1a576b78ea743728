package verwalter.controllers.template;

import io.vertx.core.Future;
import java.time.Duration;
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
import verwalter.controllers.runtime.Controller;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.runtime.Finalized;
import verwalter.controllers.runtime.Result;
import verwalter.controllers.runtime.Writes;
import verwalter.model.Condition;
import verwalter.model.Event;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.Schedule;
import verwalter.model.TemplateOutput;
import verwalter.model.TemplateOutput.Spec;
import verwalter.model.TemplateOutput.Status;
import verwalter.render.Rendered;
import verwalter.stores.api.Loop;
import verwalter.stores.api.ObjectStore;

/**
 * Keeps the template outputs of one node. A rendering that fails leaves the files as they are; it
 * is tried again when its input changes, and when the failure may pass by itself also later.
 */
public final class TemplateReconciler implements Finalized.Keeper<Spec, Status> {
  /** Whether the files of the newest input are in place. */
  public static final String RENDERED = "Rendered";

  private static final Duration RETRY = Duration.ofSeconds(30);
  private static final String NAME = "template";

  private final ObjectStore store;
  private final Loop loop;
  private final Templates templates;
  private final Events events;
  private final String node;
  private final String version;
  private final Supplier<String> deploymentIds;
  private final Map<String, Attempt> attempts = new HashMap<>();
  private final Set<String> forced = new HashSet<>();
  private Consumer<ResourceKey> keys = key -> {};
  private long epoch;

  /**
   * The input of the last attempt that needs no other.
   *
   * @param epoch how often the template files had changed
   * @param schedule hash of the whole schedule, if the templates may look at it
   */
  private record Attempt(String uid, long generation, long epoch, Optional<String> schedule) {
    Attempt ofRoleAlone() {
      return new Attempt(uid, generation, epoch, Optional.empty());
    }
  }

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
      Events events,
      String node,
      String version,
      Supplier<String> deploymentIds) {
    this.store = store;
    this.loop = loop;
    this.templates = templates;
    this.events = events;
    this.node = node;
    this.version = version;
    this.deploymentIds = deploymentIds;
  }

  public Controller.Builder controller() {
    return Controller.named(
            NAME, new Finalized<>(store, TemplateOutput.KIND, TemplateOutput.FINALIZER, this))
        .watching(store, TemplateOutput.KIND)
        .watching(store, Schedule.KIND, schedule -> ofSchedule())
        .from(
            (on, heard) -> {
              keys = heard;
              return () -> {};
            })
        .concurrency(4);
  }

  /** What another schedule may change though its own variables stay. */
  private Stream<ResourceKey> ofSchedule() {
    return attempts.entrySet().stream()
        .filter(each -> each.getValue().schedule().isPresent())
        .map(each -> new ResourceKey(TemplateOutput.KIND.name(), each.getKey()));
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

  @Override
  public boolean concerns(Resource<Spec, Status> output) {
    return output.spec().node().equals(node);
  }

  @Override
  public Future<Result> keep(Resource<Spec, Status> output) {
    var schedule = store.get(Schedule.KIND, Schedule.CURRENT).map(Resource::spec);
    var now =
        new Attempt(
            output.meta().uid(),
            output.meta().generation(),
            epoch,
            Optional.of(schedule.map(Schedule.Spec::hash).orElse("")));
    var latest = attempts.get(output.name());
    if (now.equals(latest) || now.ofRoleAlone().equals(latest)) {
      return Result.done();
    }
    var spec = output.spec();
    var deployment = deploymentIds.get();
    var variables = variables(spec, deployment, schedule);
    var before =
        output
            .status()
            .map(
                last ->
                    new Templates.Before(
                        forced.contains(output.name()) ? "" : last.input(),
                        last.files(),
                        last.processes()))
            .orElse(Templates.Before.NOTHING);
    return loop.offload(
            () -> templates.apply(output.name(), spec.role(), spec.template(), variables, before))
        .compose(applied -> succeeded(output, applied, deployment, now))
        .recover(
            failure ->
                failure instanceof Templates.Failed failed
                    ? failed(output, failed, now)
                    : Future.failedFuture(failure));
  }

  private Map<String, Object> variables(
      Spec spec, String deployment, Optional<Schedule.Spec> schedule) {
    var variables = new LinkedHashMap<>(spec.variables());
    variables.put("role", spec.role());
    variables.put("timestamp", loop.now().toString());
    variables.put("deployment_id", deployment);
    variables.put("verwalter_version", "v" + version);
    schedule.ifPresent(known -> variables.put(Rendered.SCHEDULE, known.data()));
    return variables;
  }

  private Future<Result> succeeded(
      Resource<Spec, Status> output, Templates.Applied applied, String deployment, Attempt now) {
    forced.remove(output.name());
    if (applied.changed()) {
      events.tell(
          NAME,
          output.key(),
          Event.Type.NORMAL,
          "Rendered",
          "%d files, %d process files are in place"
              .formatted(applied.files().size(), applied.processes().size()));
    }
    var status =
        new Status(
            output.meta().generation(),
            applied.changed()
                ? Optional.of(deployment)
                : output.status().flatMap(Status::deployment),
            applied.digest(),
            applied.files(),
            applied.processes(),
            condition(
                output,
                Condition.yes(RENDERED, "InPlace", "", output.meta().generation(), loop.now())));
    return Writes.status(store, output, status)
        .map(
            written -> {
              attempts.put(output.name(), applied.ofSchedule() ? now : now.ofRoleAlone());
              return Result.DONE;
            });
  }

  private Future<Result> failed(
      Resource<Spec, Status> output, Templates.Failed failure, Attempt now) {
    var why = failure.getMessage() + " (the files before stay)";
    var before = output.status();
    var last = before.flatMap(status -> Condition.find(status.conditions(), RENDERED));
    if (last.filter(was -> was.isFalse() && was.message().equals(why)).isEmpty()) {
      events.tell(NAME, output.key(), Event.Type.WARNING, "RenderFailed", why);
    }
    var status =
        new Status(
            output.meta().generation(),
            before.flatMap(Status::deployment),
            before.map(Status::input).orElse(""),
            before.map(Status::files).orElseGet(List::of),
            before.map(Status::processes).orElseGet(List::of),
            condition(
                output,
                Condition.no(
                    RENDERED, "RenderFailed", why, output.meta().generation(), loop.now())));
    return Writes.status(store, output, status)
        .map(
            written -> {
              if (failure.lasting()) {
                attempts.put(output.name(), now);
                return Result.DONE;
              }
              return Result.again(RETRY);
            });
  }

  private static List<Condition> condition(Resource<Spec, Status> output, Condition next) {
    return Condition.put(output.status().map(Status::conditions).orElseGet(List::of), next);
  }

  @Override
  public Future<Boolean> release(Resource<Spec, Status> output) {
    var files = output.status().map(Status::files).orElseGet(List::of);
    return loop.offload(
            () -> {
              templates.remove(output.name(), files);
              return true;
            })
        .onSuccess(
            gone -> {
              attempts.remove(output.name());
              forced.remove(output.name());
            });
  }
}
