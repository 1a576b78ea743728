package verwalter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.client.testkit.ScriptedAnswer;
import verwalter.client.testkit.ScriptedServer;

/** Golden outputs of {@code get} from recorded responses of the real server. */
class GetTest {
  private final Recorded recorded = new Recorded();
  private final ScriptedServer server = new ScriptedServer(recorded);
  private final Shell shell = new Shell(server);

  @AfterEach
  void close() {
    server.close();
  }

  private void prints(String text, String... words) {
    assertThat(shell.vw(words)).as(shell.err()).isZero();
    assertThat(shell.out()).isEqualTo(text);
    assertThat(shell.err()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "no",
    "nodes",
    "node",
    "Node",
    "NODES",
    "nodes.verwalter.io",
    "nodes.v1.verwalter.io"
  })
  void acceptsEveryNameOfType(String word) {
    prints(
        """
        NAME    STATUS           READY   FAILING   SCHEDULE   AGE
        alpha   Ready            3/3     0         3f1c9a0b   3s
        beta    Ready,Cordoned   3/3     0         3f1c9a0b   3s
        gamma   NotReady         1/3     2         3f1c9a0b   3s
        """,
        "get",
        word);
  }

  @Test
  void wideShowsAllColumns() {
    assertThat(shell.vw("get", "no", "-owide")).isZero();
    assertThat(shell.out().lines().findFirst().orElseThrow())
        .isEqualTo(
            "NAME    STATUS           READY   FAILING   SCHEDULE   AGE   ADDRESS         CPUS"
                + "   MEMORY   OS                    KERNEL           AGENT");
  }

  @Test
  void printsTableForEachTypeWithPrefixedNames() {
    assertThat(shell.vw("get", "no,ri", "-A", "-n", "any")).isZero();
    assertThat(shell.out())
        .contains("node/alpha ")
        .contains("\n\nNAME  ")
        .contains("roleinstance/shop-web@beta ");
  }

  @Test
  void printsObjectByNameAsRow() {
    prints(
        """
        NAME    STATUS     READY   FAILING   SCHEDULE   AGE
        gamma   NotReady   1/3     2         3f1c9a0b   3s
        """,
        "get",
        "no/gamma");
  }

  @Test
  void omitsHeadingsAndShowsLabels() {
    prints(
        """
        alpha   Ready            3/3   0   3f1c9a0b   3s   a   zone=a
        beta    Ready,Cordoned   3/3   0   3f1c9a0b   3s   b   zone=b
        gamma   NotReady         1/3   2   3f1c9a0b   3s   b   zone=b
        """,
        "get",
        "no",
        "--no-headers",
        "--show-labels",
        "-L",
        "zone");
  }

  @Test
  void printsNamesForOtherCommands() {
    prints("node/alpha\nnode/beta\nnode/gamma\n", "get", "no", "-o", "name");
    prints("node/gamma\n", "get", "no", "gamma", "-o=name");
  }

  @Test
  void jsonpathPrintsValues() {
    prints("alpha beta gamma", "get", "no", "-o", "jsonpath={.items[*].metadata.name}");
    prints(
        "False",
        "get",
        "no/gamma",
        "-o",
        "jsonpath={.status.conditions[?(@.type=='Ready')].status}");
  }

  @Test
  void customColumnsPrintTable() {
    prints(
        """
        NAME    CPUS
        gamma   8
        alpha   8
        beta    8
        """,
        "get",
        "no",
        "-o",
        "custom-columns=NAME:.metadata.name,CPUS:.status.capacity.cpus",
        "--sort-by=.status.roles.ready");
  }

  @Test
  void yamlKeepsFieldOrderOfServer() {
    prints(
        """
        apiVersion: verwalter.io/v1
        kind: Node
        metadata:
          name: gamma
          uid: 40c512bc-24d5-4080-99a7-722397c92a54
          resourceVersion: "103"
          generation: 1
          creationTimestamp: "2026-11-21T10:31:45.663408858Z"
          labels:
            zone: b
        spec:
          cordoned: false
        status:
          observedGeneration: 1
          addresses:
          - 10.0.0.5:8379
          facts:
            agentVersion: 0.1.0
            os: Debian GNU/Linux 12
            kernel: 6.1.0-18-amd64
            arch: amd64
          capacity:
            cpus: 8
            memoryBytes: 17179869184
          schedule: 3f1c9a0be2
          roles:
            given: 3
            ready: 1
            failing: 2
          conditions:
          - type: Ready
            status: "False"
            reason: AgentSilent
            message: not heard of for 40 s
            observedGeneration: 1
            lastTransitionTime: "2026-11-21T10:31:45.653Z"
        """,
        "get",
        "no/gamma",
        "-o",
        "yaml");
  }

