package verwalter.agent;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import verwalter.cluster.Leases;
import verwalter.concurrent.Loop;
import verwalter.controllers.arrival.ScheduleArrivals;
import verwalter.controllers.config.ConfigChange;
import verwalter.controllers.config.DirectoryHashes;
import verwalter.controllers.node.NodeReconciler;
import verwalter.controllers.nodeschedule.NodeScheduleReconciler;
import verwalter.controllers.runtime.Counters;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.runtime.RunningControllers;
import verwalter.model.Writer;

/**
 * The controllers between a node and the cluster: they describe the node and carry out its share of
 * the schedule, whether or not the node leads, once its name is claimed.
 */
final class NodeControllers {
  private final RunningControllers controllers = new RunningControllers();
  private final Loop nodeLoop;
  private final Loop scheduleLoop;
  private final Leases leases;
  private final NodeScheduleReconciler schedule;
  private final NodeReconciler node;
  private final Optional<DirectoryHashes> hashes;
  private boolean closed;

  private NodeControllers(NodeAgent.Parts parts, Events events) {
    var execution = parts.execution();
    var rendering = parts.rendering();
    leases = parts.cluster().leases();
    hashes = parts.configuration().cluster().map(NodeAgent.ClusterConfig::hashes);
    nodeLoop = execution.loop("node");
    scheduleLoop = execution.loop("share");
    schedule =
        new NodeScheduleReconciler(
            parts.by(Writer.NODE_SCHEDULE),
            scheduleLoop,
            parts.machine().name(),
            rendering.responder(),
            parts.cluster().followed());
    node =
        new NodeReconciler(
            parts.by(Writer.NODE), events, parts.machine(), parts.cluster().createsNode());

    execution.start(controllers, nodeLoop, node.controller());
    execution.start(controllers, scheduleLoop, schedule.controller());
    rendering
        .deployments()
        .ifPresent(
            its ->
                execution.start(
                    controllers,
                    its.loop(),
                    new ScheduleArrivals(parts.store(), its::arrived).controller()));
    nodeLoop.execute(this::renew);
    nodeLoop.execute(() -> hash(area -> true));
  }

  /** Starts the controllers of a node whose name is claimed. */
  static NodeControllers start(NodeAgent.Parts parts, Events events) {
    return new NodeControllers(parts, events);
  }

  /**
   * Renews the lease on the loop of the node controller, so that a stuck loop does not renew it.
   */
  private void renew() {
    if (!closed) {
      leases.renew();
      nodeLoop.after(Leases.RENEWAL, this::renew);
    }
  }

  /** Reports a change of the configuration directory. */
  void changed(ConfigChange change) {
    if (change.touches("scheduler")) {
      scheduleLoop.execute(schedule::responderChanged);
    }
    nodeLoop.execute(() -> hash(change::touches));
  }

  /** Reports the hashes of the directory. If it cannot be read, the former ones stay. */
  private void hash(Predicate<String> changed) {
    hashes.ifPresent(
        its ->
            nodeLoop
                .offload(() -> its.read(changed))
                .onSuccess(
                    read -> {
                      if (!closed) {
                        node.configured(read);
                      }
                    }));
  }

  /** The node may follow another share. */
  void followedChanged() {
    scheduleLoop.execute(schedule::responderChanged);
  }

  List<Counters.Snapshot> counters() {
    return controllers.counters();
  }

  /** Stops them; touches nothing that runs. */
  void close() {
    nodeLoop.execute(() -> closed = true);
    controllers.close();
  }
}
