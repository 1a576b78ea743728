package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import verwalter.metrics.Fetch;
import verwalter.metrics.Metrics;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessSpec;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.json.Json;
import verwalter.stores.engine.MemoryStore;

/** Tests metrics with real sockets, the real {@code /proc}, and a busy process. */
class RealMetricsTest {
  private final Vertx vertx = Vertx.vertx();
  private final LocalFetch fetch = new LocalFetch(vertx);
  private HttpServer server;

  @BeforeEach
  void listen() throws Exception {
    var requests = new AtomicLong();
    server =
        Waiting.forResult(
            vertx
                .createHttpServer()
                .requestHandler(
                    request -> {
                      var response = request.response();
                      switch (request.path()) {
                        case "/metrics" ->
                            response
                                .putHeader("Content-Type", "text/plain; version=0.0.4")
                                .end("asked_total " + requests.addAndGet(50) + "\n");
                        case "/page" ->
                            response.putHeader("Content-Type", "text/html").end("<html>");
                        case "/large" -> response.end(Buffer.buffer(new byte[Fetch.LARGEST + 1]));
                        case "/elsewhere" ->
                            response.setStatusCode(302).putHeader("Location", "/metrics").end();
                        case "/never" -> response.setChunked(true).write("a 1\n");
                        default -> response.setStatusCode(404).end();
                      }
                    })
                .listen(0, "127.0.0.1"));
  }

  @AfterEach
  void close() throws Exception {
    Waiting.forResult(vertx.close());
  }

  private String get(String path) throws Exception {
    return Waiting.forResult(fetch.get(server.actualPort(), path));
  }

  @Test
  void metricsOfAProcessAreFetched() throws Exception {
    assertThat(get("/metrics")).isEqualTo("asked_total 50\n");
  }

  @Test
  void anAnswerThatIsNotMetricsIsRefused() throws Exception {
    assertThatThrownBy(() -> get("/page")).hasMessageContaining("a page for people");
    assertThatThrownBy(() -> get("/large")).hasMessageContaining("more than 4194304 bytes");
    assertThatThrownBy(() -> get("/elsewhere")).hasMessageContaining("status 302");
    assertThatThrownBy(() -> get("/none")).hasMessageContaining("status 404");
    int free;
    try (var any = new ServerSocket(0)) {
      free = any.getLocalPort();
    }
    assertThatThrownBy(() -> Waiting.forResult(fetch.get(free, "/")))
        .hasMessageContaining("nobody listens");
  }

  @Test
  void anEndlessAnswerTimesOut() {
    assertThatThrownBy(() -> get("/never"))
        .isInstanceOf(TimeoutException.class)
        .hasMessageContaining("2000 ms");
  }

  @Test
  void aBusyProcessAndItsEndpointAreMeasured() throws Exception {
    var busy = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
    try {
      var store = new MemoryStore(InstantSource.system(), () -> "uid");
      Waiting.forResult(store.put(role()));
      Waiting.forResult(store.put(group(busy.pid())));
      var loop = new VertxLoop(vertx, InstantSource.system());
      var host = new Metrics.Host("here", 2, Path.of("/proc"), Path.of("/"), Metrics.MEMORY);
      try (var metrics = new Metrics(store, loop, (object, reason, message) -> {}, host, fetch)) {
        metrics.start();
        var rules =
            Map.<String, Object>of(
                "rules",
                Map.of(
                    "cpu", Map.of("metric", "cpu_percent", "role", "web", "sum", true),
                    "load", Map.of("metric", "cpu.percent", "sum", true),
                    "rate", Map.of("metric", "asked_total", "rate", true, "sum", true)));
        var end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        var answer = metrics.answer(rules);
        while (answer.size() < 3 && System.nanoTime() < end) {
          var pause = io.vertx.core.Promise.<Void>promise();
          vertx.setTimer(200, over -> pause.complete());
          Waiting.forResult(pause.future());
          answer = metrics.answer(rules);
        }

        assertThat(value(answer, "cpu")).isBetween(5.0, 110.0);
        assertThat(value(answer, "load")).isBetween(1.0, 100.0);
        assertThat(value(answer, "rate")).isBetween(5.0, 11.0);
        assertThat(Json.canonical(metrics.newest())).contains("\"name\":\"web/w.0\"");
      }
    } finally {
      busy.destroyForcibly();
    }
  }

  private static double value(Map<String, Object> answer, String rule) {
    return ((Number) Json.object(answer.get(rule)).get("value")).doubleValue();
  }

  private Resource<RoleConfig.Spec, RoleConfig.Status> role() {
    var daemon = Map.of("image", "v1", "config", "/c.yaml", "metrics", Map.of("port", "port"));
    var version = Map.of("daemons", Map.of("w", daemon));
    return Resource.of(RoleConfig.KIND, "web", RoleConfig.Spec.of(Map.of("v1", version)));
  }

  private Resource<ProcessGroup.Spec, ProcessGroup.Status> group(long pid) throws IOException {
    var entry =
        ProcessSpec.ofImage(
            ProcessSpec.Type.DAEMON,
            "v1",
            "/c.yaml",
            1,
            Map.of("port", "" + server.actualPort()),
            List.of(),
            List.of());
    var slot =
        new ProcessGroup.Slot(
            "web/w.0",
            ProcessGroup.State.RUNNING,
            "v1",
            Optional.of(pid),
            Optional.empty(),
            0,
            0,
            Optional.empty(),
            Optional.empty(),
            "",
            List.of(),
            List.of());
    return Resource.of(
            ProcessGroup.KIND,
            "web@here",
            new ProcessGroup.Spec("web", "here", "web", Map.of("w", entry)))
        .withStatus(new ProcessGroup.Status(1, 1, 1, List.of(slot), List.of()));
  }
}
