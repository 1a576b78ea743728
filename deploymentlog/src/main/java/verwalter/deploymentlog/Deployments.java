package verwalter.deploymentlog;

import io.vertx.core.Future;
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
 * Brings what is rendered on this node together into deployments (verwalter.md 4.5, 8): a new
 * schedule begins one, as does a rendering for another reason, and what is rendered meanwhile
 * belongs to it. It ends when nothing of it has been rendered for {@link #QUIET}.
 */
public final class Deployments {
  /** How long nothing may be rendered in a deployment that goes on. */
  public static final Duration QUIET = Duration.ofSeconds(1);

  private final Supplier<Optional<Resource<Schedule.Spec, Schedule.Status>>> currentSchedule;
  private final Loop loop;
  private final Supplier<String> ids;
  private final DeploymentLog log;
  private final Optional<Backups> backups;

  /** Deployments that go on, by id. Guarded by this, like all that follows. */
  private final Map<String, Open> open = new HashMap<>();

  private Optional<Deployment> current = Optional.empty();
  private String seen = "";

  /** A deployment with how many roles are being rendered, and how often that has changed. */
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
   * Deployments of one node.
   *
   * @param currentSchedule the schedule in force; called on any thread
   * @param ids that are never given twice
   * @param backups of the schedule; none in a dry run
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

  /** Begins a deployment for a schedule that is new to this node, and keeps the schedule. */
  public Future<?> arrived(Schedule.Spec schedule) {
    var id = join();
    return loop.offload(
        () -> {
          enter(id);
          backups.ifPresent(its -> its.keep(schedule));
          leave(id);
          return id;
        });
  }

  private Schedule.Spec schedule() {
    return currentSchedule.get().map(Resource::spec).orElse(Schedule.Spec.NONE);
  }

  /** The id of the deployment that a rendering which begins now belongs to. Writes nothing. */
  public String join() {
    var schedule = schedule();
    synchronized (this) {
      var going =
          current
              .filter(each -> each.schedule().equals(schedule.hash()))
              .filter(each -> open.containsKey(each.id()));
      var deployment = going.orElseGet(() -> begun(schedule));
      touch(deployment.id());
      return deployment.id();
    }
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

  /** A role is rendered from now on. Blocks while the log is written. */
  public void beginRole(String id, String role, Object variables) {
    log.beginRole(enter(id), role, variables);
  }

  /** A role has been rendered, or could not be. Blocks while the log is written. */
  public void endRole(String id, String role, List<LogPiece> pieces) {
    log.endRole(known(id), role, pieces);
    leave(id);
  }

  private Deployment enter(String id) {
    Deployment deployment;
    synchronized (this) {
      var going = open.computeIfAbsent(id, late -> new Open(unknown(late)));
      going.rendering++;
      going.entered = true;
      deployment = going.deployment;
    }
    log.begin(deployment);
    return deployment;
  }

  private synchronized Deployment known(String id) {
    var going = open.get(id);
    return going == null ? unknown(id) : going.deployment;
  }

  /** One that has been ended while a role waited for its turn. */
  private Deployment unknown(String id) {
    return new Deployment(id, seen, false, List.of());
  }

  private synchronized void leave(String id) {
    var going = open.get(id);
    if (going != null) {
      going.rendering--;
      touch(id);
    }
  }

  /** Looks again once it has been quiet. Called with the lock. */
  private void touch(String id) {
    var going = open.get(id);
    if (going != null) {
      long stamp = ++going.stamp;
      loop.after(QUIET, () -> settle(id, stamp));
    }
  }

  private synchronized void settle(String id, long stamp) {
    var going = open.get(id);
    if (going != null && going.stamp == stamp && going.rendering == 0) {
      open.remove(id);
      if (going.entered) {
        loop.offload(() -> ended(going.deployment));
      }
    }
  }

  private Deployment ended(Deployment deployment) {
    var debug =
        currentSchedule
            .get()
            .filter(its -> its.spec().hash().equals(deployment.schedule()))
            .flatMap(Resource::status)
            .map(Schedule.Status::log)
            .orElse("");
    log.end(deployment, debug);
    backups.ifPresent(Backups::copy);
    return deployment;
  }

  /** Ends the logs of what goes on, when the agent ends. Blocks. */
  public void close() {
    log.abandon();
  }
}
