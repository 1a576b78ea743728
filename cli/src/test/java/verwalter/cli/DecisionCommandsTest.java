package verwalter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.model.Action;
import verwalter.model.DecisionRecord;
import verwalter.model.Resource;
import verwalter.model.Scheduler.Reason;
import verwalter.model.json.Json;
import verwalter.scheduler.lua.Code;
import verwalter.scheduler.record.DecisionArchive;
import verwalter.scheduler.record.RecordLimits;

/** {@code vw schedule}, {@code why}, {@code simulate} and {@code action} with the real server. */
class DecisionCommandsTest {
  private static final Instant START = Shell.NOW.minusSeconds(600);

  /** Puts every role on every node, with the count of its metadata. */
  private static final String MAIN =
      """
      local json = require "verwalter/json"
      return {scheduler = function(input)
        local data = {nodes = json.object{}}
        for node in pairs(input.nodes) do
          local roles = json.object{}
          for role, metadata in pairs(input.runtime) do
            roles[role] = {version = "v1", count = metadata.count or 1}
          end
          data.nodes[node] = {roles = roles}
        end
        return json.encode(data), "fine"
      end}
      """;

  @TempDir private Path directory;
  private Path scheduler;
  private DecisionArchive archive;
  private RealServer server;
  private Shell shell;
  private Code code;

