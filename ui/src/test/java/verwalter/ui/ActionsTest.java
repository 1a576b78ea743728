package verwalter.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.model.Action;
import verwalter.model.Resource;

/** Actions over HTTP. */
final class ActionsTest {
  private static final String PRESS =
      "{\"button\":{\"role\":\"web\",\"action\":\"scale\",\"by\":1.0}}";

  private final Server server = new Server();

  @AfterEach
  void close() {
    server.close();
  }

  private HttpResponse<String> post(String path, String type, String body) {
    return server.send(
        server.to(path).header("Content-Type", type).POST(BodyPublishers.ofString(body)));
  }

  private HttpResponse<String> post(String path, String body) {
    return post(path, "application/json", body);
  }

  private String registered() {
    var answer = post("/v1/action", PRESS);
    assertThat(answer.statusCode()).isEqualTo(200);
    return Server.json(answer).path("registered").asText();
  }

  private void setResult(String id, Action.State state, Object answer, String reason) {
    var action = server.get(Action.KIND, id);
    server.putStatus(
        action.withStatus(
            new Action.Status(
                1, state, "abc", Optional.ofNullable(answer), reason, Instant.EPOCH)));
  }

  private CompletableFuture<HttpResponse<String>> wait(String body) {
    return CompletableFuture.supplyAsync(() -> post("/v1/wait_action", body));
  }

  private String onlyPending() {
    return Awaitility.await()
        .until(
            () ->
                server.store.list(Action.KIND).stream()
                    .filter(Action::pending)
                    .map(Resource::name)
                    .toList(),
            ids -> ids.size() == 1)
        .get(0);
  }

  @Test
  void storesRequestUnchangedAndListsItWhilePending() {
    long before = Instant.now().getEpochSecond() * 1_000;
    var id = registered();
    // A time in milliseconds, then 12 random bits.
    assertThat(Long.parseLong(id) / 4096).isBetween(before, before + 60_000);
    assertThat(server.get(Action.KIND, id).spec().request())
        .isEqualTo(Map.of("button", Map.of("role", "web", "action", "scale", "by", 1.0)));
    assertThat(server.get("/v1/pending_actions").body())
        .isEqualTo(
            "{\"" + id + "\":{\"button\":{\"action\":\"scale\",\"by\":1.0,\"role\":\"web\"}}}");
    assertThat(server.get("/v1/pending_actions.gron").body()).contains(".button.by = 1.0\n");
    assertThat(server.get("/v1/action_is_pending/" + id).body()).isEqualTo("{\"pending\":true}");

    setResult(id, Action.State.DONE, null, "");

    assertThat(server.get("/v1/pending_actions").body()).isEqualTo("{}");
    assertThat(server.get("/v1/action_is_pending/" + id).body()).isEqualTo("{\"pending\":false}");
    assertThat(server.get("/v1/action_is_pending/" + id + ".pretty").statusCode()).isEqualTo(404);
    assertThat(server.get("/v1/action_is_pending/99999999999999999999").statusCode())
        .isEqualTo(404);
    assertThat(server.get("/v1/action_is_pending/1").body()).isEqualTo("{\"pending\":false}");
  }

  @Test
  void requestsInOneSecondHaveDifferentIds() {
    var one = registered();
    var two = registered();
    assertThat(two).isNotEqualTo(one);
  }

  @Test
  void refusesMoreThanThousandPendingActions() {
    for (int i = 1; i <= 1_000; i++) {
      server.put(
          Resource.of(Action.KIND, Integer.toString(i), new Action.Spec("go", Instant.EPOCH)));
    }
    var refused = post("/v1/action", PRESS);
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.body()).contains("1000 actions are pending already");

    setResult("7", Action.State.DONE, null, "");

    assertThat(post("/v1/action", PRESS).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/json; charset=utf-8", "Application/JSON", "text/yaml"})
  void requiresExactContentType(String type) {
    for (var path : List.of("/v1/action", "/v1/wait_action")) {
      assertThat(post(path, type, PRESS).statusCode()).isEqualTo(415);
    }
    assertThat(server.store.list(Action.KIND)).isEmpty();
  }

  @Test
  void refusesInvalidJsonAndLargeBodies() {
    assertThat(post("/v1/action", "{").statusCode()).isEqualTo(400);
    assertThat(post("/v1/action", "").statusCode()).isEqualTo(400);
    assertThat(post("/v1/action", "null").statusCode()).isEqualTo(400);
    assertThat(post("/v1/action", "\"\\ud800\"").statusCode()).isEqualTo(400);
    assertThat(post("/v1/action", "\"" + "x".repeat(65_534) + "\"").statusCode()).isEqualTo(200);
    assertThat(post("/v1/action", "\"" + "x".repeat(65_535) + "\"").statusCode()).isEqualTo(413);
    assertThat(post("/v1/action", "[1, 2]").statusCode()).isEqualTo(200);
  }

  @Test
  void waitReturnsSchedulersAnswer() throws Exception {
    var answer = wait(PRESS);
    setResult(onlyPending(), Action.State.DONE, Map.of("port", 80L), "");
    assertThat(answer.get().statusCode()).isEqualTo(200);
    assertThat(answer.get().body()).isEqualTo("{\"port\":80}");
  }

  @Test
  void waitReturnsNothingIfSchedulerGivesNoAnswer() throws Exception {
    var answer = wait(PRESS);
    setResult(onlyPending(), Action.State.DONE, null, "");
    assertThat(answer.get().statusCode()).isEqualTo(204);
    assertThat(answer.get().body()).isEmpty();
  }

  @Test
  void waitFailsIfActionIsDropped() throws Exception {
    var aside = wait(PRESS);
    setResult(onlyPending(), Action.State.SET_ASIDE, null, "main.lua:3: boom");
    assertThat(aside.get().statusCode()).isEqualTo(503);
    assertThat(aside.get().body()).contains("main.lua:3: boom");

    var removed = wait(PRESS);
    Server.await(server.store.remove(server.get(Action.KIND, onlyPending())));
    assertThat(removed.get().statusCode()).isEqualTo(503);
  }

  @Test
  void tableShowsResults() {
    var id = registered();
    setResult(id, Action.State.SET_ASIDE, null, "boom");
    var answer =
        server.send(
            server
                .to("/apis/verwalter.io/v1/actions")
                .header("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"));
    var cells = Server.json(answer).at("/rows/0/cells");
    assertThat(cells.get(0).asText()).isEqualTo(id);
    assertThat(cells.get(1).asText()).isEqualTo("SetAside");
    assertThat(cells.get(2).asText()).isEqualTo("web");
    assertThat(cells.get(3).asText()).isEqualTo("scale");
    assertThat(cells.get(7).asText()).isEqualTo("boom");
  }
}
