package verwalter.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.cluster.ClusterView;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Metadata;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.Schedule;
import verwalter.model.TemplateOutput;
import verwalter.model.json.Json;

final class V1Test {
  private static final Instant MADE = Instant.ofEpochMilli(1533913850000L);
  private static final Map<String, Object> DATA =
      Map.of("vars", Map.of("é", "q\"\n\u0001/"), "roles", Map.of("a", List.of(1L, "x"), "b", 1.0));

  private final Server server = new Server();

  @AfterEach
  void close() {
    server.close();
  }

  private void decide(List<Condition> conditions) {
    server.put(
        new Resource<>(
            Schedule.KIND,
            Metadata.named(Schedule.CURRENT),
            Schedule.Spec.of(DATA, List.of(), "77985419c732412ea38b94db00000001", MADE),
            Optional.of(new Schedule.Status(1, 1, 1, "", conditions))));
  }

  @Test
  void schedulesAreInCanonicalForm() {
    assertThat(server.get("/v1/schedule").statusCode()).isEqualTo(404);
    decide(List.of());
    var answer = server.get("/v1/schedule");
    assertThat(answer.body())
        .isEqualTo(
            "{\"timestamp\":1533913850000,\"hash\":\""
                + Json.hash(DATA)
                + "\",\"data\":{\"roles\":{\"a\":[1,\"x\"],\"b\":1.0},\"vars\":{\"é\":\"q\\\"\\n\\u0001/\"}},"
                + "\"origin\":\"77985419c732412ea38b94db00000001\"}");
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/json");
    assertThat(answer.headers().firstValue("Content-Length")).isPresent();
    assertThat(server.get("/v1/schedule.gron").body()).contains("json.data.roles.b = 1.0\n");
    assertThat(server.get("/v1/schedule.pretty").body()).contains("\n    \"roles\" : {");
  }

  @Test
  void statusHasFieldsInOrder() {
    decide(
        List.of(
            new Condition(
                "Decided", Condition.Truth.FALSE, "LuaError", "main.lua:3: boom", 1, MADE)));
    var status = Server.json(server.get("/v1/status"));
    var names = new ArrayList<String>();
    status.fieldNames().forEachRemaining(names::add);
    assertThat(names)
        .containsExactly(
            "version",
            "id",
            "name",
            "hostname",
            "peers",
            "peers_timestamp",
            "leader",
            "roles",
            "last_stable_timestamp",
            "num_errors",
            "errors",
            "failed_roles",
            "debug_force_leader",
            "metrics",
            "fetch_state",
            "election_state",
            "schedule_id",
            "schedule_status",
            "default_frontend",
            "problems",
            "nodes",
            "instances");
    assertThat(status.path("version").asText()).isEqualTo("v0.1.0");
    assertThat(status.at("/leader/addr").isNull()).isTrue();
    assertThat(status.path("roles").asInt()).isEqualTo(2);
    assertThat(status.at("/errors/scheduler").asText()).isEqualTo("main.lua:3: boom");
    assertThat(status.path("num_errors").asInt()).isEqualTo(1);
    assertThat(status.at("/election_state/is_leader").asBoolean()).isTrue();
    assertThat(status.path("schedule_id").asText()).isEqualTo(Json.hash(DATA));
  }

  @Test
  void acceptsSuffixesAndSlashesAsVersion013() {
    for (var path : new String[] {"status", "status/", "status.json", "status.pretty", "peers"}) {
      assertThat(server.get("/v1/" + path).headers().firstValue("Content-Type"))
          .as(path)
          .hasValue("application/json");
    }
    assertThat(server.get("/v1/peers").body()).isEqualTo("[]");
    assertThat(server.get("/v1/status.gron").headers().firstValue("Content-Type"))
        .hasValue("text/x-gron");
    assertThat(server.get("/v1/status.gron").body()).startsWith("json = {}\njson.version = ");
  }

