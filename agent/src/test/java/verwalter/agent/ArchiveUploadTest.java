package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.artifacts.ArtifactException;
import verwalter.artifacts.Bandwidth;
import verwalter.artifacts.BlobStore;
import verwalter.artifacts.Digest;
import verwalter.artifacts.FetchLimits;
import verwalter.artifacts.FreeSpace;
import verwalter.artifacts.ProxyTable;
import verwalter.artifacts.Ticks;
import verwalter.certificates.CertifiedName;
import verwalter.concurrent.testkit.ContextLoop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.stores.engine.MemoryStore;

/** What an exchange of archives sends, and how much at once. */
class ArchiveUploadTest {
  private static final byte[] CONTENT = new byte[500_000];
  private static final CertifiedName NODE = CertifiedName.node("f".repeat(32), "n2", false);
  private static final Duration STALL = Duration.ofMinutes(1);

  static {
    new Random(1).nextBytes(CONTENT);
  }

  @TempDir private Path root;
  private final Vertx vertx = Vertx.vertx();
  private final HttpClient http = vertx.createHttpClient(new PoolOptions().setHttp1MaxSize(20));
  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore store = new MemoryStore(world.clock(), world.uids());
  private final ArchiveExchange exchange =
      new ArchiveExchange(
          vertx,
          new ContextLoop(vertx),
          new ArchiveHolders(store, world.clock(), () -> 0),
          () -> false);
  private CertifiedName peer = NODE;
  private Digest digest;
  private BlobStore blobs;
  private int port;

  /** The time of the machine. */
  static final class RealTicks implements Ticks {
    @Override
    public long nanos() {
      return System.nanoTime();
    }

    @Override
    public void sleep(long nanos) throws InterruptedException {
      TimeUnit.NANOSECONDS.sleep(nanos);
    }
  }

  static BlobStore blobs(Path directory, BlobStore.Others others) throws ArtifactException {
    var ticks = new RealTicks();
    return new BlobStore(
        directory,
        new BlobStore.Surroundings(
            FetchLimits.DEFAULT,
            new Bandwidth(0, ticks),
            ProxyTable.NONE,
            Optional.empty(),
            others,
            FreeSpace.OF_DISK,
            ticks,
            Runnable::run,
            "boot"));
  }

