package verwalter.ui.forward;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NeedTest {
  @ParameterizedTest
  @CsvSource({
    "GET, /healthz, NOTHING",
    "GET, /readyz, NOTHING",
    "GET, /metrics, NOTHING",
    "GET, /version, NOTHING",
    "GET, /apis, NOTHING",
    "GET, /apis/verwalter.io/v1, NOTHING",
    "GET, /openapi/v3, NOTHING",
    "GET, /ui/page.js, NOTHING",
    "GET, /, ALL_NODES",
    "GET, /ui/events, ALL_NODES",
    "GET, /apis/verwalter.io/v1/nodes, CLUSTER",
    "GET, /apis/verwalter.io/v1/nodes/n2, CLUSTER",
    "HEAD, /apis/verwalter.io/v1/roleconfigs/web, CLUSTER",
    "POST, /apis/verwalter.io/v1/nodes, LEADER",
    "DELETE, /apis/verwalter.io/v1/nodes, LEADER",
    "PUT, /apis/verwalter.io/v1/nodes/n1, LEADER",
    "PATCH, /apis/verwalter.io/v1/nodes/n1/status, LEADER",
    "GET, /apis/verwalter.io/v1/roleinstances, ALL_NODES",
    "GET, /apis/verwalter.io/v1/events, ALL_NODES",
    "GET, /apis/verwalter.io/v1/roleinstances/web@n2, ALL_NODES",
    "GET, /apis/verwalter.io/v1/roleinstances/web@n1, NOTHING",
    "GET, /apis/verwalter.io/v1/roleinstances/web@n1/status, NOTHING",
    "PATCH, /apis/verwalter.io/v1/roleinstances/web@n1, NOTHING",
    "DELETE, /apis/verwalter.io/v1/roleinstances/web@n2, LEADER",
    "DELETE, /apis/verwalter.io/v1/roleinstances/web@xn1, LEADER",
    "DELETE, /apis/verwalter.io/v1/roleinstances, LEADER",
    "POST, /apis/verwalter.io/v1/roleinstances, LEADER",
    "GET, /apis/verwalter.io/v1/events/0123456789abcdef.n1, NOTHING",
    "GET, /apis/verwalter.io/v1/unknown, NOTHING",
    "GET, /v1/status, ALL_NODES",
    "GET, /v1/status.pretty, ALL_NODES",
    "GET, /v1/decisions/latest/input, ALL_NODES",
    "GET, /v1/scheduler_input.gron, ALL_NODES",
    "GET, /v1/schedule, CLUSTER",
    "GET, /v1/pending_actions, CLUSTER",
    "GET, /v1/action_is_pending/7, CLUSTER",
    "POST, /v1/action, LEADER",
    "GET, /v1/wait_action, LEADER",
    "GET, /v1/election, NOTHING",
    "GET, /v1/metrics, NOTHING",
    "GET, /v1/log/role/web/latest, NOTHING",
    "GET, /v1/force_render_all, NOTHING",
    "GET, /v1/leader-redirect-by-node-name, NOTHING"
  })
  void dependsOnMethodAndPath(String method, String path, Need expected) {
    assertThat(Need.of(method, path, "n1")).isEqualTo(expected);
  }
}