  @Test
  void peersAreTheOtherNodes() {
    for (int node = 1; node <= 2; node++) {
      var ready = Condition.ofTrue(ConditionType.READY, Reason.AGENT_RUNNING, "", 1, Instant.EPOCH);
      server.put(
          Resource.of(Node.KIND, "n" + node, new Node.Spec(false))
              .withStatus(
                  new Node.Status(
                      1,
                      List.of("10.0.0.%d:8379".formatted(node)),
                      Map.of(Node.MACHINE_ID, "id" + node, "hostname", "n" + node),
                      new Node.Capacity(1, 1),
                      Optional.empty(),
                      new Node.Roles(0, 0, 0),
                      List.of(ready))));
    }
    var peer = Server.json(server.get("/v1/peers")).path(1);
    assertThat(peer.path("id").asText()).isEqualTo("id2");
    assertThat(peer.path("primary_addr").asText()).isEqualTo("10.0.0.2:8379");
    assertThat(peer.path("hostname").asText()).isEqualTo("n2");
    assertThat(peer.path("ready").asBoolean()).isTrue();
    assertThat(Server.json(server.get("/v1/status")).path("peers").asInt()).isEqualTo(2);
  }

  @Test
  void countsInstancesThatANodeHasNotReported() {
    server.put(
        Resource.of(
            NodeSchedule.KIND,
            "n2",
            new NodeSchedule.Spec("", Map.of("web", Map.of(), "queue", Map.of()))));
    server.put(
        Resource.of(
            RoleInstance.KIND,
            "web@n2",
            new RoleInstance.Spec("web", "n2", "web/v1", Optional.of("v1"), Map.of())));
    assertThat(Server.json(server.get("/v1/status")).path("instances"))
        .hasToString("{\"Unknown\":2}");
  }

  @Test
  void redirectsToTheLeaderByName() {
    for (var path :
        new String[] {"/v1/leader-redirect-by-node-name", "/v1/leader-redirect-by-node-name/"}) {
      var answer = server.get(path);
      assertThat(answer.statusCode()).isEqualTo(308);
      assertThat(answer.headers().firstValue("Location")).hasValue("http://alpha:8379/");
      assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-cache");
      assertThat(answer.body()).isEmpty();
    }
  }

  @Test
  void redirectsWhenALeaderIsElected() {
    var alone = UiDemo.alone();
    var leader = new AtomicReference<>(Optional.<ClusterView.Member>empty());
    var elected = new CompletableFuture<Runnable>();
    var closed = new CompletableFuture<Void>();
    var view =
        new ClusterView() {
          @Override
          public Self self() {
            return alone.self();
          }

          @Override
          public Optional<Member> leader() {
            return leader.get();
          }

          @Override
          public Watch watchLeader(Loop loop, Runnable listener) {
            elected.complete(() -> loop.execute(listener));
            return () -> closed.complete(null);
          }

          @Override
          public long epoch() {
            return 1;
          }
        };
    try (var other = new Server(view)) {
      var waiting =
          CompletableFuture.supplyAsync(() -> other.get("/v1/leader-redirect-by-node-name"));
      var listener = elected.orTimeout(10, TimeUnit.SECONDS).join();
      assertThat(other.get("/metrics").body()).contains("verwalter_http_streams 1\n");
      leader.set(alone.leader());
      listener.run();
      var answer = waiting.orTimeout(10, TimeUnit.SECONDS).join();
      assertThat(answer.statusCode()).isEqualTo(308);
      assertThat(answer.headers().firstValue("Location")).hasValue("http://alpha:8379/");
      assertThat(closed).succeedsWithin(Duration.ofSeconds(10));
      assertThat(other.get("/metrics").body()).contains("verwalter_http_streams 0\n");
    }
  }

  @Test
  void servesModulesOfTheScheduler(@TempDir Path config) throws IOException {
    var self = UiDemo.alone().self();
    var view =
        new ClusterView() {
          @Override
          public Self self() {
            return new Self(
                self.name(),
                self.id(),
                self.hostname(),
                self.version(),
                self.defaultFrontend(),
                config,
                self.addresses());
          }

          @Override
          public Optional<Member> leader() {
            return Optional.empty();
          }

          @Override
          public long epoch() {
            return 1;
          }

          @Override
          public boolean forced() {
            return true;
          }

          @Override
          public Map<String, Long> metrics() {
            return Map.of("scheduler_succeeded", 7L);
          }
        };
    Files.createDirectories(config.resolve("scheduler/v1"));
    Files.writeString(config.resolve("scheduler/v1/query.wasm"), "module");
    Files.writeString(config.resolve("scheduler/v1/main.wasm"), "other");
    try (var other = new Server(view)) {
      var module = other.get("/v1/wasm/query.wasm");
      assertThat(module.body()).isEqualTo("module");
      assertThat(module.headers().firstValue("Content-Type")).hasValue("application/wasm");
      assertThat(other.get("/v1/wasm/scheduler.wasm").statusCode()).isEqualTo(404);
      assertThat(other.get("/v1/wasm/main.wasm").statusCode()).isEqualTo(404);
      var status = Server.json(other.get("/v1/status"));
      assertThat(status.path("debug_force_leader").asBoolean()).isTrue();
      assertThat(status.at("/metrics/scheduler_succeeded").asInt()).isEqualTo(7);
    }
  }

