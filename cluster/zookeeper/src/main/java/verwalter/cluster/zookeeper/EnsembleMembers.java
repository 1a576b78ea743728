package verwalter.cluster.zookeeper;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.admin.ZooKeeperAdmin;
import org.apache.zookeeper.data.Stat;
import verwalter.stores.zookeeper.ZooKeeperClients;

/**
 * The members of the ensemble, and their changes. All methods block until a majority has decided,
 * or throw; after a failure it is unknown whether the change was made, and it may be repeated.
 */
public final class EnsembleMembers {
  /** How often a change is attempted that others prevented. */
  private static final int ATTEMPTS = 20;

  private static final Duration PAUSE = Duration.ofMillis(250);
  private static final String SERVER = "server.";
  private static final String IDS = "/electors";

  private final ZooKeeperClients clients;

  /** The members of the ensemble that these clients connect to. */
  public EnsembleMembers(ZooKeeperClients clients) {
    this.clients = clients;
  }

  /**
   * Adds a member, which must be running. Has no effect if it is one already.
   *
   * @param votes whether it votes; it may be added without a vote first, and with one later
   */
  public void add(Elector elector, boolean votes) throws IOException, InterruptedException {
    change(
        present -> {
          var next = new TreeMap<>(present);
          next.put("server." + elector.id(), value(elector.line(votes)));
          return next;
        });
  }

  /** Removes a member. It need not be running. Has no effect if it is none. */
  public void remove(long id) throws IOException, InterruptedException {
    change(
        present -> {
          var next = new TreeMap<>(present);
          next.remove("server." + id);
          return next;
        });
  }

  /** An id that no member has or had, for a new member. */
  public long newId() throws IOException, InterruptedException {
    return with(
        admin -> {
          try {
            admin.create(IDS, new byte[0], clients.access(), CreateMode.PERSISTENT);
          } catch (KeeperException.NodeExistsException usual) {
            // another id was made before
          }
          // Every change makes a new version; the first member has the id 1.
          return 1L + admin.setData(IDS, new byte[0], -1).getVersion();
        });
  }

  private static String value(String line) {
    return line.substring(line.indexOf('=') + 1);
  }

  private interface Work<T> {
    T run(ZooKeeperAdmin admin) throws KeeperException, InterruptedException, IOException;
  }

  private <T> T with(Work<T> work) throws IOException, InterruptedException {
    var connected = new CountDownLatch(1);
    var admin =
        clients.connectAdmin(
            event -> {
              if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    try {
      for (int attempt = 1; ; attempt++) {
        try {
          if (!connected.await(clients.session().toMillis() * 5, TimeUnit.MILLISECONDS)) {
            throw new IOException("cannot connect to " + clients);
          }
          return work.run(admin);
        } catch (KeeperException failure) {
          if (attempt == ATTEMPTS || !mayPass(failure)) {
            throw new IOException(
                "%s refuses the change: %s".formatted(clients, failure.getMessage()), failure);
          }
          new CountDownLatch(1).await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        }
      }
    } finally {
      close(admin);
    }
  }

  private static void close(ZooKeeper admin) throws InterruptedException {
    admin.close(1000);
  }

  /** Whether the same request may succeed later. */
  private static boolean mayPass(KeeperException failure) {
    return switch (failure.code()) {
      case CONNECTIONLOSS,
          OPERATIONTIMEOUT,
          BADVERSION,
          RECONFIGINPROGRESS,
          NEWCONFIGNOQUORUM,
          SESSIONMOVED ->
          true;
      default -> false;
    };
  }

  /** The ids of all members, whether or not they vote. */
  public SortedSet<Long> ids() throws IOException, InterruptedException {
    return with(
        admin ->
            servers(config(admin)).keySet().stream()
                .map(name -> Long.valueOf(name.substring(SERVER.length())))
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  private static Properties config(ZooKeeperAdmin admin)
      throws KeeperException, InterruptedException, IOException {
    admin.sync("/zookeeper/config", (code, path, context) -> {}, null);
    var config = new Properties();
    config.load(
        new StringReader(new String(admin.getConfig(false, new Stat()), StandardCharsets.UTF_8)));
    return config;
  }

  private static SortedMap<String, String> servers(Properties config) {
    var servers = new TreeMap<String, String>();
    config.stringPropertyNames().stream()
        .filter(name -> name.startsWith(SERVER))
        .forEach(name -> servers.put(name, config.getProperty(name)));
    return servers;
  }

  private void change(UnaryOperator<Map<String, String>> change)
      throws IOException, InterruptedException {
    with(
        admin -> {
          var config = config(admin);
          var present = servers(config);
          var next = change.apply(present);
          if (!next.equals(present)) {
            long version = Long.parseLong(config.getProperty("version", "0"), 16);
            var lines = new StringBuilder();
            next.forEach((name, value) -> lines.append(name).append('=').append(value).append(','));
            lines.setLength(lines.length() - 1);
            admin.reconfigure(null, null, lines.toString(), version, new Stat());
          }
          return next;
        });
  }
}
