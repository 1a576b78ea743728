package verwalter.agent;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The ports of a demo with several nodes: a block for each node. The first port of a block claims
 * it, the last five are those of the node in the cluster, and its processes use the others.
 */
final class DemoClusterPorts implements AutoCloseable {
  private static final Pattern BLOCK = Pattern.compile("(?m)^(\\w+): \\[\"(\\d{5})-(\\d{5})\"\\]$");

  private final Map<String, Integer> blocks = new HashMap<>();
  private final List<ServerSocket> claims = new ArrayList<>();

  /**
   * Claims a block for each node and writes the ports of processes into the copies of the example.
   * A node keeps its block.
   *
   * @param nodes names of the nodes, with the directories of their copies
   * @throws SetupFailed if no ports are free, or a node's ports are used by another program
   */
  static DemoClusterPorts claim(Map<String, Path> nodes) throws IOException, SetupFailed {
    var ports = new DemoClusterPorts();
    try {
      var before = before(nodes);
      for (var node : nodes.keySet()) {
        ports.claim(node, Optional.ofNullable(before.get(node)));
      }
      for (var config : nodes.values()) {
        DemoFile.replace(list(config), ports.text(nodes));
      }
      return ports;
    } catch (IOException | SetupFailed failure) {
      ports.close();
      throw failure;
    }
  }

  private static Path list(Path config) {
    return Example.HELLO.portsFile(config);
  }

  /** The blocks of earlier, as the copies say. */
  private static Map<String, Integer> before(Map<String, Path> nodes) throws IOException {
    var found = new HashMap<String, Integer>();
    for (var config : nodes.values()) {
      if (Files.exists(list(config))) {
        BLOCK
            .matcher(Files.readString(list(config)))
            .results()
            .forEach(line -> found.put(line.group(1), Integer.parseInt(line.group(2)) - 1));
      }
    }
    return found;
  }

  private void claim(String node, Optional<Integer> before) throws IOException, SetupFailed {
    if (before.isPresent()) {
      // Its processes may still run on other ports of the block.
      keep(node, before.get());
      return;
    }
    for (int block : DemoPorts.blocks().toArray()) {
      var claim = DemoPorts.claimed(block);
      if (claim.isPresent()) {
        claims.add(claim.get());
        blocks.put(node, block);
        return;
      }
    }
    throw DemoPorts.none();
  }

  /** Members know each other by their addresses, so a node cannot move to other ports. */
  private void keep(String node, int block) throws IOException, SetupFailed {
    var claim = DemoPorts.listen(block);
    claim.ifPresent(claims::add);
    blocks.put(node, block);
    var taken =
        claim.isEmpty()
            ? IntStream.of(block)
            : IntStream.range(cluster(node), cluster(node) + NodePorts.COUNT);
    for (int port : taken.toArray()) {
      if (!DemoPorts.isFree(port)) {
        throw new SetupFailed(
            ExitCode.SETUP,
            "another program uses the port %d of node %s; stop it, or start over with --fresh"
                .formatted(port, node));
      }
    }
  }

  private String text(Map<String, Path> nodes) {
    return nodes.keySet().stream()
        .map(node -> "%s: [\"%d-%d\"]\n".formatted(node, web(node), cluster(node) - 1))
        .collect(
            Collectors.joining(
                "",
                """
                # The ports for the processes of the role hello on each node, of all versions. The nodes of this
                # demo share a machine; on machines of their own they share a list.
                """,
                ""));
  }

  /** The first of the ports of a node for other nodes. */
  int cluster(String node) {
    return block(node) + DemoPorts.BLOCK_SIZE - NodePorts.COUNT;
  }

  /** The port of the first web server of a node. */
  int web(String node) {
    return block(node) + 1;
  }

  /** A free port for the page of a node. */
  int http(String node) throws IOException {
    return DemoPorts.http(block(node));
  }

  private int block(String node) {
    return blocks.getOrDefault(node, 0);
  }

  /** Gives up the claims. */
  @Override
  public void close() throws IOException {
    for (var claim : claims) {
      claim.close();
    }
  }
}