  @Test
  void saysThatGraphqlIsNotSupported() {
    for (var path : new String[] {"/v1/graphql", "/v1/graphql.pretty", "/v1/graphiql"}) {
      var answer = server.send("POST", path, "application/json", "{}");
      assertThat(answer.statusCode()).isEqualTo(501);
      assertThat(answer.body()).contains("GraphQL", "/apis/verwalter.io/v1");
    }
  }

  @Test
  void unknownPathsGetErrorPage() {
    for (var path : new String[] {"/v1/status/x", "/v1/nothing", "/v1/", "/v1/statuses"}) {
      var answer = server.get(path);
      assertThat(answer.statusCode()).as(path).isEqualTo(404);
      assertThat(answer.body())
          .contains(
              "<title>404 Not Found</title>",
              "<h1>404 Not Found</h1>",
              "Yours faithfully,<br>verwalter");
    }
    assertThat(server.get("/v1/%3Cscript%3E").body()).doesNotContain("<script>");
  }

  /** A node is identified by its host name, also if its display name is another. */
  @Test
  void failedRolesAreOfThisNodeEvenIfRenamed() {
    var self = UiDemo.alone().self();
    var named =
        new ClusterView.Self(
            "Pretty name",
            self.id(),
            "alpha",
            self.version(),
            self.defaultFrontend(),
            self.configDirectory(),
            self.addresses());
    var view =
        new ClusterView() {
          @Override
          public Self self() {
            return named;
          }

          @Override
          public Optional<Member> leader() {
            return Optional.empty();
          }

          @Override
          public long epoch() {
            return 1;
          }
        };
    try (var other = new Server(view)) {
      other.put(output("changed", "alpha", ConditionType.AS_WRITTEN, Reason.DRIFTED));
      other.put(output("held", "alpha", ConditionType.RENDERED, Reason.HELD));
      other.put(output("waiting", "alpha", ConditionType.RENDERED, Reason.WAITING));
      other.put(output("web-alpha", "alpha", ConditionType.RENDERED, Reason.RENDER_FAILED));
      other.put(output("web-beta", "beta", ConditionType.RENDERED, Reason.RENDER_FAILED));
      Awaitility.await()
          .untilAsserted(
              () -> assertThat(Server.json(other.get("/v1/status")).path("problems")).hasSize(5));
      var failed = Server.json(other.get("/v1/status")).path("failed_roles");
      assertThat(failed).extracting(role -> role.asText()).containsExactly("web-alpha");
    }
  }

  private static Resource<TemplateOutput.Spec, TemplateOutput.Status> output(
      String role, String node, ConditionType type, Reason reason) {
    return Resource.of(
            TemplateOutput.KIND,
            role + "@" + node,
            new TemplateOutput.Spec(role, node, role, Map.of()))
        .withStatus(
            TemplateOutput.Status.of(
                1,
                Optional.empty(),
                "",
                List.of(),
                List.of(),
                List.of(Condition.ofFalse(type, reason, "no", 1, MADE))));
  }

  @Test
  void errorsHaveAllProblemsOfTheSchedule() {
    decide(
        List.of(
            Condition.ofFalse(
                ConditionType.DECIDED, Reason.SCHEDULER_FAILED, "main.lua:3: boom", 1, MADE),
            Condition.ofFalse(
                ConditionType.NODES_KNOWN, Reason.UNKNOWN_NODES, "unknown: delta", 1, MADE)));
    Awaitility.await()
        .untilAsserted(
            () -> assertThat(Server.json(server.get("/v1/status")).path("problems")).hasSize(2));
    var status = Server.json(server.get("/v1/status"));
    assertThat(status.at("/errors/scheduler").asText()).isEqualTo("main.lua:3: boom");
    assertThat(status.at("/errors/Schedule~1current").asText())
        .isEqualTo("names nodes that do not exist: unknown: delta");
    assertThat(status.path("num_errors").asInt()).isEqualTo(2);
  }
}
