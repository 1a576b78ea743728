package verwalter.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static verwalter.certificates.TestAuthority.CLUSTER;
import static verwalter.certificates.TestAuthority.NOW;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

class ClusterTlsTest {
  private final TestAuthority authority = new TestAuthority();
  private Instant now = NOW;

  private ClusterTls tls(Pki pki) {
    return new ClusterTls(pki, CLUSTER, () -> now);
  }

  private ClusterTls node(String name) throws Exception {
    return tls(authority.pki(authority.node(name)));
  }

  private static X509Certificate peer(SSLEngine engine) throws Exception {
    return (X509Certificate) engine.getSession().getPeerCertificates()[0];
  }

  @Test
  void connectsMembers() throws Exception {
    var server = node("n2");

    var connection =
        Handshake.between(node("n1").context(Peers.node("n2")), server.context(Peers.ANY));

    assertThat(connection.echo("hello")).isEqualTo("hello");
    assertThat(connection.client.getSession().getProtocol()).isEqualTo("TLSv1.3");
    assertThat(server.client(peer(connection.server)).name()).isEqualTo("n1");
  }

  @Test
  void connectsPeopleAsClientsOnly() throws Exception {
    var person = tls(authority.pki(authority.user("admin", "admins"))).context(Peers.NODES);
    var node = node("n1").context(Peers.ANY);

    assertThat(Handshake.between(person, node).echo("hello")).isEqualTo("hello");
    assertThatThrownBy(() -> Handshake.between(node, person))
        .hasStackTraceContaining("not for this side of a connection");
  }

  @Test
  void refusesAnotherNodeThanTheExpectedOne() throws Exception {
    var server = node("n3").context(Peers.ANY);

    assertThatThrownBy(() -> Handshake.between(node("n1").context(Peers.node("n2")), server))
        .isInstanceOf(SSLHandshakeException.class)
        .hasMessageContaining("node n3 is not expected here");
  }

  @Test
  void refusesNodesWhereElectorsAreExpected() throws Exception {
    var server = node("n1").context(Peers.ELECTORS);
    var elector = tls(authority.pki(authority.node("n2", true, NOW))).context(Peers.ANY);

    assertThat(Handshake.between(elector, server).echo("hello")).isEqualTo("hello");
    assertThatThrownBy(() -> Handshake.between(node("n3").context(Peers.ANY), server))
        .hasMessageContaining("node n3 is not expected here");
  }

  @Test
  void refusesOtherAuthorities() throws Exception {
    var others = TestAuthority.ofOtherCluster();
    var pki = others.pki(others.node("n2"));
    pki.installTrust(authority.trust()); // it trusts us, but we do not trust it

    assertThatThrownBy(
            () -> Handshake.between(tls(pki).context(Peers.ANY), node("n1").context(Peers.ANY)))
        .hasMessageContaining("not issued by this cluster");
  }

  @Test
  void refusesOtherClustersOfTheSameAuthority() throws Exception {
    var keys = CertifiedKey.newKeys(TestAuthority.CHANCE);
    var other =
        new CertificateAuthority("f".repeat(32), authority.credential, TestAuthority.CHANCE)
            .node(keys.getPublic(), "n2", true, Optional.empty(), List.of(), NOW);
    var pki =
        authority.pki(
            new CertifiedKey(
                keys.getPrivate(), List.of(other, authority.credential.certificate())));

    assertThatThrownBy(
            () -> Handshake.between(tls(pki).context(Peers.ANY), node("n1").context(Peers.ANY)))
        .hasMessageContaining("no name of this cluster");
  }

  @Test
  void refusesExpiredCertificates() throws Exception {
    var server = node("n1").context(Peers.ANY);
    var client = node("n2").context(Peers.ANY);
    now = NOW.plus(CertificateAuthority.NODE_LIFE).plusSeconds(1);

    assertThatThrownBy(() -> Handshake.between(client, server))
        .hasMessageContaining("the certificate has expired");
  }

  @Test
  void usesARenewedCertificateWhileConnectionsAreOpen() throws Exception {
    var pki = authority.pki(authority.node("n1"));
    var server = tls(pki).context(Peers.ANY);
    var client = node("n2").context(Peers.ANY);
    var open = Handshake.between(client, server);
    var renewed = authority.node("n1");

    pki.installNode(renewed);

    assertThat(open.echo("still open")).isEqualTo("still open");
    var next = Handshake.between(node("n3").context(Peers.ANY), server);
    assertThat(peer(next.client)).isEqualTo(renewed.certificate());
    assertThat(open.echo("open")).isEqualTo("open");
  }

  @Test
  void refusesAnOpenConnectionOfAnAuthorityThatIsNotTrustedAnyMore() throws Exception {
    var pki = authority.pki(authority.node("n1"));
    var tls = tls(pki);
    var open = Handshake.between(node("n2").context(Peers.ANY), tls.context(Peers.ANY));

    pki.installTrust(new TestAuthority().trust());

    assertThatThrownBy(() -> tls.client(peer(open.server))).isInstanceOf(ReplacedAuthority.class);
  }

  @Test
  void aRevocationClosesTheSocketsOfThePeerAndNoOthers() throws Exception {
    var tls = node("n1");
    var server = tls.context(Peers.NODES);
    try (var listening = server.getServerSocketFactory().createServerSocket(0)) {
      var removed = connected(node("n2"), listening);
      var other = connected(node("n3"), listening);
      tls.refuse((name, issued) -> name.name().equals("n2") && issued.equals(NOW));
      tls.closeRevoked();

      assertThat(removed.accepted().isClosed()).isTrue();
      assertThat(removed.client().getInputStream().read()).isEqualTo(-1);
      other.accepted().getOutputStream().write(7);
      assertThat(other.client().getInputStream().read()).isEqualTo(7);
      removed.client().close();
      other.client().close();
      other.accepted().close();
    }
  }

  private record Connection(Socket client, Socket accepted) {}

  private static Connection connected(ClusterTls peer, ServerSocket listening) throws Exception {
    var client =
        (SSLSocket)
            peer.context(Peers.NODES)
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), listening.getLocalPort());
    var accepted = (SSLSocket) listening.accept();
    accepted.setNeedClientAuth(true);
    var handshake = CompletableFuture.runAsync(() -> shake(client));
    shake(accepted);
    handshake.join();
    return new Connection(client, accepted);
  }

  private static void shake(SSLSocket socket) {
    try {
      socket.startHandshake();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Test
  void tellsWhenToRenew() throws Exception {
    var node = authority.node("n1");

    assertThat(tls(authority.pki(node)).renewal(0.5))
        .isEqualTo(Renewal.when(node.certificate(), NOW, 0.5));
  }
}
