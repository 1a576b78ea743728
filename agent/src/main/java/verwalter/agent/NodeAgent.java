package verwalter.agent;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import verwalter.cluster.Leadership;
import verwalter.cluster.Leases;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.controllers.config.ConfigChange;
import verwalter.controllers.config.ConfigReconciler;
import verwalter.controllers.config.DirectoryHashes;
import verwalter.controllers.config.SchedulerFiles;
import verwalter.controllers.config.SettingsAuthority;
import verwalter.controllers.deployment.DeploymentLimits;
import verwalter.controllers.deployment.ReleaseFiles;
import verwalter.controllers.instance.StartLimits;
import verwalter.controllers.node.NodeIdentity;
import verwalter.controllers.node.NodeReconciler;
import verwalter.controllers.nodeschedule.Responder;
import verwalter.controllers.process.Prober;
import verwalter.controllers.runtime.Controller;
import verwalter.controllers.runtime.Counters;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.runtime.Reconciler;
import verwalter.controllers.runtime.RunningControllers;
import verwalter.controllers.schedule.DecisionLog;
import verwalter.controllers.schedule.LoadedScheduler;
import verwalter.controllers.schedule.MetricsSource;
import verwalter.controllers.template.FileWatch;
import verwalter.controllers.template.Templates;
import verwalter.deploymentlog.Deployments;
import verwalter.model.NodeSchedule;
import verwalter.model.Writer;
import verwalter.stores.api.Author;
import verwalter.stores.api.AuthoredStore;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.ObjectStore;
import verwalter.supervisor.Supervisor;

/**
 * Everything that makes a node an agent, wired between a store, a cluster, a configuration
 * directory and a supervisor. Three groups of controllers run: those of the node's own objects from
 * the beginning, those between node and cluster as soon as the node's name is claimed, and those of
 * the leader while this node leads. Knows nothing of Vert.x, clocks or sockets, so that a whole
 * agent also runs under virtual time.
 */
public final class NodeAgent implements AutoCloseable {
  /**
   * The parts of an agent.
   *
   * @param store the objects of the cluster and of this node
   * @param machine the machine it runs on
   * @param releases the files of releases; empty if this agent prepares none
   * @param starts what limits the starts of instances
   * @param prober makes the attempts of probes of processes
   */
  public record Parts(
      EpochStore store,
      Cluster cluster,
      Execution execution,
      Configuration configuration,
      Scheduling scheduling,
      Rendering rendering,
      Supervisor supervisor,
      NodeReconciler.Machine machine,
      Optional<ReleasePlace> releases,
      StartLimits starts,
      Prober prober) {
    /** An agent that does not probe processes. */
    public Parts(
        EpochStore store,
        Cluster cluster,
        Execution execution,
        Configuration configuration,
        Scheduling scheduling,
        Rendering rendering,
        Supervisor supervisor,
        NodeReconciler.Machine machine,
        Optional<ReleasePlace> releases,
        StartLimits starts) {
      this(
          store,
          cluster,
          execution,
          configuration,
          scheduling,
          rendering,
          supervisor,
          machine,
          releases,
          starts,
          Prober.NONE);
    }

    /** An agent that prepares no releases and does not limit starts. */
    public Parts(
        EpochStore store,
        Cluster cluster,
        Execution execution,
        Configuration configuration,
        Scheduling scheduling,
        Rendering rendering,
        Supervisor supervisor,
        NodeReconciler.Machine machine) {
      this(
          store,
          cluster,
          execution,
          configuration,
          scheduling,
          rendering,
          supervisor,
          machine,
          Optional.empty(),
          StartLimits.NONE);
    }

    /** The store with the permissions of a controller of this node. */
    ObjectStore by(Writer writer) {
      return by(writer, machine.name());
    }

    /** The same, for the time that the node's objects have another name. */
    ObjectStore by(Writer writer, String node) {
      return AuthoredStore.of(store, Author.ofNode(writer, node));
    }
  }

