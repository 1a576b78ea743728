package verwalter.agent;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Option;
import verwalter.cluster.sides.SideOptions;
import verwalter.controllers.instance.StartLimits;
import verwalter.model.AccessRule.Grant;
import verwalter.model.Node;
import verwalter.ui.port.ServerTlsFiles;

/** The flags of the agent, with defaults for unprivileged users. */
final class Settings {
  @Option(
      names = "--config-dir",
      paramLabel = "DIR",
      description =
          "Configuration root; /etc/verwalter, or for an ordinary user without one"
              + " ~/.config/verwalter.")
  Optional<Path> configDir = Optional.empty();

  @Option(
      names = "--storage-dir",
      paramLabel = "DIR",
      description =
          "The agent's own state; /var/lib/verwalter, or for an ordinary user"
              + " ~/.local/state/verwalter.")
  Optional<Path> storageDir = Optional.empty();

  @Option(
      names = "--store",
      paramLabel = "zookeeper://HOST:PORT,.../PATH",
      description =
          "The ZooKeeper ensemble and the path in which a cluster that this node founds keeps its"
              + " log, instead of an ensemble of its nodes. On a node of such a cluster: the new"
              + " servers of that ensemble, with the same path. Servers on other machines need"
              + " --insecure.")
  Optional<String> store = Optional.empty();

  @Option(
      names = "--log-dir",
      paramLabel = "DIR",
      description =
          "Logs of deployments and processes; /var/log/verwalter, or for an ordinary user"
              + " ~/.local/state/verwalter/log.")
  Optional<Path> logDir = Optional.empty();

  @Option(
      names = "--lithos-config",
      paramLabel = "FILE",
      description =
          "Master file of the supervisor; without it sandboxes are read from"
              + " CONFIG-DIR/lithos/sandboxes.")
  Optional<Path> lithosConfig = Optional.empty();

