package verwalter.stores.zookeeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import verwalter.concurrent.testkit.Relay;
import verwalter.stores.replicated.ReplicatedLog;
import verwalter.stores.replicatedkit.Ensemble;

/** One server in this process, and a relay for each open log. */
final class ServerEnsemble implements Ensemble {
  private static final int LARGEST = 2 << 20;
  private static final Duration SESSION = Duration.ofSeconds(2);

  private final ThreadLoop loop = new ThreadLoop();
  private final Map<ReplicatedLog, Relay> relays = new HashMap<>();
  private final Path directory;
  private NIOServerCnxnFactory server;
  private int wipes;

  ServerEnsemble(Path directory) {
    System.setProperty("jute.maxbuffer", Integer.toString(LARGEST));
    System.setProperty("zookeeper.preAllocSize", "1024");
    this.directory = directory;
    this.server = start(0);
  }

  /** The loop on which all logs call back. */
  ThreadLoop loop() {
    return loop;
  }

  private NIOServerCnxnFactory start(int port) {
    try {
      var data = directory.resolve("data" + wipes).toFile();
      var keeper = new ZooKeeperServer(data, data, 500);
      keeper.setMinSessionTimeout(1000);
      var factory = new NIOServerCnxnFactory();
      factory.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 100);
      factory.startup(keeper);
      return factory;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  @Override
  public ReplicatedLog open() {
    try {
      var relay = new Relay(server.getLocalPort());
      var clients =
          new ZooKeeperClients("127.0.0.1:" + relay.port(), SESSION, LARGEST, Thread::new);
      var log = new ZooKeeperLog(clients, "/test/verwalter", loop, UUID::randomUUID);
      relays.put(log, relay);
      return log;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  public void cut(ReplicatedLog log) {
    relays.get(log).cut();
  }

  @Override
  public void reconnect(ReplicatedLog log) {
    relays.get(log).restore();
  }

  @Override
  public void interrupt() {
    relays.values().forEach(Relay::interrupt);
  }

  @Override
  public void wipe() {
    int port = server.getLocalPort();
    server.shutdown();
    wipes++;
    server = start(port);
  }

  @Override
  public void await(BooleanSupplier condition) {
    try {
      loop.await(condition);
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  @Override
  public void settle() {
    try {
      loop.awaitQuiet();
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  @Override
  public void close() throws IOException {
    settle();
    for (var relay : relays.values()) {
      relay.close();
    }
    server.shutdown();
    loop.close();
    try (var files = Files.walk(directory)) {
      for (var each : files.sorted(Comparator.reverseOrder()).toList()) {
        if (!each.equals(directory)) {
          Files.deleteIfExists(each);
        }
      }
    }
  }
}