  /**
   * The cluster of the node.
   *
   * @param store the objects of the cluster and of all nodes, for the leader's controllers
   * @param leading what this node needs while it leads
   * @param followed what the node applies of its share of the schedule
   * @param createsNode whether this machine creates its Node if that is missing
   */
  public record Cluster(
      EpochStore store,
      Leadership leadership,
      Leases leases,
      Leading leading,
      UnaryOperator<NodeSchedule.Spec> followed,
      BooleanSupplier createsNode) {
    /** A cluster in which a leader needs nothing but its controllers. */
    public Cluster(EpochStore store, Leadership leadership, Leases leases) {
      this(store, leadership, leases, Leading.NOTHING, UnaryOperator.identity(), () -> true);
    }
  }

  /**
   * How controllers are run.
   *
   * @param loops creates a loop for each controller, by name
   * @param chance random numbers from 0 (inclusive) to 1 (exclusive), for jitter
   * @param wrapping wraps the reconciler of each controller, which it gets with its name
   */
  public record Execution(
      Function<String, Loop> loops,
      DoubleSupplier chance,
      BiFunction<String, Reconciler, Reconciler> wrapping) {
    /** Reconcilers are used as they are. */
    public Execution(Function<String, Loop> loops, DoubleSupplier chance) {
      this(loops, chance, (controller, reconciler) -> reconciler);
    }

    /** The first and the longest delay before a failed reconcile is retried. */
    private static final Backoff RETRY =
        Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(30));

    /** The share of a delay that is random. */
    private static final double JITTER = 0.3;

    Loop loop(String name) {
      return loops.apply(name);
    }

