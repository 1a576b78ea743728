package verwalter.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import verwalter.ui.port.Check;

final class HealthEndpointsTest {
  @Test
  void readyzPassesIfAllChecksPass() {
    try (var server = new Server()) {
      assertThat(server.get("/healthz").body()).isEqualTo("ok\n");
      assertThat(server.get("/livez").statusCode()).isEqualTo(200);
      assertThat(server.get("/readyz").body()).isEqualTo("ok\n");
      assertThat(server.get("/readyz?verbose").body())
          .isEqualTo("[+]store ok\nreadyz check passed\n");
    }
  }

  @Test
  void readyzNamesFailedCheck() {
    var checks =
        List.of(new Check("store", true, ""), new Check("config-read", false, "no runtime/ yet"));
    try (var server = new Server(checks)) {
      var answer = server.get("/readyz");
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body())
          .isEqualTo("[+]store ok\n[-]config-read failed: no runtime/ yet\nreadyz check failed\n");
      assertThat(server.get("/healthz").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void metricsAreOpenMetrics() {
    try (var server = new Server()) {
      server.get("/apis");
      server.get("/apis/verwalter.io/v1/nodes");
      server.get("/apis/verwalter.io/v1/nodes/a");
      server.get("/apis/verwalter.io/v1/nodes/b");
      var answer = server.get("/metrics", "Accept", "application/openmetrics-text,*/*;q=0.1");
      assertThat(answer.headers().firstValue("Content-Type"))
          .hasValue("application/openmetrics-text; version=1.0.0; charset=utf-8");
      var text = answer.body();
      assertThat(text).endsWith("\nverwalter_up 1\n# EOF\n").containsOnlyOnce("# EOF");
      assertThat(text)
          .contains(
              "verwalter_http_requests_total{route=\"/apis/verwalter.io/v1/{plural}/{name}\",method=\"GET\",code=\"404\"} 2\n")
          .contains("_bucket{route=\"/apis\",le=\"+Inf\"} 1\n")
          .contains("_count{route=\"/apis\"} 1\n");
      text.lines()
          .forEach(
              line ->
                  assertThat(line)
                      .matches(
                          "# (TYPE|HELP|UNIT) .+|# EOF|[a-z_]+(\\{[^}]*}|\\{.*\"}) [0-9.eE+-]+|[a-z_]+ [0-9.]+"));
    }
  }

  @Test
  void metricsAreTextOfPrometheusForOtherClients() {
    try (var server = new Server()) {
      server.get("/apis");
      for (var accept :
          List.of(
              "text/plain", "*/*", "text/plain;version=0.0.4,application/openmetrics-text;q=0.5")) {
        var answer = server.get("/metrics", "Accept", accept);
        assertThat(answer.headers().firstValue("Content-Type"))
            .hasValue("text/plain; version=0.0.4; charset=utf-8");
        assertThat(answer.body())
            .contains("# TYPE verwalter_http_requests_total counter\n")
            .contains("# HELP verwalter_http_requests_total Requests answered by this node.\n")
            .contains(
                "\nverwalter_http_requests_total{route=\"/apis\",method=\"GET\",code=\"200\"} 1\n")
            .contains("# TYPE verwalter_http_request_duration_seconds histogram\n")
            .contains("# TYPE verwalter_up gauge\n")
            .endsWith("\nverwalter_up 1\n")
            .doesNotContain("# EOF", "# UNIT");
      }
    }
  }

  @Test
  void headIsAnsweredWithoutBody() {
    try (var server = new Server()) {
      for (var path : List.of("/healthz", "/livez", "/readyz", "/metrics")) {
        var head = server.head(path);
        assertThat(head.statusCode()).as(path).isEqualTo(200);
        assertThat(head.headers().firstValueAsLong("Content-Length")).isPresent();
        assertThat(head.body()).isEmpty();
      }
    }
  }
}
