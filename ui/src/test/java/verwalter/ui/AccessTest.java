package verwalter.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.access.AuditEntry;
import verwalter.access.Caller;
import verwalter.access.TokenText;
import verwalter.model.AccessRule;
import verwalter.model.AccessRule.Grant;
import verwalter.model.AccessRule.Subject;
import verwalter.model.AccessRule.SubjectKind;
import verwalter.model.AccessToken;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.ui.port.AccessPort;

/** Tests who may do what at a real server. */
class AccessTest {
  private static final String ROLES = "/apis/verwalter.io/v1/roleconfigs";
  private static final String TOKENS = "/apis/verwalter.io/v1/accesstokens";
  private static final String JSON = "application/json";
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<AuditEntry> audit = Collections.synchronizedList(new ArrayList<>());
  private final List<Server> servers = new ArrayList<>();

  @AfterEach
  void close() {
    servers.forEach(Server::close);
  }

  private Server server(Optional<Grant> anonymous) {
    var server =
        new Server(new AccessPort(anonymous, false, "root", false, audit::add, Optional.empty()));
    servers.add(server);
    return server;
  }

  private static String role(String name) {
    return """
        {"apiVersion":"verwalter.io/v1","kind":"RoleConfig","metadata":{"name":"%s"},
         "spec":{"versions":{},"settings":{}}}"""
        .formatted(name);
  }

  private static HttpResponse<String> send(
      Server server, String token, String method, String path, String body) {
    var request = server.to(path).header("Content-Type", JSON);
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    var publisher =
        body.isEmpty()
            ? java.net.http.HttpRequest.BodyPublishers.noBody()
            : java.net.http.HttpRequest.BodyPublishers.ofString(body);
    return server.send(request.method(method, publisher));
  }

  /** The status of the answer to each operation: read, create, delete, read tokens, render. */
  @ParameterizedTest
  @CsvSource({
    "anonymous, none,     401, 401, 401, 401, 401",
    "anonymous, viewer,   200, 403, 403, 403, 403",
    "anonymous, operator, 200, 201, 200, 403, 200",
    "token,     none,     403, 403, 403, 403, 403",
    "token,     viewer,   200, 403, 403, 403, 403",
    "token,     operator, 200, 201, 200, 403, 200",
    "token,     admin,    200, 201, 200, 200, 200",
  })
  void eachGrantAllowsWhatItSays(
      String way, String grant, int read, int create, int delete, int tokens, int render) {
    var level =
        grant.equals("none")
            ? Optional.<Grant>empty()
            : Optional.of(Grant.valueOf(grant.toUpperCase(java.util.Locale.ROOT)));
    boolean anonymous = way.equals("anonymous");
    var server = server(anonymous ? level : Optional.empty());
    var groups = level.map(Caller::groupOf).map(List::of).orElse(List.of());
    var token = anonymous ? "" : server.token("ada", HOUR, groups.toArray(String[]::new));
    assertThat(send(server, token, "GET", ROLES, "").statusCode()).isEqualTo(read);
    assertThat(send(server, token, "POST", ROLES, role("web")).statusCode()).isEqualTo(create);
    server.put(Resource.of(RoleConfig.KIND, "api", RoleConfig.Spec.of(Map.of())));
    assertThat(send(server, token, "DELETE", ROLES + "/api", "").statusCode()).isEqualTo(delete);
    assertThat(send(server, token, "GET", TOKENS, "").statusCode()).isEqualTo(tokens);
    assertThat(send(server, token, "GET", "/v1/force_render_all", "").statusCode())
        .isEqualTo(render);
    assertThat(send(server, token, "GET", "/healthz", "").statusCode()).isEqualTo(200);
  }

