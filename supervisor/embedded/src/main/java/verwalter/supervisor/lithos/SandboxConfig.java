package verwalter.supervisor.lithos;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The limits of one sandbox, set by the administrator: the security boundary. */
record SandboxConfig(
    Optional<String> configFile,
    Path imageDir,
    int imageDirLevels,
    Optional<String> usedImagesList,
    boolean autoClean,
    Optional<String> logFile,
    Optional<String> logLevel,
    Map<String, String> readonlyPaths,
    Map<String, String> writablePaths,
    List<IdRange> allowUsers,
    Optional<Long> defaultUser,
    List<IdRange> allowGroups,
    long defaultGroup,
    List<IdRange> allowTcpPorts,
    List<IdMap> uidMap,
    List<IdMap> gidMap,
    Map<String, String> additionalHosts,
    String hostsFile,
    String resolvConf,
    Optional<BridgedNetwork> bridgedNetwork,
    Optional<String> secretsPrivateKey,
    List<String> secretsNamespaces) {
  private static final long MOST_ID = 0xffff_ffffL;

  /** A network of the sandbox's own, behind a bridge. */
  record BridgedNetwork(
      String bridge,
      String network,
      Optional<String> defaultGateway,
      List<String> afterSetupCommand) {
    static BridgedNetwork read(Value value) {
      var struct = value.struct();
      var network =
          new BridgedNetwork(
              struct.required("bridge"),
              struct.required("network"),
              struct.find("default_gateway", Value::text),
              struct.list("after_setup_command", Value::text));
      struct.end();
      return network;
    }
  }

  /**
   * Parses a sandbox file.
   *
   * @param directory of the file. Upstream requires an absolute {@code image-dir}. Here a relative
   *     one is relative to this directory, so that a configuration directory with its images can be
   *     copied.
   */
  static SandboxConfig read(String text, String source, Path directory) throws ConfigException {
    return Dialect.read(text, source, root -> read(root, directory));
  }

  private static SandboxConfig read(Value root, Path directory) {
    var struct = root.struct();
    var config =
        new SandboxConfig(
            struct.find("config_file", Value::text),
            directory.resolve(struct.text("image_dir", "/var/lib/lithos/containers")).normalize(),
            (int) struct.number("image_dir_levels", 1, 1, 16),
            struct.find("used_images_list", Value::text),
            struct.bool("auto_clean", true),
            struct.find("log_file", Value::text),
            struct.find("log_level", Value::text),
            struct.map("readonly_paths", Value::text),
            struct.map("writable_paths", Value::text),
            struct.list("allow_users", IdRange::read),
            struct.find("default_user", value -> value.plainNumber(0, MOST_ID)),
            struct.list("allow_groups", IdRange::read),
            struct.get("default_group", 0L, value -> value.plainNumber(0, MOST_ID)),
            struct.list("allow_tcp_ports", IdRange::read),
            struct.list("uid_map", IdMap::read),
            struct.list("gid_map", IdMap::read),
            struct.map("additional_hosts", Value::text),
            struct.text("hosts_file", "/etc/hosts"),
            struct.text("resolv_conf", "/etc/resolv.conf"),
            struct.findMapping("bridged_network", BridgedNetwork::read),
            struct.find("secrets_private_key", Value::text),
            struct.list("secrets_namespaces", Value::text));
    struct.end();
    return config;
  }
}
