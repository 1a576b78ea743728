package verwalter.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import verwalter.access.AuditEntry;
import verwalter.access.TokenText;
import verwalter.cluster.ClusterView;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.concurrent.testkit.ContextLoop;
import verwalter.model.AccessRule.Grant;
import verwalter.model.AccessToken;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.Writer;
import verwalter.stores.api.Author;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.engine.MemoryStore;
import verwalter.ui.port.AccessPort;
import verwalter.ui.port.Execution;
import verwalter.ui.port.Forwarding;
import verwalter.ui.port.Ports;
import verwalter.ui.port.ProcessLogs;

@Timeout(60)
class ForwardingTest {
  private static final String NODES = "/apis/verwalter.io/v1/nodes";
  private static final String INSTANCES = "/apis/verwalter.io/v1/roleinstances";

  private final Vertx vertx = Vertx.vertx();
  private final HttpClient client = HttpClient.newHttpClient();

  /** Vert.x closes the connections of a client that nothing refers to. */
  private final WebSocketClient sockets = vertx.createWebSocketClient();

  private Site a;
  private Site b;

  @BeforeEach
  void start() {
    a = new Site("a");
    b = new Site("b");
    lead(a);
  }

  @AfterEach
  void stop() {
    a.close();
    b.close();
    Server.await(vertx.close());
  }

  @Test
  void forwardsReadsThatShowAllNodes() {
    a.put(instance("web", "b", "of the leader"));
    b.put(instance("web", "b", "own"));
    var list = get(b, INSTANCES);
    assertThat(list.body()).contains("of the leader");
    assertThat(view(list)).isEqualTo("side=majority, leader=\"a\", epoch=7, age=3");
    assertThat(get(b, INSTANCES + "/web@b").body()).contains("own");
    assertThat(get(b, INSTANCES + "/web%40b").body()).contains("own");
    assertThat(get(b, "/").statusCode()).isEqualTo(200);
    assertThat(get(b, "/v1/status").body()).contains("\"name\":\"a\"");
  }

  @Test
  void answersReadsOfTheClusterFromItsOwnStore() {
    b.put(node("own"));
    var list = get(b, NODES);
    assertThat(list.body()).contains("own");
    assertThat(view(list)).startsWith("side=majority, leader=\"a\"").doesNotContain("partial");
  }

  @Test
  void forwardsReadsOfTheClusterIfItDoesNotHaveIt() {
    b.hasCluster = false;
    a.put(node("of-the-leader"));
    assertThat(get(b, NODES).body()).contains("of-the-leader");
  }

  @Test
  void forwardsWritesWithTheirBodies() {
    var text = "x".repeat(1_000_000);
    var created = post(b, NODES, json("n1", text));
    assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
    assertThat(a.store.get(Node.KIND, "n1").orElseThrow().meta().annotations())
        .containsEntry("note", text);
    assertThat(b.store.list(Node.KIND)).isEmpty();
    var refused = post(b, NODES, "{\"kind\":\"Node\"}");
    assertThat(refused.statusCode()).isBetween(400, 422);
    assertThat(refused.body()).contains("\"kind\":\"Status\"");
    var large = post(b, NODES, json("n2", "x".repeat(4 << 20)));
    assertThat(large.statusCode()).isEqualTo(413);
    assertThat(send(b, NODES + "/n1", "DELETE", "").statusCode()).isEqualTo(403);
    var token = TokenText.create("boss", new Random(1));
    var boss =
        new AccessToken.Spec(
            "boss", List.of("verwalter:admin"), token.hash(), Instant.now().plusSeconds(600));
    a.put(Resource.of(AccessToken.KIND, "boss", boss));
    var bearer = "Bearer " + token.text();
    assertThat(send(b, NODES + "/n1", "DELETE", "", "Authorization", bearer).statusCode())
        .isEqualTo(200);
    assertThat(a.store.list(Node.KIND)).isEmpty();
  }

  private static final String EXEC = "/v1/exec/shop/web.2?node=a";

