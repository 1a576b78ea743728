package verwalter.bench;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import verwalter.cluster.joining.StoredState;
import verwalter.controllers.node.NodeReconciler;
import verwalter.model.Node;

/** The machines of a simulated cluster, by number. The leader is number 0. */
final class SimulatedMachine {
  private static final String PREFIX = "node-";

  /** The name of a node. */
  static String name(int number) {
    return PREFIX + number;
  }

  /** The number of a node with this name. */
  static int number(String name) {
    return Integer.parseInt(name.substring(PREFIX.length()));
  }

  /** The id of its machine. */
  static String id(int number) {
    return UUID.nameUUIDFromBytes(name(number).getBytes(StandardCharsets.UTF_8))
        .toString()
        .replace("-", "");
  }

  /** What its agent reports of it, as a real one does. */
  static NodeReconciler.Machine of(int number) {
    var host = "10.1.%d.%d".formatted(number / 250, number % 250 + 1);
    return new NodeReconciler.Machine(
        name(number),
        List.of(host + ":8379"),
        Map.of(
            Node.MACHINE_ID,
            id(number),
            Node.HOSTNAME,
            name(number),
            "name",
            name(number),
            "os",
            "Debian GNU/Linux 12 (bookworm)",
            "kernel",
            "6.1.0-18-amd64",
            "arch",
            "amd64",
            "agentVersion",
            "0.1.0",
            StoredState.ADDRESSES,
            host + ":7000"),
        new Node.Capacity(8, 32L << 30));
  }

  private SimulatedMachine() {}
}
