package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.cluster.single.SingleLeadership;
import verwalter.cluster.single.SingleLeases;
import verwalter.controllers.config.RuntimeReading;
import verwalter.controllers.instance.StartLimits;
import verwalter.controllers.node.NodeReconciler;
import verwalter.controllers.nodeschedule.Responder;
import verwalter.controllers.template.DryTemplates;
import verwalter.controllers.template.FileWatch;
import verwalter.model.Artifact;
import verwalter.model.DeploymentRef;
import verwalter.model.DeploymentRef.State;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.Scheduler;
import verwalter.model.Writer;
import verwalter.stores.api.Author;
import verwalter.stores.api.AuthoredStore;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.local.LocalStore;
import verwalter.stores.local.Options;

/** A whole agent with a store, a disk and a server that are real. */
class LocalReleasesTest {
  private static final String NODE = "n1";

  @TempDir Path storage;
  private final Deque<Agent> agents = new ArrayDeque<>();
  private final ExecutorService serving = Executors.newCachedThreadPool();
  private final CountDownLatch over = new CountDownLatch(1);

  /** An agent that prepares releases in {@code storage}. */
  private final class Agent {
    private final Vertx vertx = Vertx.vertx();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final LocalStore store;
    private final LocalReleases releases;
    private final NodeAgent agent;

    Agent() throws Exception {
      this(LocalReleases.Traffic.DEFAULT);
    }

    Agent(LocalReleases.Traffic traffic) throws Exception {
      store =
          LocalStore.open(
              storage.resolve("store"),
              Options.within(64L << 20),
              threads,
              InstantSource.system(),
              () -> UUID.randomUUID().toString());
      releases =
          new LocalReleases(storage, Map.of(), "boot", Thread::new, traffic, Optional.empty());
      agent = NodeAgent.start(parts());
      agents.push(this);
    }

    private NodeAgent.Parts parts() {
      return new NodeAgent.Parts(
          store,
          new NodeAgent.Cluster(
              store,
              new SingleLeadership("id1", store.epoch()),
              new SingleLeases("id1", InstantSource.system())),
          new NodeAgent.Execution(name -> new VertxLoop(vertx, InstantSource.system()), () -> 0.5),
          new NodeAgent.Configuration(
              () -> new RuntimeReading(Map.of(), Map.of()), (loop, listener) -> () -> {}),
          new NodeAgent.Scheduling(
              () -> {
                throw new Scheduler.Failed("there is none", "");
              },
              decision -> {},
              questions -> Map.of(),
              UnaryOperator.identity()),
          new NodeAgent.Rendering(
              Responder.OF_SHARE,
              new DryTemplates(Path.of("/"), System.out),
              FileWatch.NONE,
              "0",
              () -> Future.succeededFuture("d"),
              Optional.empty()),
          new NoProcesses(),
          new NodeReconciler.Machine(
              NODE, List.of(), Map.of(Node.MACHINE_ID, "id1"), new Node.Capacity(1, 1)),
          Optional.of(releases),
          StartLimits.NONE);
    }

    ObjectStore by(Writer writer) {
      return AuthoredStore.of(store, Author.ofNode(writer, NODE));
    }

    String add(String source) throws Exception {
      return add("web", source);
    }

    String add(String role, String source) throws Exception {
      var spec =
          new DeploymentRef.Spec(role, NODE, "1", "main", 1, 0, source, Optional.empty(), false);
      var name = DeploymentRef.name(spec);
      await(by(Writer.INSTANCE).put(Resource.of(DeploymentRef.KIND, name, spec)));
      return name;
    }

    /** Waits until the ref is so; empty once it is removed. */
    void until(
        String name, Predicate<Optional<Resource<DeploymentRef.Spec, DeploymentRef.Status>>> goal)
        throws Exception {
      var reached = Promise.<Boolean>promise();
      var loop = new VertxLoop(vertx, InstantSource.system());
      var watch =
          store.watch(
              DeploymentRef.KIND,
              loop,
              change -> {
                if (goal.test(store.get(DeploymentRef.KIND, name))) {
                  reached.tryComplete(true);
                }
              });
      if (goal.test(store.get(DeploymentRef.KIND, name))) {
        reached.tryComplete(true);
      }
      await(reached.future());
      watch.close();
    }

    DeploymentRef.Status status(String name) {
      return store.get(DeploymentRef.KIND, name).flatMap(Resource::status).orElseThrow();
    }

    void close() throws Exception {
      await(agent.stop());
      releases.close();
      store.close();
      threads.shutdown();
      await(vertx.close());
    }

    /** Ends the agent as a signal would: nothing is stopped, and no work ends. */
    void kill() throws Exception {
      await(vertx.close());
      store.close();
      threads.shutdownNow();
    }
  }

  @AfterEach
  void close() throws Exception {
    over.countDown();
    serving.shutdownNow();
    if (!agents.isEmpty()) {
      agents.pop().close();
    }
  }

  private static <V> V await(Future<V> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
  }

  private static boolean isCreated(
      Optional<Resource<DeploymentRef.Spec, DeploymentRef.Status>> ref) {
    return ref.flatMap(Resource::status).filter(it -> it.state() == State.CREATED).isPresent();
  }

