package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
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
import verwalter.concurrent.testkit.ContextLoop;
import verwalter.controllers.deployment.ReleaseFailure;
import verwalter.controllers.deployment.ReleaseFiles.Found;
import verwalter.controllers.deployment.ReleaseFiles.Release;
import verwalter.controllers.deployment.ReleaseFiles.Wanted;
import verwalter.controllers.deployment.ReleaseFilesContract;
import verwalter.model.Reason;

/** The promises of the port, and some more, over a real disk and a real server. */
class LocalReleaseFilesTest extends ReleaseFilesContract {
  @TempDir Path root;
  private final Vertx vertx = Vertx.vertx();
  private final ContextLoop loop = new ContextLoop(vertx);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch over = new CountDownLatch(1);
  private HttpServer server;
  private final Map<String, byte[]> archives = new HashMap<>();
  private final Set<String> paths = new HashSet<>();
  private Thread thread;
  private String digest;
  private LocalReleaseFiles files;

  /** The time of the machine. */
  private static final class RealTicks implements Ticks {
    @Override
    public long nanos() {
      return System.nanoTime();
    }

    @Override
    public void sleep(long nanos) {
      LockSupport.parkNanos(nanos);
    }
  }

  @BeforeEach
  void serve() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.start();
    var known = new CountDownLatch(1);
    loop.execute(
        () -> {
          thread = Thread.currentThread();
          known.countDown();
        });
    known.await();
    digest = digest("a");
    files = open();
  }

  @Override
  protected String source(String content) throws Exception {
    return served("/%s.zip".formatted(content), content, false);
  }

  @Override
  protected String slowSource(String content) throws Exception {
    return served("/slow-%s.zip".formatted(content), content, true);
  }

  private String served(String path, String content, boolean isSlow) throws Exception {
    if (paths.add(path)) {
      var archive = archive(content);
      server.createContext(path, exchange -> send(exchange, archive, isSlow));
    }
    return url(path);
  }

  private void send(HttpExchange exchange, byte[] archive, boolean isSlow) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(200, archive.length);
      exchange.getResponseBody().write(archive, 0, isSlow ? 10 : archive.length);
      if (isSlow) {
        exchange.getResponseBody().flush();
        over.await();
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  protected String noSource() {
    return url("/none");
  }

  /** The archive with this content; equal each time, although a zip has times. */
  private byte[] archive(String content) throws IOException {
    var present = archives.get(content);
    if (present != null) {
      return present;
    }
    var archive = zip("bin/run", content);
    archives.put(content, archive);
    return archive;
  }

  @Override
  protected String digest(String content) throws Exception {
    var hash = MessageDigest.getInstance("SHA-256").digest(archive(content));
    return "sha256:" + HexFormat.of().formatHex(hash);
  }

  @Override
  protected void age(Duration time) throws IOException {
    try (var all = Files.walk(root)) {
      for (var path : all.filter(Files::isRegularFile).toList()) {
        var last = Files.getLastModifiedTime(path).toInstant();
        Files.setLastModifiedTime(path, FileTime.from(last.minus(time)));
      }
    }
  }

  @Override
  protected boolean hasRests() throws IOException {
    try (var left = Files.list(root.resolve("blobs"))) {
      return left.anyMatch(path -> path.getFileName().toString().startsWith("."));
    }
  }

  @Override
  protected Loop loop() {
    return loop;
  }

  @Override
  protected boolean isOnLoop() {
    return Thread.currentThread() == thread;
  }

  /** The files as the agent has them after a start. */
  @Override
  protected LocalReleaseFiles open() throws ArtifactException {
    var ticks = new RealTicks();
    var around =
        new BlobStore.Surroundings(
            new FetchLimits(1 << 20, Duration.ofMinutes(1), Duration.ofSeconds(5), 3, 0),
            new Bandwidth(0, ticks),
            ProxyTable.of(Map.of()),
            Optional.empty(),
            BlobStore.Others.NONE,
            FreeSpace.OF_DISK,
            ticks,
            threads,
            "boot");
    var store =
        new ArtifactStore(
            new BlobStore(root.resolve("blobs"), around),
            new ReleaseStore(
                root.resolve("releases"), UnpackLimits.DEFAULT, FreeSpace.OF_DISK, threads));
    return new LocalReleaseFiles(store, UnusedItems.DEFAULT, loop, threads);
  }

  @AfterEach
  void close() {
    over.countDown();
    server.stop(0);
    threads.shutdownNow();
    vertx.close();
  }

  private static byte[] zip(String name, String text) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry(name));
      zip.write(text.getBytes(StandardCharsets.UTF_8));
      zip.closeEntry();
    }
    return bytes.toByteArray();
  }

  private String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  @Override
  protected <V> V await(Future<V> future) {
    return future.toCompletionStage().toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
  }

  @Override
  protected Throwable failure(Future<?> future) {
    return await(future.transform(result -> Future.succeededFuture(result.cause())));
  }

  @Override
  protected void until(BooleanSupplier goal) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!goal.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      await(loop.offload(() -> 0));
    }
  }

  private Reason reason(Future<?> future) {
    return ((ReleaseFailure) failure(future)).reason();
  }

  private Found found(String source) throws Exception {
    return await(files.find(KEY, source, Optional.of(digest)));
  }

  @Test
  void aDirectoryIsUsedInPlaceWhileItExists() throws Exception {
    var directory = Files.createDirectory(root.resolve("web"));
    assertThat(found(directory.toString()).release())
        .contains(new Release(directory.toString(), Optional.empty()));
    await(files.removeRelease(KEY));
    Files.delete(directory);
    assertThat(found(directory.toString()).release()).isEmpty();
  }

  @Test
  void changedFilesAreFound() throws Exception {
    await(files.fetch(new Wanted(source("a"), Optional.empty())).done());
    var release = await(files.create(KEY, digest).done());
    Files.delete(Path.of(release.path(), "bin/run"));
    Files.createFile(Path.of(release.path(), "more"));
    assertThat(await(files.verify(KEY).done()))
        .containsExactlyInAnyOrder("bin/run is missing", "more is not in the archive");
    assertThat(reason(files.verify("none").done())).isEqualTo(Reason.NOT_FOUND);
  }

  @Test
  void anArchiveThatWasChangedOnTheDiskIsFetchedAgain() throws Exception {
    var wanted = new Wanted(source("a"), Optional.of(digest));
    await(files.fetch(wanted).done());
    var archive = root.resolve("blobs").resolve(digest.substring("sha256:".length()));
    Files.delete(archive);
    Files.write(archive, archive("b"));

    var failed = (ReleaseFailure) failure(files.create(KEY, digest).done());

    assertThat(failed.reason()).isEqualTo(Reason.NOT_FOUND);
    assertThat(failed.mayPass()).isTrue();
    assertThat(failed).hasMessageContaining("was changed on the disk");
    assertThat(await(files.archive(digest))).isEmpty();
    await(files.fetch(wanted).done());
    assertThat(await(files.create(KEY, digest).done()).digest()).contains(digest);
  }

  @Test
  void afterItsEndEveryCallIsCancelled() throws Exception {
    var fetch = files.fetch(new Wanted(slowSource("a"), Optional.of(digest)));
    files.close();
    assertThat(reason(fetch.done())).isEqualTo(Reason.CANCELLED);
    assertThat(reason(files.archive(digest))).isEqualTo(Reason.CANCELLED);
    threads.shutdown();
    assertThat(reason(files.contents())).isEqualTo(Reason.CANCELLED);
  }

  @Test
  void whatCannotBeReadIsNotFoundButNotAFailure() throws Exception {
    for (var source : new String[] {"ftp://a/b", "", "/does/not/exist"}) {
      assertThat(await(files.find(KEY, source, Optional.of("xyz"))))
          .isEqualTo(new Found(Optional.empty(), Optional.empty()));
      await(files.abandon(new Wanted(source, Optional.of("xyz"))));
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachReasonOfTheLibraryIsAReasonOfConditions(ArtifactException.Reason reason) {
    assertThat(LocalReleaseFiles.reason(reason).title()).isEqualTo(reason.word());
  }
}
