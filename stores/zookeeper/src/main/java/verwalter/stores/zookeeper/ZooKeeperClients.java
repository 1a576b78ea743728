package verwalter.stores.zookeeper;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;

/**
 * Opens clients of an ensemble.
 *
 * @param servers the addresses, {@code host:port,host:port}
 * @param session the time after which the ensemble forgets a client that does not answer; the
 *     ensemble may choose a longer one
 * @param largestRequest the limit of the size of a request, in bytes; that of the servers must not
 *     be smaller
 * @param threads creates the threads in which clients are closed
 */
public record ZooKeeperClients(
    String servers, Duration session, int largestRequest, ThreadFactory threads) {
  /** Opens a client, which connects in the background, and reports changes of its connection. */
  ZooKeeper connect(Watcher changes) throws IOException {
    var config = new ZKClientConfig();
    config.setProperty(ZKConfig.JUTE_MAXBUFFER, Integer.toString(largestRequest));
    return new ZooKeeper(servers, Math.toIntExact(session.toMillis()), changes, config);
  }

  /** Closes a client without waiting for the ensemble. */
  void close(ZooKeeper client) {
    var closing =
        threads.newThread(
            () -> {
              try {
                client.close(0);
              } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
              }
            });
    closing.start();
  }

  @Override
  public String toString() {
    return "zookeeper://" + servers;
  }
}