  @Test
  void refusesTokensThatAreWrongExpiredOrRevoked() {
    var server = server(Optional.of(Grant.OPERATOR));
    var valid = server.token("ada", HOUR, "verwalter:viewer");
    assertThat(send(server, valid, "GET", ROLES, "").statusCode()).isEqualTo(200);
    var wrong = valid.substring(0, valid.length() - 1) + (valid.endsWith("a") ? "b" : "a");
    var expired = server.token("bob", Duration.ofSeconds(-1), "verwalter:admin");
    for (var token : List.of(wrong, expired, "x", "vwt_ada_", valid + "x")) {
      var refused = send(server, token, "GET", ROLES, "");
      assertThat(refused.statusCode()).as(token).isEqualTo(401);
      assertThat(Server.json(refused).path("reason").asText()).isEqualTo("Unauthorized");
      assertThat(refused.headers().firstValue("WWW-Authenticate")).isPresent();
      assertThat(refused.body()).doesNotContain(valid.substring(8));
    }
    assertThat(send(server, expired, "GET", ROLES, "").body()).contains("token bob has expired");
    Server.await(server.store.remove(server.get(AccessToken.KIND, "ada")));
    assertThat(send(server, valid, "GET", ROLES, "").statusCode()).isEqualTo(401);
    server.token("bob2", HOUR);
    var again = TokenText.create("ada", new java.util.Random(99));
    server.put(
        Resource.of(
            AccessToken.KIND,
            "ada",
            new AccessToken.Spec(
                "ada", List.of(), again.hash(), java.time.Instant.now().plusSeconds(60))));
    assertThat(send(server, valid, "GET", ROLES, "").statusCode())
        .as("the old secret of a name that is used again")
        .isEqualTo(401);
  }

  @ParameterizedTest
  @ValueSource(strings = {"revoked", "expired", "rule removed"})
  void endsOpenWatches(String why) {
    var server = server(Optional.empty());
    var token =
        why.equals("expired")
            ? server.token("ada", Duration.ofSeconds(2), "verwalter:viewer")
            : server.token("ada", HOUR, why.equals("revoked") ? "verwalter:viewer" : "shop");
    server.put(
        Resource.of(
            AccessRule.KIND,
            "shop",
            new AccessRule.Spec(
                List.of(new Subject(SubjectKind.GROUP, "shop")),
                Grant.VIEWER,
                List.of(),
                List.of(),
                List.of())));
    server.put(Resource.of(RoleConfig.KIND, "web", RoleConfig.Spec.of(Map.of())));
    try (var lines = server.lines(ROLES + "?watch=true", "Authorization", "Bearer " + token)) {
      assertThat(lines.status()).isEqualTo(200);
      assertThat(lines.json().at("/object/metadata/name").asText()).isEqualTo("web");
      if (why.equals("revoked")) {
        Server.await(server.store.remove(server.get(AccessToken.KIND, "ada")));
      } else if (why.equals("rule removed")) {
        Server.await(server.store.remove(server.get(AccessRule.KIND, "shop")));
      }
      assertThat(isCut(lines)).isTrue();
    }
    assertThat(audit).anyMatch(it -> it.verb().equals("watch") && it.outcome() > 400);
  }

  private static boolean isCut(Server.Lines lines) {
    try {
      return lines.next() == null;
    } catch (IllegalStateException reset) {
      return true;
    }
  }

  @Test
  void aRuleForARoleAllowsNothingElse() {
    var server = server(Optional.empty());
    var token = server.token("ada", HOUR);
    server.put(
        Resource.of(
            AccessRule.KIND,
            "shop",
            new AccessRule.Spec(
                List.of(new Subject(SubjectKind.USER, "ada")),
                Grant.OPERATOR,
                List.of(),
                List.of(),
                List.of("shop-*"))));
    assertThat(send(server, token, "POST", ROLES, role("shop-web")).statusCode()).isEqualTo(201);
    var refused = send(server, token, "POST", ROLES, role("blog"));
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(server.store.get(RoleConfig.KIND, "blog")).isEmpty();
    assertThat(Server.json(refused).path("message").asText())
        .startsWith("roleconfigs.verwalter.io \"blog\" is forbidden: create RoleConfig/blog needs")
        .contains("vw auth can-i --list");
    assertThat(send(server, token, "GET", ROLES + "/shop-web", "").statusCode()).isEqualTo(200);
    assertThat(send(server, token, "GET", ROLES + "/blog", "").statusCode()).isEqualTo(403);
    assertThat(send(server, token, "GET", ROLES, "").statusCode()).isEqualTo(403);
    var pause = "{\"button\":{\"role\":\"%s\",\"action\":\"pause\"}}";
    assertThat(send(server, token, "POST", "/v1/action", pause.formatted("shop-web")).statusCode())
        .isEqualTo(200);
    assertThat(send(server, token, "POST", "/v1/action", pause.formatted("blog")).statusCode())
        .isEqualTo(403);
  }

