package verwalter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.client.json.PlainJson;
import verwalter.client.testkit.ReceivedRequest;
import verwalter.client.testkit.ScriptedAnswer;
import verwalter.client.testkit.ScriptedServer;

/** The requests and the output of {@code apply}, {@code delete} and {@code edit}. */
class ApplyTest {
  private static final String NODE = Recorded.API + "/nodes/web";
  private static final String CONFLICT =
      "{\"kind\":\"Status\",\"code\":409,\"reason\":\"Conflict\",\"message\":\"nodes \\\"web\\\" changed\"}";

  private final Recorded recorded = new Recorded();
  private final ScriptedServer server = new ScriptedServer(recorded);
  private final Shell shell = new Shell(server);
  @TempDir Path directory;

  @AfterEach
  void close() {
    server.close();
  }

  private static String node(String version, String spec, String more) {
    return """
        {"apiVersion":"verwalter.io/v1","kind":"Node","metadata":{"name":"web","uid":"u1",\
        "resourceVersion":"%s"%s},"spec":%s,"status":{"observedGeneration":1}}"""
        .formatted(version, more, spec);
  }

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("web.yaml"), text);
  }

  private List<ReceivedRequest> writes() {
    return server.calls().stream().filter(call -> !call.method().equals("GET")).toList();
  }

  private static Map<String, Object> sent(ReceivedRequest call) {
    try {
      return PlainJson.readObject(call.body().getBytes(java.nio.charset.StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void createsMissingObject() throws IOException {
    recorded.on("POST " + Recorded.API + "/nodes", call -> ScriptedAnswer.json(201, call.body()));
    var file = file("kind: Node\nmetadata: {name: web}\nspec: {cordoned: true}\nstatus: {x: 1}\n");
    assertThat(shell.vw("apply", "-f", file.toString())).as(shell.err()).isZero();
    assertThat(shell.out()).isEqualTo("node/web created\n");
    var sent = sent(writes().get(0));
    assertThat(sent).doesNotContainKey("status");
    assertThat(PlainJson.text(sent, "metadata", "annotations", LastApplied.ANNOTATION))
        .isEqualTo(
            "{\"kind\":\"Node\",\"metadata\":{\"name\":\"web\"},\"spec\":{\"cordoned\":true},\"apiVersion\":\"verwalter.io/v1\"}");
    assertThat(writes().get(0).path()).endsWith("?fieldValidation=Strict");
  }

  @Test
  void sendsOnlyDifferencesAndKeepsFieldsOfOtherWriters() throws IOException {
    var last = "{\\\"kind\\\":\\\"Node\\\",\\\"spec\\\":{\\\"cordoned\\\":true,\\\"old\\\":1}}";
    recorded.on(
        "GET " + NODE,
        node(
            "7",
            "{\"cordoned\":true,\"old\":1,\"theirs\":2}",
            ",\"annotations\":{\"%s\":\"%s\"}".formatted(LastApplied.ANNOTATION, last)));
    recorded.on("PATCH " + NODE, node("8", "{}", ""));
    var file = file("kind: Node\nmetadata: {name: web}\nspec: {cordoned: false}\n");
    assertThat(shell.vw("apply", "-f", file.toString(), "--dry-run=server")).isZero();
    assertThat(shell.out()).isEqualTo("node/web configured (server dry run)\n");
    var patch = writes().get(0);
    assertThat(patch.head()).contains("Content-Type: application/merge-patch+json");
    assertThat(patch.path()).contains("dryRun=All");
    assertThat(PlainJson.line(sent(patch).get("spec")))
        .isEqualTo("{\"cordoned\":false,\"old\":null}");
  }

  @Test
  void sendsNothingIfFileIsUnchanged() throws IOException {
    recorded.on("POST " + Recorded.API + "/nodes", call -> ScriptedAnswer.json(201, call.body()));
    var file = file("kind: Node\nmetadata: {name: web}\nspec: {cordoned: true}\n");
    shell.vw("apply", "-f", file.toString());
    recorded.on("GET " + NODE, writes().get(0).body());
    assertThat(shell.vw("apply", "-f", file.toString())).isZero();
    assertThat(shell.out()).isEqualTo("node/web unchanged\n");
    assertThat(shell.vw("apply", "-q", "-f", file.toString())).isZero();
    assertThat(shell.out()).isEmpty();
    assertThat(writes()).hasSize(1);
  }

  @Test
  void retriesAfterConflict() throws IOException {
    recorded.on("GET " + NODE, node("7", "{\"cordoned\":true}", ""));
    Deque<ScriptedAnswer> answers =
        new ArrayDeque<>(
            List.of(ScriptedAnswer.json(409, CONFLICT), ScriptedAnswer.json(node("9", "{}", ""))));
    recorded.on("PATCH " + NODE, call -> answers.remove());
    var file = file("kind: Node\nmetadata: {name: web}\nspec: {cordoned: false}\n");
    assertThat(shell.vw("apply", "-f", file.toString())).isZero();
    assertThat(writes()).hasSize(2);
  }

  @Test
  void doesNotRetryIfFileNamesResourceVersion() throws IOException {
    recorded.on("GET " + NODE, node("7", "{\"cordoned\":true}", ""));
    recorded.on("PATCH " + NODE, call -> ScriptedAnswer.json(409, CONFLICT));
    var file =
        file(
            "kind: Node\nmetadata: {name: web, resourceVersion: \"5\"}\nspec: {cordoned: false}\n");
    assertThat(shell.vw("apply", "-f", file.toString())).isEqualTo(1);
    assertThat(shell.err()).contains("(Conflict)").contains("read it and try again");
    assertThat(writes()).hasSize(1);
  }

  @Test
  void printsLineOfFieldThatServerRefuses() throws IOException {
    recorded.on(
        "POST " + Recorded.API + "/nodes",
        call ->
            ScriptedAnswer.json(
                422,
                """
        {"kind":"Status","code":422,"reason":"Invalid","message":"Node.verwalter.io \\"web\\" is invalid",
         "details":{"causes":[{"field":"spec.cordonned","message":"unknown field"}]}}"""));
    var file =
        file(
            "kind: Node\nmetadata: {name: ok}\n---\nkind: Node\nmetadata:\n  name: web\nspec:\n  cordonned: true\n");
    recorded.on("GET " + Recorded.API + "/nodes/ok", node("1", "{}", ""));
    recorded.on("PATCH " + Recorded.API + "/nodes/ok", node("2", "{}", ""));
    assertThat(shell.vw("apply", "-f", file.toString())).isEqualTo(1);
    assertThat(shell.out()).isEqualTo("node/web configured\n");
    assertThat(shell.err())
        .isEqualTo(
            """
            %1$s:4: Error from server (Invalid): Node "web" is invalid
              %1$s:8: spec.cordonned: unknown field
            """
                .formatted(file));
  }

  @Test
  void printsLineOfFileThatIsNoObject() throws IOException {
    assertThat(shell.vw("apply", "-f", file("kind: Node\nmetadata: [\n").toString())).isEqualTo(1);
    assertThat(shell.err()).startsWith("error: " + directory.resolve("web.yaml") + ":3: ");
    assertThat(shell.vw("apply", "-f", file("kind: Nod\nmetadata: {name: x}\n").toString()))
        .isEqualTo(1);
    assertThat(shell.err())
        .contains("web.yaml:1: unknown kind \"Nod\"")
        .contains("did you mean Node?");
    assertThat(shell.vw("apply", "-f", file("kind: Node\nmetadata: {}\n").toString())).isEqualTo(1);
    assertThat(shell.err()).contains("web.yaml:2: metadata.name is missing");
  }

  @Test
  void readsDirectoryInOrderAndStandardInput() throws IOException {
    recorded.on("POST " + Recorded.API + "/nodes", call -> ScriptedAnswer.json(201, call.body()));
    for (var name : List.of("b.yml", "a.yaml", "c.json", "d.txt", ".hidden.yaml")) {
      var text = "{\"kind\": \"Node\", \"metadata\": {\"name\": \"%s\"}}";
      Files.writeString(directory.resolve(name), text.formatted(name.substring(0, 1)));
    }
    assertThat(shell.vw("apply", "-f", directory.toString())).isZero();
    assertThat(shell.out()).isEqualTo("node/a created\nnode/b created\nnode/c created\n");
    assertThat(
            shell.reading("kind: Node\nmetadata: {name: s}").vw("apply", "-f", "-", "-o", "name"))
        .isZero();
    assertThat(shell.out()).isEqualTo("node/s\n");
  }

  @Test
  void deleteAsksForConfirmationOnTerminal() {
    recorded.on("GET " + Recorded.API + "/processgroups", "{\"items\":[]}");
    recorded.on("DELETE " + NODE, "{\"kind\":\"Status\",\"status\":\"Success\"}");
    assertThat(shell.typing("n\n").vw("delete", "no", "web")).isEqualTo(1);
    assertThat(shell.err()).contains("This deletes:\n  node/web\nDelete it? [y/N] ");
    assertThat(writes()).isEmpty();
    assertThat(shell.typing("y\n").vw("delete", "no", "web")).isZero();
    assertThat(shell.out()).isEqualTo("node \"web\" deleted\n");
    assertThat(writes()).hasSize(1);
  }

  @Test
  void deleteContinuesAfterErrorAndReportsIt() {
    recorded.on("DELETE " + NODE, "{\"kind\":\"Status\",\"status\":\"Success\"}");
    assertThat(shell.vw("delete", "no/nope", "no/web", "--yes")).isEqualTo(1);
    assertThat(shell.out()).isEqualTo("node \"web\" deleted\n");
    assertThat(shell.err()).contains("nodes \"nope\" not found");
    assertThat(shell.vw("delete", "no/nope", "--yes", "--ignore-not-found")).isZero();
  }

  @Test
  void deletesObjectsThatSelectorMatches() {
    recorded.on(
        "GET " + Recorded.API + "/nodes", "{\"items\":[{\"metadata\":{\"name\":\"web\"}}]}");
    recorded.on("DELETE " + NODE, "{\"kind\":\"Status\",\"status\":\"Success\"}");
    assertThat(shell.vw("delete", "no", "-l", "a=b", "-y", "--dry-run=server")).isZero();
    assertThat(shell.out()).isEqualTo("node \"web\" deleted (server dry run)\n");
    assertThat(writes().get(0).path()).endsWith("?dryRun=All");
  }

  @Test
  void deleteWaitsForFinalizers() {
    var held = node("8", "{}", ",\"deletionTimestamp\":\"2026-11-21T10:31:50Z\"");
    recorded.on("DELETE " + NODE, held);
    recorded.on(
        "GET " + Recorded.API + "/nodes",
        call ->
            call.path().contains("watch=true")
                ? ScriptedAnswer.chunks(
                    ScriptedAnswer.End.HANG,
                    "{\"type\":\"DELETED\",\"object\":%s}\n".formatted(held))
                : ScriptedAnswer.json(
                    "{\"metadata\":{\"resourceVersion\":\"8\"},\"items\":[%s]}".formatted(held)));
    assertThat(shell.vw("delete", "no/web", "-y")).isZero();
    assertThat(shell.out()).isEqualTo("node \"web\" deleted\n");
    assertThat(server.calls().get(3).path()).contains("fieldSelector=metadata.name%3Dweb");
  }

  @Test
  void deleteReportsPendingCleanupAfterTimeout() {
    var held = node("8", "{}", ",\"deletionTimestamp\":\"2026-11-21T10:31:50Z\"");
    recorded.on("DELETE " + NODE, held);
    recorded.on(
        "GET " + Recorded.API + "/nodes",
        call ->
            call.path().contains("watch=true")
                ? ScriptedAnswer.chunks(ScriptedAnswer.End.CUT)
                : ScriptedAnswer.json(
                    "{\"metadata\":{\"resourceVersion\":\"8\"},\"items\":[%s]}".formatted(held)));
    assertThat(shell.vw("delete", "no/web", "-y")).isZero();
    assertThat(shell.out())
        .contains("node/web is still being cleaned up")
        .contains("vw get node/web -w");
    assertThat(shell.pauses.stream().mapToLong(java.time.Duration::toSeconds).sum())
        .isBetween(29L, 40L);
    int before = server.calls().size();
    assertThat(shell.vw("delete", "no/web", "-y", "--wait=false")).isZero();
    assertThat(server.calls()).hasSize(before + 2);
  }

  /** An editor that runs {@code sed} scripts on the file, one for each call. */
  private Shell editor(String... scripts) throws IOException {
    var count = directory.resolve("count");
    var editor = new StringBuilder("#!/bin/sh\necho >> " + count + "\ncp \"$1\" ");
    editor.append(directory).append("/seen.$(wc -l < ").append(count).append(")\n");
    editor.append("case $(wc -l < ").append(count).append(") in\n");
    for (int i = 0; i < scripts.length; i++) {
      editor.append(i + 1).append(") sed -i '").append(scripts[i]).append("' \"$1\";;\n");
    }
    var file = Files.writeString(directory.resolve("editor"), editor.append("esac\n"));
    shell.environment.put("EDITOR", "/bin/sh " + file);
    return shell;
  }

  private String seen(int time) throws IOException {
    return Files.readString(directory.resolve("seen." + time));
  }

  @Test
  void editSendsChangedFieldsAndBaseVersion() throws IOException {
    recorded.on("GET " + NODE, node("7", "{\"cordoned\":true,\"x\":1}", ""));
    recorded.on("PATCH " + NODE, node("8", "{}", ""));
    assertThat(editor("s/cordoned: true/cordoned: false/").vw("edit", "no", "web"))
        .as(shell.err())
        .isZero();
    assertThat(shell.out()).isEqualTo("node/web edited\n");
    assertThat(seen(1))
        .startsWith("# Edit the object below.")
        .contains("\napiVersion: verwalter.io/v1\n");
    assertThat(sent(writes().get(0)))
        .isEqualTo(
            Map.of("spec", Map.of("cordoned", false), "metadata", Map.of("resourceVersion", "7")));
  }

  @Test
  void editSendsNothingIfUnchangedOrEmpty() throws IOException {
    recorded.on("GET " + NODE, node("7", "{\"cordoned\":true}", ""));
    assertThat(editor("").vw("edit", "no/web")).isZero();
    assertThat(shell.out()).isEqualTo("Edit cancelled, no changes made.\n");
    assertThat(editor("", "d").vw("edit", "no/web")).isZero();
    assertThat(shell.out()).isEqualTo("Edit cancelled: the file is empty.\n");
    assertThat(writes()).isEmpty();
  }

  @Test
  void editReopensWithErrorOnTop() throws IOException {
    recorded.on("GET " + NODE, node("7", "{\"cordoned\":true}", ""));
    Deque<ScriptedAnswer> answers =
        new ArrayDeque<>(
            List.of(
                ScriptedAnswer.json(
                    422,
                    "{\"kind\":\"Status\",\"code\":422,\"reason\":\"Invalid\",\"message\":\"bad\",\"details\":{\"causes\":[{\"field\":\"spec.cordoned\",\"message\":\"not a truth\"}]}}"),
                ScriptedAnswer.json(node("8", "{}", ""))));
    recorded.on("PATCH " + NODE, call -> answers.remove());
    assertThat(
            editor("s/cordoned: true/cordoned: [/", "s/cordoned: \\[/cordoned: 7/", "s/7/false/")
                .vw("edit", "no/web"))
        .isZero();
    assertThat(seen(2)).contains("# This cannot be read:\n#   line:").contains("\n  cordoned: [\n");
    assertThat(seen(3))
        .contains("# The server refused this:\n#   spec.cordoned: not a truth\n#\n")
        .contains("\n  cordoned: 7\n")
        .doesNotContain("cannot be read");
    assertThat(shell.out()).isEqualTo("node/web edited\n");
    assertThat(writes()).hasSize(2);
  }

  @Test
  void editKeepsTextIfOperatorGivesUp() throws IOException {
    recorded.on("GET " + NODE, node("7", "{\"cordoned\":true}", ""));
    recorded.on(
        "PATCH " + NODE,
        call -> ScriptedAnswer.json(422, "{\"kind\":\"Status\",\"code\":422,\"message\":\"bad\"}"));
    assertThat(editor("s/cordoned: true/cordoned: 7/").vw("edit", "no/web")).isEqualTo(1);
    assertThat(shell.err()).contains("no valid changes were saved");
    var kept = Path.of(shell.err().replaceAll("(?s).*Your text is in (\\S+);.*", "$1"));
    assertThat(kept).content().contains("cordoned: 7");
    Files.delete(kept);
  }

  /** An editor that is a script also changes the comments that vw wrote. */
  @Test
  void editDoesNotRetryIfOnlyCommentsChanged() throws IOException {
    recorded.on("GET " + NODE, node("7", "{\"cordoned\":true}", ""));
    recorded.on(
        "PATCH " + NODE,
        call ->
            ScriptedAnswer.json(
                422, "{\"kind\":\"Status\",\"code\":422,\"message\":\"not true\"}"));
    shell.environment.put("EDITOR", "sed -i s/true/7/");
    assertThat(shell.vw("edit", "no/web")).isEqualTo(1);
    assertThat(writes()).hasSize(1);
    Files.delete(Path.of(shell.err().replaceAll("(?s).*Your text is in (\\S+);.*", "$1")));
  }

  @Test
  void editDoesNotConflictWithChangeOfOtherFields() throws IOException {
    Deque<ScriptedAnswer> reads =
        new ArrayDeque<>(
            List.of(
                ScriptedAnswer.json(node("7", "{\"cordoned\":true}", "")),
                ScriptedAnswer.json(
                    node("9", "{\"cordoned\":true}", ",\"labels\":{\"a\":\"b\"}"))));
    recorded.on("GET " + NODE, call -> reads.remove());
    Deque<ScriptedAnswer> answers =
        new ArrayDeque<>(
            List.of(ScriptedAnswer.json(409, CONFLICT), ScriptedAnswer.json(node("10", "{}", ""))));
    recorded.on("PATCH " + NODE, call -> answers.remove());
    assertThat(editor("s/cordoned: true/cordoned: false/").vw("edit", "no/web")).isZero();
    assertThat(sent(writes().get(1)))
        .isEqualTo(
            Map.of("spec", Map.of("cordoned", false), "metadata", Map.of("resourceVersion", "9")));
  }

  @Test
  void editReportsConflictInSameField() throws IOException {
    Deque<ScriptedAnswer> reads =
        new ArrayDeque<>(
            List.of(
                ScriptedAnswer.json(node("7", "{\"x\":1}", "")),
                ScriptedAnswer.json(node("9", "{\"x\":5}", ",\"labels\":{\"a\":\"b\"}"))));
    recorded.on("GET " + NODE, call -> reads.remove());
    Deque<ScriptedAnswer> answers =
        new ArrayDeque<>(
            List.of(ScriptedAnswer.json(409, CONFLICT), ScriptedAnswer.json(node("10", "{}", ""))));
    recorded.on("PATCH " + NODE, call -> answers.remove());
    assertThat(editor("s/x: 1/x: 2/", "/^#/d").vw("edit", "no/web")).isZero();
    assertThat(seen(2))
        .contains("# Another writer changed the same fields. Its changes:\n#   metadata:\n")
        .contains("#     x: 5\n")
        .contains("\n  x: 2\n")
        .contains("\n    a: b\n");
    assertThat(sent(writes().get(1)))
        .isEqualTo(Map.of("spec", Map.of("x", 2L), "metadata", Map.of("resourceVersion", "9")));
  }

  @Test
  void editSendsNothingIfConflictIsKept() throws IOException {
    Deque<ScriptedAnswer> reads =
        new ArrayDeque<>(
            List.of(
                ScriptedAnswer.json(node("7", "{\"x\":1}", "")),
                ScriptedAnswer.json(node("9", "{\"x\":5}", ""))));
    recorded.on("GET " + NODE, call -> reads.remove());
    recorded.on("PATCH " + NODE, call -> ScriptedAnswer.json(409, CONFLICT));
    assertThat(editor("s/x: 1/x: 2/").vw("edit", "no/web")).isEqualTo(1);
    assertThat(writes()).hasSize(1);
    Files.delete(Path.of(shell.err().replaceAll("(?s).*Your text is in (\\S+);.*", "$1")));
  }

  @Test
  void editRefusesOtherNameOrKindBeforeSending() throws IOException {
    recorded.on("GET " + NODE, node("7", "{\"x\":1}", ""));
    assertThat(editor("s/name: web/name: other/").vw("edit", "no/web")).isEqualTo(1);
    assertThat(seen(2)).contains("line:4: metadata.name cannot be changed");
    assertThat(writes()).isEmpty();
    Files.delete(Path.of(shell.err().replaceAll("(?s).*Your text is in (\\S+);.*", "$1")));
  }

  @Test
  void editSendsNothingIfEditorFails() {
    recorded.on("GET " + NODE, node("7", "{}", ""));
    shell.environment.put("VISUAL", "false");
    assertThat(shell.vw("edit", "no/web")).isEqualTo(1);
    assertThat(shell.err()).contains("the editor \"false\" ended with code 1; nothing was changed");
  }

  @Test
  void refusesLongStandardInput() throws IOException {
    var object = "kind: Node\nmetadata: {name: s}\n";
    // Short lines: SnakeYAML reads a long one in quadratic time.
    var comments = ("#".repeat(1023) + "\n").repeat(16 << 10);
    var most = object + comments.substring(object.length());
    recorded.on("POST " + Recorded.API + "/nodes", call -> ScriptedAnswer.json(201, call.body()));
    assertThat(shell.reading(most).vw("apply", "-f", "-")).as(shell.err()).isZero();
    var longer = shell.reading(most + "#");
    assertThat(longer.vw("apply", "-f", "-")).isEqualTo(Exit.ERROR.code());
    assertThat(longer.err()).contains("<stdin>").contains("longer than 16 MiB");
  }
}
