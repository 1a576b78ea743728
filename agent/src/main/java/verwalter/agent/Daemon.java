package verwalter.agent;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.cluster.ClusterView;
import verwalter.cluster.Leadership;
import verwalter.cluster.joining.ClusterMember;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.controllers.config.ConfigChange;
import verwalter.controllers.config.ConfigDirectory;
import verwalter.controllers.config.ConfigWatch;
import verwalter.controllers.config.DirectoryHashes;
import verwalter.controllers.config.RolesDirectory;
import verwalter.controllers.config.RuntimeDirectory;
import verwalter.controllers.config.SettingsAuthority;
import verwalter.controllers.config.StoredScheduler;
import verwalter.controllers.node.NodeReconciler;
import verwalter.controllers.process.Prober;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.template.DirectoryWatch;
import verwalter.controllers.template.DryTemplates;
import verwalter.controllers.template.FileWatch;
import verwalter.controllers.template.RoleTemplates;
import verwalter.controllers.template.ServiceTemplates;
import verwalter.controllers.template.Templates;
import verwalter.deploymentlog.Backups;
import verwalter.deploymentlog.DeploymentLog;
import verwalter.deploymentlog.Deployments;
import verwalter.deploymentlog.Retention;
import verwalter.files.FileAccess;
import verwalter.metrics.Metrics;
import verwalter.model.Decisions;
import verwalter.model.Event;
import verwalter.model.ProcessSpec;
import verwalter.model.RoleConfig;
import verwalter.model.Schedule;
import verwalter.problems.ProblemWatch;
import verwalter.render.apply.LocalPrograms;
import verwalter.render.recipe.Renderer;
import verwalter.scheduler.record.DecisionArchive;
import verwalter.scheduler.record.RecordLimits;
import verwalter.stores.api.EpochStore;
import verwalter.stores.local.LocalStore;
import verwalter.stores.local.Options;
import verwalter.supervisor.Supervisor;
import verwalter.supervisor.embedded.EmbeddedSupervisor;
import verwalter.supervisor.embedded.ProbeLaunch;
import verwalter.supervisor.lithos.Layout;
import verwalter.ui.UiServer;
import verwalter.ui.port.AccessPort;
import verwalter.ui.port.CommandSessions;
import verwalter.ui.port.Execution;
import verwalter.ui.port.Ports;
import verwalter.ui.port.Queries;

