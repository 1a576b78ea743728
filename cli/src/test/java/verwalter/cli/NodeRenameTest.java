package verwalter.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import verwalter.client.json.PlainJson;
import verwalter.client.testkit.ReceivedRequest;
import verwalter.client.testkit.ScriptedAnswer;
import verwalter.client.testkit.ScriptedServer;

/** {@code vw node rename}. */
class NodeRenameTest {
  private static final String NODES = Recorded.API + "/nodes/";
  private static final String TYPES =
      """
      {"kind":"APIResourceList","resources":[{"name":"nodes","singularName":"node",\
      "namespaced":false,"kind":"Node","verbs":["get","list"]},{"name":"jointokens",\
      "singularName":"jointoken","namespaced":false,"kind":"JoinToken","verbs":["create"]}]}
      """;

  /** The nodes by name, each with the name under which its agent runs. */
  private final Map<String, String> nodes = new HashMap<>(Map.of("n3", "n3"));

  private String ready = "True";
  private final Recorded recorded =
      new Recorded()
          .on("GET " + Recorded.API, TYPES)
          .on("GET /v1/cluster", "{\"authority\":\"%s\"}".formatted("ab".repeat(32)))
          .on("POST " + Recorded.API + "/jointokens", "{}");
  private final ScriptedServer server = new ScriptedServer(recorded);
  private final Shell shell = new Shell(server);

  @BeforeEach
  void serve() {
    for (var name : new String[] {"n3", "web-3", "web-4"}) {
      recorded.on("GET " + NODES + name, call -> node(name));
    }
  }

  @AfterEach
  void close() {
    server.close();
  }

  private ScriptedAnswer node(String name) {
    var runs = nodes.get(name);
    return runs == null
        ? ScriptedAnswer.json(404, Recorded.read("missing").replace("nope", name))
        : ScriptedAnswer.json(
            """
            {"kind":"Node","metadata":{"name":"%s"},"status":{"facts":{"hostname":"%s"},\
            "conditions":[{"type":"Ready","status":"%s"}]}}
            """
                .formatted(name, runs, ready));
  }

  @Test
  void waitsUntilTheAgentRunsUnderTheNewName() throws Exception {
    shell.onPause(
        () -> {
          if (nodes.put("web-3", "n3") != null) {
            nodes.put("web-3", "web-3");
            if (shell.pauses.size() > 2) {
              nodes.remove("n3");
            }
          }
        });

    assertThat(shell.vw("node", "rename", "node/n3", "web-3")).as(shell.err()).isZero();

    assertThat(shell.out()).isEqualTo("node/n3 renamed to web-3\n");
    assertThat(shell.pauses).hasSizeGreaterThan(2);
    var token =
        server.calls().stream()
            .filter(call -> call.line().startsWith("POST"))
            .map(ReceivedRequest::body)
            .findFirst()
            .orElseThrow();
    var object = PlainJson.readObject(token.getBytes(UTF_8));
    assertThat(PlainJson.map(PlainJson.map(object, "metadata"), "annotations"))
        .isEqualTo(Map.of("verwalter.io/renames", "n3"));
    assertThat(PlainJson.text(object, "spec", "name")).isEqualTo("web-3");
    assertThat(PlainJson.text(object, "spec", "uses")).isEqualTo("1");
  }

  @Test
  void refusesANodeThatCannotBeRenamed() {
    assertThat(shell.vw("node", "rename", "n9", "web-3")).isEqualTo(1);
    assertThat(shell.err()).contains("there is no node \"n9\"");
    assertThat(shell.vw("node", "rename", "n3", "not valid")).isEqualTo(2);
    ready = "Unknown";
    assertThat(shell.vw("node", "rename", "n3", "web-3")).isEqualTo(1);
    assertThat(shell.err()).contains("node n3 is not ready");
    ready = "True";
    nodes.put("web-4", "web-4");
    assertThat(shell.vw("node", "rename", "n3", "web-4")).isEqualTo(1);
    assertThat(shell.err()).contains("there is a node web-4 already");
    assertThat(server.calls()).noneMatch(call -> call.line().startsWith("POST"));
  }

  @Test
  void failsIfTheNodeIsNotRenamedInTime() {
    assertThat(shell.vw("node", "rename", "n3", "web-3", "--timeout", "3s")).isNotZero();
    assertThat(shell.err()).contains("n3 is not named web-3 yet");
  }
}
