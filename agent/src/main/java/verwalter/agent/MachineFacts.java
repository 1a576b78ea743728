package verwalter.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import verwalter.cluster.joining.StoredState;
import verwalter.model.Node;

/** Facts about this machine from {@code /etc} and {@code /proc}. */
final class MachineFacts {
  /** Whether the user of this process is root. */
  static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /** The host name, as returned by {@code gethostname(2)}. */
  static String hostname() {
    return read("/proc/sys/kernel/hostname").orElse("localhost");
  }

  /** A text that differs after each start of the machine, or of this process if none is known. */
  static String boot() {
    return read("/proc/sys/kernel/random/boot_id").orElseGet(() -> UUID.randomUUID().toString());
  }

  /** The machine id: 32 hex digits, or an even number of hex digits set by the operator. */
  static String machineId(Optional<String> override) throws SetupFailed {
    if (override.isPresent()) {
      var given = override.get();
      if (!given.matches("([0-9a-fA-F]{2})+")) {
        throw new SetupFailed(
            ExitCode.SETUP,
            "--override-machine-id: %s is not an even number of hex digits".formatted(given));
      }
      return given.toLowerCase(java.util.Locale.ROOT);
    }
    var id = read("/etc/machine-id").orElse("");
    if (!id.matches("[0-9a-f]{32}")) {
      throw new SetupFailed(
          ExitCode.SETUP,
          "/etc/machine-id does not hold 32 hex digits; create it as root with"
              + " 'systemd-machine-id-setup', where there is no systemd with"
              + " 'tr -d - </proc/sys/kernel/random/uuid >/etc/machine-id',"
              + " or give --override-machine-id");
    }
    return id;
  }

  static Node.Capacity capacity() {
    var memory =
        read("/proc/meminfo").stream()
            .flatMap(String::lines)
            .filter(line -> line.startsWith("MemTotal:"))
            .map(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
            .findFirst();
    return new Node.Capacity(Runtime.getRuntime().availableProcessors(), memory.orElse(0L));
  }

  /**
   * The facts of this machine.
   *
   * @param cluster addresses of its cluster port; empty if it belongs to no cluster
   */
  static Map<String, String> of(
      String hostname, String name, String machineId, String version, List<String> cluster) {
    var facts = new LinkedHashMap<String, String>();
    facts.put(Node.HOSTNAME, hostname);
    facts.put("name", name);
    facts.put("machineId", machineId);
    facts.put("agentVersion", version);
    facts.put(
        "os",
        read("/etc/os-release").stream()
            .flatMap(String::lines)
            .filter(line -> line.startsWith("PRETTY_NAME="))
            .map(line -> line.substring("PRETTY_NAME=".length()).replace("\"", ""))
            .findFirst()
            .orElse("Linux"));
    facts.put("kernel", read("/proc/sys/kernel/osrelease").orElse("unknown"));
    facts.put("arch", System.getProperty("os.arch"));
    if (!cluster.isEmpty()) {
      facts.put(StoredState.ADDRESSES, String.join(",", cluster));
    }
    return facts;
  }

  private static Optional<String> read(String file) {
    try {
      return Optional.of(Files.readString(Path.of(file)).strip());
    } catch (IOException absent) {
      return Optional.empty();
    }
  }

  private MachineFacts() {}
}
