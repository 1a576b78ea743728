package verwalter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import verwalter.client.testkit.ReceivedRequest;
import verwalter.client.testkit.ScriptedAnswer;
import verwalter.client.testkit.ScriptedAnswer.End;
import verwalter.client.testkit.ScriptedServer;

/** {@code vw cluster rotate-ca} at a node that is behind the leader. */
class AuthorityProgressTest {
  private static final String CHANGES = Recorded.API + "/authoritychanges";
  private static final String TYPES =
      """
      {"kind":"APIResourceList","resources":[{"name":"authoritychanges",\
      "singularName":"authoritychange","namespaced":false,"kind":"AuthorityChange",\
      "verbs":["create","delete","get","list","patch","update","watch"]}]}
      """;

  private final Deque<ScriptedAnswer> lists = new ArrayDeque<>();
  private final Deque<ScriptedAnswer> watches = new ArrayDeque<>();
  private final Recorded recorded =
      new Recorded()
          .on("GET " + Recorded.API, TYPES)
          .on("POST " + CHANGES, change("new", 10, ""))
          .on("DELETE " + CHANGES + "/current", "{}")
          .on("GET " + CHANGES, this::answer);
  private final ScriptedServer server = new ScriptedServer(recorded);
  private final Shell shell = new Shell(server);

  @AfterEach
  void close() {
    server.close();
  }

  private ScriptedAnswer answer(ReceivedRequest call) {
    return call.path().contains("watch=true") ? watches.remove() : lists.remove();
  }

  private static String change(String uid, long version, String phase) {
    return """
        {"kind":"AuthorityChange","metadata":{"name":"current","uid":"%s","resourceVersion":"%d"},\
        "spec":{},"status":{"phase":"%s"}}"""
        .formatted(uid, version, phase);
  }

  private static ScriptedAnswer list(long version, String... changes) {
    return ScriptedAnswer.json(
        "{\"metadata\":{\"resourceVersion\":\"%d\"},\"items\":[%s]}"
            .formatted(version, String.join(",", changes)));
  }

  private static String event(String type, String change) {
    return "{\"type\":\"%s\",\"object\":%s}\n".formatted(type, change);
  }

  @Test
  void followsAChangeThatTheServerDoesNotKnowYet() {
    lists.add(list(8));
    watches.add(
        ScriptedAnswer.chunks(
            End.HANG,
            event("ADDED", change("new", 10, "")),
            event("MODIFIED", change("new", 11, "Renew")),
            event("MODIFIED", change("new", 12, "Done"))));

    assertThat(shell.vw("cluster", "rotate-ca")).as(shell.err()).isZero();

    assertThat(shell.out().lines())
        .containsExactly(
            "the authority of the cluster is being replaced",
            "Pending",
            "Renew",
            "done: the old authority is not trusted any more; tokens and credentials of people that"
                + " it has issued are invalid");
  }

  @Test
  void ignoresAnEarlierChangeThatWasDone() {
    recorded.on("GET " + CHANGES + "/current", change("old", 5, "Done"));
    lists.add(list(8, change("old", 5, "Done")));
    watches.add(
        ScriptedAnswer.chunks(
            End.HANG,
            event("DELETED", change("old", 9, "Done")),
            event("ADDED", change("new", 10, "")),
            event("MODIFIED", change("new", 12, "Done"))));

    assertThat(shell.vw("cluster", "rotate-ca")).as(shell.err()).isZero();

    assertThat(shell.out()).containsSubsequence("Pending", "done: ");
  }

  @Test
  void failsIfTheChangeIsDeleted() {
    lists.add(list(10, change("new", 10, "")));
    watches.add(ScriptedAnswer.chunks(End.HANG, event("DELETED", change("new", 11, ""))));
    assertThat(shell.vw("cluster", "rotate-ca")).isEqualTo(1);
    assertThat(shell.err()).contains("the change of the authority was deleted");

    lists.add(list(11));
    assertThat(shell.vw("cluster", "rotate-ca")).isEqualTo(1);
    assertThat(shell.err()).contains("the change of the authority was deleted");
  }
}
