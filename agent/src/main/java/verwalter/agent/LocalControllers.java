package verwalter.agent;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import verwalter.concurrent.Loop;
import verwalter.controllers.config.ConfigChange;
import verwalter.controllers.deployment.DeploymentLimits;
import verwalter.controllers.deployment.DeploymentReconciler;
import verwalter.controllers.deployment.ReleaseFiles;
import verwalter.controllers.instance.InstanceReconciler;
import verwalter.controllers.process.ProcessReconciler;
import verwalter.controllers.runtime.Counters;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.runtime.RunningControllers;
import verwalter.controllers.template.TemplateReconciler;
import verwalter.model.Writer;

/**
 * The controllers of objects whose master is the node: role instances, template outputs, process
 * groups, and releases. They need nothing but the node's own store, and run while nobody else can
 * be reached.
 */
final class LocalControllers {
  private final RunningControllers controllers = new RunningControllers();
  private final ControllerLoops loops;
  private final TemplateReconciler template;
  private final ProcessReconciler process;

  /** Their loops, and the files of releases: made once, whatever name the node has. */
  record ControllerLoops(
      Loop instance, Loop template, Loop process, Loop events, Optional<Releases> releases) {
    static ControllerLoops of(NodeAgent.Parts parts) {
      var loops = parts.execution().loops();
      return new ControllerLoops(
          loops.apply("instance"),
          loops.apply("template"),
          loops.apply("process"),
          loops.apply("local-events"),
          parts
              .releases()
              .map(
                  place -> {
                    var loop = loops.apply("release");
                    return new Releases(loop, place.on(loop), place.limits());
                  }));
    }
  }

  /** The files of releases, with the loop of their controllers. */
  record Releases(Loop loop, ReleaseFiles files, DeploymentLimits limits) {}

  private LocalControllers(NodeAgent.Parts parts, ControllerLoops loops, String node) {
    this.loops = loops;
    var execution = parts.execution();
    var rendering = parts.rendering();
    var events = new Events(parts.by(Writer.EVENTS, node), loops.events(), node);
    template =
        new TemplateReconciler(
            parts.by(Writer.TEMPLATE, node),
            loops.template(),
            rendering.templates(),
            rendering.files(),
            events,
            node,
            rendering.version(),
            rendering.deploymentIds());
    process =
        new ProcessReconciler(
            parts.by(Writer.PROCESS, node),
            loops.process(),
            parts.supervisor(),
            events,
            node,
            parts.starts().boot(),
            parts.prober());
    var instance =
        new InstanceReconciler(
            parts.by(Writer.INSTANCE, node), loops.instance(), events, node, parts.starts());
    execution.start(controllers, loops.process(), process.controller());
    execution.start(controllers, loops.template(), template.controller());
    execution.start(controllers, loops.instance(), instance.controller());
    loops.releases().ifPresent(its -> startReleases(parts, its, events, node));
  }

  private void startReleases(NodeAgent.Parts parts, Releases its, Events events, String node) {
    var deployment =
        new DeploymentReconciler(
            parts.by(Writer.DEPLOYMENT, node), its.loop(), its.files(), events, node, its.limits());
    parts.execution().start(controllers, its.loop(), deployment.controller());
    parts.execution().start(controllers, its.loop(), deployment.artifacts());
  }

  /** Starts the controllers of the objects that belong to {@code node}. */
  static LocalControllers start(NodeAgent.Parts parts, ControllerLoops loops, String node) {
    return new LocalControllers(parts, loops, node);
  }

  /** The configuration directory has changed. */
  void changed(ConfigChange change) {
    if (change.touches("lithos")) {
      loops.process().execute(process::configurationChanged);
    }
    if (change.touches("templates") || change.touches("lithos")) {
      loops.template().execute(() -> template.templatesChanged(change.changingTemplates()));
    }
  }

  /** Applies the templates of every role anew, whether anything has changed or not. */
  void renderAll() {
    loops.template().execute(template::renderAll);
  }

  List<Counters.Snapshot> counters() {
    return controllers.counters();
  }

  /** Stops them; touches nothing that runs. Completes when no reconcile is under way any more. */
  Future<Void> stop() {
    return controllers.stop();
  }
}
