package verwalter.cluster.zookeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import verwalter.stores.zookeeper.ZooKeeperClients;

/**
 * The cluster that owns a log in an external ensemble. The znode {@code cluster} below the path of
 * the log holds its id, so that no other cluster continues the log.
 */
public final class LogOwner {
  private final ZooKeeperClients clients;
  private final String root;

  /**
   * Creates the owner of a log.
   *
   * @param root the path below which the log lies, such as {@code /verwalter}
   */
  public LogOwner(ZooKeeperClients clients, String root) {
    this.clients = clients;
    this.root = root;
  }

  /**
   * The id of the cluster; empty if the log has no owner. Blocks.
   *
   * @throws IOException if the ensemble does not answer within a session, or refuses
   */
  public Optional<String> read() throws IOException, InterruptedException {
    return with(this::read);
  }

  /**
   * Makes a cluster the owner, unless there is an owner or a log. Blocks.
   *
   * @return the owner, as {@link #read} returns it
   * @throws IOException if the ensemble does not answer within a session, or refuses
   */
  public Optional<String> claim(String cluster) throws IOException, InterruptedException {
    return with(
        client -> {
          if (client.exists(root + "/base", false) == null) {
            create(client, cluster);
          }
          return read(client);
        });
  }

  private interface Work<T> {
    T run(ZooKeeper client) throws KeeperException, InterruptedException;
  }

  private <T> T with(Work<T> work) throws IOException, InterruptedException {
    var connected = new CountDownLatch(1);
    var client =
        clients.connect(
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    try {
      if (!connected.await(clients.session().toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException("cannot connect to " + clients);
      }
      return work.run(client);
    } catch (KeeperException failure) {
      throw new IOException(failure.getMessage(), failure);
    } finally {
      clients.close(client);
    }
  }

  private Optional<String> read(ZooKeeper client) throws KeeperException, InterruptedException {
    try {
      return Optional.of(
          new String(client.getData(root + "/cluster", false, null), StandardCharsets.UTF_8));
    } catch (KeeperException.NoNodeException none) {
      return Optional.empty();
    }
  }

  private void create(ZooKeeper client, String cluster)
      throws KeeperException, InterruptedException {
    for (int end = root.indexOf('/', 1); end > 0; end = root.indexOf('/', end + 1)) {
      create(client, root.substring(0, end), "");
    }
    create(client, root, "");
    create(client, root + "/cluster", cluster);
  }

  private void create(ZooKeeper client, String path, String data)
      throws KeeperException, InterruptedException {
    try {
      client.create(
          path, data.getBytes(StandardCharsets.UTF_8), clients.access(), CreateMode.PERSISTENT);
    } catch (KeeperException.NodeExistsException before) {
      // it stays as it is
    }
  }
}
