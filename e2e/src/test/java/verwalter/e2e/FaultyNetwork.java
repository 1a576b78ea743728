package verwalter.e2e;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Network namespaces that are connected by a bridge, which is in a namespace too, and faults
 * between them. A process of its own removes the namespaces, with everything that runs in them,
 * when this process ends in any way.
 */
final class FaultyNetwork implements AutoCloseable {
  private static final String PREFIX = "vwfault-";

  /** The number in the address of this machine. */
  private static final int MACHINE = 254;

  /** Waits until its input ends, and removes all that the first argument is the prefix of. */
  private static final String CLEANUP =
      """
      cat >/dev/null
      for space in $(ip netns list | cut -d' ' -f1 | grep "^$0"); do
        while pids=$(ip netns pids "$space") && [ -n "$pids" ]; do
          kill -9 $pids 2>/dev/null
          sleep 0.05
        done
        ip netns delete "$space"
      done
      grep " $1/" /proc/self/mounts | cut -d' ' -f2 | xargs -r umount -l
      """;

  /** Succeeds where everything can be made that a network needs. */
  private static final String PROBE =
      """
      ip link add probe0 type veth peer name probe1 &&
      ip link add probe2 type bridge &&
      iptables -w 5 -A INPUT -m statistic --mode random --probability 0.3 -j DROP &&
      mount -t tmpfs tmpfs /mnt
      """;

  private final String prefix;
  private final int size;
  private final Process cleanup;
  private final OutputStream held;

  private FaultyNetwork(String prefix, int size, Process cleanup) {
    this.prefix = prefix;
    this.size = size;
    this.cleanup = cleanup;
    this.held = cleanup.getOutputStream();
  }

  /** Skips the test where network namespaces cannot be made. */
  static void assumePossible() {
    assumeTrue(
        "root".equals(System.getProperty("user.name")), "network namespaces can be made by root");
    assumeTrue(
        possible(), "ip, nsenter or iptables are missing, or namespaces or mounts are not allowed");
  }

  private static boolean possible() {
    try {
      run("nsenter", "--version");
      run("unshare", "--net", "--mount", "sh", "-c", PROBE);
      return true;
    } catch (IOException failure) {
      return false;
    }
  }

  /**
   * Creates the namespaces of nodes 1 to {@code size}.
   *
   * @param mounts the directory below which the cleanup unmounts everything
   */
  static FaultyNetwork of(int size, Path mounts) throws IOException {
    var prefix = PREFIX + ProcessHandle.current().pid() + "-";
    var cleanup =
        new ProcessBuilder("setsid", "sh", "-c", CLEANUP, prefix, mounts.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    var network = new FaultyNetwork(prefix, size, cleanup);
    network.create();
    return network;
  }

  private void create() throws IOException {
    var hub = prefix + "hub";
    run("ip", "netns", "add", hub);
    run("ip", "-n", hub, "link", "add", "bridge", "type", "bridge");
    run("ip", "-n", hub, "link", "set", "bridge", "up");
    for (int node = 1; node <= size; node++) {
      var space = space(node);
      run("ip", "netns", "add", space);
      run("ip", "-n", space, "link", "set", "lo", "up");
      run(
          List.of(
              "ip -n %s link add eth0 type veth peer name node%d netns %s"
                  .formatted(space, node, hub)
                  .split(" ", -1)));
      run("ip", "-n", hub, "link", "set", "node" + node, "master", "bridge", "up");
      run("ip", "-n", space, "addr", "add", address(node) + "/24", "dev", "eth0");
      run("ip", "-n", space, "link", "set", "eth0", "up");
    }
  }

  /** Gives this machine an address in the network, so that it reaches all nodes. */
  void connectThisMachine() throws IOException {
    var hub = prefix + "hub";
    var link = "vwf" + ProcessHandle.current().pid();
    run(
        List.of(
            "ip link add %s type veth peer name machine netns %s"
                .formatted(link, hub)
                .split(" ", -1)));
    run("ip", "-n", hub, "link", "set", "machine", "master", "bridge", "up");
    run("ip", "addr", "add", address(MACHINE) + "/24", "dev", link);
    run("ip", "link", "set", link, "up");
  }

  private String space(int node) {
    return prefix + node;
  }

  /** The address of a node in this network. */
  static String address(int node) {
    return "10.16.0." + node;
  }

  /** The words before a command that make it run in the namespace of a node. */
  List<String> inside(int node) {
    return List.of("nsenter", "--net=/run/netns/" + space(node), "--");
  }

  /** The ids of all processes in the namespace of a node. */
  List<Long> pids(int node) throws IOException {
    return run("ip", "netns", "pids", space(node))
        .lines()
        .map(line -> Long.valueOf(line.strip()))
        .toList();
  }

  /** Drops all packets between nodes of different groups. */
  void partition(Collection<? extends Collection<Integer>> groups) throws IOException {
    for (var group : groups) {
      var others = groups.stream().filter(it -> it != group).flatMap(Collection::stream).toList();
      for (int node : group) {
        refuse(node, others);
      }
    }
  }

  /** Drops all packets that a node receives from others, and none that it sends. */
  void refuse(int node, Collection<Integer> senders) throws IOException {
    var rules = senders.stream().map(it -> "-A INPUT -s %s -j DROP".formatted(address(it)));
    rules(node, rules.toList());
  }

  /** Drops packets between all nodes with a probability. */
  void lose(double probability) throws IOException {
    for (int node = 1; node <= size; node++) {
      rules(
          node,
          List.of(
              "-A INPUT -i eth0 -m statistic --mode random --probability %s -j DROP"
                  .formatted(probability)));
    }
  }

  /** Ends all faults. */
  void heal() throws IOException {
    for (int node = 1; node <= size; node++) {
      rules(node, List.of());
    }
  }

  /** Replaces all rules of a node. */
  private void rules(int node, List<String> rules) throws IOException {
    var text = new StringBuilder("*filter\n:INPUT ACCEPT [0:0]\n");
    rules.forEach(rule -> text.append(rule).append('\n'));
    text.append("COMMIT\n");
    var command = new ArrayList<>(inside(node));
    command.addAll(List.of("iptables-restore", "-w", "5"));
    run(command, text.toString());
  }

  static String run(String... command) throws IOException {
    return run(List.of(command));
  }

  private static String run(List<String> command) throws IOException {
    return run(command, "");
  }

  private static String run(List<String> command, String input) throws IOException {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (var stream = process.getOutputStream()) {
      stream.write(input.getBytes(StandardCharsets.UTF_8));
    }
    var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException(command + ": " + text.strip());
      }
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
    return text;
  }

  /** Removes everything. */
  @Override
  public void close() throws IOException {
    held.close();
    cleanup.onExit().join();
  }
}
