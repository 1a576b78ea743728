package verwalter.cli;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import verwalter.client.testkit.ScriptedAnswer;
import verwalter.client.testkit.ScriptedServer;

/** The other verbs, exit codes and error messages. */
class VwTest {
  private final Recorded recorded = new Recorded();
  private final ScriptedServer server = new ScriptedServer(recorded);
  private final Shell shell = new Shell(server);

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "get | 2 | a type is missing",
        "get no --sot-by x | 2 | unknown flag: --sot-by",
        "get no --sot-by x | 2 | did you mean --sort-by?",
        "gte no | 2 | did you mean \"vw get\"?",
        "frobnicate | 2 | unknown verb \"frobnicate\"",
        "-v | 2 | a verb is missing",
        "get no -o go-template={{.x}} | 2 | use -o jsonpath",
        "get no -o jsn | 2 | did you mean -o json?",
        "get no -o jsonpath | 2 | needs a value",
        "get no -o jsonpath={.x[} | 2 | a bracket is not closed",
        "get no -o custom-columns=X | 2 | HEADING:PATH",
        "get no --sort-by={.x | 2 | bad jsonpath",
        "get no --request-timeout soon | 2 | a duration such as 5s",
        "get no --color blue | 2 | auto, always or never",
        "get no a/b | 2 | use one form for all",
        "get no/a b | 2 | not of the form TYPE/NAME",
        "get no --output | 2 | missing required parameter",
        "get ndoes | 1 | did you mean \"nodes\"?",
        "get pods | 1 | the server doesn't have a resource type \"pods\"",
        "get no nope | 1 | Error from server (NotFound): nodes \"nope\" not found",
        "describe no nope | 1 | Error from server (NotFound): nodes \"nope\" not found",
        "apply | 2 | apply needs files",
        "apply -f /nowhere.yaml | 1 | the path \"/nowhere.yaml\" does not exist",
        "apply -f - --dry-run=client | 2 | --dry-run must be none or server",
        "delete no | 2 | which nodes?",
        "delete no a | 2 | add --yes",
        "delete no a -f x | 2 | no types, names, -l",
        "edit no | 2 | which node?",
        "completion tcsh | 2 | takes a shell",
        "scheduler | 2 | scheduler takes a command",
        "scheduler test /nowhere | 1 | no such directory: /nowhere",
        "help nothing | 2 | unknown verb",
        "api-resources -o yaml | 2 | -o must be name or wide",
        "--server ftp://x get no | 2 | is not the address of a server",
      })
  void errorsHaveHintAndExitCode(String words, int exit, String message) {
    assertThat(shell.vw(words.split(" ", -1))).as(shell.err()).isEqualTo(exit);
    assertThat(shell.err()).contains(message);
    assertThat(shell.out()).isEmpty();
  }

  @Test
  void connectionRefusedSaysHowToStartAgent() {
    server.close();
    assertThat(shell.vw("get", "no")).isEqualTo(1);
    assertThat(shell.err())
        .startsWith(
            "error: cannot reach %s: connection refused; is the agent running? start it with ./verwalter\n"
                .formatted(server.url()));
  }

  @Test
  void serverOptionPrecedesEnvironment() {
    shell.environment.put("VERWALTER_SERVER", "127.0.0.1:1");
    assertThat(shell.vw("--server", server.url(), "get", "no")).isZero();
    assertThat(shell.vw("get", "no", "-s", server.url())).isZero();
  }

  @Test
  void errorResponseWithoutStatusIsError() {
    recorded.on(
        "GET " + Recorded.API, call -> ScriptedAnswer.text(502, "text/html", "<html>Bad</html>"));
    assertThat(shell.vw("get", "no")).isEqualTo(1);
    assertThat(shell.err())
        .isEqualTo("Error from server: the server answered 502 without a reason\n");
  }

  @Test
  void responseThatIsNoJsonIsError() {
    recorded.on("GET " + Recorded.API, "<html>");
    assertThat(shell.vw("get", "no")).isEqualTo(1);
    assertThat(shell.err()).contains("without a JSON object");
  }

  @Test
  void helpShowsExamplesVerbatim() {
    assertThat(shell.vw("help", "completion")).isZero();
    assertThat(shell.out()).contains("vw completion zsh > \"${fpath[1]}/_vw\"");
  }

  @Test
  void describePrintsWholeObject() {
    assertThat(shell.vw("describe", "ri/shop-worker@alpha")).isZero();
    assertThat(shell.out())
        .isEqualTo(
            """
            Name:          shop-worker@alpha
            Kind:          RoleInstance  (verwalter.io/v1)
            Labels:        node=alpha
            Annotations:   <none>
            Created:       2026-11-21T10:31:45.729615998Z  (4s ago)
            Conditions:    <none>
            Events:
              TYPE      REASON          AGE                   FROM   MESSAGE
              Warning   ProcessExited   13s (x17 over 73s)    demo   shop-worker/worker.0 ended with code 1 after 2 s
            Status:
              observedGeneration: 1
              state: BROKEN
              desired: 1
              running: 0
              restarts: 17
              since: "2026-11-21T10:25:05.653Z"
              reason: shop-worker/worker.0 exits with code 1 after 2 s; next start in 12 s
            Spec:
              role: shop-worker
              node: alpha
              template: shop-worker
              version: v1.5.0
              variables:
                workers: 4
                version: v1.5.0
            """
                .replace("73s)    demo", "73s)   demo")
                .replace("AGE                   FROM", "AGE                  FROM"));
    assertThat(server.calls().get(2).path())
        .contains("spec.regarding.kind%3DRoleInstance%2Cspec.regarding.name%3Dshop-worker@alpha");
  }

  @Test
  void describePrintsConditionsAsTable() {
    recorded.on("GET " + Recorded.API + "/events", "{\"items\":[]}");
    assertThat(shell.vw("describe", "no", "gamma")).isZero();
    assertThat(shell.out())
        .contains(
            """
            Conditions:
              CONDITION   IS      REASON        SINCE   MESSAGE
              Ready       False   AgentSilent   4s      not heard of for 40 s
            Events:        <none>
            """);
  }

  @Test
  void statusListsProblems() {
    assertThat(shell.vw("status")).isZero();
    assertThat(shell.out())
        .isEqualTo(
            """
            Leader:      ● alpha
            Version:     v0.1.0
            Schedule:    ● ok  48f637357ebe
            Nodes:       ✖ 1 NotReady  ● 1 Ready  ▲ 1 Ready,Cordoned
            Instances:   ▲ 1 Booting  ✖ 1 Broken  ○ 1 Halted  ▲ 1 Rendering  ● 1 Running
            Problems:    ✖ 1 critical  ✖ 4 errors  ▲ 1 warning

            ✖ Node/gamma: is not ready (for 6m48s)
                not heard of for 40 s
                next: vw describe node/gamma

            ✖ ProcessGroup/shop-web@beta: process shop-web/web.1 does not run (for 6m48s)
                starts again in 12 s
                next: vw describe processgroup/shop-web@beta

            ✖ ProcessGroup/shop-worker@alpha: process shop-worker/web.0 does not run (for 6m48s)
                starts again in 12 s
                next: vw describe processgroup/shop-worker@alpha

            ✖ RoleConfig/reports: condition Read is false (for 6m48s)
                runtime/reports/v1.yaml:7: a mapping was expected
                next: vw describe roleconfig/reports

            ✖ TemplateOutput/shop-worker@gamma: its files cannot be rendered (for 6m48s)
                worker.yaml.j2:14: 'queue_url' is undefined
                next: vw describe templateoutput/shop-worker@gamma

            ▲ Node/beta: is cordoned
                the scheduler should assign no new roles to it
                next: vw describe node/beta
            """);
  }

  @Test
  void statusPrintsTenProblemsOrAll() {
    var problem =
        """
        {"severity":"error","kind":"Node","name":"n%d","what":"is not ready","why":"",\
        "next":"vw describe node/n%d"}""";
    var problems =
        IntStream.range(0, 12).mapToObj(i -> problem.formatted(i, i)).collect(joining(","));
    recorded.on("GET /v1/status", "{\"name\":\"a\",\"problems\":[%s]}".formatted(problems));
    assertThat(shell.vw("status")).isZero();
    assertThat(shell.out())
        .contains("✖ 12 errors", "Node/n9:", "\n... and 2 more: vw status --all\n")
        .doesNotContain("Node/n10:");
    assertThat(shell.vw("status", "--all")).isZero();
    assertThat(shell.out()).contains("Node/n11:").doesNotContain("more");
  }

  @Test
  void statusCountsNodesAsTheProblemsDo() {
    recorded.on(
        "GET /v1/status", "{\"name\":\"a\",\"problems\":[],\"nodes\":{\"Ready\":4,\"Unknown\":1}}");
    assertThat(shell.vw("status")).as(shell.err()).isZero();
    assertThat(shell.out()).containsPattern("Nodes: +. 4 Ready +. 1 Unknown\n");
  }

  @Test
  void statusWithoutProblemsSaysSo() {
    recorded.on("GET /v1/status", "{\"name\":\"a\",\"problems\":[]}");
    assertThat(shell.vw("status")).isZero();
    assertThat(shell.out()).endsWith("Problems:    ● none\n");
  }

  @Test
  void statusWorksWithoutUnicode() {
    shell.environment.put("LANG", "C");
    assertThat(shell.vw("status")).isZero();
    assertThat(shell.out()).contains("Leader:      * alpha").contains("x 1 NotReady");
  }

  @Test
  void versionPrintsClientAndServer() {
    assertThat(shell.vw("version")).isZero();
    assertThat(shell.out())
        .matches("Client Version: \\d+\\.\\d+\\.\\d+\nServer Version: 0\\.1\\.0\n");
    server.close();
    assertThat(shell.vw("version", "--client", "-o", "json")).isZero();
    assertThat(shell.out()).contains("\"clientVersion\": ");
  }

  @Test
  void apiResourcesListsTypes() {
    assertThat(shell.vw("api-resources")).isZero();
    assertThat(shell.out())
        .startsWith("NAME              SHORTNAMES   APIVERSION        NAMESPACED   KIND\n")
        .contains("nodes             no           verwalter.io/v1   false        Node\n");
    assertThat(shell.vw("api-resources", "-o", "name")).isZero();
    assertThat(shell.out()).contains("nodes.verwalter.io\n");
  }

  @ParameterizedTest
  @EnumSource
  void commandsInHelpAreNotComments(Verbs verb) {
    assertThat(shell.vw(verb.word(), "--help")).isZero();
    assertThat(shell.out()).doesNotContain("# vw ");
  }

  @ParameterizedTest
  @EnumSource(Verbs.class)
  void everyVerbHasHelpThatBeginsWithExamples(Verbs verb) {
    assertThat(shell.vw(verb.word(), "--help")).isZero();
    var byOption = shell.out();
    assertThat(byOption).contains(verb.summary());
    assertThat(byOption.indexOf("Examples:")).isPositive().isLessThan(byOption.indexOf("Usage:"));
    assertThat(byOption.indexOf("Usage:")).isLessThan(byOption.indexOf("Flags:"));
    assertThat(shell.vw("help", verb.word())).isZero();
    assertThat(shell.out()).isEqualTo(byOption);
  }

  @Test
  void helpListsVerbsAndExitCodes() {
    assertThat(shell.vw()).isZero();
    for (var verb : Verbs.values()) {
      assertThat(shell.out()).contains("  " + verb.word() + " ");
    }
    assertThat(shell.vw("help", "exit-codes")).isZero();
    assertThat(shell.out()).startsWith("CODE   MEANING\n0 ").contains("\n1 ").contains("\n2 ");
  }
}
