package verwalter.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.LaunchedCluster.soon;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import verwalter.access.AccessVerb;
import verwalter.access.AuditChain;
import verwalter.access.Authorization;
import verwalter.access.Caller;
import verwalter.access.Operation;
import verwalter.access.TokenText;
import verwalter.certificates.ClusterTls;
import verwalter.certificates.Peers;
import verwalter.certificates.Pki;
import verwalter.certificates.PkiFiles;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.joining.Enrollment;
import verwalter.model.AccessRule.Grant;
import verwalter.model.JoinTokenText;
import verwalter.model.Kind;
import verwalter.model.Kinds;

/**
 * Tests who may do what at the leader and at another node of a cluster.
 *
 * <p>Takes minutes, so it runs only with {@code VERWALTER_SLOW_TESTS=1}.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@EnabledIfEnvironmentVariable(named = "VERWALTER_SLOW_TESTS", matches = ".+")
class ClusterAccessTest {
  private static final String API = "/apis/verwalter.io/v1/";
  private static final String ROLES = API + "roleconfigs";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final SecureRandom CHANCE = new SecureRandom();

  /** What a node may not do. It may read the log, which it receives if it is an observer. */
  private static final List<String> REQUESTS =
      List.of(
          "GET /cluster/v1/authority",
          "GET /cluster/v1/authority/next",
          "GET /cluster/v1/copy/durable",
          "GET " + API + "accesstokens",
          "GET " + API + "jointokens",
          "GET /v1/audit",
          "POST " + ROLES,
          "PATCH " + API + "nodes/n1",
          "PATCH " + API + "nodeschedules/n1",
          "DELETE " + API + "nodes/n2",
          "POST " + API + "accesstokens",
          "POST " + API + "authoritychanges",
          "POST /v1/cluster",
          "POST /v1/action",
          "GET /v1/force_render_all");

  @TempDir private static Path root;
  private static LaunchedCluster cluster;
  private static String admin;
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @BeforeAll
  static void start() throws Exception {
    cluster = new LaunchedCluster(root, site -> {});
    cluster.startFirst();
    cluster.foundAndJoin();
    admin =
        leader()
            .vwAsAdmin("auth", "create-token", "boss", "--grant", "admin", "--ttl", "1h")
            .text()
            .lines()
            .filter(it -> it.startsWith("vwt_"))
            .findFirst()
            .orElseThrow();
  }

  @AfterAll
  static void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static LaunchedAgent leader() {
    return cluster.agent("n1");
  }

  private static LaunchedAgent follower() {
    return cluster.agent("n2");
  }

  private static HttpResponse<String> send(
      LaunchedAgent agent, String token, String method, String path, String body, String... headers)
      throws Exception {
    return send(HTTP, agent.url(), token, method, path, body, headers);
  }

  private static HttpResponse<String> send(
      HttpClient client,
      String server,
      String token,
      String method,
      String path,
      String body,
      String... headers)
      throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(server + path))
            .timeout(Duration.ofSeconds(20))
            .header(
                "Content-Type",
                method.equals("PATCH") ? "application/merge-patch+json" : "application/json")
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** Creates a token through the leader, and waits until the other node knows it. */
  private static String token(String name, Instant expires, String... groups) throws Exception {
    var token = TokenText.create(name, CHANCE);
    var created =
        send(
            leader(),
            admin,
            "POST",
            API + "accesstokens",
            object(
                "AccessToken",
                name,
                Map.of(
                    "user",
                    name,
                    "groups",
                    List.of(groups),
                    "hash",
                    token.hash(),
                    "expires",
                    expires.toString())));
    assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
    soon(
        () ->
            assertThat(
                    send(follower(), admin, "GET", API + "accesstokens/" + name, "").statusCode())
                .isEqualTo(200));
    return token.text();
  }

  private static String object(String kind, String name, Map<String, Object> spec)
      throws IOException {
    return JSON.writeValueAsString(
        Map.of(
            "apiVersion",
            "verwalter.io/v1",
            "kind",
            kind,
            "metadata",
            Map.of("name", name),
            "spec",
            spec));
  }

  private static String role(String name) throws IOException {
    return object("RoleConfig", name, Map.of("versions", Map.of(), "settings", Map.of()));
  }

  /** Whether the access control refuses a request, as opposed to the store or a format. */
  private static boolean isRefused(HttpResponse<String> answer) {
    return answer.statusCode() == 401
        || (answer.statusCode() == 403
            && (answer.body().contains("needs the grant")
                || answer.body().contains("needs an admin")));
  }

  private static HttpResponse<String> attempt(
      LaunchedAgent agent, String token, AccessVerb verb, Kind<?, ?> kind) throws Exception {
    var all = API + kind.plural();
    var one = all + "/absent";
    return switch (verb) {
      case LIST -> send(agent, token, "GET", all, "");
      case WATCH -> send(agent, token, "GET", all + "?watch=true&timeoutSeconds=1", "");
      case GET -> send(agent, token, "GET", one, "");
      case CREATE -> send(agent, token, "POST", all + "?dryRun=All", "{}");
      case UPDATE -> send(agent, token, "PUT", one + "?dryRun=All", "{}");
      case PATCH -> send(agent, token, "PATCH", one + "?dryRun=All", "{}");
      case DELETE -> send(agent, token, "DELETE", one + "?dryRun=All", "");
      case DELETECOLLECTION -> send(agent, token, "DELETE", all + "?dryRun=All", "");
    };
  }

  @Test
  @Order(1)
  void everyNodeAllowsTheSame() throws Exception {
    var callers = new LinkedHashMap<String, Caller>();
    callers.put("", Caller.anonymous(Optional.of(Grant.OPERATOR)));
    callers.put(
        token("nobody", Instant.now().plusSeconds(3600)), Caller.ofToken("nobody", Set.of()));
    for (var grant : Grant.values()) {
      var group = Caller.groupOf(grant);
      callers.put(
          token(grant.word() + "1", Instant.now().plusSeconds(3600), group),
          Caller.ofToken(grant.word() + "1", Set.of(group)));
    }
    var wrong = new ArrayList<String>();
    int refused = 0;
    for (var caller : callers.entrySet()) {
      for (var kind : Kinds.ALL) {
        for (var verb : AccessVerb.values()) {
          if (verb == AccessVerb.WATCH && !kind.equals(Kinds.ALL.get(0))) {
            continue; // each takes a second
          }
          var operation =
              verb.isOfAll()
                  ? Operation.onAll(verb, kind)
                  : verb == AccessVerb.CREATE
                      ? Operation.creationOf(kind)
                      : Operation.onAbsent(verb, kind, "absent");
          boolean allowed = Authorization.decide(caller.getValue(), operation, List.of()).allowed();
          refused += allowed ? 0 : 1;
          for (var agent : List.of(leader(), follower())) {
            var answer = attempt(agent, caller.getKey(), verb, kind);
            if (isRefused(answer) == allowed || answer.statusCode() >= 500) {
              wrong.add(
                  "%s %s %s at %s: %d %s"
                      .formatted(
                          caller.getValue().name(),
                          verb.word(),
                          kind.name(),
                          agent == leader() ? "the leader" : "another node",
                          answer.statusCode(),
                          answer.body()));
            }
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(refused).isGreaterThan(100);
  }

  @Test
  @Order(2)
  void everyNodeRefusesCredentialsThatAreNotValid() throws Exception {
    var expired = token("old", Instant.now().minusSeconds(1), "verwalter:admin");
    var valid = token("gone", Instant.now().plusSeconds(3600), "verwalter:admin");
    var wrong = valid.substring(0, valid.length() - 1) + (valid.endsWith("a") ? "b" : "a");
    for (var agent : List.of(leader(), follower())) {
      assertThat(send(agent, valid, "GET", ROLES, "").statusCode()).isEqualTo(200);
      for (var token : List.of(expired, wrong, "vwt_", "x")) {
        for (var method : List.of("GET", "DELETE")) {
          assertThat(send(agent, token, method, ROLES + "/absent", "").statusCode())
              .as(token)
              .isEqualTo(401);
        }
      }
    }
    var deleted = send(follower(), admin, "DELETE", API + "accesstokens/gone", "");
    assertThat(deleted.statusCode()).as(deleted.body()).isEqualTo(200);
    assertThat(send(leader(), valid, "GET", ROLES, "").statusCode()).isEqualTo(401);
    soon(() -> assertThat(send(follower(), valid, "GET", ROLES, "").statusCode()).isEqualTo(401));
    for (var agent : List.of(leader(), follower())) {
      for (var caller :
          List.of(
              "BEARER_TOKEN boss verwalter%3Aadmin", "SOCKET_PEER unix%3Aroot verwalter%3Aadmin")) {
        var replayed =
            send(
                agent,
                "",
                "GET",
                API + "accesstokens",
                "",
                "Verwalter-Caller",
                caller,
                "Verwalter-Forwarded-By",
                "n3");
        assertThat(replayed.statusCode()).as(replayed.body()).isEqualTo(403);
      }
    }
  }

  private static List<JsonNode> audit(String node) throws IOException {
    var lines = new ArrayList<JsonNode>();
    try (var files = Files.list(cluster.home(node).resolve("storage/audit"))) {
      for (var file : files.filter(it -> it.toString().endsWith(".log")).sorted().toList()) {
        for (var line : Files.readAllLines(file)) {
          lines.add(JSON.readTree(line.substring(line.indexOf(' ') + 1)));
        }
      }
    }
    return lines;
  }

  private static List<String> audited(String node, String object) throws IOException {
    return audit(node).stream()
        .filter(it -> it.path("object").asText().equals(object))
        .map(
            it ->
                "%s %s %s %s %s"
                    .formatted(
                        it.path("caller").asText(),
                        it.path("credential").asText(),
                        it.path("verb").asText(),
                        it.path("outcome").asText(),
                        it.path("change").asText()))
        .toList();
  }

  private static String sha256(String text) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
  }

  @Test
  @Order(3)
  void forwardedRequestsAreInTheAuditLogOnce() throws Exception {
    var token = token("writer", Instant.now().plusSeconds(3600), "verwalter:operator");
    var reader = token("reader", Instant.now().plusSeconds(3600), "verwalter:viewer");
    var body = role("audited");
    assertThat(send(follower(), token, "POST", ROLES, body).statusCode()).isEqualTo(201);
    assertThat(send(follower(), reader, "DELETE", ROLES + "/audited", "").statusCode())
        .isEqualTo(403);
    assertThat(send(leader(), token, "DELETE", ROLES + "/audited", "").statusCode()).isEqualTo(200);
    var secret = token.substring(token.lastIndexOf('_') + 1);
    soon(
        () ->
            assertThat(audited("n1", "RoleConfig/audited"))
                .containsExactly(
                    "writer bearer token create 201 " + sha256(body),
                    "reader bearer token delete 403 ",
                    "writer bearer token delete 200 "));
    assertThat(audited("n2", "RoleConfig/audited")).isEmpty();
    for (var node : List.of("n1", "n2")) {
      assertThat(audit(node).toString()).doesNotContain(secret, sha256(secret));
      var verified = cluster.agent(node).vwAsAdmin("audit", "verify");
      assertThat(verified.code()).as(verified.text()).isZero();
    }
    var file = copyOfAudit();
    var lines = Files.readAllLines(file);
    assertThat(lines).hasSizeGreaterThan(10);
    var changed = new ArrayList<>(lines);
    changed.set(4, changed.get(4).replaceFirst("\"outcome\":\\d+", "\"outcome\":299"));
    assertThat(verify(file, changed)).contains(".log:5: ");
    var removed = new ArrayList<>(lines);
    removed.remove(4);
    assertThat(verify(file, removed)).contains(".log:5: ");
    var moved = new ArrayList<>(lines);
    moved.set(4, lines.get(5));
    moved.set(5, lines.get(4));
    assertThat(verify(file, moved)).contains(".log:5: ");
    assertThat(AuditChain.fields(lines.get(4))).isPresent();
  }

  private static Path copyOfAudit() throws IOException {
    var copy = Files.createDirectories(root.resolve("audit"));
    try (var files = Files.list(cluster.home("n1").resolve("storage/audit"))) {
      for (var file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    try (var files = Files.list(copy)) {
      return files.filter(it -> it.toString().endsWith(".log")).findFirst().orElseThrow();
    }
  }

  /** What {@code vw audit verify} says about changed lines. */
  private static String verify(Path file, List<String> lines) throws Exception {
    Files.write(file, lines);
    var verified = leader().vwAsAdmin("audit", "verify", "--dir", String.valueOf(file.getParent()));
    assertThat(verified.code()).as(verified.text()).isNotZero();
    return verified.text();
  }

  /** Joins a machine without the key of the authority, whose certificate is stolen then. */
  private static HttpClient thief(Vertx vertx) throws Exception {
    var text = leader().vwAsAdmin("token", "create").text().lines().findFirst().orElseThrow();
    var pki = new Pki(PkiFiles.in(root.resolve("thief").resolve("pki")));
    var enrollment =
        new Enrollment(
            vertx, PkiFiles.in(root.resolve("thief")), pki, InstantSource.system(), CHANCE);
    var member =
        enrollment
            .join(
                Address.of(cluster.address(1)),
                JoinTokenText.parse(text),
                new Enrollment.Machine("n4", "4".repeat(32), List.of("127.0.0.4:8380")))
            .toCompletionStage()
            .toCompletableFuture()
            .get(20, TimeUnit.SECONDS);
    var tls = new ClusterTls(pki, member.cluster(), InstantSource.system());
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .sslContext(tls.context(Peers.NODES))
        .sslParameters(new SSLParameters())
        .build();
  }

  @Test
  @Order(4)
  void aStolenCertificateOfANodeWritesNothingOfOthers() throws Exception {
    assertThat(opened(List.<String[]>of(new String[] {}))).isEmpty();
  }

  @Test
  @Order(6)
  void aStolenCertificateOfANodeCannotActForOthers() throws Exception {
    var headers = new ArrayList<String[]>();
    for (var caller :
        List.of(
            "BEARER_TOKEN boss verwalter%3Aadmin", "SOCKET_PEER unix%3Aroot verwalter%3Aadmin")) {
      for (var node : List.of("n2", "n4")) {
        headers.add(new String[] {"Verwalter-Forwarded-By", node, "Verwalter-Caller", caller});
      }
    }
    assertThat(opened(headers)).isEmpty();
  }

  /**
   * The requests with a stolen certificate that are not refused, at two nodes, with each of these
   * headers.
   */
  private static List<String> opened(List<String[]> everyHeaders) throws Exception {
    var vertx = Vertx.vertx();
    var open = new ArrayList<String>();
    try {
      var thief = thief(vertx);
      for (int node = 1; node <= 2; node++) {
        for (var request : REQUESTS) {
          var parts = request.split(" ", -1);
          boolean reads = parts[0].equals("GET") || parts[0].equals("DELETE");
          for (var headers : everyHeaders) {
            var answer =
                send(
                    thief,
                    "https://" + cluster.address(node),
                    "",
                    parts[0],
                    parts[1],
                    reads ? "" : "{}",
                    headers);
            boolean elsewhere = // a node that does not lead does nothing for others
                answer.statusCode() == 503 && answer.body().contains("does not lead any more");
            if (answer.statusCode() != 403 && answer.statusCode() != 401 && !elsewhere) {
              open.add(
                  "%s at n%d with %s: %d %s"
                      .formatted(
                          request, node, List.of(headers), answer.statusCode(), answer.body()));
            }
          }
        }
      }
      return open;
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
      send(leader(), admin, "DELETE", API + "nodes/n4", "");
    }
  }

  private static String issuer(String node) throws Exception {
    var pki = new Pki(PkiFiles.in(cluster.home(node).resolve("storage/cluster/pki")));
    var chain = pki.node().chain();
    return chain.get(chain.size() - 1).getSerialNumber().toString(16);
  }

  @Test
  @Order(5)
  void theAuthorityIsReplacedWithoutARestart() throws Exception {
    var before = issuer("n1");
    var pid = leader().pid();

    var rotated = follower().vwAsAdmin("cluster", "rotate-ca");

    assertThat(rotated.code()).as(rotated.text()).isZero();
    assertThat(rotated.text()).contains("done: the old authority is not trusted any more");
    assertThat(issuer("n1")).isNotEqualTo(before);
    for (var node : List.of("n1", "n2", "n3")) {
      assertThat(issuer(node)).isEqualTo(issuer("n1"));
      soon(
          () ->
              assertThat(send(cluster.agent(node), admin, "POST", ROLES, role("of-" + node)))
                  .matches(it -> it.statusCode() == 201 || it.statusCode() == 409));
    }
    assertThat(leader().pid()).isEqualTo(pid);

    leader().killHard();

    soon(
        () -> {
          var written = send(follower(), admin, "POST", ROLES, role("after"));
          assertThat(written.statusCode()).as(written.body()).isIn(201, 409);
        });
    leader().startAgain();
    soon(
        () ->
            assertThat(send(leader(), admin, "GET", ROLES + "/after", "").statusCode())
                .isEqualTo(200));
  }
}
