package verwalter.agent;

import java.util.List;
import verwalter.cluster.Leases;
import verwalter.concurrent.Loop;
import verwalter.controllers.arrival.ScheduleArrivals;
import verwalter.controllers.config.ConfigChange;
import verwalter.controllers.instance.InstanceReconciler;
import verwalter.controllers.node.NodeReconciler;
import verwalter.controllers.nodeschedule.NodeScheduleReconciler;
import verwalter.controllers.process.ProcessReconciler;
import verwalter.controllers.runtime.Counters;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.runtime.RunningControllers;
import verwalter.controllers.template.TemplateReconciler;
import verwalter.model.Writer;

/** The controllers of a node's own objects; they run whether or not the node leads. */
final class NodeControllers {
  private final RunningControllers controllers = new RunningControllers();
  private final Loop nodeLoop;
  private final Loop scheduleLoop;
  private final Loop templateLoop;
  private final Loop processLoop;
  private final Leases leases;
  private final NodeScheduleReconciler schedule;
  private final TemplateReconciler template;
  private final ProcessReconciler process;
  private boolean closed;

  private NodeControllers(NodeAgent.Parts parts, Events events) {
    var execution = parts.execution();
    var rendering = parts.rendering();
    var name = parts.machine().name();
    leases = parts.cluster().leases();
    nodeLoop = execution.loop("node");
    scheduleLoop = execution.loop("share");
    templateLoop = execution.loop("template");
    processLoop = execution.loop("process");
    var instanceLoop = execution.loop("instance");
    template =
        new TemplateReconciler(
            parts.by(Writer.TEMPLATE),
            templateLoop,
            rendering.templates(),
            rendering.files(),
            events,
            name,
            rendering.version(),
            rendering.deploymentIds());
    process =
        new ProcessReconciler(
            parts.by(Writer.PROCESS), processLoop, parts.supervisor(), events, name);
    schedule =
        new NodeScheduleReconciler(
            parts.by(Writer.NODE_SCHEDULE), scheduleLoop, name, rendering.responder());
    var instance = new InstanceReconciler(parts.by(Writer.INSTANCE), instanceLoop, events, name);
    var node = new NodeReconciler(parts.by(Writer.NODE), events, parts.machine());

    execution.start(controllers, nodeLoop, node.controller());
    execution.start(controllers, processLoop, process.controller());
    execution.start(controllers, templateLoop, template.controller());
    execution.start(controllers, instanceLoop, instance.controller());
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
  }

  /** Starts the controllers of a node whose name is claimed. */
  static NodeControllers start(NodeAgent.Parts parts, Events events) {
    return new NodeControllers(parts, events);
  }

  /** Renews the lease on the loop of the node's own controller: a loop that hangs renews none. */
  private void renew() {
    if (!closed) {
      leases.renew();
      nodeLoop.after(Leases.RENEWAL, this::renew);
    }
  }

  /** The configuration directory has changed. */
  void changed(ConfigChange change) {
    if (change.touches("scheduler")) {
      scheduleLoop.execute(schedule::responderChanged);
    }
    if (change.touches("lithos")) {
      processLoop.execute(process::configurationChanged);
    }
    if (change.touches("templates") || change.touches("lithos")) {
      templateLoop.execute(template::templatesChanged);
    }
  }

  /** Applies the templates of every role anew, whether anything has changed or not. */
  void renderAll() {
    templateLoop.execute(template::renderAll);
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