  @BeforeEach
  void open() throws IOException {
    scheduler = Files.createDirectory(directory.resolve("scheduler"));
    Files.writeString(scheduler.resolve("main.lua"), MAIN);
    code = Code.read(scheduler);
    archive =
        DecisionArchive.open(directory.resolve("decisions"), RecordLimits.DEFAULT, warning -> {});
    archive.know(code);
    server = new RealServer(archive);
    shell = new Shell();
    shell.environment.put("VERWALTER_SERVER", server.url());
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static Map<String, Object> input(int second, Map<String, Object> counts) {
    var runtime = new TreeMap<String, Object>();
    counts.forEach((role, count) -> runtime.put(role, Map.of("count", count)));
    return Map.of(
        "now", START.plusSeconds(second).toEpochMilli(),
        "nodes", Map.of("n1", Map.of(), "n2", Map.of()),
        "runtime", runtime);
  }

  private static Map<String, Object> output(Map<String, Object> counts) {
    var roles = new TreeMap<String, Object>();
    counts.forEach((role, count) -> roles.put(role, Map.of("version", "v1", "count", count)));
    return Map.of("nodes", Map.of("n1", Map.of("roles", roles), "n2", Map.of("roles", roles)));
  }

  private DecisionRecord record(
      int second, Map<String, Object> counts, Map<String, Object> output) {
    return new DecisionRecord(
        START.plusSeconds(second),
        code.hash(),
        input(second, counts),
        Optional.of(output),
        "",
        "fine",
        100,
        Duration.ofMillis(4),
        List.of(new Reason("api", Optional.of("n1"), "it is small")),
        List.of());
  }

  private DecisionRecord decided(int second, Map<String, Object> counts) {
    var record = record(second, counts, output(counts));
    archive.add(record);
    return record;
  }

  private void failed(int second, String problem) {
    archive.add(
        new DecisionRecord(
            START.plusSeconds(second),
            code.hash(),
            input(second, Map.of()),
            Optional.empty(),
            problem,
            "",
            0,
            Duration.ZERO,
            List.of(),
            List.of("Action/7: boom")));
  }

  private String ok(String... words) {
    assertThat(shell.vw(words)).as(shell.err() + shell.out()).isZero();
    return shell.out();
  }

  private String one(String... words) {
    assertThat(shell.vw(words)).as(shell.err() + shell.out()).isEqualTo(1);
    return shell.out() + shell.err();
  }

  @Test
  void historyPrintsRowForEachDecision() {
    assertThat(ok("schedule", "history")).isEmpty();
    assertThat(shell.err()).contains("No decision");
    var first = decided(0, Map.of("web", 1L));
    failed(60, "main.lua:3: boom");

    var rows = ok("schedule", "history").lines().toList();
    assertThat(rows.get(0)).isEqualTo("RECORD     STATUS    SCHEDULE   CODE       AGE");
    assertThat(rows.get(1)).contains("Failed    -          ").endsWith("9m");
    assertThat(rows.get(2))
        .startsWith(
            first.id().substring(0, 8) + "   Decided   " + first.schedule().substring(0, 8));
    assertThat(ok("schedule", "history", "--limit", "1", "-o", "name").lines()).hasSize(1);
    assertThat(ok("schedule", "history", "-o", "json")).contains("\"id\": \"" + first.id() + "\"");
    assertThat(ok("schedule", "history", "-o", "yaml")).contains("schedule: " + first.schedule());
    assertThat(ok("schedule", "history", "-o", "wide")).contains(first.id());
  }

  @Test
  void showPrintsDecisionOrPart() {
    var record = decided(0, Map.of("web", 2L));
    assertThat(ok("schedule", "show"))
        .contains("Record:     " + record.id())
        .contains("Cost:       100 instructions, 4 ms")
        .contains("web    n2     v1        2")
        .contains("  api@n1: it is small")
        .endsWith("Log:\n  fine\n");
    var id = record.id().substring(0, 10);
    assertThat(ok("schedule", "show", id, "--part", "log")).isEqualTo("fine\n");
    assertThat(ok("schedule", "show", id, "--part", "input", "-o", "yaml")).contains("count: 2");
    assertThat(ok("schedule", "show", id, "--part", "code"))
        .contains("require \\\"verwalter/json\\\"");
    assertThat(ok("schedule", "show", record.schedule(), "-o", "json"))
        .contains("\"took_us\": 4000");
    assertThat(one("schedule", "show", "beef")).contains("no record and no schedule begins with");
    failed(60, "main.lua:3: boom");
    assertThat(ok("schedule", "show", "latest"))
        .contains("Problem:    main.lua:3: boom")
        .contains("Set aside:  Action/7: boom");
  }

  @Test
  void diffComparesTwoDecisions() {
    decided(0, Map.of("web", 2L, "api", 1L));
    decided(60, Map.of("web", 3L, "api", 1L));
    assertThat(one("schedule", "diff"))
        .contains("web    n1     v1        2->3")
        .doesNotContain("api    n1")
        .contains("  ~ nodes.n2.roles.web.count: 2 -> 3");
    assertThat(one("schedule", "diff", "previous", "latest", "-o", "json"))
        .contains("\"before\": \"2\"");
    assertThat(ok("schedule", "diff", "latest", "latest")).contains("No difference");
    failed(120, "boom");
    assertThat(one("schedule", "diff")).contains("is a run that failed: boom");
  }

  @Test
  void replayReportsSameBytesOrFirstDifference() {
    decided(0, Map.of("web", 2L));
    assertThat(ok("schedule", "replay", "latest")).contains(": identical, schedule ");
    assertThat(ok("schedule", "replay", "--all"))
        .isEqualTo("1 identical, 0 different, 0 skipped\n");

    archive.add(record(60, Map.of("web", 2L), output(Map.of("web", 5L))));
    assertThat(one("schedule", "replay", "latest"))
        .contains("2 differences, the first is\n  ~ nodes.n1.roles.web.count: 5 -> 2");
    assertThat(one("schedule", "replay", "--all"))
        .endsWith("1 identical, 1 different, 0 skipped\n");
    failed(120, "main.lua:3: instruction budget of 7 used up");
    assertThat(one("schedule", "replay", "latest")).contains("it succeeds now; it failed with");
    failed(180, "main.lua:3: wall time budget of 7 ms used up");
    assertThat(ok("schedule", "replay", "latest")).contains("it succeeds now");
  }

  @Test
  void replayFailsIfCodeIsNotKept() {
    var record = record(0, Map.of(), output(Map.of()));
    archive.add(
        new DecisionRecord(
            record.at(),
            "c0de",
            record.input(),
            record.output(),
            "",
            "",
            0,
            Duration.ZERO,
            List.of(),
            List.of()));
    assertThat(one("schedule", "replay", "latest")).contains("the code of this record is not kept");
    assertThat(one("schedule", "replay", "--all")).contains("skipped: the code");
  }

  @Test
  void whyShowsControlCharactersHarmlessly() {
    var place = Map.of("version", "v\u001b[31m1", "count", 1L);
    archive.add(
        record(
            0,
            Map.of("web", 1L),
            Map.of("nodes", Map.of("n1", Map.of("roles", Map.of("web", place))))));
    failed(60, "main.lua:3: \u001b]0;title\u0007 \u202e");
    assertThat(ok("why", "web"))
        .contains("n1: v^[[31m1, 1 instance")
        .contains("^[]0;title^G \\u202E")
        .doesNotContain("\u001b", "\u202e");
  }

  @Test
  void replayAndShadowShowControlCharactersHarmlessly() throws IOException {
    decided(0, Map.of("web", 1L));
    failed(60, "main.lua:3: \u001b]0;title\u0007 \u202e");
    assertThat(one("schedule", "replay", "latest"))
        .contains("it failed with: main.lua:3: ^[]0;title^G \\u202E")
        .doesNotContain("\u001b", "\u202e");
    Files.writeString(
        scheduler.resolve("main.lua"), "return {scheduler = function() error('\\27[8m', 0) end}");
    assertThat(one("schedule", "shadow", "" + scheduler))
        .contains("it fails: ^[[8m")
        .doesNotContain("\u001b");
  }

  @Test
  void whyPrintsReasonsAndInputChanges() {
    decided(0, Map.of("web", 2L, "api", 1L));
    decided(60, Map.of("web", 3L, "api", 1L));
    decided(120, Map.of("web", 3L, "api", 2L));

    assertThat(ok("why", "api"))
        .contains("api, decided 8m ago")
        .contains("  n1: v1, 2 instances")
        .contains("The scheduler says:\n  n1: it is small")
        .contains("  setting count of role api: 1 -> 2")
        .contains("  ~ n1.count: 1 -> 2");
    assertThat(ok("why", "web"))
        .contains("The scheduler gave no reason.")
        .contains("  setting count of role web: 2 -> 3")
        .doesNotContain("api");
    assertThat(ok("why", "api", "--node", "n2"))
        .doesNotContain("it is small")
        .doesNotContain("n1:");
    assertThat(ok("why", "web", "--node", "n9")).contains("runs nowhere on n9");
    assertThat(one("why", "wep")).contains("did you mean \"web\"?");
    failed(180, "main.lua:3: memory budget of 9 bytes used up");
    assertThat(ok("why", "api"))
        .contains("The last run failed 7m ago: main.lua:3: memory budget of 9 bytes")
        .contains("limit of the sandbox")
        .contains("api, decided 8m ago");
  }

  @Test
  void shadowRunsOtherSchedulerWithRecordedInputs() throws IOException {
    decided(0, Map.of("web", 2L));
    failed(30, "boom");
    decided(60, Map.of("web", 3L));
    assertThat(ok("schedule", "shadow", "" + scheduler))
        .endsWith("2 identical, 0 different, 0 failed, 1 skipped; 0 instances would move\n");

    Files.writeString(scheduler.resolve("main.lua"), MAIN.replace("or 1", "+ 1"));
    assertThat(one("schedule", "shadow", "" + scheduler, "--last", "1"))
        .contains("2 differences, 2 places changed, 0 instances moved")
        .contains("~ nodes.n1.roles.web.count: 3 -> 4");
    Files.writeString(
        scheduler.resolve("main.lua"), "return {scheduler = function() error('no') end}");
    assertThat(one("schedule", "shadow", "" + scheduler)).contains("it fails: main.lua:1: no");
    Files.writeString(scheduler.resolve("main.lua"), "return {");
    assertThat(one("schedule", "shadow", "" + scheduler)).contains("cannot be loaded: main.lua:1");
  }

  @Test
  void simulatesWithoutServer() {
    shell.environment.put("VERWALTER_SERVER", "http://127.0.0.1:1");
    var text =
        ok(
            "simulate",
            "" + scheduler,
            "--nodes",
            "4",
            "--roles",
            "web,api",
            "--steps",
            "6",
            "--fault",
            "n2@2-4",
            "--load",
            "web=sine:1:9:4");
    var counts =
        text.lines().skip(1).limit(6).map(line -> line.strip().split(" +", -1)[1]).toList();
    assertThat(counts).containsExactly("4", "4", "3", "3", "4", "4");
    assertThat(text).contains("6 steps, 0 failed; ").contains("imbalance 1.00 on average");
    assertThat(
            ok(
                "simulate",
                "" + scheduler,
                "--nodes",
                "4",
                "--roles",
                "web,api",
                "--steps",
                "6",
                "--fault",
                "n2@2-4",
                "--load",
                "web=sine:1:9:4"))
        .isEqualTo(text);
    assertThat(ok("simulate", "" + scheduler, "--nodes=2", "--roles=3", "--steps=1", "-o", "json"))
        .startsWith("{\"step\":0,\"nodes\":2,\"instances\":");
  }

  @Test
  void simulatesRecordedClusterWithRecordedCode() {
    decided(0, Map.of("web", 2L));
    assertThat(ok("simulate", "--steps", "3")).contains("3 steps, 0 failed; 0 moves");
    assertThat(ok("simulate", "--steps", "2", "--nodes", "7", "--roles", "4"))
        .contains("  1      7         56");
    assertThat(shell.vw("simulate", "--fault", "n9@1")).isEqualTo(2);
    assertThat(shell.err()).contains("--fault names the unknown node \"n9\"");
  }

  @Test
  void actionIsSentToServer() {
    var name =
        ok("action", "web", "scale", "--data", "{\"by\": 1}", "--set", "version=v2", "-o", "name");
    var id = name.strip().replace("action/", "");
    assertThat(ok("get", "act", id, "-o", "jsonpath={.spec.request.button}"))
        .isEqualTo(
            "{\"data\":{\"by\":1},\"version\":\"v2\",\"role\":\"web\",\"action\":\"scale\"}");
    assertThat(ok("act", "web", "go")).matches("action/\\d+ registered\n");
    assertThat(one("action", "web", "go", "--wait", "--timeout", "1s"))
        .contains("is still pending after 1 s");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "web  | DONE       |                                          | 0 | done, schedule abcdef01",
        "web  | DONE       | {\"by\":2}                                 | 0 | done, schedule abcdef01: {\"by\":2}",
        "web  | SET_ASIDE  |                                          | 7 | was set aside: main.lua:3: boom",
        "web  | DONE       | {\"refused\":\"Refused\",\"error\":\"by is 0\"}     | 7 | was refused: by is 0",
        "web  | DONE       | {\"refused\":\"UnknownRole\",\"error\":\"no x\"}    | 8 | was refused: no x",
        "web  | DONE       | {\"refused\":\"UnknownAction\",\"error\":\"no go\"} | 9 | was refused: no go",
        "gone | DONE       |                                          | 8 | was refused: there is no role gone",
        "gone | DONE       | \"ok\"                                     | 0 | done, schedule abcdef01: \"ok\"",
      })
  void actionWithWaitTellsResultsApart(
      String role, Action.State state, String answer, int code, String message) throws Exception {
    var parsed = answer == null ? Optional.empty() : Optional.of(Json.parse(answer));
    server.put(
        Resource.of(
            verwalter.model.RoleConfig.KIND, "web", verwalter.model.RoleConfig.Spec.of(Map.of())));
    var status = new Action.Status(1, state, "abcdef0123", parsed, "main.lua:3: boom", Shell.NOW);
    server.watch(
        Action.KIND,
        action -> {
          if (Action.pending(action)) {
            server.putStatusLater(action.withStatus(status));
          }
        });
    assertThat(shell.vw("action", role, "go", "--wait")).isEqualTo(code);
    assertThat(code == 0 ? shell.out() : shell.err()).contains(message);
  }

