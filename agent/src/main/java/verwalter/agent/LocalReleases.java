package verwalter.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.artifacts.ArtifactException;
import verwalter.artifacts.ArtifactStore;
import verwalter.artifacts.Bandwidth;
import verwalter.artifacts.BlobStore;
import verwalter.artifacts.FetchLimits;
import verwalter.artifacts.FreeSpace;
import verwalter.artifacts.ProxyTable;
import verwalter.artifacts.ReleaseStore;
import verwalter.artifacts.Ticks;
import verwalter.artifacts.UnpackLimits;
import verwalter.artifacts.UnusedItems;
import verwalter.concurrent.Loop;
import verwalter.controllers.deployment.DeploymentLimits;
import verwalter.controllers.deployment.ReleaseFiles;

/**
 * The archives and releases below the storage directory, and the threads that work on them. Threads
 * begin with the first work, and end when there is none.
 */
final class LocalReleases implements NodeAgent.ReleasePlace, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LocalReleases.class);

  /** Threads for short calls, besides those of downloads and unpackings. */
  private static final int SHORT_CALLS = 6;

  private static final int SYNCING = 4;
  private static final int HTTP = 2;
  private static final long IDLE_SECONDS = 3;
  private static final long ENDING_SECONDS = 30;
  private static final Duration UPLOAD_STALL = Duration.ofMinutes(1);

  private final DeploymentLimits limits;
  private final ArtifactStore store;
  private final ThreadPoolExecutor workers;
  private final ThreadPoolExecutor syncing;
  private final ThreadPoolExecutor http;
  private Optional<LocalReleaseFiles> files = Optional.empty();

  /** The time of the machine. */
  private static final class MachineTicks implements Ticks {
    @Override
    public long nanos() {
      return System.nanoTime();
    }

    @Override
    public void sleep(long nanos) throws InterruptedException {
      TimeUnit.NANOSECONDS.sleep(nanos);
    }
  }

  /**
   * Limits of the traffic of archives.
   *
   * @param downloads that run at once
   * @param downloadRate bytes per second of all downloads together; 0 for no limit
   * @param uploadRate bytes per second that are sent to other nodes; 0 for no limit
   */
  record Traffic(int downloads, long downloadRate, long uploadRate) {
    /** Four downloads of any rate, and 50 MiB per second to other nodes. */
    static final Traffic DEFAULT = new Traffic(DeploymentLimits.DEFAULT.downloads(), 0, 50L << 20);
  }

  /** A machine without a cluster, with the usual limits. */
  LocalReleases(Path storage, Map<String, String> environment, String boot, ThreadFactory threads) {
    this(storage, environment, boot, threads, Traffic.DEFAULT, Optional.empty());
  }

  /**
   * @param storage holds the directories {@code artifacts} and {@code releases}, which are created
   *     when they are needed
   * @param environment has the proxies
   * @param boot a text that differs after each start of the machine
   * @param shared the archives of other nodes, which get those of this one
   */
  LocalReleases(
      Path storage,
      Map<String, String> environment,
      String boot,
      ThreadFactory threads,
      Traffic traffic,
      Optional<NodeCluster.SharedArchives> shared) {
    limits = DeploymentLimits.DEFAULT.withDownloads(traffic.downloads());
    workers = pool(limits.downloads() + limits.unpackings() + SHORT_CALLS, threads);
    syncing = pool(SYNCING, threads);
    http = pool(HTTP, threads);
    var ticks = new MachineTicks();
    var around =
        new BlobStore.Surroundings(
            FetchLimits.DEFAULT,
            new Bandwidth(traffic.downloadRate(), ticks),
            proxies(environment),
            Optional.empty(),
            shared.map(NodeCluster.SharedArchives::others).orElse(BlobStore.Others.NONE),
            FreeSpace.OF_DISK,
            ticks,
            http,
            boot);
    store =
        new ArtifactStore(
            new BlobStore(storage.resolve("artifacts"), around),
            new ReleaseStore(
                storage.resolve("releases"), UnpackLimits.DEFAULT, FreeSpace.OF_DISK, syncing));
    var uploads = new ArchiveUpload.Pace(new Bandwidth(traffic.uploadRate(), ticks), UPLOAD_STALL);
    shared.ifPresent(all -> all.exchange().serve(store.blobs(), uploads));
  }

  private static ThreadPoolExecutor pool(int most, ThreadFactory threads) {
    var pool =
        new ThreadPoolExecutor(
            most, most, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** The proxies of the environment. Without a usable setting there is none, which is logged. */
  private static ProxyTable proxies(Map<String, String> environment) {
    try {
      return ProxyTable.of(environment);
    } catch (ArtifactException bad) {
      LOG.warn("downloads use no proxy: {}", bad.getMessage());
      return ProxyTable.NONE;
    }
  }

  @Override
  public DeploymentLimits limits() {
    return limits;
  }

  @Override
  public synchronized ReleaseFiles on(Loop loop) {
    var made = new LocalReleaseFiles(store, UnusedItems.DEFAULT, loop, workers);
    files = Optional.of(made);
    return made;
  }

  /**
   * Cancels all works and waits for their end, so that another agent may use the directories
   * afterwards. Is called when the controllers have stopped.
   */
  @Override
  public synchronized void close() {
    files.ifPresent(LocalReleaseFiles::close);
    workers.shutdown();
    try {
      if (!workers.awaitTermination(ENDING_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("a download or an unpacking has not ended in {} s", ENDING_SECONDS);
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
    syncing.shutdown();
    http.shutdownNow();
  }
}
