package verwalter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import verwalter.client.testkit.ScriptedAnswer;
import verwalter.client.testkit.ScriptedAnswer.End;
import verwalter.client.testkit.ScriptedServer;

/** {@code vw action --wait} at a node that is behind the leader. */
class ActionWaitTest {
  private static final String ACTIONS = Recorded.API + "/actions";

  private static final String TYPES =
      """
      {"kind":"APIResourceList","resources":[{"name":"actions","singularName":"action",\
      "namespaced":false,"kind":"Action","verbs":["get","list","watch"]},\
      {"name":"roleconfigs","singularName":"roleconfig","namespaced":false,"kind":"RoleConfig",\
      "verbs":["get","list","watch"]}]}
      """;

  private final Recorded recorded =
      new Recorded()
          .on("GET " + Recorded.API, TYPES)
          .on("POST /v1/action", "{\"registered\":\"7\"}")
          .on("GET " + Recorded.API + "/roleconfigs/web", "{\"kind\":\"RoleConfig\"}");
  private final ScriptedServer server = new ScriptedServer(recorded);
  private final Shell shell = new Shell(server);

  @AfterEach
  void close() {
    server.close();
  }

  private static String action(String type, long version, String state) {
    return """
        {"type":"%s","object":{"kind":"Action","metadata":{"name":"7","uid":"u",\
        "resourceVersion":"%d"},"spec":{"request":{"button":{"role":"web"}}},\
        "status":{"state":"%s","schedule":"abcdef0123"}}}
        """
        .formatted(type, version, state);
  }

  private void watching(String... events) {
    recorded.on(
        "GET " + ACTIONS,
        call ->
            call.path().contains("watch=true")
                ? ScriptedAnswer.chunks(End.HANG, events)
                : ScriptedAnswer.json("{\"metadata\":{\"resourceVersion\":\"8\"},\"items\":[]}"));
  }

  @Test
  void waitsForAnActionThatTheServerDoesNotKnowYet() {
    watching(action("ADDED", 10, ""), action("MODIFIED", 11, "Done"));

    assertThat(shell.vw("action", "web", "go", "--wait")).as(shell.err()).isZero();

    assertThat(shell.out()).contains("done");
  }

  @Test
  void failsIfTheActionIsDropped() {
    watching(action("ADDED", 10, ""), action("DELETED", 11, ""));

    assertThat(shell.vw("action", "web", "go", "--wait")).isEqualTo(1);

    assertThat(shell.err()).contains("action/7 was dropped");
  }
}