  @Test
  void refusesInvalidCommandLines() {
    for (var line :
        List.of(
            "schedule",
            "schedule hist",
            "schedule history x",
            "schedule diff a",
            "schedule replay",
            "schedule replay --all latest",
            "schedule shadow",
            "schedule show a b",
            "schedule show --part x",
            "schedule history -o name,",
            "schedule history --limit 0",
            "why",
            "why a b",
            "simulate a b",
            "simulate --steps none",
            "simulate --fault x",
            "simulate --load x",
            "action",
            "action web",
            "action web go --data {",
            "action web go --set x",
            "action web go --timeout soon")) {
      assertThat(shell.vw(line.split(" "))).as(line).isEqualTo(2);
      assertThat(shell.err()).startsWith("error: ");
    }
  }

  @Test
  void completesWords() {
    server.put(
        Resource.of(
            verwalter.model.RoleConfig.KIND, "web", verwalter.model.RoleConfig.Spec.of(Map.of())));
    assertThat(ok("__complete", "schedule", "")).contains("history\n", "replay\n");
    assertThat(ok("__complete", "schedule", "show", "")).contains("latest\n");
    assertThat(ok("__complete", "action", "w")).isEqualTo("web\n");
    assertThat(ok("__complete", "why", "")).isEqualTo("web\n");
    assertThat(ok("__complete", "schedule", "show", "--part", "")).contains("input\n");
  }
}
