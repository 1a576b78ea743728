package verwalter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import verwalter.client.testkit.ReceivedRequest;
import verwalter.client.testkit.ScriptedAnswer;
import verwalter.client.testkit.ScriptedAnswer.End;
import verwalter.client.testkit.ScriptedServer;

/** {@code get -w} with connections that break. */
class WatchTest {
  private final Deque<ScriptedAnswer> lists = new ArrayDeque<>();
  private final Deque<ScriptedAnswer> watches = new ArrayDeque<>();
  private final Recorded recorded =
      new Recorded().on("GET " + Recorded.API + "/nodes", this::nodes);
  private final ScriptedServer server = new ScriptedServer(recorded);
  private final Shell shell = new Shell(server);

  @AfterEach
  void close() {
    server.close();
  }

  private ScriptedAnswer nodes(ReceivedRequest call) {
    return call.path().contains("watch=true") ? watches.remove() : lists.remove();
  }

  private static String row(String name, long version, String state) {
    return """
        {"cells":["%s","%s"],"object":{"metadata":{"name":"%s","uid":"u-%s","resourceVersion":"%d"}}}\
        """
        .formatted(name, state, name, name, version);
  }

  private static String table(long version, String... rows) {
    return """
        {"kind":"Table","metadata":{"resourceVersion":"%d"},"columnDefinitions":[\
        {"name":"Name","format":"name","priority":0},{"name":"Status","priority":0}],"rows":[%s]}\
        """
        .formatted(version, String.join(",", rows));
  }

  private static String event(String type, String name, long version, String state) {
    return "{\"type\":\"%s\",\"object\":%s}\n"
        .formatted(type, table(version, row(name, version, state)));
  }

  private static String bookmark(long version) {
    return "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"%d\"}}}\n"
        .formatted(version);
  }

  private List<String> watched() {
    return server.calls().stream()
        .map(ReceivedRequest::path)
        .filter(path -> path.contains("watch=true"))
        .map(path -> path.replaceAll(".*resourceVersion=(\\d+).*", "$1"))
        .toList();
  }

  @Test
  void resumesLostConnectionWithoutDuplicates() {
    lists.add(ScriptedAnswer.json(table(5, row("a", 3, "Ready"))));
    watches.add(
        ScriptedAnswer.chunks(
            End.CUT, event("MODIFIED", "a", 6, "NotReady"), event("ADDED", "b", 7, "Ready")));
    watches.add(ScriptedAnswer.chunks(End.CUT, bookmark(9)));
    watches.add(
        ScriptedAnswer.chunks(
            End.HANG,
            event("ADDED", "b", 7, "Ready"),
            event("MODIFIED", "b", 10, "NotReady"),
            event("DELETED", "a", 11, "NotReady")));
    assertThat(shell.untilLines(6).vw("get", "no", "-w", "--output-watch-events")).isZero();
    assertThat(shell.out())
        .isEqualTo(
            """
            EVENT   NAME   STATUS
            ADDED   a      Ready
            MODIFIED   a      NotReady
            ADDED      b      Ready
            MODIFIED   b      NotReady
            DELETED    a      NotReady
            """);
    assertThat(watched()).containsExactly("5", "7", "9");
    assertThat(shell.err()).contains("lost " + server.url()).contains("watching again");
    assertThat(shell.pauses).hasSize(2);
  }

  @Test
  void listsAgainAfterExpiredVersionAndPrintsOnlyDifferences() {
    lists.add(
        ScriptedAnswer.json(
            table(5, row("a", 3, "Ready"), row("b", 4, "Ready"), row("c", 5, "Ready"))));
    watches.add(
        ScriptedAnswer.chunks(
            End.KEEP,
            "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\"}}\n"));
    lists.add(
        ScriptedAnswer.json(
            table(50, row("a", 3, "Ready"), row("b", 40, "NotReady"), row("d", 45, "Ready"))));
    watches.add(
        ScriptedAnswer.json(
            410, "{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\",\"message\":\"x\"}"));
    lists.add(
        ScriptedAnswer.json(
            table(60, row("a", 3, "Ready"), row("b", 40, "NotReady"), row("d", 55, "NotReady"))));
    assertThat(shell.untilLines(8).vw("get", "no", "-w", "--output-watch-events")).isZero();
    assertThat(shell.out())
        .isEqualTo(
            """
            EVENT   NAME   STATUS
            ADDED   a      Ready
            ADDED   b      Ready
            ADDED   c      Ready
            DELETED   c      Ready
            ADDED     b      NotReady
            ADDED     d      Ready
            ADDED     d      NotReady
            """);
    assertThat(shell.err()).isEmpty();
  }

  @Test
  void pausesIfServerEndsWatchAtOnce() {
    lists.add(ScriptedAnswer.json(table(5)));
    for (int i = 0; i < 8; i++) {
      watches.add(ScriptedAnswer.chunks(End.KEEP));
    }
    watches.add(ScriptedAnswer.chunks(End.HANG, event("ADDED", "a", 6, "Ready")));
    assertThat(shell.untilLines(2).vw("get", "no", "-w")).isZero();
    assertThat(shell.pauses.stream().mapToLong(java.time.Duration::toMillis))
        .containsExactly(250L, 500L, 1000L, 2000L, 4000L, 8000L, 8000L, 8000L);
  }

  @Test
  void watchOnlyPrintsOnlyChanges() {
    lists.add(ScriptedAnswer.json(table(5, row("a", 3, "Ready"))));
    watches.add(ScriptedAnswer.chunks(End.HANG, event("MODIFIED", "a", 6, "NotReady")));
    assertThat(shell.untilLines(1).vw("get", "no", "--watch-only", "--no-headers")).isZero();
    assertThat(shell.out()).isEqualTo("a   NotReady\n");
  }

  @Test
  void yamlPrintsDocumentForEachChange() {
    var object = "{\"kind\":\"Node\",\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"%d\"}}";
    lists.add(
        ScriptedAnswer.json(
            "{\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[%s]}"
                .formatted(object.formatted(3))));
    watches.add(
        ScriptedAnswer.chunks(
            End.HANG, "{\"type\":\"MODIFIED\",\"object\":%s}\n".formatted(object.formatted(6))));
    assertThat(shell.untilLines(9).vw("get", "no", "-w", "-o", "yaml")).isZero();
    assertThat(shell.out())
        .isEqualTo(
            """
            kind: Node
            metadata:
              name: a
              resourceVersion: "3"
            ---
            kind: Node
            metadata:
              name: a
              resourceVersion: "6"
            """);
  }

  @Test
  void doesNotRetryAfterRefusal() {
    lists.add(ScriptedAnswer.json(table(5)));
    watches.add(
        ScriptedAnswer.json(
            403, "{\"kind\":\"Status\",\"code\":403,\"reason\":\"Forbidden\",\"message\":\"no\"}"));
    assertThat(shell.vw("get", "no", "-w")).isEqualTo(1);
    assertThat(shell.err()).isEqualTo("Error from server (Forbidden): no\n");
  }

  @Test
  void refusesSeveralTypes() {
    assertThat(shell.vw("get", "no,ri", "-w")).isEqualTo(2);
    assertThat(shell.err()).contains("-w watches one type");
  }
}