  /** The token of a caller whom the store of all nodes has. */
  private String token(String grant) {
    var token = TokenText.create(grant, new Random(grant.hashCode()));
    var spec =
        new AccessToken.Spec(
            grant, List.of("verwalter:" + grant), token.hash(), Instant.now().plusSeconds(600));
    for (var site : List.of(a, b)) {
      if (site.store.get(AccessToken.KIND, grant).isEmpty()) {
        site.put(Resource.of(AccessToken.KIND, grant, spec));
      }
    }
    return "Bearer " + token.text();
  }

  private Future<WebSocket> exec(Site site, String path, String... headers) {
    var options = new WebSocketConnectOptions().setHost("127.0.0.1").setPort(site.port);
    options.setURI(path);
    options.setAllowOriginHeader(List.of(headers).contains("Origin"));
    for (int i = 0; i < headers.length; i += 2) {
      options.addHeader(headers[i], headers[i + 1]);
    }
    return sockets.connect(options);
  }

  private static Throwable refusal(Future<WebSocket> opening) {
    var done = new CompletableFuture<Throwable>();
    opening.onComplete(
        opened -> done.completeExceptionally(new AssertionError("opened")), done::complete);
    return done.join();
  }

  /** The status with which a WebSocket was refused. */
  private int refused(Site site, String path, String... headers) {
    var failure = refusal(exec(site, path, headers));
    assertThat(failure).isInstanceOf(UpgradeRejectedException.class);
    return ((UpgradeRejectedException) failure).getStatus();
  }

  @Test
  void onlyAdministratorsOpenASessionAndNoWebPageDoes() {
    for (var site : List.of(a, b)) {
      assertThat(refused(site, EXEC)).isEqualTo(403);
      assertThat(refused(site, EXEC, "Authorization", token("viewer"))).isEqualTo(403);
      assertThat(refused(site, EXEC, "Authorization", token("operator"))).isEqualTo(403);
      assertThat(refused(site, EXEC, "Authorization", "Bearer vwt-none.none")).isEqualTo(401);
    }
    var own = "http://127.0.0.1:" + a.port;
    var admin = token("admin");
    for (var origin : List.of(own, "http://example.org", "null")) {
      assertThat(refused(a, EXEC, "Authorization", admin, "Origin", origin)).isEqualTo(403);
    }
    assertThat(refused(a, "/v1/exec/a/b/c?node=a", "Authorization", admin)).isEqualTo(400);
    assertThat(refused(a, "/v1/exec/a/b?node=c", "Authorization", admin)).isEqualTo(404);
    assertThat(send(a, EXEC, "GET", "", "Authorization", admin).statusCode()).isEqualTo(426);
    assertThat(a.commands.log).isEmpty();
    assertThat(a.audit).extracting(AuditEntry::outcome).contains(403).doesNotContain(101);
  }

  /** Sends messages, and returns all that come back, with their channels as numbers. */
  private List<String> talk(Site site, String... messages) {
    var received = new CompletableFuture<List<String>>();
    var all = new ArrayList<String>();
    var socket = Server.await(exec(site, EXEC, "Authorization", token("admin")));
    socket.binaryMessageHandler(
        message -> all.add(message.getByte(0) + message.getString(1, message.length())));
    socket.closeHandler(closed -> received.complete(all));
    for (var message : messages) {
      var bytes = Buffer.buffer().appendByte((byte) Integer.parseInt(message.substring(0, 3)));
      socket.writeBinaryMessage(bytes.appendString(message.substring(3)));
    }
    return received.join();
  }

  @Test
  void runsCommandsHereAndOnOtherNodes() {
    for (var site : List.of(a, b)) {
      a.commands.log.clear();
      a.audit.clear();
      var start =
          "004{\"command\":[\"/bin/cat\",\"secret\"],"
              + "\"terminal\":{\"rows\":3,\"columns\":4,\"type\":\"vt100\"}}";
      var large = "x".repeat(60_000);
      var all =
          talk(
              site,
              start,
              "004{\"rows\":30,\"columns\":40}",
              "000!bad",
              "000" + large,
              "000end",
              "255");
      assertThat(all).contains("2!bad", "1" + large).last().isEqualTo("3{\"exitCode\":5}");
      assertThat(a.commands.log.get(0)).contains("group=shop", "Optional[web]", "index=2", "vt100");
      assertThat(a.commands.log).contains("30x40");
      assertThat(a.audit)
          .extracting(it -> it.caller() + " " + it.verb() + " " + it.object() + " " + it.outcome())
          .containsExactly("admin exec shop/web.2@a cat 101", "admin exec-end shop/web.2@a cat 5");
      assertThat(talk(site, "004{\"command\":[\"none\"]}"))
          .containsExactly("3{\"error\":\"there is no such program\"}");
      assertThat(talk(site, "000text").get(0)).startsWith("3{\"error\":\"the first message");
    }
    assertThat(b.commands.log).isEmpty();
  }