  /** A tar.gz with one program. */
  private static byte[] archive(String content) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(bytes)) {
      var header = new byte[512];
      var body = content.getBytes(StandardCharsets.UTF_8);
      text(header, 0, "run");
      text(header, 100, "0000755\0");
      text(header, 124, "%011o\0".formatted(body.length));
      text(header, 136, "00000000000\0");
      Arrays.fill(header, 148, 156, (byte) ' ');
      text(header, 156, "0");
      text(header, 257, "ustar\00000");
      int sum = 0;
      for (byte it : header) {
        sum += it & 0xff;
      }
      text(header, 148, "%06o\0 ".formatted(sum));
      out.write(header);
      out.write(Arrays.copyOf(body, 512));
      out.write(new byte[1024]);
    }
    return bytes.toByteArray();
  }

  private static void text(byte[] into, int at, String text) {
    var bytes = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(bytes, 0, into, at, bytes.length);
  }

  private List<Path> left() throws IOException {
    try (var archives = Files.list(storage.resolve("artifacts"));
        var releases = Files.list(storage.resolve("releases"))) {
      return java.util.stream.Stream.concat(archives, releases).toList();
    }
  }

  @Test
  void aRefLeadsToFilesAndItsRemovalRemovesThem() throws Exception {
    var file = Files.write(storage.resolve("web.tar.gz"), archive("echo hello\n"));
    var agent = new Agent();
    var name = agent.add(file.toUri().toString().replaceFirst("^file:/+", "file:///"));
    agent.until(name, LocalReleasesTest::isCreated);
    assertThat(Path.of(agent.status(name).path().orElseThrow(), "run"))
        .hasContent("echo hello\n")
        .isExecutable();
    await(
        agent.by(Writer.INSTANCE).remove(agent.store.get(DeploymentRef.KIND, name).orElseThrow()));
    agent.until(name, Optional::isEmpty);
    while (!agent.store.list(Artifact.KIND).isEmpty()) {
      await(new VertxLoop(agent.vertx, InstantSource.system()).offload(() -> 0));
    }
    assertThat(left()).isEmpty();
  }

  @Test
  void theNextAgentContinuesWhatAKilledOneHasBegun() throws Exception {
    var bytes = archive("echo hello\n");
    var ranges = new ArrayDeque<String>();
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(serving);
    server.createContext("/web.tar.gz", exchange -> serve(exchange, bytes, ranges));
    server.start();
    var first = new Agent();
    var name = first.add("http://127.0.0.1:%d/web.tar.gz".formatted(server.getAddress().getPort()));
    first.until(
        name, ref -> ref.flatMap(Resource::status).filter(it -> it.bytesDone() > 0).isPresent());
    agents.pop().kill();

    var second = new Agent();
    second.until(name, LocalReleasesTest::isCreated);
    assertThat(ranges).containsExactly("none", "bytes=10-");
    assertThat(Path.of(second.status(name).path().orElseThrow(), "run")).hasContent("echo hello\n");
    second.close();
    agents.pop();
    server.stop(0);

    var third = new Agent();
    third.until(name, LocalReleasesTest::isCreated);
    assertThat(third.status(name).attempts()).isEqualTo(DeploymentRef.Attempts.NONE);
  }

  @Test
  void asManyArchivesAreDownloadedAtOnceAsAllowed() throws Exception {
    var bytes = archive("echo hello\n");
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(serving);
    server.createContext("/", exchange -> serveAtTheEnd(exchange, bytes));
    server.start();
    var agent = new Agent(new LocalReleases.Traffic(1, 0, 0));
    var source = "http://127.0.0.1:%d/".formatted(server.getAddress().getPort());
    var first = agent.add("web", source + "web.tar.gz");
    agent.until(
        first, ref -> ref.flatMap(Resource::status).filter(it -> it.bytesDone() > 0).isPresent());
    var second = agent.add("db", source + "db.tar.gz");
    agent.until(
        second,
        ref ->
            ref.flatMap(Resource::status)
                .filter(it -> it.reason().contains("waits for its turn"))
                .isPresent());
    over.countDown();
    agent.until(first, LocalReleasesTest::isCreated);
    agent.until(second, LocalReleasesTest::isCreated);
    server.stop(0);
  }

  /** Sends ten bytes, and the rest when the test is over. */
  private void serveAtTheEnd(HttpExchange exchange, byte[] bytes) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes, 0, 10);
      exchange.getResponseBody().flush();
      over.await();
      exchange.getResponseBody().write(bytes, 10, bytes.length - 10);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sends ten bytes to the first request, and the rest to the second. */
  private void serve(HttpExchange exchange, byte[] bytes, Deque<String> ranges) throws IOException {
    try (exchange) {
      var range = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Range"));
      ranges.add(range.orElse("none"));
      exchange.getResponseHeaders().set("ETag", "\"1\"");
      if (range.isEmpty()) {
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes, 0, 10);
        exchange.getResponseBody().flush();
        over.await();
      } else {
        exchange
            .getResponseHeaders()
            .set("Content-Range", "bytes 10-%d/%d".formatted(bytes.length - 1, bytes.length));
        exchange.sendResponseHeaders(206, bytes.length - 10);
        exchange.getResponseBody().write(bytes, 10, bytes.length - 10);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }
}
