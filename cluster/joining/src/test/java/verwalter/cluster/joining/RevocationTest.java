package verwalter.cluster.joining;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.certificates.CertifiedName;
import verwalter.model.ClusterConfig;
import verwalter.model.Node;
import verwalter.model.Resource;

class RevocationTest {
  private static final String MACHINE = "2".repeat(32);

  @TempDir private Path directory;
  private TestCluster cluster;

  @BeforeEach
  void found() throws Exception {
    cluster = new TestCluster(directory);
  }

  @AfterEach
  void close() throws Exception {
    cluster.close();
  }

  private void note(String node, Optional<String> uid) throws Exception {
    var removal = new ClusterConfig.Removal(node, uid, cluster.now);
    var config =
        cluster
            .store
            .get(ClusterConfig.KIND, ClusterConfig.NAME)
            .orElseGet(
                () ->
                    Resource.of(
                        ClusterConfig.KIND, ClusterConfig.NAME, ClusterConfig.Spec.DEFAULT));
    TestCluster.await(
        cluster.store.put(config.withStatus(new ClusterConfig.Status(1, List.of(removal)))));
  }

  private void remove(String name) throws Exception {
    var node = cluster.store.get(Node.KIND, name).orElseThrow();
    note(name, Optional.of(node.meta().uid()));
    var released = node.withMeta(node.meta().withFinalizers(List.of()));
    TestCluster.await(cluster.store.put(released).compose(cluster.store::remove));
  }

  /** Whether the certificate that the machine has now is revoked. */
  private boolean isRevoked(String node) throws Exception {
    var certificate = cluster.place(node).pki().node().certificate();
    return StoredState.isRevoked(
        cluster.store,
        CertifiedName.of(certificate).orElseThrow(),
        certificate.getNotBefore().toInstant());
  }

  @Test
  void aCertificateOfALeaderWhoseClockWasAheadIsRevokedWithItsNode() throws Exception {
    cluster.now = cluster.now.plus(Duration.ofHours(3));
    TestCluster.await(cluster.join("n2", MACHINE, cluster.token(1)));
    cluster.now = cluster.now.minus(Duration.ofHours(3));
    assertThat(isRevoked("n2")).isFalse();

    remove("n2");

    assertThat(isRevoked("n2")).isTrue();
  }

  @Test
  void theNextNodeOfTheSameNameIsNotRevoked() throws Exception {
    TestCluster.await(cluster.join("n2", MACHINE, cluster.token(1)));
    remove("n2");
    cluster.now = cluster.now.minus(Duration.ofMinutes(2)); // the clock of another leader

    TestCluster.await(cluster.join("n2", MACHINE, cluster.token(1)));

    assertThat(isRevoked("n2")).isFalse();
  }

  @Test
  void aCertificateWithoutAnObjectIsRevokedByTime() throws Exception {
    var name = CertifiedName.of(cluster.place("n1").pki().node().certificate()).orElseThrow();
    assertThat(name.object()).isEmpty();
    assertThat(StoredState.isRevoked(cluster.store, name, cluster.now)).isFalse();

    note("n1", Optional.of("former"));

    assertThat(StoredState.isRevoked(cluster.store, name, cluster.now)).isTrue();
    assertThat(StoredState.isRevoked(cluster.store, name, cluster.now.plusSeconds(1))).isFalse();
  }
}
