package verwalter.cluster.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.certificates.Peers;
import verwalter.stores.zookeeper.TlsFiles;
import verwalter.stores.zookeeper.ZooKeeperClients;

/** Who may connect to an elector. */
class ElectorAccessTest {
  private static final int MILLIS = 5_000;

  /** A server that accepts a client and waits for more causes a time-out instead. */
  private static final String REFUSED = "(?i).*(alert|certificate|reset|abort|closed|pipe).*";

  @TempDir private Path directory;

  private final TestAuthority authority = new TestAuthority();
  private Elector self;
  private ElectorServer server;

  @BeforeEach
  void start() throws Exception {
    authority.issue(directory.resolve("own"), true);
    self = new Elector(1, "127.0.0.1", Ports.three());
    ElectorServer.create(directory.resolve("1"), self);
    server =
        ElectorServer.start(
            directory.resolve("1"),
            TestAuthority.identity(directory.resolve("own")),
            ServerTimes.NORMAL,
            Thread::new);
    connect(TestAuthority.files(directory.resolve("own"))).close();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** A connected client. */
  private ZooKeeper connect(TlsFiles files) throws Exception {
    var connected = new CountDownLatch(1);
    var clients =
        new ZooKeeperClients(
            self.clientAddress(),
            Duration.ofSeconds(10),
            ServerProperties.LARGEST_REQUEST,
            Thread::new,
            Optional.of(files));
    var client =
        clients.connect(
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    assertThat(connected.await(30, TimeUnit.SECONDS)).isTrue();
    return client;
  }

  private List<Integer> ports() {
    return List.of(self.port(), self.electionPort(), self.clientPort());
  }

  /** Reads over TLS; the server sends nothing before it has received more. */
  private static void talk(SSLContext context, int port) throws IOException {
    try (var socket = context.getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.setSoTimeout(MILLIS);
      socket.getOutputStream().write(new byte[] {0, 0, 0, 1, 0});
      if (socket.getInputStream().read() < 0) {
        throw new IOException("the connection was closed");
      }
    }
  }

  @Test
  void refusesNodesThatAreNoElectors() throws Exception {
    authority.issue(directory.resolve("observer"), false);
    var context = TestAuthority.tls(directory.resolve("observer")).context(Peers.ANY);
    for (int port : ports()) {
      assertThatThrownBy(() -> talk(context, port)).as("port %d", port).hasMessageMatching(REFUSED);
    }
  }

  @Test
  void refusesClientsWithoutCertificateAndOfOtherAuthorities() throws Exception {
    new TestAuthority().issue(directory.resolve("other"), true);
    var other = SSLContext.getInstance("TLSv1.3");
    other.init(
        new KeyManager[] {TestAuthority.tls(directory.resolve("other")).keys()},
        new TrustManager[] {TestAuthority.tls(directory.resolve("own")).trust(Peers.ANY)},
        null);
    var none = SSLContext.getInstance("TLSv1.3");
    none.init(
        null,
        new TrustManager[] {TestAuthority.tls(directory.resolve("own")).trust(Peers.ANY)},
        null);
    for (int port : ports()) {
      for (var context : List.of(none, other)) {
        assertThatThrownBy(() -> talk(context, port))
            .as("port %d", port)
            .hasMessageMatching(REFUSED);
      }
    }
  }

  @Test
  void answersNothingWithoutTls() throws Exception {
    for (int port : ports()) {
      try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.setSoTimeout(MILLIS);
        socket.getOutputStream().write("ruok\n".getBytes(StandardCharsets.US_ASCII));
        var answer = new String(socket.getInputStream().readNBytes(4), StandardCharsets.US_ASCII);
        assertThat(answer).isNotEqualTo("imok");
      } catch (IOException closed) {
        assertThat(closed).isNotNull();
      }
    }
  }

  @Test
  void givesNodesToElectorsOnly() throws Exception {
    var client = connect(TestAuthority.files(directory.resolve("own")));
    client.create("/secret", new byte[1], ZooDefs.Ids.CREATOR_ALL_ACL, CreateMode.PERSISTENT);
    assertThat(client.getACL("/secret", null))
        .hasSize(1)
        .allSatisfy(
            each ->
                assertThat(each.getId()).isEqualTo(new Id("x509", ElectorAuthentication.ELECTOR)));
    client.close();
  }

  @Test
  void usesReplacedCertificatesWithoutRestart() throws Exception {
    var next = new TestAuthority();
    next.issue(directory.resolve("own"), true);
    next.issue(directory.resolve("client"), true);
    connect(TestAuthority.files(directory.resolve("client"))).close();
    authority.issue(directory.resolve("former"), true);
    var former = TestAuthority.tls(directory.resolve("former")).context(Peers.ANY);
    for (int port : ports()) {
      assertThatThrownBy(() -> talk(former, port)).as("port %d", port).isNotNull();
    }
  }

  @Test
  void listensForClientsOnLoopbackOnly() {
    assertThat(new Elector(1, "10.1.2.3", 8381).clientAddress()).isEqualTo("127.0.0.1:8383");
    assertThat(new Elector(1, "127.0.0.5", 8381).clientAddress()).isEqualTo("127.0.0.5:8383");
  }
}
