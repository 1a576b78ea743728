package verwalter.supervisor.lithos;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.supervisor.program.Terms;

/** The requirements of a program in an image, set by its developer. */
record ContainerConfig(
    Kind kind,
    String executable,
    List<String> arguments,
    Map<String, String> environ,
    String workdir,
    Optional<Long> userId,
    Optional<Long> groupId,
    int restartTimeout,
    int killTimeout,
    boolean restartProcessOnly,
    List<Integer> normalExitCodes,
    Optional<String> stdoutStderrFile,
    boolean interactive,
    long memoryLimit,
    long cpuShares,
    long filenoLimit,
    Map<String, VariableType> variables,
    Map<String, TcpPort> tcpPorts,
    Map<String, Volume> volumes,
    Map<String, List<String>> secretEnviron,
    Optional<String> secretEnvironFile,
    ResolvConf resolvConf,
    HostsFile hostsFile,
    List<IdMap> uidMap,
    List<IdMap> gidMap) {
  private static final long MOST_ID = 0xffff_ffffL;

  /** The kinds that may use it. */
  enum Kind {
    DAEMON("Daemon"),
    COMMAND("Command"),
    EITHER("CommandOrDaemon");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    static Kind read(Value value) {
      var text = value.oneOf("Daemon", "Command", "CommandOrDaemon");
      return text.equals("Daemon") ? DAEMON : text.equals("Command") ? COMMAND : EITHER;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** A socket that lithos would open and pass on. */
  record TcpPort(
      Optional<Long> fd,
      String host,
      long listenBacklog,
      boolean reuseAddr,
      boolean reusePort,
      boolean setNonBlock,
      boolean external) {
    static TcpPort read(Value value) {
      var struct = value.struct();
      var port =
          new TcpPort(
              struct.find("fd", each -> each.number(0, 1 << 20)),
              struct.text("host", "0.0.0.0"),
              struct.get("listen_backlog", 128L, each -> each.plainNumber(0, 1 << 20)),
              struct.bool("reuse_addr", true),
              struct.bool("reuse_port", false),
              struct.bool("set_non_block", false),
              struct.bool("external", false));
      struct.end();
      return port;
    }
  }

  /** The origin of the container's resolv.conf. */
  record ResolvConf(Optional<Boolean> mount, boolean copyFromHost) {
    static ResolvConf read(Value value) {
      var struct = value.struct();
      var conf =
          new ResolvConf(struct.find("mount", Value::bool), struct.bool("copy_from_host", true));
      struct.end();
      return conf;
    }
  }

  /** The origin of the container's hosts file. */
  record HostsFile(
      Optional<Boolean> mount,
      boolean copyFromHost,
      Optional<Boolean> localhost,
      Optional<Boolean> publicHostname) {
    static HostsFile read(Value value) {
      var struct = value.struct();
      var file =
          new HostsFile(
              struct.find("mount", Value::bool),
              struct.bool("copy_from_host", true),
              struct.find("localhost", Value::bool),
              struct.find("public_hostname", Value::bool));
      struct.end();
      return file;
    }
  }

  static ContainerConfig read(String text, String source) throws ConfigException {
    return Dialect.read(text, source, ContainerConfig::read);
  }

  private static ContainerConfig read(Value root) {
    var struct = root.struct();
    struct.get("metadata", false, ignored -> true);
    var config =
        new ContainerConfig(
            struct.get("kind", Kind.DAEMON, Kind::read),
            struct.required("executable"),
            struct.list("arguments", Value::text),
            struct.map("environ", Value::text),
            struct.text("workdir", "/"),
            struct.find("user_id", value -> value.number(0, MOST_ID)),
            struct.find("group_id", value -> value.number(0, MOST_ID)),
            (int) struct.number("restart_timeout", 1, 0, 86_400),
            (int) struct.number("kill_timeout", 5, 0, 86_400),
            struct.bool("restart_process_only", false),
            struct.list(
                "normal_exit_codes",
                value -> (int) value.number(Integer.MIN_VALUE, Integer.MAX_VALUE)),
            struct.find("stdout_stderr_file", Value::text),
            struct.bool("interactive", false),
            struct.number("memory_limit", Long.MAX_VALUE, 0, Long.MAX_VALUE),
            struct.number("cpu_shares", 1024, 0, Long.MAX_VALUE),
            struct.number("fileno_limit", 1024, 1, Integer.MAX_VALUE),
            struct.map("variables", VariableType::read),
            struct.map("tcp_ports", TcpPort::read),
            struct.map("volumes", Volume::read),
            struct.map("secret_environ", ContainerConfig::secret),
            struct.find("secret_environ_file", Value::text),
            struct.get("resolv_conf", new ResolvConf(Optional.empty(), true), ResolvConf::read),
            struct.get(
                "hosts_file",
                new HostsFile(Optional.empty(), true, Optional.empty(), Optional.empty()),
                HostsFile::read),
            struct.list("uid_map", IdMap::read),
            struct.list("gid_map", IdMap::read));
    struct.end();
    return config;
  }

  /** The only list that may be written as a single text. */
  private static List<String> secret(Value value) {
    return value.isText() ? List.of(value.text()) : value.list(Value::text);
  }

  /** How the supervisor restarts and stops the program. */
  Terms terms() {
    boolean zeroIsNormal = normalExitCodes.isEmpty() && kind != Kind.DAEMON;
    return new Terms(restartTimeout, killTimeout, normalExitCodes, zeroIsNormal);
  }

  boolean limitsMemory() {
    return memoryLimit != Long.MAX_VALUE;
  }
}