  @Test
  void endsACommandWhoseClientIsGoneOrLosesItsRights() throws Exception {
    for (var site : List.of(a, b)) {
      a.commands.log.clear();
      var socket = Server.await(exec(site, EXEC, "Authorization", token("admin")));
      var echoed = new CompletableFuture<Buffer>();
      socket.binaryMessageHandler(echoed::complete);
      socket.writeBinaryMessage(Buffer.buffer("\u0004{}"));
      socket.writeBinaryMessage(Buffer.buffer("\u0000here"));
      assertThat(echoed.get().toString()).isEqualTo("\u0001here");
      var ended = new CompletableFuture<Void>();
      socket.closeHandler(ended::complete);
      if (site == a) {
        socket.close();
      } else {
        Server.await(a.store.remove(a.store.get(AccessToken.KIND, "admin").orElseThrow()));
      }
      ended.get();
      while (!a.commands.log.contains("closed")) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void answersAloneWithoutALeader() {
    b.put(instance("web", "b", "own"));
    lead(null);
    var list = get(b, INSTANCES);
    assertThat(list.statusCode()).isEqualTo(200);
    assertThat(list.body()).contains("own");
    assertThat(view(list)).isEqualTo("side=majority, epoch=7, age=3, partial");
    var write = post(b, NODES, json("n1", ""));
    assertThat(write.statusCode()).isEqualTo(503);
    assertThat(write.body()).contains("\"kind\":\"Status\"", "there is no leader");
    assertThat(b.store.list(Node.KIND)).isEmpty();
  }

  @Test
  void answersAloneIfTheLeaderCannotBeReached() {
    Server.await(a.clusterPort.close());
    b.put(instance("web", "b", "own"));
    var list = get(b, INSTANCES);
    assertThat(list.body()).contains("own");
    assertThat(view(list)).endsWith("partial");
    var write = post(b, NODES, json("n1", ""));
    assertThat(write.statusCode()).isEqualTo(503);
    assertThat(write.body()).contains("the leader cannot be reached");
    var action = post(b, "/v1/action", "{}");
    assertThat(action.statusCode()).isEqualTo(503);
    assertThat(action.body()).contains("\"kind\":\"Status\"", "the leader cannot be reached");
  }

  @Test
  void answersReadsAloneIfTheLeaderEndsTheConnection() {
    a.shownPort =
        Server.await(
                vertx
                    .createNetServer()
                    .connectHandler(socket -> socket.handler(request -> socket.close()))
                    .listen(0, "127.0.0.1"))
            .actualPort();
    b.put(instance("web", "b", "own"));
    var list = get(b, INSTANCES);
    assertThat(list.statusCode()).as(list.body()).isEqualTo(200);
    assertThat(list.body()).contains("own");
    assertThat(view(list)).endsWith("partial");
    var status = get(b, "/v1/status");
    assertThat(status.statusCode()).as(status.body()).isEqualTo(200);
    assertThat(status.headers().firstValue("Content-Type").orElse("")).contains("json");
    var write = post(b, NODES, json("n1", ""));
    assertThat(write.statusCode()).isEqualTo(503);
    assertThat(write.body()).contains("it is unknown whether the request was carried out");
  }

  @Test
  void theStatusNamesTheNodeThatWasAsked() {
    b.put(instance("web", "b", "own"));
    var status = get(b, "/v1/status").body();
    assertThat(status).contains("\"asked\":\"b\"", "\"name\":\"a\"", "side=majority");
    assertThat(get(b, "/").body()).contains("<dt>Asked</dt><dd>b</dd>", "<title>b ");
    assertThat(get(a, "/v1/status").body()).contains("\"asked\":\"a\"");
    lead(null);
    assertThat(get(b, "/v1/status").body())
        .contains("\"asked\":\"b\"", "\"name\":\"b\"", "partial");
  }

  @Test
  void answersAReadAloneIfTheLeaderEndsBeforeItAnswers() throws Exception {
    b.put(instance("web", "b", "own"));
    var silent =
        vertx.createNetServer().connectHandler(socket -> socket.handler(any -> socket.close()));
    a.shownPort = Server.await(silent.listen(0, "127.0.0.1")).actualPort();
    var list = get(b, INSTANCES);
    assertThat(list.body()).contains("own");
    assertThat(view(list)).endsWith("partial");
  }

  @Test
  void neverForwardsARequestTwice() {
    a.leader = Optional.of(b);
    b.leader = Optional.of(a);
    b.put(instance("web", "b", "own"));
    var list = get(b, INSTANCES);
    assertThat(list.body()).contains("own");
    assertThat(view(list)).endsWith("partial");
    var write = post(b, NODES, json("n1", ""));
    assertThat(write.statusCode()).isEqualTo(503);
    assertThat(write.body()).contains("does not lead");
  }

  @Test
  void passesTheCallerOnAndBelievesNodesOnly() {
    post(b, NODES, json("n1", ""), Forwarding.CALLER, "mallory", Forwarding.HOP, "mallory");
    assertThat(a.callers).containsExactly(Optional.of("NONE anonymous verwalter%3Aoperator"));
    post(a, NODES, json("n2", ""), Forwarding.CALLER, "mallory", Forwarding.HOP, "mallory");
    assertThat(a.callers).hasSize(2).endsWith(Optional.empty());
    assertThat(a.store.list(Node.KIND)).hasSize(2);
  }

  @Test
  void aNodeThatIsNoElectorGivesItsCallersNoMoreThanItMayDoItself() {
    a.senderIsElector = false;
    var write = post(b, NODES, json("n1", ""));
    assertThat(write.statusCode()).isEqualTo(403);
    assertThat(write.body())
        .contains("node sender may write its own objects only", "use a token, or an elector");
    assertThat(a.store.list(Node.KIND)).isEmpty();
    assertThat(get(b, INSTANCES).statusCode()).isEqualTo(200);
  }

  @Test
  void theLeaderChecksTokensItself() {
    a.senderIsElector = false;
    var text = TokenText.create("ada", new Random(1));
    var token =
        Resource.of(
            AccessToken.KIND,
            "ada",
            new AccessToken.Spec(
                "ada",
                List.of("verwalter:operator"),
                text.hash(),
                Clock.systemUTC().instant().plusSeconds(3600)));
    String[] headers = {"Authorization", "Bearer " + text.text()};
    assertThat(post(b, NODES, json("n1", ""), headers).statusCode()).isEqualTo(401);
    a.put(token);
    var created = post(b, NODES, json("n1", ""), headers);
    assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
    a.senderIsElector = true;
    var http = vertx.createHttpClient();
    var claimed =
        Server.await(
            http.request(HttpMethod.GET, a.nodesPort(), "127.0.0.1", INSTANCES)
                .compose(
                    request ->
                        request
                            .putHeader(Forwarding.HOP, "b")
                            .putHeader(Forwarding.CALLER, "BEARER_TOKEN ada verwalter%3Aadmin")
                            .send()));
    assertThat(claimed.statusCode()).isEqualTo(401);
    Server.await(http.close());
  }

  @Test
  void streamsAWatchUntilTheLeaderChanges() throws IOException, InterruptedException {
    var watch =
        client.send(
            HttpRequest.newBuilder(b.uri(INSTANCES + "?watch=true")).build(),
            HttpResponse.BodyHandlers.ofInputStream());
    try (var lines =
        new BufferedReader(new InputStreamReader(watch.body(), StandardCharsets.UTF_8))) {
      a.put(instance("one", "b", "first"));
      assertThat(lines.readLine()).contains("\"ADDED\"", "first");
      a.put(instance("two", "b", "second"));
      assertThat(lines.readLine()).contains("\"ADDED\"", "second");
      lead(b);
      assertThat(lines.readLine()).isNull();
    }
    var again = get(b, INSTANCES + "?watch=true&resourceVersion=2&timeoutSeconds=1");
    assertThat(again.statusCode()).isEqualTo(410);
  }

  @Test
  void closesTheForwardedWatchOfAClientThatLeaves() throws IOException, InterruptedException {
    var watch =
        client.send(
            HttpRequest.newBuilder(b.uri(INSTANCES + "?watch=true")).build(),
            HttpResponse.BodyHandlers.ofInputStream());
    a.put(instance("one", "b", "first"));
    assertThat(watch.body().read()).isEqualTo('{');
    watch.body().close();
    org.awaitility.Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> get(a, "/metrics").body().contains("verwalter_http_streams 0"));
  }

  @Test
  void addsNothingToTheAnswersOfASingleNode() {
    try (var single = new Server()) {
      assertThat(single.send(single.to(NODES)).headers().firstValue(Forwarding.VIEW)).isEmpty();
    }
  }

  private void lead(Site leader) {
    a.leader = Optional.ofNullable(leader);
    b.leader = Optional.ofNullable(leader);
    a.listeners.forEach(Runnable::run);
    b.listeners.forEach(Runnable::run);
  }

  private HttpResponse<String> get(Site site, String path) {
    return send(site, path, "GET", "");
  }

  private HttpResponse<String> post(Site site, String path, String body, String... headers) {
    return send(site, path, "POST", body, headers);
  }

  private HttpResponse<String> send(
      Site site, String path, String method, String body, String... headers) {
    var request =
        HttpRequest.newBuilder(site.uri(path))
            .timeout(Duration.ofSeconds(20))
            .header("Content-Type", "application/json")
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String view(HttpResponse<?> response) {
    return response.headers().firstValue(Forwarding.VIEW).orElseThrow();
  }

  private static String json(String name, String note) {
    return """
        {"apiVersion":"verwalter.io/v1","kind":"Node",
         "metadata":{"name":"%s","annotations":{"note":"%s"}},"spec":{"cordoned":false}}"""
        .formatted(name, note);
  }

  private static Resource<Node.Spec, Node.Status> node(String name) {
    return Resource.of(Node.KIND, name, new Node.Spec(false));
  }

  private static Resource<RoleInstance.Spec, RoleInstance.Status> instance(
      String role, String node, String template) {
    return Resource.of(
        RoleInstance.KIND,
        RoleInstance.name(role, node),
        new RoleInstance.Spec(role, node, template, Optional.empty(), Map.of()));
  }

  /** A log of one line. */
  private record OneLine(String node) implements ProcessLogs {
    @Override
    public Reading open(Query query) {
      var line = new Line(Instant.EPOCH, query.group() + "/web.0", "of node " + node);
      var lines = new ArrayDeque<>(List.of(List.of(line)));
      return new Reading() {
        @Override
        public boolean refresh() {
          return query.group().equals("shop");
        }

        @Override
        public List<Line> next() {
          return lines.isEmpty() ? List.of() : lines.remove();
        }

        @Override
        public List<Line> rest() {
          return List.of();
        }
      };
    }
  }

  @Test
  void forwardsReadsOfLogsToTheNodeThatHasThem() {
    assertThat(get(a, "/v1/logs/shop").body())
        .isEqualTo("1970-01-01T00:00:00Z shop/web.0 of node a\n");
    assertThat(get(a, "/v1/logs/shop/web.0?node=b").body()).endsWith("of node b\n");
    assertThat(get(b, "/v1/logs/shop?node=a").body()).endsWith("of node a\n");
    assertThat(get(b, "/v1/logs/shop?node=b").body()).endsWith("of node b\n");
  }

  @Test
  void saysWhyLogsOfANodeCannotBeRead() {
    assertThat(get(a, "/v1/logs/shop?node=c").statusCode()).isEqualTo(404);
    assertThat(get(a, "/v1/logs/shop?node=c").body()).contains("there is no node \\\"c\\\"");
    assertThat(get(a, "/v1/logs/none?node=b").statusCode()).isEqualTo(404);
    assertThat(get(a, "/v1/logs/none?node=b").body()).contains("on node b");
    b.shownPort = 1;
    assertThat(get(a, "/v1/logs/shop?node=b").statusCode()).isEqualTo(503);
    assertThat(get(a, "/v1/logs/shop?node=b").body()).contains("node b cannot be reached");
    assertThat(get(a, "/v1/logs/shop/web.x").statusCode()).isEqualTo(400);
    assertThat(get(a, "/v1/logs/shop?tailLines=many").statusCode()).isEqualTo(400);
    assertThat(get(a, "/v1/logs/shop?sinceTime=noon").statusCode()).isEqualTo(400);
  }

  /** A node with a server for people and one for nodes. */
  private final class Site implements ClusterView {
    final String name;
    final MemoryStore store =
        new MemoryStore(
            Clock.systemUTC(), () -> UUID.randomUUID().toString(), HistoryLimit.DEFAULT);
    final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    final List<Optional<String>> callers = new ArrayList<>();
    final HttpServer clusterPort;
    final int port;
    private final UiServer server;
    volatile Optional<Site> leader = Optional.empty();
    volatile boolean hasCluster = true;
    volatile boolean senderIsElector = true;
    volatile int shownPort;

    final EchoCommands commands = new EchoCommands();
    final List<AuditEntry> audit = new CopyOnWriteArrayList<>();

    /** Anonymous callers of this machine are operators, as with the real agent. */
    final AccessPort access =
        new AccessPort(
            Optional.of(Grant.OPERATOR), false, "root", false, audit::add, Optional.empty());

    Site(String name) {
      this.name = name;
      var forwarding =
          new Forwarding(
              vertx.createHttpClient(new HttpClientOptions().setConnectTimeout(3000)),
              Member::address,
              node -> nodes(node).map(site -> "127.0.0.1:" + site.shownPort),
              () -> hasCluster,
              () -> new Forwarding.View("majority", Optional.of(Duration.ofSeconds(3))),
              request ->
                  Optional.of(new Forwarding.Sender("sender", senderIsElector))
                      .filter(it -> request.localAddress().port() == nodesPort()));
      var ports =
          Ports.of(store, this)
              .with(new OneLine(name))
              .with(commands)
              .with(access)
              .withAuthors(
                  request -> {
                    callers.add(forwarding.claim(request).flatMap(Forwarding.Claim::caller));
                    return Author.ofLeader(Writer.OPERATOR, store.epoch());
                  });
      server =
          new UiServer(
              new Execution(vertx, new ContextLoop(vertx), Clock.systemUTC(), new Random(1)),
              ports,
              forwarding);
      port = Server.await(server.start("127.0.0.1", 0));
      clusterPort =
          Server.await(
              vertx.createHttpServer().requestHandler(server::handle).listen(0, "127.0.0.1"));
      shownPort = nodesPort();
    }

    private Optional<Site> nodes(String node) {
      return List.of(a, b).stream().filter(site -> site.name.equals(node)).findFirst();
    }

    private int nodesPort() {
      return clusterPort.actualPort();
    }

    <S, T> void put(Resource<S, T> object) {
      Server.await(store.put(object));
    }

    URI uri(String path) {
      return URI.create("http://127.0.0.1:" + port + path);
    }

    void close() {
      Server.await(server.close());
      Server.await(clusterPort.close());
      commands.close();
    }

    @Override
    public Self self() {
      return new Self(name, "id-" + name, name, "1", "common", Path.of("/"), List.of());
    }

    @Override
    public Optional<Member> leader() {
      return leader.map(
          it ->
              new Member(
                  "id-" + it.name, it.name, it.name, Optional.of("127.0.0.1:" + it.shownPort)));
    }

    @Override
    public Watch watchLeader(Loop loop, Runnable listener) {
      Runnable there = () -> loop.execute(listener);
      listeners.add(there);
      return () -> listeners.remove(there);
    }

    @Override
    public long epoch() {
      return 7;
    }
  }
}
