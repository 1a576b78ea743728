package verwalter.supervisor.lithos;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** lithos's master file with unresolved paths. */
record MasterConfig(
    Path sandboxesDir,
    Path processesDir,
    Path runtimeDir,
    Path stateDir,
    Path mountDir,
    Path devfsDir,
    Path defaultLogDir,
    Optional<Path> configLogDir,
    Path stdioLogDir,
    Path logFile,
    String logLevel,
    Optional<String> syslogFacility,
    String syslogAppName,
    Optional<String> cgroupName,
    List<String> cgroupControllers) {

  static MasterConfig read(String text, String source) throws ConfigException {
    return Dialect.read(text, source, MasterConfig::read);
  }

  private static MasterConfig read(Value root) {
    var struct = root.struct();
    var config =
        new MasterConfig(
            path(struct, "sandboxes_dir", "./sandboxes"),
            path(struct, "processes_dir", "./processes"),
            path(struct, "runtime_dir", "/run/lithos"),
            path(struct, "state_dir", "state"),
            path(struct, "mount_dir", "mnt"),
            path(struct, "devfs_dir", "/var/lib/lithos/dev"),
            path(struct, "default_log_dir", "/var/log/lithos"),
            struct.get(
                "config_log_dir",
                Optional.of(Path.of("/var/log/lithos/config")),
                value ->
                    value.isNull() || value.isOmitted()
                        ? Optional.empty()
                        : Optional.of(Path.of(value.text()))),
            path(struct, "stdio_log_dir", "/var/log/lithos/stderr"),
            path(struct, "log_file", "master.log"),
            struct.text("log_level", "warn"),
            struct.find("syslog_facility", Value::text),
            struct.text("syslog_app_name", "lithos"),
            struct.get(
                "cgroup_name",
                Optional.of("lithos.slice"),
                value ->
                    value.isNull() || value.isOmitted()
                        ? Optional.empty()
                        : Optional.of(value.text())),
            struct.list("cgroup_controllers", Value::text));
    struct.end();
    return config;
  }

  private static Path path(Struct struct, String name, String fallback) {
    return Path.of(struct.text(name, fallback));
  }
}