  static Digest digest(byte[] content) throws Exception {
    return new Digest(
        HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content)));
  }

  @BeforeEach
  void start() throws Exception {
    digest = digest(CONTENT);
    blobs = blobs(root, BlobStore.Others.NONE);
    Files.write(root.resolve(digest.hex()), CONTENT);
    port =
        wait(vertx
                .createHttpServer()
                .requestHandler(request -> exchange.handle(peer, request))
                .listen(0, "127.0.0.1"))
            .actualPort();
    serve(0, STALL);
  }

  @AfterEach
  void stop() throws Exception {
    wait(vertx.close());
  }

  private void serve(long rate, Duration stall) {
    exchange.serve(blobs, new ArchiveUpload.Pace(new Bandwidth(rate, new RealTicks()), stall));
  }

  private static <T> T wait(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  /** A response whose body is not read yet. */
  private HttpClientResponse asked(HttpMethod method, String path, String range) throws Exception {
    return wait(
        http.request(method, port, "127.0.0.1", path)
            .compose(
                request -> {
                  if (!range.isEmpty()) {
                    request.putHeader("Range", range);
                  }
                  return request
                      .send()
                      .map(
                          response -> {
                            response.exceptionHandler(closed -> {});
                            response.pause();
                            return response;
                          });
                }));
  }

  private HttpClientResponse asked(String range) throws Exception {
    return asked(HttpMethod.GET, ArchiveExchange.path(digest), range);
  }

  private int status(HttpMethod method, String path) throws Exception {
    var response = asked(method, path, "");
    read(response);
    return response.statusCode();
  }

  private static byte[] read(HttpClientResponse response) throws Exception {
    var body = response.body();
    response.resume();
    return wait(body).getBytes();
  }

  /** A connection that has asked for the archive and reads nothing. */
  private NetSocket stuck() throws Exception {
    var socket = wait(vertx.createNetClient().connect(port, "127.0.0.1"));
    socket.pause();
    socket.write("GET %s HTTP/1.1\r\nHost: x\r\n\r\n".formatted(ArchiveExchange.path(digest)));
    return socket;
  }

  /** An archive that does not fit into the buffers of a connection. */
  private void large() throws Exception {
    var large = new byte[64 << 20];
    digest = digest(large);
    Files.write(root.resolve(digest.hex()), large);
  }

  @Test
  void anArchiveIsSentAsAWholeOrFromAByteOn() throws Exception {
    var whole = asked("");
    assertThat(whole.statusCode()).isEqualTo(200);
    assertThat(whole.getHeader("Content-Length")).isEqualTo("500000");
    assertThat(whole.getHeader("ETag")).isEqualTo("\"" + digest + "\"");
    assertThat(read(whole)).isEqualTo(CONTENT);
    for (var from : new int[] {0, 1, 131_072, 499_999}) {
      var part = asked("bytes=%d-".formatted(from));
      assertThat(part.statusCode()).isEqualTo(206);
      assertThat(part.getHeader("Content-Range"))
          .isEqualTo("bytes %d-499999/500000".formatted(from));
      assertThat(read(part)).isEqualTo(Arrays.copyOfRange(CONTENT, from, CONTENT.length));
    }
    for (var other : new String[] {"bytes=0-9", "bytes=-5", "lines=1-", "bytes=1-,5-"}) {
      assertThat(read(asked(other))).isEqualTo(CONTENT);
    }
    for (var beyond : new String[] {"bytes=500000-", "bytes=999999999999999999-"}) {
      var none = asked(beyond);
      assertThat(none.statusCode()).isEqualTo(416);
      assertThat(none.getHeader("Content-Range")).isEqualTo("bytes */500000");
      read(none);
    }
  }

  @Test
  void everyUploadGivesItsPermitBack() throws Exception {
    for (int i = 0; i < 3 * ArchiveExchange.MOST_UPLOADS; i++) {
      read(asked(""));
      read(asked("bytes=500000-"));
      status(HttpMethod.GET, ArchiveExchange.PATH + "/" + "0".repeat(64));
    }
    assertThat(read(asked(""))).isEqualTo(CONTENT);
  }

  @Test
  void onlyNodesGetArchives() throws Exception {
    peer = CertifiedName.user("f".repeat(32), "root", List.of("admin"));
    assertThat(status(HttpMethod.GET, ArchiveExchange.path(digest))).isEqualTo(403);
    assertThat(status(HttpMethod.GET, ArchiveExchange.pathOfNodes(digest))).isEqualTo(403);
  }

  @Test
  void nothingElseIsServed() throws Exception {
    var path = ArchiveExchange.path(digest);
    assertThat(status(HttpMethod.POST, path)).isEqualTo(405);
    assertThat(status(HttpMethod.GET, path + "/")).isEqualTo(404);
    assertThat(status(HttpMethod.GET, ArchiveExchange.PATH + "/../n1")).isEqualTo(404);
    assertThat(status(HttpMethod.GET, ArchiveExchange.PATH + "/" + "0".repeat(64))).isEqualTo(404);
    Files.write(root.resolve(".part-" + digest.hex()), CONTENT);
    assertThat(status(HttpMethod.GET, ArchiveExchange.PATH + "/.part-" + digest.hex()))
        .isEqualTo(404);
    assertThat(status(HttpMethod.GET, ArchiveExchange.pathOfNodes(digest))).isEqualTo(503);
  }

  @Test
  void aNodeWithoutArchivesHasNone() throws Exception {
    var none =
        new ArchiveExchange(
            vertx,
            new ContextLoop(vertx),
            new ArchiveHolders(store, world.clock(), () -> 0),
            () -> true);
    port =
        wait(vertx
                .createHttpServer()
                .requestHandler(request -> none.handle(peer, request))
                .listen(0, "127.0.0.1"))
            .actualPort();
    assertThat(status(HttpMethod.GET, ArchiveExchange.path(digest))).isEqualTo(404);
    var nodes = read(asked(HttpMethod.GET, ArchiveExchange.pathOfNodes(digest), ""));
    assertThat(nodes).asString(StandardCharsets.UTF_8).isEqualTo("{\"nodes\":[]}");
  }

  @Test
  void aLimitedNumberIsSentAtOnce() throws Exception {
    large();
    var open = new ArrayList<HttpClientResponse>();
    for (int i = 0; i < ArchiveExchange.MOST_UPLOADS; i++) {
      open.add(asked(""));
    }
    assertThat(open).allMatch(it -> it.statusCode() == 200);
    assertThat(status(HttpMethod.GET, ArchiveExchange.path(digest))).isEqualTo(503);
    open.get(0).request().reset();
    int status = 503;
    for (long until = System.nanoTime() + STALL.toNanos();
        status == 503 && System.nanoTime() < until; ) {
      var next = asked("bytes=67108863-");
      read(next);
      status = next.statusCode();
    }
    assertThat(status).isEqualTo(206);
  }

  @Test
  void uploadsShareTheBandwidth() throws Exception {
    serve(2_000_000, STALL);
    long begin = System.nanoTime();
    var first = asked("");
    var second = asked("");
    read(first);
    read(second);
    // 1 MB, of which the first 0.2 MB and the last piece of each need not be waited for
    assertThat((System.nanoTime() - begin) / 1e9).isGreaterThan(0.25);
  }

  @Test
  void aNodeThatTakesNothingIsNotWaitedFor() throws Exception {
    large();
    serve(0, Duration.ofMillis(200));
    var sockets = new ArrayList<NetSocket>();
    for (int i = 0; i < ArchiveExchange.MOST_UPLOADS; i++) {
      sockets.add(stuck());
    }
    int status = 503;
    for (long until = System.nanoTime() + STALL.toNanos();
        status == 503 && System.nanoTime() < until; ) {
      var next = asked("bytes=67108863-");
      read(next);
      status = next.statusCode();
    }
    assertThat(status).isEqualTo(206);
    sockets.forEach(NetSocket::close);
  }

  @Test
  void anArchiveThatBecomesShorterEndsTheConnection() throws Exception {
    large();
    var response = asked("");
    try (var file = Files.newByteChannel(root.resolve(digest.hex()), StandardOpenOption.WRITE)) {
      file.truncate(1000);
    }
    assertThatThrownBy(() -> read(response)).isNotNull();
  }
}
