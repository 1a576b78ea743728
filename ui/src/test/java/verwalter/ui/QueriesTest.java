package verwalter.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import verwalter.model.Resource;
import verwalter.model.Schedule;
import verwalter.model.Scheduler;
import verwalter.ui.port.Queries;

final class QueriesTest {
  private static final Schedule.Spec SCHEDULE =
      Schedule.Spec.of(Map.of("roles", Map.of()), List.of(), "77", Instant.ofEpochMilli(1));

  /** Returns the query; waits or fails if the path says so. */
  private final CountDownLatch released = new CountDownLatch(1);

  private final Queries queries =
      new Queries() {
        @Override
        public Map<String, Object> roles(Schedule.Spec schedule) {
          return Map.of("to_render", Map.of("web", Map.of("n", 1L)), "all_roles", List.of("web"));
        }

        @Override
        public @Nullable Object query(Schedule.Spec schedule, String path, @Nullable Object body)
            throws Scheduler.Failed {
          if (path.equals("fail")) {
            throw new Scheduler.Failed("query.wasm: no", "");
          }
          if (path.equals("slow")) {
            await();
          }
          return path.equals("null") ? null : Map.of("path", path, "hash", schedule.hash());
        }
      };

  private final Server server = new Server(queries);

  private void await() {
    try {
      released.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterEach
  void close() {
    released.countDown();
    server.close();
  }

  private void decide() {
    server.put(Resource.of(Schedule.KIND, Schedule.CURRENT, SCHEDULE));
  }

  private HttpResponse<String> ask(String path, String type, String body) {
    return server.send(
        server
            .to("/v1/query/" + path)
            .header("Content-Type", type)
            .POST(BodyPublishers.ofString(body)));
  }

  private HttpResponse<String> ask(String path) {
    return ask(path, "application/json", "{}");
  }

  @Test
  void rolesDataReturnsRolesToRender() {
    assertThat(server.get("/v1/roles_data").statusCode()).isEqualTo(500);
    decide();
    assertThat(server.get("/v1/roles_data").body())
        .isEqualTo("{\"all_roles\":[\"web\"],\"to_render\":{\"web\":{\"n\":1}}}");
    assertThat(server.get("/v1/roles_data.gron").body()).contains("json.to_render.web.n = 1\n");
  }

  @Test
  void passesQueryOnWithPath() {
    assertThat(ask("x").statusCode()).isEqualTo(500);
    decide();
    assertThat(ask("a/b.pretty/c").body())
        .isEqualTo("{\"hash\":\"%s\",\"path\":\"a/b.pretty/c\"}".formatted(SCHEDULE.hash()));
    assertThat(ask("a.gron").body()).contains("json.path = \"a.gron\"\n");
    assertThat(ask("null").body()).isEqualTo("null");
  }

  @Test
  void refusesInvalidQueries() {
    decide();
    assertThat(ask("x", "application/json; charset=utf-8", "{}").statusCode()).isEqualTo(415);
    assertThat(ask("x", "application/json", "{").statusCode()).isEqualTo(400);
    var failed = ask("fail");
    assertThat(failed.statusCode()).isEqualTo(500);
    assertThat(failed.body()).contains("query.wasm: no");
  }

  @Test
  void limitsConcurrentQueries() {
    decide();
    var slow = new ArrayList<CompletableFuture<HttpResponse<String>>>();
    for (int i = 0; i < 5; i++) {
      slow.add(CompletableFuture.supplyAsync(() -> ask("slow")));
    }
    var first = CompletableFuture.anyOf(slow.toArray(CompletableFuture[]::new)).join();
    assertThat(((HttpResponse<?>) first).statusCode()).isEqualTo(429);
    released.countDown();
    assertThat(slow.stream().map(each -> each.join().statusCode()))
        .containsExactlyInAnyOrder(200, 200, 200, 200, 429);
  }
}
