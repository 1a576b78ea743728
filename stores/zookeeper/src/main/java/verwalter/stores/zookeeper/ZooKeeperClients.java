package verwalter.stores.zookeeper;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.admin.ZooKeeperAdmin;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.StaticHostProvider;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.apache.zookeeper.data.ACL;

/**
 * Opens clients of an ensemble.
 *
 * @param servers the addresses, {@code host:port,host:port}
 * @param session the time after which the ensemble forgets a client that does not answer; the
 *     ensemble may choose a longer one
 * @param largestRequest the limit of the size of a request, in bytes; that of the servers must not
 *     be smaller
 * @param threads creates the threads in which clients are closed
 * @param tls the files for TLS; empty for connections without TLS. Every certificate of the
 *     authorities is accepted, whatever its name, so the servers must be on this machine
 * @param serving runs a task when the servers can answer, on any thread. A client that connects
 *     before that tries again only after one or two seconds
 */
public record ZooKeeperClients(
    String servers,
    Duration session,
    int largestRequest,
    ThreadFactory threads,
    Optional<TlsFiles> tls,
    Executor serving) {
  /** Clients without TLS, of servers that run. */
  public ZooKeeperClients(
      String servers, Duration session, int largestRequest, ThreadFactory threads) {
    this(servers, session, largestRequest, threads, Optional.empty());
  }

  /** Clients of servers that run. */
  public ZooKeeperClients(
      String servers,
      Duration session,
      int largestRequest,
      ThreadFactory threads,
      Optional<TlsFiles> tls) {
    this(servers, session, largestRequest, threads, tls, Runnable::run);
  }

  /** Opens a client, which connects in the background, and reports changes of its connection. */
  public ZooKeeper connect(Watcher changes) throws IOException {
    return new ZooKeeper(
        servers,
        Math.toIntExact(session.toMillis()),
        changes,
        false,
        new Servers(servers),
        config());
  }

  /** Opens a client that may change the members of the ensemble. */
  public ZooKeeperAdmin connectAdmin(Watcher changes) throws IOException {
    return new ZooKeeperAdmin(servers, Math.toIntExact(session.toMillis()), changes, config());
  }

  /** Servers of which all were tried before a pause, which is a second by default. */
  private static final class Servers implements HostProvider {
    private static final long PAUSE = 100; // ms

    private final HostProvider all;

    private Servers(String addresses) {
      all = new StaticHostProvider(new ConnectStringParser(addresses).getServerAddresses());
    }

    @Override
    public int size() {
      return all.size();
    }

    @Override
    public InetSocketAddress next(long pause) {
      return all.next(Math.min(pause, PAUSE));
    }

    @Override
    public void onConnected() {
      all.onConnected();
    }

    @Override
    public boolean updateServerList(
        Collection<InetSocketAddress> addresses, InetSocketAddress current) {
      return all.updateServerList(addresses, current);
    }
  }

  private ZKClientConfig config() {
    var config = new ZKClientConfig();
    config.setProperty(ZKConfig.JUTE_MAXBUFFER, Integer.toString(largestRequest));
    config.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "false");
    tls.ifPresent(
        files -> {
          config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
          config.setProperty(
              ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET,
              "org.apache.zookeeper.ClientCnxnSocketNetty");
          config.setProperty("zookeeper.ssl.keyStore.location", files.key().toString());
          config.setProperty("zookeeper.ssl.keyStore.type", "PEM");
          config.setProperty("zookeeper.ssl.trustStore.location", files.authorities().toString());
          config.setProperty("zookeeper.ssl.trustStore.type", "PEM");
          config.setProperty("zookeeper.ssl.protocol", "TLSv1.3");
          config.setProperty("zookeeper.ssl.enabledProtocols", "TLSv1.3");
          // The certificates of nodes do not depend on addresses.
          config.setProperty("zookeeper.ssl.hostnameVerification", "false");
        });
    return config;
  }

  /** Who may read and change the nodes that these clients create. */
  public List<ACL> access() {
    return tls.isPresent() ? ZooDefs.Ids.CREATOR_ALL_ACL : ZooDefs.Ids.OPEN_ACL_UNSAFE;
  }

  /** Closes a client without waiting for the ensemble. */
  public void close(ZooKeeper client) {
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