/** The agent process: builds all parts in order and closes them in reverse order. */
final class Daemon implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Daemon.class);

  /** A reconciler that blocks its loop longer than this is reported with its stack trace. */
  private static final Duration LOOP_LIMIT = Duration.ofSeconds(1);

  /** The time limit of a recipe's command, as in verwalter 0.13. */
  private static final Duration COMMAND_LIMIT = Duration.ofMinutes(3);

  private static final int MOST_PORT = 65_535;

  /** One for each processor: each has a stack and wakes once a second. */
  private static final int EVENT_LOOPS = Math.max(2, Runtime.getRuntime().availableProcessors());

  private static final ThreadFactory THREADS =
      task -> {
        var thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
      };

  private final OpenParts parts = new OpenParts();
  private final Settings settings;
  private final InstantSource clock = InstantSource.system();
  private final Vertx vertx;
  private final Runnable restart;
  private final ExecutorService storeThreads = Executors.newCachedThreadPool(THREADS);

  @SuppressWarnings("NullAway.Init") // opened at the beginning of build()
  private NodeCluster cluster;

  @SuppressWarnings("NullAway.Init") // opened in build()
  private Metrics metrics;

  private volatile @Nullable NodeAgent agent;
  private String address = "";

  private Daemon(Settings settings, Runnable restart) {
    this.settings = settings;
    this.restart = restart;
    this.vertx =
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(EVENT_LOOPS)
                .setMaxEventLoopExecuteTime(LOOP_LIMIT.toMillis())
                .setMaxEventLoopExecuteTimeUnit(TimeUnit.MILLISECONDS)
                .setWarningExceptionTime(LOOP_LIMIT.toMillis())
                .setWarningExceptionTimeUnit(TimeUnit.MILLISECONDS)
                .setBlockedThreadCheckInterval(LOOP_LIMIT.toMillis())
                .setBlockedThreadCheckIntervalUnit(TimeUnit.MILLISECONDS));
    parts.add("event loops", () -> Waiting.forResult(vertx.close()));
  }

  /**
   * Starts all parts. On failure closes those that were started.
   *
   * @param restart asks for all parts to be started again, on any thread
   */
  static Daemon start(Settings settings, Runnable restart) throws Exception {
    var daemon = new Daemon(settings, restart);
    try {
      daemon.build();
      return daemon;
    } catch (Exception failure) {
      daemon.close();
      throw failure;
    }
  }

  private void build() throws Exception {
    SettingsCheck.check(settings);
    var machineId = MachineFacts.machineId(settings.machineId);
    var root = MachineFacts.isRoot();
    var places = settings.places(System.getenv(), root);
    var clusterFiles = ClusterFiles.in(places.storage());
    if (!clusterFiles.isRemoved()) {
      clusterFiles.completeRename();
    }
    var member = clusterFiles.member();
    var given = settings.hostname.orElseGet(MachineFacts::hostname);
    var hostname = member.map(ClusterMember::node).orElse(given);
    if (!hostname.equals(given)) {
      LOG.warn(
          "this machine is node {} of its cluster, although it is called {}; to rename it: vw node"
              + " rename {} {}",
          hostname,
          given,
          hostname,
          given);
    }
    var name = settings.name.orElse(hostname);
    var logs = logAccess(places);
    prepare(places, logs);
    LOG.info(
        "node={} config={} storage={} logs={}",
        hostname,
        places.config(),
        places.storage(),
        places.logs());

    SettingsCheck.warnings(settings, places.config()).forEach(LOG::warn);
    var alarms = new Alarms(Daemon::stuck);
    parts.add("alarms", alarms.start(THREADS));
    var loops = new Loops(vertx, clock, alarms);
    var self = new ClusterView.Member(machineId, name, hostname, Optional.empty());
    var own = openStore(places.storage().resolve("store"));
    if (clusterFiles.isRemoved()) {
      throw new SetupFailed(
          ExitCode.SETUP,
          ("this machine was removed from its cluster; join again with a new token: verwalter join"
                  + " HOST --token T, or remove %s to use it alone")
              .formatted(clusterFiles.directory()));
    }
    var ensemble = settings.ensemble();
    if (member.isPresent() && ensemble.isPresent()) {
      ExternalEnsemble.move(clusterFiles, ensemble.get());
    }
    cluster =
        member.isEmpty()
            ? NodeCluster.single(own, self, clock)
            : ClusterNode.open(
                new ClusterEnvironment(
                    vertx,
                    loops,
                    storeThreads,
                    THREADS,
                    clock,
                    new SecureRandom(),
                    settings.failover,
                    parts,
                    restart),
                clusterFiles,
                member.get(),
                own,
                self,
                settings.sides());
    var store = cluster.store();
    var supervisor =
        settings.dryRun
            ? new NoProcesses()
            : openSupervisor(places, logs, loops.apply("supervisor"));
    metrics = openMetrics(loops, hostname, places);
    var leadership = cluster.leadership();
    var figures = new SchedulerFigures();
    var view =
        new AgentView(
            new ClusterView.Self(
                name,
                machineId,
                hostname,
                BuildVersion.NUMBER,
                settings.defaultFrontend,
                places.config(),
                List.of(settings.host + ":" + settings.port)),
            settings.forceLeader,
            leadership,
            cluster.members(),
            cluster.epoch(),
            this::measured,
            figures::current);
    var decisions = openDecisions(places.storage().resolve("decisions"));
    cluster.others().ifPresent(others -> exchange(others, machineId, decisions, loops));
    var programs =
        new SchedulerPrograms(places.config(), SchedulerPrograms.engine(settings), THREADS);
    var clusterConfig =
        member.map(
            any ->
                new NodeAgent.ClusterConfig(
                    settings.configAuthority == Settings.ConfigAuthority.leader
                        ? SettingsAuthority.LEADER
                        : SettingsAuthority.CLUSTER,
                    new DirectoryHashes(places.config(), programs::hash),
                    programs.files()));
    var loader =
        programs.loader(
            decisions, () -> member.isEmpty() ? Optional.empty() : StoredScheduler.read(store));
    var deploymentIds = new DeploymentIds(new SecureRandom());
    var queries = programs.queries(hostname, deploymentIds, clock);
    parts.add("queries", queries);
    var deployments = openDeployments(places, logs, loops, deploymentIds);
    var http = loops.apply("http");
    var audit = openAudit(places.storage().resolve("audit"));
    var setup =
        new AgentClusterSetup(
            vertx,
            loops.apply("setup"),
            clusterFiles,
            settings.ensemble(),
            hostname,
            machineId,
            store,
            clock,
            restart,
            member.isPresent(),
            cluster.decides(),
            cluster.lastEntry());
    var server =
        server(view, hostname, http, decisions, queries, places, audit, supervisor)
            .withCluster(setup);
    var port = listen(server);
    listenOnSocket(server, places.storage());
    cluster.serving().start(server);
    address =
        "%s://%s:%d/".formatted(settings.tls().isPresent() ? "https" : "http", settings.host, port);
    LOG.info("page={}", address);

    var clusterAddresses = member.map(ClusterMember::addresses).orElse(List.of());
    var machine =
        new NodeReconciler.Machine(
            hostname,
            List.of(settings.host + ":" + port),
            MachineFacts.of(hostname, name, machineId, BuildVersion.NUMBER, clusterAddresses),
            MachineFacts.capacity());
    var runtime =
        new ConfigDirectory(
            new RuntimeDirectory(
                places.config(), new RuntimeMount(places.storage().resolve("runtime-is-mounted"))),
            new RolesDirectory(
                places.config(), new RuntimeMount(places.storage().resolve("roles-is-mounted"))));
    var releases = openReleases(places.storage());
    var started =
        NodeAgent.start(
            new NodeAgent.Parts(
                store,
                new NodeAgent.Cluster(
                    cluster.everything(),
                    leadership,
                    cluster.leases(),
                    cluster.leading(),
                    cluster.followed(hostname),
                    cluster.createsNode()),
                new NodeAgent.Execution(loops, new SplittableRandom()::nextDouble),
                new NodeAgent.Configuration(
                    () -> alarms.during(Alarm.RUNTIME_LOAD, "", runtime::read),
                    (loop, listener) -> watchConfig(places.config(), loop, listener),
                    clusterConfig),
                new NodeAgent.Scheduling(
                    () -> alarms.during(Alarm.SCHEDULER_LOAD, "", loader::load),
                    figures.counting(decisions::add),
                    MeasuredCluster.of(
                        questions -> metrics.answers(machineId, questions), nodes(), clock),
                    reconciler -> alarms.over(Alarm.SCHEDULER, reconciler)),
                new NodeAgent.Rendering(
                    queries,
                    new LoggedTemplates(templates(places, supervisor, alarms), deployments, alarms),
                    settings.dryRun
                        ? FileWatch.NONE
                        : DirectoryWatch.of(FileSystems.getDefault(), THREADS),
                    BuildVersion.NUMBER,
                    deployments::join,
                    Optional.of(deployments)),
                supervisor,
                machine,
                releases,
                settings.starts(MachineFacts.boot(), machine.capacity()),
                openProber(supervisor, loops.apply("probes"))));
    agent = started;
    cluster.side().ifPresent(side -> side.listen(started::sideChanged));
    parts.add("controllers", () -> Waiting.forResult(started.stop()));
    reportProblems(server.problems(), leadership, http);
  }

  private Optional<NodeExchange> nodes() {
    return cluster.others().map(NodeCluster.Others::nodes);
  }

  private Future<Map<String, Object>> measured() {
    var own = metrics.newest();
    return nodes().map(its -> its.metrics(own)).orElseGet(() -> Future.succeededFuture(own));
  }

  /** Answers other nodes, and copies the decisions of the leader. */
  private void exchange(
      NodeCluster.Others others, String machineId, DecisionArchive decisions, Loops loops) {
    others
        .nodes()
        .serve(
            new NodeExchange.Local() {
              @Override
              public Map<String, Object> metrics() {
                return metrics.newest();
              }

              @Override
              public Map<String, Object> answers(Map<String, Object> queryMetrics) {
                return metrics.answers(machineId, queryMetrics);
              }

              @Override
              public void renderAll() {
                renderOwn();
              }

              @Override
              public Decisions decisions() {
                return decisions;
              }
            });
    var copies =
        DecisionCopies.start(
            cluster.store(), others.nodes(), decisions, others.leader(), loops.apply("decisions"));
    parts.add("copies of decisions", copies);
  }

  private void renderOwn() {
    var running = agent;
    if (running != null) {
      running.renderAll();
    }
  }

  /** The reports end before the controllers, which give up leadership when they stop. */
  private void reportProblems(ProblemWatch problems, Leadership leadership, Loop loop) {
    var changes = cluster.health().onProblem(() -> loop.execute(problems::refresh));
    var log = new ProblemLog(loop, LOG::warn, LOG::info);
    var reports = ProblemReports.start(problems, leadership, loop, log);
    parts.add(
        "problem reports",
        () -> {
          changes.close();
          loop.execute(reports::close);
        });
  }

  private LocalStore openStore(Path directory) throws Exception {
    parts.add("store threads", storeThreads::shutdown);
    try {
      var opened =
          LocalStore.open(
              directory,
              Options.within(Runtime.getRuntime().maxMemory()),
              storeThreads,
              clock,
              () -> UUID.randomUUID().toString());
      parts.add("store", opened);
      return opened;
    } catch (IOException failure) {
      throw new SetupFailed(ExitCode.SETUP, String.valueOf(failure.getMessage()));
    }
  }

  private DecisionArchive openDecisions(Path directory) throws SetupFailed {
    if (settings.decisionsKept < 1 || settings.decisionsMegabytes < 1) {
      throw new SetupFailed(
          ExitCode.USAGE, "--decisions-kept and --decisions-megabytes take numbers above zero");
    }
    var limits = new RecordLimits(settings.decisionsKept, settings.decisionsMegabytes << 20);
    return DecisionArchive.open(directory, limits, LOG::warn);
  }

  private Metrics openMetrics(Loops loops, String hostname, Settings.Places places) {
    var host =
        new Metrics.Host(
            hostname,
            MachineFacts.capacity().cpus(),
            Path.of("/proc"),
            places.storage(),
            Math.min(Metrics.MEMORY, Runtime.getRuntime().maxMemory() / 8));
    var events = new Events(cluster.store(), loops.apply("metrics-events"), hostname);
    var opened =
        new Metrics(
            cluster.store(),
            loops.apply("metrics"),
            (regarding, reason, message) ->
                events.report("metrics", regarding, Event.Type.WARNING, reason, message),
            host,
            new LocalFetch(vertx));
    parts.add("metrics", opened);
    opened.start();
    return opened;
  }

  /** Probes by HTTP and TCP, and by commands; a dry run has no processes to probe. */
  private Prober openProber(Supervisor supervisor, Loop loop) {
    BiFunction<String, ProcessSpec.Command, ProbeLaunch> launcher =
        supervisor instanceof EmbeddedSupervisor embedded
            ? embedded::probeLaunch
            : (slot, command) -> new ProbeLaunch(List.of(), Map.of());
    var commands =
        new CommandProber(
            loop, launcher, "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
    var network = new NetworkProber(vertx);
    return (probe, slot, command) ->
        (probe.exec().isEmpty() ? network : commands).probe(probe, slot, command);
  }

  private Supervisor openSupervisor(Settings.Places places, FileAccess logs, Loop loop)
      throws Exception {
    var base = places.storage().resolve("lithos");
    var layout =
        settings.lithosConfig.isPresent()
            ? Layout.ofMaster(settings.lithosConfig.get())
            : new Layout(
                places.config().resolve("lithos").resolve("sandboxes"),
                base.resolve("processes"),
                base.resolve("run"),
                places.logs(),
                Optional.of(places.logs().resolve("config")));
    var onExit =
        settings.onExit == Settings.OnExit.stop
            ? verwalter.supervisor.embedded.Settings.OnExit.STOP
            : verwalter.supervisor.embedded.Settings.OnExit.DETACH;
    try {
      if (Files.isDirectory(base)) {
        FileAccess.requireOwn(base);
        FileAccess.PRIVATE.restrict(base);
      }
      var supervisor =
          EmbeddedSupervisor.open(
              layout,
              loop,
              THREADS,
              verwalter.supervisor.embedded.Settings.standard()
                  .onExit(onExit)
                  .logs(logs)
                  .logLimits(
                      settings.processLogMegabytes << 20,
                      settings.processLogsKept,
                      Duration.ofDays(settings.processLogDays))
                  .allowingCommands());
      parts.add("supervisor", () -> Waiting.forResult(supervisor.shutdown()));
      return supervisor;
    } catch (IOException failure) {
      throw new SetupFailed(ExitCode.SETUP, String.valueOf(failure.getMessage()));
    }
  }

  private static Watch watchConfig(Path config, Loop loop, Consumer<ConfigChange> changed)
      throws IOException {
    var listener =
        new ConfigWatch.Listener() {
          @Override
          public void changed(ConfigChange change) {
            changed.accept(change);
          }

          @Override
          public void problem(String message) {
            LOG.warn("config={} not every change will be noticed: {}", config, message);
          }
        };
    var watch = ConfigWatch.start(config, loop, THREADS, listener);
    return () -> loop.execute(() -> OpenParts.close("configuration watch", watch));
  }

  private Deployments openDeployments(
      Settings.Places places, FileAccess logs, Loops loops, Supplier<String> deploymentIds)
      throws SetupFailed {
    if (settings.logDays < 1 || settings.logMegabytes < 1) {
      throw new SetupFailed(
          ExitCode.USAGE, "--log-days and --log-megabytes take numbers above zero");
    }
    var retention = new Retention(Duration.ofDays(settings.logDays), settings.logMegabytes << 20);
    var log =
        settings.dryRun
            ? DeploymentLog.printed(System.out, clock, retention)
            : DeploymentLog.in(places.logs(), logs, clock, retention, LOG::warn);
    log.abandonUnfinished();
    var backups =
        settings.dryRun
            ? Optional.<Backups>empty()
            : Optional.of(new Backups(places.backups(), clock, LOG::warn));
    var opened =
        new Deployments(
            () -> cluster.store().get(Schedule.KIND, Schedule.CURRENT),
            loops.apply("deployments"),
            deploymentIds,
            log,
            backups);
    parts.add("deployment logs", () -> Waiting.forResult(opened.close()));
    return opened;
  }

  private verwalter.ui.port.DeploymentHistory files(Settings.Places places) {
    return new DeploymentFiles(
        places,
        () -> {
          renderOwn();
          nodes().ifPresent(NodeExchange::renderAll);
        });
  }

  /**
   * Ends the process after an alarm. A restart resolves the problem, and processes keep running.
   */
  private static void stuck(String what) {
    LOG.error("{}; this process ends, and may be started again", what);
    Runtime.getRuntime().halt(ExitCode.STUCK.code());
  }

  private Templates templates(Settings.Places places, Supervisor supervisor, Alarms alarms) {
    var processFiles = new CheckedProcessFiles(supervisor);
    if (settings.dryRun) {
      return new DryTemplates(places.config(), System.out);
    }
    var programs = new LocalPrograms(System.getenv(), COMMAND_LIMIT, System::nanoTime);
    // Never shut down, so that an application in progress at the end of the agent is not refused.
    var syncing = Executors.newCachedThreadPool(THREADS);
    var rendered =
        new RoleTemplates(
            places.config(),
            places.storage().resolve("templates"),
            new WatchedPrograms(programs, alarms),
            processFiles,
            syncing);
    return new ServiceTemplates(
        rendered,
        LocalAccounts.ofThisMachine(),
        places.config(),
        supervisor::check,
        LocalServicePlace.into(places.storage()),
        new Renderer(places.config()));
  }

  private UiServer server(
      ClusterView view,
      String hostname,
      Loop loop,
      DecisionArchive decisions,
      Queries queries,
      Settings.Places places,
      AuditLog audit,
      Supervisor supervisor) {
    var commands = NodeCommands.of(supervisor, loop, THREADS);
    commands.ifPresent(it -> parts.add("commands", it));
    var execution = new Execution(vertx, loop, clock, new SecureRandom());
    var ports =
        Ports.of(cluster.shown(), view)
            .with(decisions, queries, files(places))
            .with(NodeLogs.of(supervisor))
            .with(commands.<CommandSessions>map(it -> it).orElse(CommandSessions.NONE))
            .with(
                new AccessPort(
                    settings.anonymous.grant(),
                    settings.insecure && settings.tls().isEmpty(),
                    System.getProperty("user.name"),
                    settings.socketGroup.isPresent(),
                    audit::add,
                    Optional.of(places.storage().resolve("audit"))))
            .monitored(
                () -> Readiness.of(cluster.store(), cluster.health()),
                () -> Readiness.problems(hostname, cluster.health(), audit::problem),
                this::metrics);
    return cluster
        .forwarding()
        .map(forwarding -> new UiServer(execution, ports, forwarding))
        .orElseGet(() -> new UiServer(execution, ports));
  }

  private Optional<NodeAgent.ReleasePlace> openReleases(Path storage) {
    if (settings.dryRun) {
      return Optional.empty();
    }
    var releases =
        new LocalReleases(
            storage,
            System.getenv(),
            MachineFacts.boot(),
            THREADS,
            settings.traffic(),
            cluster.others().map(NodeCluster.Others::archives));
    parts.add("releases", releases);
    return Optional.of(releases);
  }

  private AuditLog openAudit(Path directory) {
    var opened = AuditLog.open(directory, AuditLog.Limits.STANDARD, clock, THREADS, LOG::warn);
    parts.add("audit log", opened);
    return opened;
  }

  /** Without the socket the agent is useful too, so a failure is only reported. */
  private void listenOnSocket(UiServer server, Path storage) throws SetupFailed {
    var socket = LocalSocket.in(storage, settings.socketGroup);
    if (!socket.fits()) {
      LOG.warn("socket={} is not served: its path is too long for a socket", socket.file());
      return;
    }
    try {
      socket.bind(() -> Waiting.forResult(server.startSocket(socket.file())));
      LOG.info("socket={}", socket.file());
    } catch (Exception failure) {
      LOG.warn("socket={} is not served: {}", socket.file(), failure.toString());
    }
  }

  private int listen(UiServer server) throws Exception {
    if (settings.port < 0 || settings.port > MOST_PORT) {
      throw new SetupFailed(ExitCode.USAGE, "--port takes a number from 0 to " + MOST_PORT);
    }
    parts.add("http server", () -> Waiting.forResult(server.close()));
    try {
      return Waiting.forResult(
          settings.tls().isPresent()
              ? server.start(settings.host, settings.port, settings.tls().get(), LOG::warn)
              : server.start(settings.host, settings.port));
    } catch (Exception failure) {
      throw NotServing.because(failure, settings.host, settings.port);
    }
  }

  private String metrics() {
    return OwnMetrics.of(agent == null ? List.of() : agent.counters(), cluster.health().figures());
  }

  /** Who may read the files below {@code --log-dir}. */
  private FileAccess logAccess(Settings.Places places) throws SetupFailed {
    try {
      return FileAccess.of(settings.logMode, settings.logGroup, places.logs());
    } catch (IllegalArgumentException mistake) {
      throw new SetupFailed(ExitCode.USAGE, "--log-mode: " + mistake.getMessage());
    } catch (IOException unknown) {
      throw new SetupFailed(ExitCode.USAGE, "--log-group: " + unknown.getMessage());
    }
  }

  private static void prepare(Settings.Places places, FileAccess logs) throws SetupFailed {
    var sandbox = places.config().resolve("sandbox");
    boolean services = Files.isDirectory(places.config().resolve(RoleConfig.ROLES));
    if (!services && !Files.isDirectory(sandbox)) {
      throw new SetupFailed(
          ExitCode.SETUP,
          "%s is not a directory; a configuration without roles/ needs it, even empty: mkdir -p %s"
              .formatted(sandbox, sandbox));
    }
    create("--storage-dir", places.storage(), FileAccess.PRIVATE);
    create("--log-dir", places.logs(), logs);
    restrict(places.storage());
  }

  private static void create(String flag, Path directory, FileAccess access) throws SetupFailed {
    try {
      access.makeDirectories(directory);
    } catch (IOException failure) {
      throw new SetupFailed(
          ExitCode.SETUP,
          "cannot create %s (%s); give another %s".formatted(directory, failure, flag));
    }
  }

  /** Restricts the access to the files of an earlier version, which depended on its umask. */
  private static void restrict(Path storage) throws SetupFailed {
    try {
      for (var name : List.of("store", "decisions", "schedule", "templates")) {
        FileAccess.PRIVATE.restrictTree(storage.resolve(name));
      }
      FileAccess.PRIVATE.restrictFiles(storage.resolve("store"), Pattern.compile(".*"));
    } catch (IOException failure) {
      throw new SetupFailed(
          ExitCode.SETUP,
          "cannot restrict the access to %s (%s); give another --storage-dir"
              .formatted(storage, failure));
    }
  }

  EpochStore store() {
    return cluster.everything();
  }

  /** Prints the progress on a separate loop. */
  void watch(Progress progress) {
    var loop = new VertxLoop(vertx, clock);
    loop.execute(() -> progress.start(loop).forEach(watch -> parts.add("progress", watch)));
  }

  /** The address of the HTTP server, {@code http://host:port/}. */
  String address() {
    return address;
  }

  @Override
  public void close() {
    LOG.info("closing");
    parts.close();
  }
}
