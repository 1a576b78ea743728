package verwalter.agent;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import verwalter.cluster.Leadership;
import verwalter.controllers.config.ConfigChange;
import verwalter.controllers.config.ConfigDifferences;
import verwalter.controllers.config.ConfigReconciler;
import verwalter.controllers.lease.LeaseReconciler;
import verwalter.controllers.node.FormerNodes;
import verwalter.controllers.role.RoleReconciler;
import verwalter.controllers.rollout.RolloutReconciler;
import verwalter.controllers.runtime.Counters;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.runtime.RunningControllers;
import verwalter.controllers.schedule.LoadedScheduler;
import verwalter.controllers.schedule.ScheduleReconciler;
import verwalter.model.RoleConfig;
import verwalter.model.Writer;
import verwalter.stores.api.Author;
import verwalter.stores.api.AuthoredStore;
import verwalter.stores.api.ObjectStore;

/**
 * The leader's controllers, which manage objects of the cluster. A group is started for each term
 * and used for that term only.
 */
final class LeaderControllers {
  /**
   * How long to wait for reconciles in progress. Shorter than the time that the next leader waits
   * for this one.
   */
  private static final Duration STOP_WAIT = Leadership.STOP_LIMIT.multipliedBy(4).dividedBy(5);

  private final LeaderLoops loops;
  private final LeaderStore store;
  private final LoadedScheduler loaded;
  private final ConfigReconciler config;
  private final boolean clustered;
  private final RunningControllers controllers = new RunningControllers();

  private LeaderControllers(NodeAgent.Parts parts, LeaderLoops loops, long epoch) {
    this.loops = loops;
    this.store = new LeaderStore(parts.cluster().store(), epoch);
    var execution = parts.execution();
    var events = new Events(by(Writer.EVENTS, epoch), loops.events(), parts.machine().name());
    config =
        new ConfigReconciler(
            by(Writer.CONFIG, epoch),
            loops.config(),
            parts.configuration().runtime(),
            parts.configuration().cluster().map(its -> its.of(parts.machine().name())),
            events);
    clustered = parts.configuration().cluster().isPresent();
    loaded = new LoadedScheduler(loops.schedule(), parts.scheduling().loader());
    var schedule =
        new ScheduleReconciler(
            by(Writer.SCHEDULE, epoch),
            loops.schedule(),
            loaded,
            parts.scheduling().decisions(),
            parts.scheduling().metrics(),
            events,
            parts.machine().name(),
            parts.machine().id());
    var leases =
        new LeaseReconciler(
            by(Writer.LEASE, epoch), loops.leases(), parts.cluster().leases(), events);
    var former = new FormerNodes(by(Writer.NODE, epoch), events);
    execution.start(controllers, loops.leases(), leases.controller());
    execution.start(controllers, loops.leases(), former.controller());
    execution.start(
        controllers, loops.schedule(), schedule.controller(parts.scheduling().watched()));
    // A decision before the files are read would have no roles.
    config.afterFirstReading(() -> loops.schedule().execute(loaded::reload));
    config.afterSchedulerTaken(() -> loops.schedule().execute(loaded::reload));
    execution.start(controllers, loops.config(), config.controller());
    var roles = new RoleReconciler(by(Writer.ROLE, epoch), loops.config());
    execution.start(controllers, loops.config(), roles.controller());
    var rollouts = new RolloutReconciler(by(Writer.ROLLOUT, epoch), loops.config());
    execution.start(controllers, loops.config(), rollouts.controller());
    if (clustered) {
      var differences =
          new ConfigDifferences(by(Writer.CONFIG, epoch), loops.config(), parts.machine().name());
      execution.start(controllers, loops.config(), differences.controller());
    }
  }

  private ObjectStore by(Writer writer, long epoch) {
    return AuthoredStore.of(store, Author.ofLeader(writer, epoch));
  }

  /** Starts the controllers of a term whose writes are fenced by {@code epoch}. */
  static LeaderControllers start(NodeAgent.Parts parts, LeaderLoops loops, long epoch) {
    return new LeaderControllers(parts, loops, epoch);
  }

  /** Reports a change of the configuration directory. */
  void changed(ConfigChange change) {
    if (change.touches("scheduler") && !clustered) {
      loops.schedule().execute(loaded::reload);
    }
    boolean roles = change.touches(RoleConfig.RUNTIME) || change.touches(RoleConfig.ROLES);
    if (roles || (change.touches("scheduler") && clustered)) {
      loops.config().execute(() -> config.changed(change.changingRoles()));
    }
  }

  List<Counters.Snapshot> counters() {
    return controllers.counters();
  }

  /**
   * Stops the controllers: nothing is written and no reconcile begins afterwards.
   *
   * @return completes when no reconcile is in progress, or after {@link #STOP_WAIT}; later
   *     reconciles cannot write
   */
  Future<Void> stop() {
    store.end();
    var stopped = Promise.<Void>promise();
    loops.schedule().execute(loaded::close);
    loops.schedule().after(STOP_WAIT, stopped::tryComplete);
    controllers.stop().onComplete(done -> stopped.tryComplete());
    return stopped.future();
  }
}