  @Test
  void severalObjectsPrintList() {
    assertThat(shell.vw("get", "no", "-o", "json")).isZero();
    assertThat(shell.out())
        .startsWith(
            """
            {
                "apiVersion": "v1",
                "kind": "List",
                "metadata": {
                    "resourceVersion": ""
                },
                "items": [
                    {
                        "apiVersion": "verwalter.io/v1",
                        "kind": "Node",
            """);
  }

  @Test
  void sendsSelectorsAndSortsRows() {
    assertThat(
            shell.vw(
                "get",
                "no",
                "-l",
                "zone in (a,b)",
                "--field-selector=spec.cordoned=true",
                "--sort-by=.x"))
        .isZero();
    assertThat(server.calls().get(1).path())
        .contains("labelSelector=zone%20in%20%28a%2Cb%29")
        .contains("fieldSelector=spec.cordoned%3Dtrue")
        .contains("includeObject=Object")
        .contains("limit=500");
  }

  @Test
  void joinsPages() {
    var page =
        """
        {"kind":"NodeList","metadata":{"resourceVersion":"9"%s},"items":[{"metadata":{"name":"%s"}}]}
        """;
    recorded.on(
        "GET " + Recorded.API + "/nodes",
        call ->
            ScriptedAnswer.json(
                call.path().contains("continue=next%3D")
                    ? page.formatted("", "b")
                    : page.formatted(",\"continue\":\"next=\"", "a")));
    prints("node/a\nnode/b\n", "get", "no", "-o", "name");
  }

  @Test
  void readsListAgainIfPageTokenExpired() {
    var page = "{\"metadata\":{%s},\"items\":[{\"metadata\":{\"name\":\"a\"}}]}";
    recorded.on(
        "GET " + Recorded.API + "/nodes",
        call ->
            call.path().contains("continue=")
                ? ScriptedAnswer.json(
                    410, "{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\"}")
                : ScriptedAnswer.json(
                    page.formatted(call.path().contains("limit=") ? "\"continue\":\"x\"" : "")));
    prints("node/a\n", "get", "no", "-o", "name");
  }

  @Test
  void emptyListIsNoError() {
    recorded.on("GET " + Recorded.API + "/nodes", "{\"metadata\":{},\"rows\":[]}");
    assertThat(shell.vw("get", "no")).isZero();
    assertThat(shell.out()).isEmpty();
    assertThat(shell.err()).isEqualTo("No resources found\n");
  }

  @Test
  void missingObjectIsErrorAndOthersArePrinted() {
    assertThat(shell.vw("get", "no", "nope", "gamma")).isEqualTo(1);
    assertThat(shell.out()).contains("gamma   NotReady");
    assertThat(shell.err())
        .isEqualTo(
            """
            Error from server (NotFound): nodes "nope" not found
            list them: vw get nodes
            """);
    assertThat(shell.vw("get", "no", "nope", "-o", "yaml")).isEqualTo(1);
    assertThat(shell.out()).isEmpty();
    assertThat(shell.vw("get", "no", "nope", "--ignore-not-found")).isZero();
    assertThat(shell.err()).isEmpty();
  }

  @Test
  void colorOptionControlsColours() {
    assertThat(shell.vw("get", "no", "--color", "always")).isZero();
    assertThat(shell.out()).contains("\033[32mReady\033[0m").contains("\033[31mNotReady\033[0m");
  }

  @Test
  void verbosePrintsRequestsOnStandardError() {
    assertThat(shell.vw("get", "no", "-v")).isZero();
    assertThat(shell.err())
        .contains("GET " + server.url() + "/apis/verwalter.io/v1/nodes?limit=500\n  200\n");
  }

  @Test
  void eventsHaveTheNewestLast() {
    var event = "{\"metadata\":{\"name\":\"%s\"},\"spec\":{\"last\":\"2026-11-21T10:00:%sZ\"}}";
    var list = "{\"metadata\":{},\"items\":[%s,%s,%s]}";
    recorded.on(
        "GET " + Recorded.API + "/events",
        list.formatted(
            event.formatted("newest", "10"),
            event.formatted("middle", "05.250"),
            event.formatted("oldest", "05")));
    prints("event/oldest\nevent/middle\nevent/newest\n", "get", "events", "-o", "name");
  }
}
