package verwalter.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessGroup.State;
import verwalter.model.ProcessSpec;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;

class ScrapeTargetsTest {
  private static ProcessGroup.Slot slot(String name, State state, String image, long pid) {
    return new ProcessGroup.Slot(
        name,
        state,
        image,
        Optional.of(pid).filter(any -> state == State.RUNNING),
        Optional.empty(),
        3,
        0,
        Optional.empty(),
        Optional.empty(),
        "",
        List.of(),
        List.of());
  }

  private static ProcessSpec entry(String image, Map<String, String> variables) {
    return ProcessSpec.ofImage(
        ProcessSpec.Type.DAEMON, image, "/config/web.yaml", 1, variables, List.of(), List.of());
  }

  static List<ScrapeTarget> targets(Object metrics, Map<String, String> variables) {
    var group =
        Resource.of(
                ProcessGroup.KIND,
                "web@here",
                new ProcessGroup.Spec(
                    "web",
                    "here",
                    "web",
                    Map.of(
                        "front-0", entry("web-v2", variables), "old", entry("web-v1", variables))))
            .withStatus(
                new ProcessGroup.Status(
                    1,
                    4,
                    2,
                    List.of(
                        slot("web/front-0.0", State.RUNNING, "web-v2", 11),
                        slot("web/front-0.1", State.WAITING, "web-v2", 0),
                        slot("web/old.0", State.RUNNING, "web-v0", 12)),
                    List.of()));
    var daemon =
        Map.<String, Object>of("image", "web-v2", "config", "/config/web.yaml", "metrics", metrics);
    var role =
        Resource.of(
            RoleConfig.KIND,
            "web",
            RoleConfig.Spec.of(Map.of("v2", Map.of("daemons", Map.of("front", daemon)))));
    return ScrapeTargets.of("here", List.of(group), List.of(role));
  }

  @Test
  void runningProcessesAreFoundWithTheirDaemonAndEndpoint() {
    var targets = targets(Map.of("port", "http", "path", "/m"), Map.of("http", "8080"));

    assertThat(targets).hasSize(2);
    var front = targets.get(0);
    assertThat(front.endpoint()).contains(new ScrapeTarget.Endpoint(8080, "/m"));
    assertThat(front.restarts()).isEqualTo(3);
    assertThat(front.labels())
        .isEqualTo(
            Map.of(
                "pid", "11",
                "cgroup", "lithos.web:front-0.0",
                "role", "web",
                "process", "front-0",
                "daemon", "front",
                "version", "v2"));
    assertThat(targets.get(1).labels()).doesNotContainKey("version");
    assertThat(targets.get(1).endpoint()).isEmpty();
  }

  @Test
  void theDefaultPathIsMetrics() {
    assertThat(targets(Map.of("port", "http"), Map.of("http", "8080")).get(0).endpoint())
        .contains(new ScrapeTarget.Endpoint(8080, "/metrics"));
  }

  @Test
  void anUnknownPortIsReported() {
    assertThat(targets(Map.of("port", "http"), Map.of()).get(0).problem())
        .contains("v2: daemons.front.metrics.port names the variable http");
    assertThat(targets(Map.of("port", "http"), Map.of("http", "70000")).get(0).endpoint())
        .isEmpty();
    assertThat(targets("http://elsewhere/", Map.of()).get(0).problem()).contains("{port: port");
    assertThat(targets(Map.of("port", "p", "host", "x"), Map.of("p", "1")).get(0).problem())
        .contains("unknown key host");
    assertThat(targets(Map.of("port", "p", "path", "m x"), Map.of("p", "1")).get(0).problem())
        .contains(".path must begin with /");
  }

  @Test
  void aProcessCannotReportMetricsOfAnother() {
    var target = targets(Map.of("port", "http"), Map.of("http", "8080")).get(0);
    var said =
        new Exposition.Said("m", Map.of("role", "db", "metric", "x", "code", "200"), true, 1);

    assertThat(Scraper.labelled(target, said).labels().map())
        .containsEntry("role", "web")
        .containsEntry("exported_role", "db")
        .containsEntry("metric", "m")
        .containsEntry("exported_metric", "x")
        .containsEntry("code", "200");
  }
}
