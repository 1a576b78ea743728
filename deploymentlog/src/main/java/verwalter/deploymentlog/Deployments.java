package verwalter.deploymentlog;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import verwalter.concurrent.Loop;
import verwalter.model.Resource;
import verwalter.model.Schedule;
import verwalter.render.LogPiece;

/**
 * Groups the renderings of this node into deployments and logs them. A new schedule begins a
 * deployment, and so does a rendering for another reason. Renderings until its end belong to it. It
 * ends after {@link #QUIET} without a rendering.
 *
 * <p>Its state is confined to its loop; all methods may be called from any thread.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>No method blocks. Logs are written on another thread, in the order of the calls.
 *   <li>A deployment that has begun is logged with its beginning and one end.
 *   <li>No deployment ends while one of its roles is being rendered.
 *   <li>A rendering that begins within {@link #QUIET} of the last one of the same schedule belongs
 *       to the same deployment.
 *   <li>A write error stops neither the deployment nor later writes.
 * </ol>
 */
public final class Deployments {
  /** A deployment ends after this time without a rendering. */
  public static final Duration QUIET = Duration.ofSeconds(1);

  private final Supplier<Optional<Resource<Schedule.Spec, Schedule.Status>>> currentSchedule;
  private final Loop loop;
  private final Supplier<String> ids;
  private final DeploymentLog log;
  private final Optional<Backups> backups;

  /** Open deployments by id. */
  private final Map<String, Open> open = new HashMap<>();

  private Optional<Deployment> current = Optional.empty();
  private String seen = "";

  /** Completes after all writes that were requested so far. */
  private Future<?> written = Future.succeededFuture();

  /** An open deployment with the number of roles being rendered, and of changes of this number. */
  private static final class Open {
    private final Deployment deployment;
    private int rendering;
    private boolean entered;
    private long stamp;

    private Open(Deployment deployment) {
      this.deployment = deployment;
    }
  }

  /**
   * Creates the deployments of a node.
   *
   * @param currentSchedule the schedule in force; called on any thread
   * @param ids supplies unique ids
   * @param backups backups of the schedule; none in a dry run
   */
  public Deployments(
      Supplier<Optional<Resource<Schedule.Spec, Schedule.Status>>> currentSchedule,
      Loop loop,
      Supplier<String> ids,
      DeploymentLog log,
      Optional<Backups> backups) {
    this.currentSchedule = currentSchedule;
    this.loop = loop;
    this.ids = ids;
    this.log = log;
    this.backups = backups;
  }

  /** The loop on which {@link #arrived} must be called. */
  public Loop loop() {
    return loop;
  }

  /**
   * Begins a deployment for a schedule that is new to this node, and writes the schedule. Completes
   * on the loop after the write, successful or not.
   */
  public Future<?> arrived(Schedule.Spec schedule) {
    return onLoop(
            () -> {
              var id = joined();
              enter(id);
              return write(() -> backups.ifPresent(its -> its.keep(schedule)))
                  .onComplete(kept -> leave(id));
            })
        .compose(done -> done);
  }

  private Schedule.Spec schedule() {
    return currentSchedule.get().map(Resource::spec).orElse(Schedule.Spec.NONE);
  }

  private <V> Future<V> onLoop(Supplier<V> work) {
    var promise = Promise.<V>promise();
    loop.execute(() -> promise.complete(work.get()));
    return promise.future();
  }

  /** Runs a write. Completes on the loop, even if it fails. */
  private Future<?> write(Runnable work) {
    written =
        written.transform(
            before ->
                loop.offload(
                    () -> {
                      work.run();
                      return before.succeeded();
                    }));
    return written;
  }

  /**
   * Returns the id of the deployment for a rendering that begins now. Completes on the loop. Writes
   * nothing, since a rendering without a change is not logged.
   */
  public Future<String> join() {
    return onLoop(this::joined);
  }

  private String joined() {
    var schedule = schedule();
    var going =
        current
            .filter(each -> each.schedule().equals(schedule.hash()))
            .filter(each -> open.containsKey(each.id()));
    var deployment = going.orElseGet(() -> begun(schedule));
    touch(deployment.id());
    return deployment.id();
  }

  private Deployment begun(Schedule.Spec schedule) {
    var deployment =
        new Deployment(
            ids.get(), schedule.hash(), !schedule.hash().equals(seen), changes(schedule));
    seen = schedule.hash();
    open.put(deployment.id(), new Open(deployment));
    current = Optional.of(deployment);
    return deployment;
  }

  private static List<String> changes(Schedule.Spec schedule) {
    return schedule.data().get("changes") instanceof List<?> changes
        ? changes.stream().map(String::valueOf).toList()
        : List.of();
  }

  /** Reports the beginning of a role's rendering. */
  public void beginRole(String id, String role, Object variables) {
    loop.execute(
        () -> {
          var deployment = enter(id);
          write(() -> log.beginRole(deployment, role, variables));
        });
  }

  /** Reports the end of a role's rendering, successful or not. */
  public void endRole(String id, String role, List<LogPiece> pieces) {
    loop.execute(
        () -> {
          var going = open.get(id);
          var deployment = going == null ? unknown(id) : going.deployment;
          write(() -> log.endRole(deployment, role, pieces)).onComplete(done -> leave(id));
        });
  }

  private Deployment enter(String id) {
    var going = open.computeIfAbsent(id, late -> new Open(unknown(late)));
    going.rendering++;
    going.entered = true;
    write(() -> log.begin(going.deployment));
    return going.deployment;
  }

  /** A deployment that ended while a role waited. */
  private Deployment unknown(String id) {
    return new Deployment(id, seen, false, List.of());
  }

  private void leave(String id) {
    var going = open.get(id);
    if (going != null) {
      going.rendering--;
      touch(id);
    }
  }

  /** Schedules the check for the end of the deployment. */
  private void touch(String id) {
    var going = open.get(id);
    if (going != null) {
      long stamp = ++going.stamp;
      loop.after(QUIET, () -> settle(id, stamp));
    }
  }

  private void settle(String id, long stamp) {
    var going = open.get(id);
    if (going != null && going.stamp == stamp && going.rendering == 0) {
      open.remove(id);
      if (going.entered) {
        write(() -> ended(going.deployment));
      }
    }
  }

  private void ended(Deployment deployment) {
    var debug =
        currentSchedule
            .get()
            .filter(its -> its.spec().hash().equals(deployment.schedule()))
            .flatMap(Resource::status)
            .map(Schedule.Status::log)
            .orElse("");
    log.end(deployment, debug);
    backups.ifPresent(Backups::copy);
  }

  /**
   * Logs that open deployments were aborted because the agent ends. Completes on the loop after all
   * earlier writes.
   */
  public Future<?> close() {
    return onLoop(() -> write(log::abandon)).compose(done -> done);
  }
}
