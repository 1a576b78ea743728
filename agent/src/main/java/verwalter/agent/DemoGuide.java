package verwalter.agent;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** What a demo with several nodes says when everything runs. */
final class DemoGuide {
  /**
   * The text.
   *
   * @param leader the name of the node that leads
   */
  static String text(Path root, List<DemoNode> nodes, String leader) {
    var servers =
        nodes.stream()
            .map(node -> node.name() + " " + node.server() + "/")
            .collect(Collectors.joining(", "));
    return """

        Everything runs. %s leads %d nodes: %s
        Type this in another terminal, in the clone:
          . %s

        Look
          ./vw get nodes
          ./vw cluster status
        Roll out a version: the nodes replace their processes, one at a time on each
          for node in "$demo"/n?; do cp -r examples/hello/next/v2/. $node/config; done
          ./vw get processgroups --watch
        Kill the leader: another node leads, no process ends, and the agent comes back after 20 s
          kill -9 $(cat "$demo"/leader/pid)
          ./vw status
        Cut a node off: its agent stands still, its processes run on
          kill -STOP $(cat "$demo"/n2/pid)
          ./vw get nodes
        Heal
          kill -CONT $(cat "$demo"/n2/pid)
        Ctrl-C stops all agents and all processes.
        """
        .formatted(leader, nodes.size(), servers, DemoCommand.quoted(root.resolve("env")));
  }

  private DemoGuide() {}
}