    void start(RunningControllers group, Loop loop, Controller.Builder controller) {
      group.start(loop, controller.wrapped(wrapping).retrying(RETRY.jittered(JITTER, chance)));
    }
  }

  /**
   * The configuration directory.
   *
   * @param runtime reads the roles
   * @param changes reports what has changed
   * @param cluster how the settings of a cluster are agreed on; empty without a cluster
   */
  public record Configuration(
      ConfigReconciler.Runtime runtime, ConfigChanges changes, Optional<ClusterConfig> cluster) {
    /** The directory of a node without a cluster. */
    public Configuration(ConfigReconciler.Runtime runtime, ConfigChanges changes) {
      this(runtime, changes, Optional.empty());
    }
  }

  /**
   * The configuration directory of a node in a cluster.
   *
   * @param authority whether the leader's directory counts at once
   * @param hashes computes the hashes that the node reports
   * @param scheduler reads the scheduler's files
   */
  public record ClusterConfig(
      SettingsAuthority authority, DirectoryHashes hashes, SchedulerFiles scheduler) {
    ConfigReconciler.Cluster of(String node) {
      return new ConfigReconciler.Cluster(authority, node, hashes::settings, scheduler);
    }
  }

  /**
   * The parts for decisions.
   *
   * @param loader reads the scheduler
   * @param decisions records its runs
   * @param metrics answers the rules of the schedule
   * @param watched guards each decision until it is published
   */
  public record Scheduling(
      LoadedScheduler.Loader loader,
      DecisionLog decisions,
      MetricsSource metrics,
      UnaryOperator<Reconciler> watched) {}

  /**
   * The parts that apply a share of the schedule.
   *
   * @param responder determines what this node renders
   * @param files reports possible changes of written files
   * @param version version of this program, for templates
   * @param deploymentIds supplies the id of each rendering's deployment
   * @param deployments logs the deployment of each schedule
   */
  public record Rendering(
      Responder responder,
      Templates templates,
      FileWatch files,
      String version,
      Supplier<Future<String>> deploymentIds,
      Optional<Deployments> deployments) {}

  /** The directories of releases. */
  @FunctionalInterface
  public interface ReleasePlace {
    /** The files, which complete their futures on this loop. Called once. */
    ReleaseFiles on(Loop loop);

    /** How many works on them run at once, and when they are repeated. */
    default DeploymentLimits limits() {
      return DeploymentLimits.DEFAULT;
    }
  }

  /** Reports changes of the configuration directory on the loop, until closed. */
  @FunctionalInterface
  public interface ConfigChanges {
    Watch watch(Loop loop, Consumer<ConfigChange> listener) throws IOException;
  }

  private final Parts parts;
  private final Loop loop;
  private final Watch changes;
  private final NodeIdentity identity;
  private final LeaderCandidate candidate;
  private final Leadership.Candidacy candidacy;
  private final LocalControllers.ControllerLoops localLoops;
  private volatile Optional<LocalControllers> local = Optional.empty();
  private volatile Optional<NodeControllers> node = Optional.empty();
  private boolean closed;

  private NodeAgent(Parts parts) throws IOException {
    this.parts = parts;
    loop = parts.execution().loop("agent");
    changes = parts.configuration().changes().watch(loop, this::changed);
    var events =
        new Events(
            parts.by(Writer.EVENTS), parts.execution().loop("events"), parts.machine().name());
    localLoops = LocalControllers.ControllerLoops.of(parts);
    identity =
        new NodeIdentity(
            parts.store(),
            loop,
            events,
            parts.machine(),
            parts.rendering().templates()::move,
            this::stopLocal,
            parts.cluster().createsNode());
    var loops = LeaderLoops.of(parts.execution().loops());
    candidate =
        new LeaderCandidate(
            parts.cluster().store(),
            loop,
            parts.cluster().leading(),
            epoch -> LeaderControllers.start(parts, loops, epoch));
    loop.execute(
        () ->
            NodeIdentity.nameOfObjects(parts.store(), parts.machine()).ifPresent(this::startLocal));
    identity.claim().onSuccess(claimed -> startNode(events));
    candidacy = parts.cluster().leadership().stand(loop, candidate);
  }

  /**
   * Starts all controllers on their loops.
   *
   * @throws IOException if the configuration directory cannot be watched
   */
  public static NodeAgent start(Parts parts) throws IOException {
    return new NodeAgent(parts);
  }

  private void startLocal(String name) {
    if (!closed && local.isEmpty()) {
      local = Optional.of(LocalControllers.start(parts, localLoops, name));
    }
  }

  private Future<Void> stopLocal() {
    var running = local;
    local = Optional.empty();
    return running.map(LocalControllers::stop).orElseGet(Future::succeededFuture);
  }

  private void startNode(Events events) {
    if (!closed) {
      startLocal(parts.machine().name());
      node = Optional.of(NodeControllers.start(parts, events));
    }
  }

  private void changed(ConfigChange change) {
    local.ifPresent(controllers -> controllers.changed(change));
    node.ifPresent(controllers -> controllers.changed(change));
    candidate.changed(change);
  }

  /** Applies the templates of every role, even if nothing has changed. */
  public void renderAll() {
    local.ifPresent(LocalControllers::renderAll);
  }

  /**
   * Applies the share of the schedule again, since the node may follow another one, and begins
   * another epoch if this node leads in one that has passed.
   */
  public void sideChanged() {
    loop.execute(
        () -> {
          node.ifPresent(NodeControllers::followedChanged);
          candidate.renew();
        });
  }

  /** The counters of all running controllers. */
  public List<Counters.Snapshot> counters() {
    var counters = new ArrayList<Counters.Snapshot>();
    local.ifPresent(controllers -> counters.addAll(controllers.counters()));
    node.ifPresent(controllers -> counters.addAll(controllers.counters()));
    counters.addAll(candidate.counters());
    return counters;
  }

  /** Stops all controllers. Processes are not affected. */
  @Override
  public void close() {
    stop();
  }

  /**
   * Stops all controllers. The future completes when this node does not lead any more. Renderings
   * in progress end by themselves.
   */
  public Future<Void> stop() {
    changes.close();
    identity.close();
    var stopped = Promise.<Void>promise();
    loop.execute(
        () -> {
          closed = true;
          stopLocal();
          node.ifPresent(NodeControllers::close);
          candidacy.withdraw().onComplete(stopped);
        });
    return stopped.future();
  }
}
