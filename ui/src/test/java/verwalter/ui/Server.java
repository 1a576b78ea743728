package verwalter.ui;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import verwalter.access.TokenText;
import verwalter.cluster.ClusterView;
import verwalter.concurrent.testkit.ContextLoop;
import verwalter.model.AccessToken;
import verwalter.model.Decisions;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.engine.MemoryStore;
import verwalter.ui.port.AccessPort;
import verwalter.ui.port.Authors;
import verwalter.ui.port.Check;
import verwalter.ui.port.DeploymentHistory;
import verwalter.ui.port.Execution;
import verwalter.ui.port.Ports;
import verwalter.ui.port.Queries;

/** A real server on a loopback port, and the store behind it. */
final class Server implements AutoCloseable {
  static final ObjectMapper JSON = new ObjectMapper();

  /** A short history, so that a test can exceed it. */
  final MemoryStore store =
      new MemoryStore(
          Clock.systemUTC(), () -> UUID.randomUUID().toString(), new HistoryLimit(50, 1 << 20));

  private final Vertx vertx = Vertx.vertx();
  private final ContextLoop loop = new ContextLoop(vertx);
  private final HttpClient client = HttpClient.newHttpClient();
  private Optional<String> authorization = Optional.empty();
  private final UiServer server;
  final int port;

  Server() {
    this(List.of(new Check("store", true, "")));
  }

  Server(List<Check> checks) {
    this(Decisions.NONE, checks, Queries.NONE, DeploymentHistory.NONE);
  }

  Server(Decisions decisions) {
    this(decisions, List.of(), Queries.NONE, DeploymentHistory.NONE);
  }

  Server(Queries queries) {
    this(Decisions.NONE, List.of(), queries, DeploymentHistory.NONE);
  }

  Server(DeploymentHistory deployments) {
    this(Decisions.NONE, List.of(), Queries.NONE, deployments);
  }

  /** A server whose requests have these authors. */
  Server(Authors authors) {
    this.server = UiDemo.server(vertx, loop, Ports.of(store, UiDemo.alone()).withAuthors(authors));
    this.port = await(server.start("127.0.0.1", 0));
  }

  /** A server with these callers. */
  Server(AccessPort access) {
    this.server = UiDemo.server(vertx, loop, Ports.of(store, UiDemo.alone()).with(access));
    this.port = await(server.start("127.0.0.1", 0));
  }

  /** A server with these limits. */
  Server(ServerLimits limits) {
    this.server =
        new UiServer(
            new Execution(vertx, loop, Clock.systemUTC(), new Random(1)),
            Ports.of(store, UiDemo.alone()),
            limits);
    this.port = await(server.start("127.0.0.1", 0));
  }

  /** A server with these timers. */
  Server(HeldTimers timers) {
    this.server = UiDemo.server(vertx, timers.over(loop), Ports.of(store, UiDemo.alone()));
    this.port = await(server.start("127.0.0.1", 0));
  }

  /** A server of this node. */
  Server(ClusterView cluster) {
    this.server = UiDemo.server(vertx, loop, Ports.of(store, cluster));
    this.port = await(server.start("127.0.0.1", 0));
  }

  private Server(
      Decisions decisions, List<Check> checks, Queries queries, DeploymentHistory deployments) {
    server = UiDemo.server(vertx, store, loop, decisions, checks, queries, deployments);
    port = await(server.start("127.0.0.1", 0));
  }

  /** The server itself. */
  UiServer ui() {
    return server;
  }

  /** Stores a token, and returns its text. */
  String token(String name, Duration lifetime, String... groups) {
    var token = TokenText.create(name, new Random(name.hashCode()));
    var spec =
        new AccessToken.Spec(
            name, List.of(groups), token.hash(), Clock.systemUTC().instant().plus(lifetime));
    put(Resource.of(AccessToken.KIND, name, spec));
    return token.text();
  }

  /** The {@code Authorization} header of an admin. */
  String admin() {
    return "Bearer " + token("admin", Duration.ofHours(1), "verwalter:admin");
  }

  /** Another server on the same port. */
  io.vertx.core.Future<Integer> startAgain() {
    return server.start("127.0.0.1", port);
  }

  static <V> V await(io.vertx.core.Future<V> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  <S, T> Resource<S, T> put(Resource<S, T> resource) {
    return await(store.put(resource));
  }

  <S, T> Resource<S, T> putStatus(Resource<S, T> resource) {
    return await(store.putStatus(resource));
  }

  <S, T> Resource<S, T> get(Kind<S, T> kind, String name) {
    return store.get(kind, name).orElseThrow();
  }

  /** Sends the next requests as an admin. */
  void asAdmin() {
    authorization = Optional.of(admin());
  }

  HttpRequest.Builder to(String path) {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(10));
    authorization.ifPresent(it -> request.header("Authorization", it));
    return request;
  }

  HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  HttpResponse<String> get(String path, String... headers) {
    var request = to(path);
    return send(headers.length == 0 ? request : request.headers(headers));
  }

  HttpResponse<String> send(String method, String path, String type, String body) {
    return send(
        to(path)
            .header("Content-Type", type)
            .method(method, HttpRequest.BodyPublishers.ofString(body)));
  }

  HttpResponse<String> delete(String path) {
    return send(to(path).DELETE());
  }

  HttpResponse<String> head(String path) {
    return send(to(path).method("HEAD", HttpRequest.BodyPublishers.noBody()));
  }

  /** The response to these exact bytes, until the server closes the connection. */
  String raw(String request) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.replace("\n", "\r\n").getBytes(UTF_8));
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The lines of a stream. */
  Lines lines(String path, String... headers) {
    var request = to(path);
    try {
      var response =
          client.send(
              (headers.length == 0 ? request : request.headers(headers)).build(),
              HttpResponse.BodyHandlers.ofInputStream());
      return new Lines(
          response.statusCode(), new BufferedReader(new InputStreamReader(response.body(), UTF_8)));
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  record Lines(int status, BufferedReader reader) implements AutoCloseable {
    /** The next line; null at the end. */
    @org.jspecify.annotations.Nullable
    String next() {
      try {
        return reader.readLine();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    JsonNode json() {
      return Server.json(String.valueOf(next()));
    }

    /** Skips lines until one begins with the prefix, and returns its rest. */
    String after(String beginning) {
      for (var line = next(); line != null; line = next()) {
        if (line.startsWith(beginning)) {
          return line.substring(beginning.length());
        }
      }
      throw new IllegalStateException("no line begins with " + beginning);
    }

    @Override
    public void close() {
      try {
        reader.close();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  static JsonNode json(HttpResponse<String> response) {
    return json(response.body());
  }

  static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new IllegalStateException(text, e);
    }
  }

  @Override
  public void close() {
    await(server.close());
    await(vertx.close());
  }
}
