package verwalter.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.apache.zookeeper.common.X509Util;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** ZooKeeper reads the files of a node as they are. */
class ZooKeeperFilesTest {
  @TempDir Path directory;

  @Test
  void readsKeyAndTrustFromTheFilesOfANode() throws Exception {
    var now = Instant.now(); // ZooKeeper checks dates with the clock of the machine
    var authority = new TestAuthority(now);
    var pki = new Pki(PkiFiles.in(directory));
    pki.installTrust(authority.trust());
    pki.installNode(authority.node("n1", true, now));
    var keys = X509Util.createKeyManager(directory.resolve(Pki.NODE).toString(), "", "PEM");
    var trust =
        X509Util.createTrustManager(
            directory.resolve(Pki.TRUST).toString(),
            "",
            "PEM",
            false,
            false,
            false,
            false,
            false,
            false);
    var zooKeeper = SSLContext.getInstance(ClusterTls.PROTOCOL);
    zooKeeper.init(new KeyManager[] {keys}, new TrustManager[] {trust}, null);
    var ours = new ClusterTls(pki, TestAuthority.CLUSTER, () -> now).context(Peers.ELECTORS);

    assertThat(Handshake.between(ours, zooKeeper).echo("to ZooKeeper")).isEqualTo("to ZooKeeper");
    assertThat(Handshake.between(zooKeeper, ours).echo("from it")).isEqualTo("from it");
  }
}
