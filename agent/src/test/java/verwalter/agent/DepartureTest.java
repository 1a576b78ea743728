package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.cluster.joining.Enrollment;
import verwalter.cluster.joining.StoredState;
import verwalter.cluster.mirror.RoutedStore;
import verwalter.cluster.zookeeper.Elector;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.files.FileAccess;
import verwalter.model.ClusterConfig;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.engine.MemoryStore;

class DepartureTest {
  @TempDir private Path directory;
  private final VirtualWorld world = new VirtualWorld(1);
  private final Vertx vertx = Vertx.vertx();
  private int restarts;

  @AfterEach
  void end() {
    vertx.close();
  }

  private MemberIdentity identity() throws Exception {
    var files = ClusterFiles.in(directory);
    FileAccess.PRIVATE.makeDirectories(files.directory());
    var machine = new Enrollment.Machine("n1", "1".repeat(32), List.of("10.0.0.1:1"));
    var member =
        new Enrollment(vertx, files.own(), files.pki(), world.clock(), new SecureRandom())
            .found(machine);
    return MemberIdentity.of(member, files, world.clock());
  }

  private MemoryStore objects() {
    var store = new MemoryStore(world.clock(), world.uids());
    world.await(store.put(node()));
    return store;
  }

  private static Resource<Node.Spec, Node.Status> node() {
    return Resource.of(Node.KIND, "n1", new Node.Spec(false));
  }

  private Resource<ClusterConfig.Spec, ClusterConfig.Status> removal() {
    var removed = new ClusterConfig.Removal("n1", Optional.empty(), world.clock().instant());
    return Resource.of(ClusterConfig.KIND, ClusterConfig.NAME, ClusterConfig.Spec.DEFAULT)
        .withStatus(new ClusterConfig.Status(1, List.of(removed)));
  }

  private void pass() {
    world.runFor(Duration.ofSeconds(1));
  }

  @Test
  void anObserverEndsThatIsRemovedAfterASnapshotHasReplacedTheObjects() throws Exception {
    var identity = identity();
    var old = objects();
    var store = new RoutedStore(old, old);
    identity.tls().refuse((name, issued) -> StoredState.isRevoked(store, name, issued));
    Departure.start(
        world.loop("departure"),
        () -> restarts++,
        identity,
        new ObserverRole(new Elector(1, "10.0.0.1", 2)),
        store);
    pass();
    var snapshot = objects();
    store.becomeCluster(snapshot);
    pass();
    assertThat(restarts).isZero();

    world.await(snapshot.put(removal()));
    world.await(snapshot.remove(node()));
    pass();

    assertThat(restarts).isEqualTo(1);
    assertThat(identity.files().isRemoved()).isTrue();
  }
}