  /** No list, watch or page shows objects of other roles, and none is cut to the own ones. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /apis/verwalter.io/v1/roleconfigs",
        "GET /apis/verwalter.io/v1/roleconfigs?watch=true",
        "GET /apis/verwalter.io/v1/roleconfigs?watch=1&fieldSelector=metadata.name%3Dshop",
        "GET /apis/verwalter.io/v1/roleconfigs?fieldSelector=metadata.name%3Dshop",
        "GET /apis/verwalter.io/v1/roleconfigs?limit=1",
        "DELETE /apis/verwalter.io/v1/roleconfigs",
        "DELETE /apis/verwalter.io/v1/roleconfigs?fieldSelector=metadata.name%3Dshop",
        "GET /apis/verwalter.io/v1/events",
        "GET /v1/pending_actions",
        "GET /v1/action_is_pending/1",
        "GET /v1/schedule",
        "GET /v1/status",
        "GET /v1/scheduler_input",
        "GET /v1/decisions",
        "GET /v1/backups",
        "GET /metrics",
        "GET /ui/events",
        "GET /",
      })
  void aRuleForARoleAllowsNoLists(String request) {
    var server = server(Optional.empty());
    var token = server.token("ada", HOUR);
    server.put(Resource.of(RoleConfig.KIND, "shop", RoleConfig.Spec.of(Map.of())));
    server.put(
        Resource.of(
            AccessRule.KIND,
            "shop",
            new AccessRule.Spec(
                List.of(new Subject(SubjectKind.USER, "ada")),
                Grant.ADMIN,
                List.of(),
                List.of(),
                List.of("shop"))));
    var parts = request.split(" ", -1);
    assertThat(send(server, token, parts[0], parts[1], "").statusCode()).isEqualTo(403);
    assertThat(send(server, token, "GET", ROLES + "/shop", "").statusCode()).isEqualTo(200);
  }

  /** A route without a rule cannot be mounted; none of those mounted answers a stranger. */
  @Test
  void everyRouteRefusesACallerWithoutCredentials() {
    var server = server(Optional.empty());
    var open = new ArrayList<String>();
    for (var route : server.ui().routes()) {
      var method = route.substring(0, route.indexOf(' '));
      var path =
          route
              .substring(route.indexOf(' ') + 1)
              .replace(":plural", "nodes")
              .replace("{module}", "scheduler.wasm")
              .replace("{id}", "1")
              .replaceAll(":\\w+|\\{\\w+}", "a");
      for (var each : method.equals("ANY") ? List.of("GET", "POST") : List.of(method)) {
        var answer = send(server, "", each, path, each.equals("POST") ? "{}" : "");
        if (answer.statusCode() != 401) {
          open.add(each + " " + path + " " + answer.statusCode());
        }
      }
    }
    assertThat(open)
        .containsExactlyInAnyOrder(
            "GET /healthz 200", "HEAD /healthz 200", "GET /livez 200", "HEAD /livez 200");
  }

  @Test
  void recordsWritesAndRefusalsButNoReads() {
    var server = server(Optional.of(Grant.OPERATOR));
    send(server, "", "GET", ROLES, "");
    send(server, "", "POST", ROLES, role("web"));
    send(server, "", "GET", TOKENS, "");
    send(server, "", "POST", ROLES, role("web"));
    send(server, "vwt_x", "DELETE", ROLES + "/web", "");
    assertThat(audit)
        .extracting(
            it ->
                "%s %s %s %s %s"
                    .formatted(it.caller(), it.place(), it.verb(), it.object(), it.outcome()))
        .containsExactly(
            "anonymous 127.0.0.1 create RoleConfig/web 201",
            "anonymous 127.0.0.1 list AccessToken 403",
            "anonymous 127.0.0.1 create RoleConfig/web 409",
            "anonymous 127.0.0.1 delete RoleConfig/web 401");
    assertThat(audit.get(0).change()).hasSize(64).isEqualTo(audit.get(2).change());
    assertThat(audit.get(3).change()).isEmpty();
  }

