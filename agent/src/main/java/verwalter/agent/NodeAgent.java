package verwalter.agent;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.controllers.arrival.ScheduleArrivals;
import verwalter.controllers.config.ConfigChange;
import verwalter.controllers.config.ConfigReconciler;
import verwalter.controllers.instance.InstanceReconciler;
import verwalter.controllers.node.NodeReconciler;
import verwalter.controllers.nodeschedule.NodeScheduleReconciler;
import verwalter.controllers.nodeschedule.Responder;
import verwalter.controllers.process.ProcessReconciler;
import verwalter.concurrent.Backoff;
import verwalter.controllers.runtime.Controller;
import verwalter.controllers.runtime.Counters;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.runtime.Reconciler;
import verwalter.controllers.runtime.RunningControllers;
import verwalter.controllers.schedule.DecisionLog;
import verwalter.controllers.schedule.LoadedScheduler;
import verwalter.controllers.schedule.MetricsSource;
import verwalter.controllers.schedule.ScheduleReconciler;
import verwalter.controllers.template.FileWatch;
import verwalter.controllers.template.TemplateReconciler;
import verwalter.controllers.template.Templates;
import verwalter.deploymentlog.Deployments;
import verwalter.stores.api.ObjectStore;
import verwalter.supervisor.Supervisor;

/**
 * Everything that makes a node an agent, wired: the controllers on their loops, between a store, a
 * configuration directory and a supervisor. Knows nothing of Vert.x, clocks or sockets, so that a
 * whole agent also runs under virtual time.
 */
public final class NodeAgent implements AutoCloseable {
  /** First and longest pause before a failed reconcile is tried again. */
  private static final Backoff RETRY =
      Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(30));

  /** The share of a pause that chance may take away. */
  private static final double JITTER = 0.3;

  /**
   * What an agent is made of.
   *
   * @param loops gives each controller a loop of its own, by name
   * @param decisions where runs of the scheduler go on record
   * @param responder says what this node renders
   * @param files tells when written files may have been changed
   * @param watched watches over each decision of the schedule, from its begin until it is published
   * @param version of this program, for templates
   * @param deploymentIds gives each rendering the id of its deployment
   * @param deployments begins one for each schedule, where they are logged
   * @param chance numbers from 0 (inclusive) to 1 (exclusive), for jitter
   */
  public record Parts(
      ObjectStore store,
      Function<String, Loop> loops,
      DoubleSupplier chance,
      Supervisor supervisor,
      LoadedScheduler.Loader scheduler,
      DecisionLog decisions,
      Responder responder,
      MetricsSource metrics,
      Templates templates,
      FileWatch files,
      ConfigReconciler.Runtime runtime,
      UnaryOperator<Reconciler> watched,
      ConfigChanges changes,
      NodeReconciler.Machine machine,
      String machineId,
      String version,
      Supplier<String> deploymentIds,
      Optional<Deployments> deployments) {}

  /** Says what has changed in the configuration directory, on the loop, until closed. */
  @FunctionalInterface
  public interface ConfigChanges {
    Watch watch(Loop loop, Consumer<ConfigChange> listener) throws IOException;
  }

  private final RunningControllers controllers = new RunningControllers();
  private final Watch changes;
  private final LoadedScheduler loaded;
  private final Runnable renderAll;

  private NodeAgent(Parts parts) throws IOException {
    var store = parts.store();
    var node = parts.machine().name();
    var events = new Events(store, parts.loops().apply("events"));

    var configLoop = parts.loops().apply("config");
    var config = new ConfigReconciler(store, configLoop, parts.runtime(), events);
    var scheduleLoop = parts.loops().apply("schedule");
    loaded = new LoadedScheduler(scheduleLoop, parts.scheduler());
    var schedule =
        new ScheduleReconciler(
            store,
            scheduleLoop,
            loaded,
            parts.decisions(),
            parts.metrics(),
            events,
            node,
            parts.machineId());
    var shareLoop = parts.loops().apply("share");
    var instanceLoop = parts.loops().apply("instance");
    var templateLoop = parts.loops().apply("template");
    var template =
        new TemplateReconciler(
            store,
            templateLoop,
            parts.templates(),
            parts.files(),
            events,
            node,
            parts.version(),
            parts.deploymentIds());
    renderAll = () -> templateLoop.execute(template::renderAll);
    var processLoop = parts.loops().apply("process");
    var nodeLoop = parts.loops().apply("node");

    start(parts, nodeLoop, new NodeReconciler(store, nodeLoop, parts.machine()).controller());
    var process = new ProcessReconciler(store, processLoop, parts.supervisor(), events, node);
    start(parts, processLoop, process.controller());
    start(parts, templateLoop, template.controller());
    start(
        parts,
        instanceLoop,
        new InstanceReconciler(store, instanceLoop, events, node).controller());
    var share = new NodeScheduleReconciler(store, shareLoop, node, parts.responder());
    start(parts, shareLoop, share.controller());
    start(parts, scheduleLoop, schedule.controller(parts.watched()));
    parts
        .deployments()
        .ifPresent(
            its ->
                start(parts, its.loop(), new ScheduleArrivals(store, its::arrived).controller()));
    // A decision made before the files are read would be one about no roles at all.
    config.afterFirstReading(() -> scheduleLoop.execute(loaded::reload));
    start(parts, configLoop, config.controller());

    changes =
        parts
            .changes()
            .watch(
                configLoop,
                change -> {
                  if (change.touches("scheduler")) {
                    scheduleLoop.execute(loaded::reload);
                    shareLoop.execute(share::responderChanged);
                  }
                  if (change.touches("runtime")) {
                    config.changed();
                  }
                  if (change.touches("lithos")) {
                    processLoop.execute(process::configurationChanged);
                  }
                  if (change.touches("templates") || change.touches("lithos")) {
                    templateLoop.execute(template::templatesChanged);
                  }
                });
  }

  private void start(Parts parts, Loop loop, Controller.Builder controller) {
    controllers.start(loop, controller.retrying(RETRY.jittered(JITTER, parts.chance())));
  }

  /**
   * Starts all controllers; they begin on their loops.
   *
   * @throws IOException if the configuration directory cannot be watched
   */
  public static NodeAgent start(Parts parts) throws IOException {
    return new NodeAgent(parts);
  }

  /** Applies the templates of every role anew, whether anything has changed or not. */
  public void renderAll() {
    renderAll.run();
  }

  public List<Counters.Snapshot> counters() {
    return controllers.counters();
  }

  /** Stops all controllers; touches nothing that runs. */
  @Override
  public void close() {
    changes.close();
    controllers.close();
    loaded.close();
  }
}
