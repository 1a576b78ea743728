package verwalter.cluster.zookeeper;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import javax.security.sasl.SaslException;
import org.apache.zookeeper.server.admin.AdminServer.AdminServerException;
import org.apache.zookeeper.server.quorum.QuorumPeer;
import org.apache.zookeeper.server.quorum.QuorumPeer.QuorumServer;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig.ConfigException;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.apache.zookeeper.server.quorum.flexible.QuorumVerifier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Watch;

/**
 * The ZooKeeper server of an elector, in this process. It is started again with increasing delays
 * when it fails, until it is closed or was removed from the members.
 *
 * <p>It never votes with a log that has lost something: if the log is damaged, or ends before the
 * highest transaction that this elector has acknowledged, log and snapshots are set aside, and the
 * elector follows without a vote until the leader has sent the present state. If the elector is the
 * only member, it is not started, because there is nobody to receive the state from.
 *
 * <p>A process has one elector. Thread-safe; no method blocks except where it says so.
 */
public final class ElectorServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ElectorServer.class);
  private static final Backoff RESTARTS =
      Backoff.exponential(Duration.ofMillis(500), Duration.ofSeconds(30));

  /** The number of consecutive starts that a damaged log must fail before it is set aside. */
  private static final int DAMAGED = 2;

  private final ElectorFiles files;
  private final TlsIdentity identity;
  private final ServerTimes times;
  private final ThreadFactory threads;
  private final IntConsumer exited = this::exited;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Object lock = new Object();

  /** Guarded by the lock, like the following. */
  private @Nullable Thread thread;

  private boolean over;
  private boolean removed;
  private @Nullable String failure;
  private @Nullable GuardedServer running;

  private volatile @Nullable QuorumVerifier members;
  private volatile @Nullable String problem;

  /** Whether the present run has found a leader. */
  private volatile boolean worked;

  private ElectorServer(
      ElectorFiles files, TlsIdentity identity, ServerTimes times, ThreadFactory threads) {
    this.files = files;
    this.identity = identity;
    this.times = times;
    this.threads = threads;
  }

  /** Whether the directory has the files of an elector. */
  public static boolean exists(Path directory) {
    return new ElectorFiles(directory).exist();
  }

  /**
   * Creates the files of the first elector of a new cluster. Blocks.
   *
   * @throws IOException if the directory has an elector already
   */
  public static void create(Path directory, Elector self) throws IOException {
    new ElectorFiles(directory).create(self, List.of(), true);
  }

  /**
   * Creates the files of an elector that joins others. After it was started, one of the others must
   * {@linkplain EnsembleMembers#add add} it. Blocks.
   *
   * @param self its id must not have been in use before
   * @throws IOException if the directory has an elector already
   */
  public static void join(Path directory, Elector self, Collection<Elector> others)
      throws IOException {
    if (others.isEmpty()) {
      throw new IllegalArgumentException("an elector cannot join nobody");
    }
    new ElectorFiles(directory).create(self, List.copyOf(others), false);
  }

  /**
   * Replaces a lost ensemble by a new one with this elector alone. The old files are kept in a
   * directory beside, with the suffix {@code .lost}. Without files it does nothing. The next call
   * completes an interrupted one; further calls do nothing until {@link #prepareReplacement}.
   * Blocks.
   *
   * @param directory the files of the elector, whose server must not run
   * @throws IOException if the files cannot be read, moved or written
   */
  public static void replace(Path directory) throws IOException {
    new ElectorFiles(directory).replace();
  }

  /**
   * Lets the next {@link #replace} replace the ensemble again. Blocks.
   *
   * @throws IOException if the mark of the last replacement cannot be deleted
   */
  public static void prepareReplacement(Path directory) throws IOException {
    new ElectorFiles(directory).prepareReplacement();
  }

  /**
   * Lets an elector that was removed from the members receive the log again, without a vote, when
   * it is started. Its server must have ended.
   */
  public static void rejoin(Path directory) throws IOException {
    new ElectorFiles(directory).rejoin();
  }

  /** The elector whose files are in the directory. */
  public static Elector self(Path directory) throws IOException {
    return new ElectorFiles(directory).self();
  }

  /** Whether the elector waits to be {@linkplain EnsembleMembers#add added} to the members. */
  public static boolean isJoining(Path directory) {
    return new ElectorFiles(directory).isJoining();
  }

  /**
   * Starts the elector whose files are in the directory. Failures are reported by {@link #problem}.
   *
   * @param threads creates the thread that starts the server
   */
  public static ElectorServer start(
      Path directory, TlsIdentity identity, ServerTimes times, ThreadFactory threads) {
    var server = new ElectorServer(new ElectorFiles(directory), identity, times, threads);
    server.start();
    return server;
  }

  private void start() {
    ServerProperties.set();
    PresentIdentity.set(identity);
    RunningServers.add(exited);
    synchronized (lock) {
      thread = threads.newThread(this::run);
      thread.start();
    }
  }

  /** Runs the server again and again. */
  private void run() {
    int failures = 0;
    while (runOnce(failures)) {
      failures = worked ? 1 : failures + 1;
      pause(RESTARTS.delay(failures));
    }
    RunningServers.remove(exited);
    changed();
  }

  /** Runs the server until it ends. Returns whether to run it again. */
  private boolean runOnce(int failures) {
    worked = false;
    try (var highest = HighestZxid.open(files.highest())) {
      files.prepare(times);
      serve(highest);
    } catch (IOException | ConfigException | RuntimeException | RunningServers.Exit thrown) {
      failed(reason(thrown));
      if (isDamage(thrown) && failures + 1 >= DAMAGED) {
        repair(reason(thrown));
      }
    } catch (InterruptedException stopped) {
      // the reason is noted below
    }
    synchronized (lock) {
      running = null;
      if (over || removed) {
        return false;
      }
      report(failure == null ? "the server has ended" : failure);
      failure = null;
    }
    LOG.error("elector={} {}", files, problem);
    changed();
    return true;
  }

  private static String reason(Throwable thrown) {
    var cause = thrown;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }

  /** Whether the log or the snapshots cannot be read, or have lost something. */
  private static boolean isDamage(Throwable thrown) {
    return thrown instanceof RuntimeException && thrown.getCause() instanceof IOException;
  }

  private void repair(String why) {
    try {
      if (files.members().size() < 2) {
        failed(why + "; there is no other elector to receive the log from");
      } else {
        LOG.error("elector={} log and snapshots are set aside: {}", files, why);
        files.setAside();
      }
    } catch (IOException failure) {
      failed(reason(failure));
    }
  }

  private void serve(HighestZxid highest)
      throws IOException, ConfigException, InterruptedException {
    var config = new QuorumPeerConfig();
    config.parse(files.config().toString());
    var main = new Main(highest);
    try {
      main.runFromConfig(config);
    } catch (AdminServerException off) {
      throw new IOException(off);
    } finally {
      main.close();
      main.awaitEnd();
    }
  }

  /** ZooKeeper's own procedure, with our server. */
  private final class Main extends QuorumPeerMain {
    private final HighestZxid highest;
    private volatile @Nullable GuardedServer peer;

    private Main(HighestZxid highest) {
      this.highest = highest;
    }

    @Override
    protected QuorumPeer getQuorumPeer() throws SaslException {
      var created = new GuardedServer(files.data().toFile(), highest, new ServerReports(this));
      peer = created;
      synchronized (lock) {
        running = created;
      }
      return created;
    }

    /** Waits for the end of the server's thread, so that nothing is written afterwards. */
    private void awaitEnd() throws InterruptedException {
      var ending = peer;
      if (ending != null) {
        Thread.interrupted();
        ending.join(Duration.ofSeconds(10).toMillis());
      }
    }
  }

  /** Receives the reports of one run. Late ones have no effect. */
  private final class ServerReports implements GuardedServer.Reports {
    private final Main main;

    private ServerReports(Main main) {
      this.main = main;
    }

    private boolean isLate() {
      synchronized (lock) {
        return running != main.peer;
      }
    }

    @Override
    public void changed() {
      if (isLate()) {
        return;
      }
      if (status().role().isServing()) {
        solved();
      }
      ElectorServer.this.changed();
    }

    @Override
    public void members(QuorumVerifier now) {
      if (!isLate()) {
        membersAre(now);
      }
    }

    @Override
    public void failed(String why) {
      if (!isLate()) {
        ElectorServer.this.failed(why);
      }
    }
  }

  private void membersAre(QuorumVerifier now) {
    members = now;
    try {
      if (now.getVersion() == 0) {
        return; // from the file of an elector that joins
      }
      if (now.getAllMembers().containsKey(files.self().id())) {
        files.joined();
      } else if (!files.isJoining()) {
        synchronized (lock) {
          removed = true;
          interrupt();
        }
      }
    } catch (IOException failure) {
      failed(reason(failure));
    }
    changed();
  }

  private void exited(int code) {
    failed("it ended with code " + code);
  }

  /** Ends the present run of the server for this reason, unless it has another one. */
  private void failed(String why) {
    synchronized (lock) {
      if (failure == null && !over) {
        failure = why;
        interrupt();
      }
    }
  }

  private void interrupt() {
    if (thread != null && thread != Thread.currentThread()) {
      thread.interrupt();
    }
  }

  private void pause(Duration delay) {
    try {
      closing.await(delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException late) {
      // a failure of the former run is of no interest
    }
  }

  private void report(String why) {
    problem = why;
  }

  private void solved() {
    worked = true;
    problem = null;
  }

  private void changed() {
    listeners.forEach(Runnable::run);
  }

  /** Why the server does not run, or cannot write; empty if all is well. */
  public Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  /** Calls the listener after each change of status or problem, on any thread. */
  public Watch watch(Runnable listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /**
   * Runs a task once when the server answers clients: now, or on any thread as soon as it does. The
   * task must not block.
   */
  public void whenServing(Runnable task) {
    var once = new OnceServing(task);
    listeners.add(once);
    once.run();
  }

  /** Runs a task the first time that the server serves. */
  private final class OnceServing implements Runnable {
    private final Runnable task;
    private final AtomicBoolean done = new AtomicBoolean();

    private OnceServing(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      if (status().role().isServing() && done.compareAndSet(false, true)) {
        listeners.remove(this);
        task.run();
      }
    }
  }

  /** The present state. */
  public ElectorStatus status() {
    GuardedServer peer;
    boolean gone;
    synchronized (lock) {
      peer = running;
      gone = removed;
    }
    var known = members;
    List<Elector> voters = known == null ? List.of() : electors(known.getVotingMembers().values());
    List<Elector> observers =
        known == null ? List.of() : electors(known.getObservingMembers().values());
    if (gone || peer == null) {
      var role = gone ? ElectorStatus.Role.REMOVED : ElectorStatus.Role.STOPPED;
      return new ElectorStatus(role, -1, OptionalLong.empty(), voters, observers);
    }
    return new ElectorStatus(peer.role(), peer.zxid(), peer.leader(), voters, observers);
  }

  private static List<Elector> electors(Collection<QuorumServer> servers) {
    return servers.stream().map(Elector::of).sorted(Comparator.comparingLong(Elector::id)).toList();
  }

  /** Stops the server. Blocks until nothing is written any more. */
  @Override
  public void close() {
    Thread running;
    synchronized (lock) {
      over = true;
      closing.countDown();
      running = thread;
      interrupt();
    }
    if (running != null) {
      try {
        running.join();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