  private static com.fasterxml.jackson.databind.JsonNode ask(
      Server server, String token, String path, String spec) {
    var answer = send(server, token, "POST", path, "{\"spec\":" + spec + "}");
    assertThat(answer.statusCode()).isEqualTo(201);
    return Server.json(answer).path("status");
  }

  @Test
  void reviewsAnswerAsKubernetesDoes() {
    var server = server(Optional.of(Grant.VIEWER));
    var access = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    var get = "{\"resourceAttributes\":{\"verb\":\"get\",\"resource\":\"nodes\"}}";
    var patch =
        "{\"resourceAttributes\":{\"verb\":\"patch\",\"resource\":\"nodes\",\"name\":\"a\"}}";
    assertThat(ask(server, "", access, get).path("allowed").asBoolean()).isTrue();
    assertThat(ask(server, "", access, patch).path("allowed").asBoolean()).isFalse();
    var token = server.token("ada", HOUR, "verwalter:operator", "shop");
    assertThat(ask(server, token, access, patch).path("allowed").asBoolean()).isTrue();
    var metrics = "{\"nonResourceAttributes\":{\"verb\":\"get\",\"path\":\"/metrics\"}}";
    assertThat(ask(server, "", access, metrics).path("allowed").asBoolean()).isTrue();
    var other = "{\"resourceAttributes\":{\"verb\":\"get\",\"resource\":\"pods\"}}";
    assertThat(ask(server, token, access, other).path("allowed").asBoolean()).isFalse();
    var who = ask(server, token, "/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}");
    assertThat(who.at("/userInfo/username").asText()).isEqualTo("ada");
    assertThat(who.at("/userInfo/groups").toString())
        .isEqualTo("[\"shop\",\"verwalter:operator\"]");
    var rules = ask(server, token, "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", "{}");
    assertThat(rules.path("resourceRules").toString())
        .contains("\"resources\":[\"nodes\"]")
        .doesNotContain("accesstokens");
    assertThat(rules.path("incomplete").asBoolean()).isFalse();
  }

  /** The bytes that kubectl 1.32 sends for {@code kubectl auth can-i delete nodes}. */
  private static byte[] message(String verb) {
    var resource = field(1, "default") + field(2, verb) + field(5, "nodes") + field(7, "");
    var review = field(1, field(1, "")) + field(2, field(1, resource)) + field(3, "\u0008\u0000");
    var type = field(1, "authorization.k8s.io/v1") + field(2, "SelfSubjectAccessReview");
    return ("k8s\0" + field(1, type) + field(2, review))
        .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
  }

  private static String field(int number, String content) {
    return "" + (char) (number << 3 | 2) + (char) content.length() + content;
  }

  @Test
  void readsReviewsInTheBinaryFormOfKubectl() {
    var server = server(Optional.of(Grant.VIEWER));
    for (var verb : List.of("get", "delete")) {
      var answer = sendReview(server, message(verb));
      assertThat(answer.statusCode()).isEqualTo(201);
      assertThat(Server.json(answer).at("/status/allowed").asBoolean())
          .isEqualTo(verb.equals("get"));
    }
    var whole = message("get");
    for (int i = 0; i < whole.length; i++) {
      assertThat(sendReview(server, java.util.Arrays.copyOf(whole, i)).statusCode())
          .as("the first %d bytes", i)
          .isIn(201, 400);
    }
  }

  private static HttpResponse<String> sendReview(Server server, byte[] body) {
    return server.send(
        server
            .to("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews")
            .header("Content-Type", "application/vnd.kubernetes.protobuf")
            .POST(java.net.http.HttpRequest.BodyPublishers.ofByteArray(body)));
  }
}
