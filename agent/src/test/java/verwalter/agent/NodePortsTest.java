package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import verwalter.cluster.joining.ClusterMember.Address;

class NodePortsTest {
  @Test
  void namesThePortThatIsInUse() throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.7"))) {
      int port = taken.getLocalPort();
      assertThatThrownBy(() -> NodePorts.requireFree(new Address("127.0.0.7", port - 2)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(
              "the ports %d to %d at 127.0.0.7, and cannot listen on %d: "
                  .formatted(port - 2, port + 2, port));
      assertThatCode(() -> NodePorts.requireFree(new Address("127.0.0.8", port - 2)))
          .doesNotThrowAnyException();
    }
  }

  @Test
  void refusesAnAddressOfAnotherMachine() {
    assertThatThrownBy(() -> NodePorts.requireFree(new Address("192.0.2.1", 8380)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot listen on 8380: ");
  }
}
