package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ports of demos with several nodes, with real sockets. Other programs may use any of them. */
class DemoClusterPortsTest {
  @TempDir private Path root;

  private Map<String, Path> nodes(String name) throws IOException {
    var nodes = new TreeMap<String, Path>();
    for (var node : new String[] {"n1", "n2", "n3"}) {
      var config = root.resolve(name).resolve(node);
      Files.createDirectories(config.resolve("runtime/hello"));
      Files.writeString(list(config), "# Ports.\n[\"10081-10099\"]\n");
      nodes.put(node, config);
    }
    return nodes;
  }

  private static Path list(Path config) {
    return config.resolve("runtime/hello/ports.yaml");
  }

  @Test
  void nodesAndDemosHaveDifferentBlocks() throws Exception {
    try (var one = DemoClusterPorts.claim(nodes("one"));
        var two = DemoClusterPorts.claim(nodes("two"))) {
      assertThat(new int[] {one.web("n1"), one.web("n2"), one.web("n3"), two.web("n1")})
          .isSorted()
          .doesNotHaveDuplicates();
      assertThat(one.cluster("n1")).isEqualTo(one.web("n1") + 14);
      assertThat(one.http("n2")).isNotEqualTo(one.http("n3"));
    }
  }

  @Test
  void thePortOfTheGroupOfANodeIsFree() throws Exception {
    try (var ports = DemoClusterPorts.claim(nodes("one"))) {
      for (var node : List.of("n1", "n2", "n3")) {
        try (var group = listen(ports.cluster(node) + NodePorts.GROUP)) {
          assertThat(group.isBound()).isTrue();
        }
      }
    }
  }

  @Test
  void writesTheSameListForAllNodes() throws Exception {
    var nodes = nodes("one");
    try (var ports = DemoClusterPorts.claim(nodes)) {
      var text = Files.readString(list(nodes.get("n1")));
      assertThat(text)
          .contains("n1: [\"%d-%d\"]\n".formatted(ports.web("n1"), ports.web("n1") + 13))
          .contains("n3: [\"%d-%d\"]\n".formatted(ports.web("n3"), ports.web("n3") + 13));
      assertThat(list(nodes.get("n2"))).hasContent(text);
    }
  }

  @Test
  void aNodeKeepsItsPorts() throws Exception {
    var nodes = nodes("one");
    int before;
    try (var ports = DemoClusterPorts.claim(nodes)) {
      before = ports.cluster("n2");
    }
    try (var process = listen(before - 1);
        var ports = DemoClusterPorts.claim(nodes)) {
      assertThat(process.isBound()).isTrue();
      assertThat(ports.cluster("n2")).isEqualTo(before);
    }
  }

  @Test
  void refusesToMoveANodeWhosePortsAreTaken() throws Exception {
    var nodes = nodes("one");
    int before;
    try (var ports = DemoClusterPorts.claim(nodes)) {
      before = ports.cluster("n2");
    }
    try (var other = listen(before + 2)) {
      assertThatThrownBy(() -> DemoClusterPorts.claim(nodes))
          .isInstanceOf(SetupFailed.class)
          .hasMessageContaining("port %d of node n2".formatted(other.getLocalPort()))
          .hasMessageContaining("--fresh");
    }
  }

  private static ServerSocket listen(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
  }
}
