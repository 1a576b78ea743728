package verwalter.cluster.zookeeper;

import io.vertx.core.Future;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.concurrent.Loop;
import verwalter.stores.replicated.ReplicatedLog;
import verwalter.stores.zookeeper.ZooKeeperClients;
import verwalter.stores.zookeeper.ZooKeeperLog;

/**
 * A process with an elector's server and a user of the log, which a test starts and kills. It reads
 * commands from its input and prints what happens:
 *
 * <ul>
 *   <li>{@code seen NUMBER TEXT}: an entry was reported;
 *   <li>{@code appended TEXT}: an append was acknowledged;
 *   <li>{@code leads EPOCH}, {@code stops}: calls of its candidate;
 *   <li>{@code is ROLE}: the status has changed;
 *   <li>{@code done COMMAND}: a command has ended.
 * </ul>
 */
final class ElectorProcess {
  private static final Duration SESSION = Duration.ofSeconds(2);

  /** The time between two appends. */
  private static final Duration PAUSE =
      Duration.ofMillis(Integer.getInteger("verwalter.electors.pause", 20));

  private final String name;
  private final ElectorServer server;
  private final EnsembleMembers electors;
  private final ReplicatedLog log;
  private final Worker loop = new Worker();

  private long next = 1;
  private int count;
  private boolean appending;
  private boolean inProgress;
  private String last = "";

  private ElectorProcess(String name, Path directory, Path certificates) throws Exception {
    this.name = name;
    var self = new ElectorFiles(directory).self();
    this.server =
        ElectorServer.start(
            directory, TestAuthority.identity(certificates), ServerTimes.NORMAL, Thread::new);
    var clients =
        new ZooKeeperClients(
            self.clientAddress(),
            SESSION,
            ServerProperties.LARGEST_REQUEST,
            Thread::new,
            Optional.of(TestAuthority.files(certificates)));
    this.electors = new EnsembleMembers(clients);
    this.log = new ZooKeeperLog(clients, "/verwalter", loop, UUID::randomUUID);
    var leadership =
        new ZooKeeperLeadership(clients, "/verwalter", "m" + self.id(), 0, loop, UUID::randomUUID);
    leadership.stand(loop, new Candidate());
    server.watch(this::statusChanged);
    statusChanged();
    log.follow(1, new Printer());
  }

  /** Arguments: name of this process, its directory, and that of its certificates. */
  public static void main(String[] arguments) throws Exception {
    var process = new ElectorProcess(arguments[0], Path.of(arguments[1]), Path.of(arguments[2]));
    try (var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (var line = in.readLine(); line != null; line = in.readLine()) {
        process.run(line);
      }
    }
    System.exit(0);
  }

  private void run(String line) {
    var words = line.split(" ", -1);
    try {
      switch (words[0]) {
        case "add" ->
            electors.add(
                new Elector(Long.parseLong(words[1]), words[2], Integer.parseInt(words[3])), true);
        case "remove" -> electors.remove(Long.parseLong(words[1]));
        case "append" ->
            loop.execute(
                () -> {
                  appending = words[1].equals("on");
                  append();
                });
        case "close" -> server.close();
        default -> throw new IllegalArgumentException(line);
      }
      print("done " + line);
    } catch (Exception failure) {
      print("failed %s: %s".formatted(line, failure));
    }
  }

  private static synchronized void print(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private synchronized void statusChanged() {
    var status = "is %s %s".formatted(server.status().role(), server.problem().orElse(""));
    if (!status.equals(last)) {
      last = status;
      print(status);
    }
  }

  private void append() {
    if (appending && !inProgress) {
      send("%s-%d".formatted(name, ++count));
    }
  }

  private void send(String text) {
    inProgress = true;
    log.append(
        next,
        List.of(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8))),
        new ReplicatedLog.Receipt() {
          @Override
          public void appended() {
            print("appended " + text);
            inProgress = false;
            loop.after(PAUSE, () -> append());
          }

          @Override
          public void taken() {
            loop.execute(() -> send(text));
          }

          @Override
          public void unknown(String why) {
            print("unknown %s: %s".formatted(text, why));
          }
        });
  }

  private static final class Candidate implements Leadership.Candidate {
    @Override
    public void lead(Term term) {
      print("leads " + term.epoch());
    }

    @Override
    public Future<Void> stop() {
      print("stops");
      return Future.succeededFuture();
    }
  }

  private final class Printer implements ReplicatedLog.Follower {
    @Override
    public void committed(long first, List<ByteBuffer> entries, boolean ours) {
      var lines = new ArrayList<String>();
      for (var each : entries) {
        lines.add("seen %d %s".formatted(next, StandardCharsets.UTF_8.decode(each.duplicate())));
        next++;
      }
      print(String.join("\n", lines));
    }

    @Override
    public void trimmed(long last) {}

    @Override
    public void ended(String why) {
      print("ended " + why);
    }
  }

  /** A thread with timers. */
  private static final class Worker implements Loop {
    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1);

    @Override
    public Instant now() {
      return Instant.now();
    }

    @Override
    public void execute(Runnable task) {
      thread.execute(task);
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
      var timer = thread.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
      return () -> timer.cancel(false);
    }

    @Override
    public <V> Future<V> offload(Callable<V> work) {
      throw new UnsupportedOperationException("a leadership offloads nothing");
    }
  }
}