  @Option(
      names = "--hostname",
      paramLabel = "NAME",
      description = "This node's name in schedules; the machine's host name.")
  Optional<String> hostname = Optional.empty();

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "The name shown to others; the same as --hostname.")
  Optional<String> name = Optional.empty();

  @Option(
      names = "--override-machine-id",
      paramLabel = "HEX",
      description = "Takes the place of /etc/machine-id.")
  Optional<String> machineId = Optional.empty();

  @Option(
      names = {"-n", "--dry-run"},
      description = "Decide and render, but write no file, run no command and start no process.")
  boolean dryRun;

  @Option(
      names = "--log-id",
      description = "Accepted for compatibility; log lines always say where they come from.")
  boolean logId;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description =
          "Address of the HTTP server; ${DEFAULT-VALUE}. One that other machines reach needs"
              + " --tls-cert or --insecure.")
  String host = "127.0.0.1";

  @Option(
      names = "--insecure",
      description =
          "Accept connections without TLS: everyone who can connect to --host may do what"
              + " --anonymous says, and everyone who can connect to the servers of --store can"
              + " change the cluster.")
  boolean insecure;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "8379",
      description = "Port of the HTTP server, 0 for any; ${DEFAULT-VALUE}.")
  int port = 8379;

  @Option(
      names = "--anonymous",
      paramLabel = "GRANT",
      defaultValue = "operator",
      description =
          "What callers of this machine may do who show no credential: viewer, operator or none;"
              + " ${DEFAULT-VALUE}.")
  Anonymous anonymous = Anonymous.operator;

  @Option(
      names = "--socket-group",
      paramLabel = "GROUP",
      description =
          "Group whose members may connect to STORAGE-DIR/verwalter.sock, as operators. Its owner"
              + " and root are admins.")
  Optional<String> socketGroup = Optional.empty();

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description = "Certificate of the HTTP server, in PEM; it is read again when it changes.")
  Optional<Path> tlsCert = Optional.empty();

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "Private key of --tls-cert, in PEM.")
  Optional<Path> tlsKey = Optional.empty();

  @Option(
      names = "--tls-client-ca",
      paramLabel = "FILE",
      description =
          "Certificates of the authorities of client certificates, in PEM. The common name is the"
              + " caller, each organization a group.")
  Optional<Path> tlsClientCa = Optional.empty();

  @Option(
      names = "--use-sudo",
      description = "Accepted for compatibility; root commands use sudo whenever they need to.")
  boolean useSudo;

  @Option(
      names = "--debug-force-leader",
      description =
          "A node of a cluster that knows no leader leads itself at once."
              + " A single node always leads.")
  boolean forceLeader;

  @Option(
      names = "--allow-minority-cluster",
      description =
          "Roles without a minority_policy are scheduled also by nodes of a cluster without a"
              + " majority. A single node always leads.")
  boolean allowMinority;

  @Option(
      names = "--config-authority",
      paramLabel = "cluster|leader",
      defaultValue = "cluster",
      description =
          "Which roles and scheduler count after a change of leader: those in force until others"
              + " are accepted (cluster), or those in the leader's directory (leader);"
              + " ${DEFAULT-VALUE}.")
  ConfigAuthority configAuthority = ConfigAuthority.cluster;

  @Option(
      names = "--failover",
      paramLabel = "normal|fast",
      defaultValue = "normal",
      description =
          "How soon another node leads after the leader of a cluster was lost: after about 4"
              + " seconds (normal), or 2 (fast), for which the network between the electors must"
              + " not pause for half a second; ${DEFAULT-VALUE}. The same for all nodes. The"
              + " servers of --store have times of their own.")
  Failover failover = Failover.normal;

  @Option(
      names = "--default-frontend",
      paramLabel = "NAME",
      defaultValue = "common",
      description = "Accepted for compatibility; only ${DEFAULT-VALUE}, the page of Verwalter.")
  String defaultFrontend = "common";

  @Option(
      names = "--on-exit",
      paramLabel = "detach|stop",
      defaultValue = "detach",
      description =
          "Whether processes keep running (detach) or are stopped (stop) when the agent exits;"
              + " ${DEFAULT-VALUE}.")
  OnExit onExit = OnExit.detach;

  @Option(
      names = "--lua-engine",
      paramLabel = "vm|luaj",
      defaultValue = "vm",
      description =
          "What runs the scheduler; ${DEFAULT-VALUE}: Verwalter's own Lua 5.3. With luaj, numbers"
              + " are those of Lua 5.2.")
  Lua luaEngine = Lua.vm;

  @Option(
      names = "--decisions-kept",
      paramLabel = "NUMBER",
      defaultValue = "2000",
      description = "Runs of the scheduler that stay on record; ${DEFAULT-VALUE}.")
  int decisionsKept = 2_000;

  @Option(
      names = "--decisions-megabytes",
      paramLabel = "NUMBER",
      defaultValue = "256",
      description = "Space that runs on record may take, in MiB; ${DEFAULT-VALUE}.")
  long decisionsMegabytes = 256;

  @Option(
      names = "--reservable-megabytes",
      paramLabel = "NUMBER",
      description =
          "Memory of this machine that versions may reserve with start.memory, in MiB; all of it.")
  Optional<Long> reservableMegabytes = Optional.empty();

  @Option(
      names = "--downloads",
      paramLabel = "NUMBER",
      defaultValue = "4",
      description = "Archives that this machine downloads at once; ${DEFAULT-VALUE}.")
  int downloads = 4;

  @Option(
      names = "--download-kilobytes",
      paramLabel = "NUMBER",
      description = "KiB per second of all downloads of archives together; as many as come.")
  Optional<Long> downloadKilobytes = Optional.empty();

  @Option(
      names = "--log-days",
      paramLabel = "NUMBER",
      defaultValue = "30",
      description = "Days with deployments for which logs of deployments stay; ${DEFAULT-VALUE}.")
  int logDays = 30;

  @Option(
      names = "--log-megabytes",
      paramLabel = "NUMBER",
      defaultValue = "1024",
      description = "Space that logs of deployments may take, in MiB; ${DEFAULT-VALUE}.")
  long logMegabytes = 1024;

  @Option(
      names = "--process-log-megabytes",
      paramLabel = "NUMBER",
      defaultValue = "10",
      description = "Size at which the log of a process is rotated, in MiB; ${DEFAULT-VALUE}.")
  long processLogMegabytes = 10;

  @Option(
      names = "--process-logs-kept",
      paramLabel = "NUMBER",
      defaultValue = "5",
      description = "Rotated files that are kept of the log of each process; ${DEFAULT-VALUE}.")
  int processLogsKept = 5;

  @Option(
      names = "--process-log-days",
      paramLabel = "NUMBER",
      defaultValue = "30",
      description =
          "Days for which rotated files of logs of processes, and logs of processes that were"
              + " removed, are kept; ${DEFAULT-VALUE}.")
  int processLogDays = 30;

  @Option(
      names = "--log-mode",
      paramLabel = "MODE",
      defaultValue = "0600",
      description =
          "Mode of the files below --log-dir: 0600, 0604, 0640 or 0644. They contain the output of"
              + " processes, and variables of roles. ${DEFAULT-VALUE}.")
  String logMode = "0600";

  @Option(
      names = "--log-group",
      paramLabel = "GROUP",
      description = "Group of the files below --log-dir; that of the agent's user.")
  Optional<String> logGroup = Optional.empty();

  /** What callers without a credential may do. */
  enum Anonymous {
    viewer,
    operator,
    none;

    Optional<Grant> grant() {
      return switch (this) {
        case viewer -> Optional.of(Grant.VIEWER);
        case operator -> Optional.of(Grant.OPERATOR);
        case none -> Optional.empty();
      };
    }
  }

  /** The files of TLS; empty without TLS. */
  Optional<ServerTlsFiles> tls() {
    return tlsCert.isPresent() && tlsKey.isPresent()
        ? Optional.of(new ServerTlsFiles(tlsCert.get(), tlsKey.get(), tlsClientCa))
        : Optional.empty();
  }

  /** Which settings count after a change of leader. */
  enum ConfigAuthority {
    cluster,
    leader
  }

  /** The Lua engines. */
  enum Lua {
    vm,
    luaj
  }

  /** What happens to processes at the end of the agent. */
  enum OnExit {
    detach,
    stop
  }

  /** The ensemble of {@code --store}. */
  Optional<EnsembleAddress> ensemble() throws SetupFailed {
    try {
      var ensemble = store.map(EnsembleAddress::of);
      if (ensemble.isPresent() && !ensemble.get().isLoopback() && !insecure) {
        throw new SetupFailed(
            ExitCode.USAGE,
            "--store: connections to %s have no TLS, and everyone who can connect to it can change"
                    .formatted(ensemble.get())
                + " the cluster; use servers on this machine, or accept it with --insecure");
      }
      return ensemble;
    } catch (IllegalArgumentException mistake) {
      throw new SetupFailed(ExitCode.USAGE, "--store: " + mistake.getMessage());
    }
  }

  /** The directories, including defaults for this user. */
  record Places(Path config, Path storage, Path logs) {
    /** The directory of the schedule and its backups. */
    Path backups() {
      return storage.resolve("schedule");
    }
  }

  /**
   * The directories to use.
   *
   * @param root whether the agent runs as root
   */
  Places places(Map<String, String> environment, boolean root) {
    var home = Path.of(environment.getOrDefault("HOME", "/"));
    var state = xdg(environment, "XDG_STATE_HOME", home.resolve(".local/state"));
    var system = Path.of("/etc/verwalter");
    var own = xdg(environment, "XDG_CONFIG_HOME", home.resolve(".config"));
    var storage = storageDir.orElse(root ? Path.of("/var/lib/verwalter") : state);
    return new Places(
        configDir.orElse(root || Files.isDirectory(system) ? system : own).toAbsolutePath(),
        storage.toAbsolutePath(),
        logDir
            .orElse(root ? Path.of("/var/log/verwalter") : state.resolve("log"))
            .toAbsolutePath());
  }

  private static Path xdg(Map<String, String> environment, String variable, Path otherwise) {
    var given = environment.getOrDefault(variable, "");
    return (given.isEmpty() ? otherwise : Path.of(given)).resolve("verwalter");
  }

  /**
   * What limits the starts of instances.
   *
   * @param boot a text that differs after each start of the machine
   */
  StartLimits starts(String boot, Node.Capacity capacity) {
    long known = capacity.memoryBytes();
    return new StartLimits(
        Optional.of(boot),
        reservableMegabytes
            .map(megabytes -> OptionalLong.of(megabytes << 20))
            .orElseGet(() -> known > 0 ? OptionalLong.of(known) : OptionalLong.empty()));
  }

  /** What limits the downloads of archives. */
  LocalReleases.Traffic traffic() {
    long rate = downloadKilobytes.map(kilobytes -> kilobytes << 10).orElse(0L);
    return new LocalReleases.Traffic(downloads, rate, LocalReleases.Traffic.DEFAULT.uploadRate());
  }

  /** The options of sides without a majority. */
  SideOptions sides() {
    var usual = SideOptions.DEFAULT;
    return new SideOptions(
        forceLeader, allowMinority, usual.oldestView(), usual.latest(), usual.settling());
  }
}
