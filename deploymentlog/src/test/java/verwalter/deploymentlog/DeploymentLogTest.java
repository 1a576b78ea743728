package verwalter.deploymentlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.files.FileAccess;
import verwalter.model.json.DecodeException;
import verwalter.model.json.Json;
import verwalter.render.LogPiece;

class DeploymentLogTest {
  private static final String HASH = "0123456789abcdef0123456789abcdef01234567";
  private static final Deployment FIRST = new Deployment("d1", HASH, true, List.of("web: up"));

  @TempDir Path root;
  private Instant now = Instant.parse("2018-08-10T15:11:50Z");
  private final List<String> problems = new ArrayList<>();

  private DeploymentLog log() {
    return log(FileAccess.PRIVATE);
  }

  private DeploymentLog log(FileAccess access) {
    return DeploymentLog.in(
        root, access, () -> now, new Retention(Duration.ofDays(30), 1 << 30), problems::add);
  }

  private String text(String path) throws IOException {
    return Files.readString(root.resolve(path));
  }

  private static List<?> parsed(String line) {
    try {
      return (List<?>) Json.parse(line);
    } catch (DecodeException broken) {
      throw new AssertionError(line, broken);
    }
  }

  private static void whole(DeploymentLog log, Deployment deployment) {
    log.begin(deployment);
    log.beginRole(deployment, "web", Map.of("b", 1L, "a", "x"));
    log.endRole(
        deployment,
        "web",
        List.of(
            new LogPiece("a.render.yaml", "a.render.yaml:3:3: Cmd x\n  | said\n", List.of()),
            LogPiece.ofRun("Rendered successfully\n")));
    log.end(deployment, "because");
  }

  @Test
  void aDeploymentIsInTheIndexFromItsStartToItsEnd() throws IOException {
    whole(log(), FIRST);
    var lines = text(".index/latest").lines().map(DeploymentLogTest::parsed).toList();
    assertThat(lines)
        .extracting(line -> String.valueOf(line.get(3)))
        .containsExactly(
            "DeploymentStart",
            "DeploymentChanges",
            "RoleStart",
            "{variant=ActionStart, fields=[a.render.yaml]}",
            "{variant=ActionFinish, fields=[a.render.yaml]}",
            "RoleFinish",
            "DeploymentFinish");
    assertThat(lines).allSatisfy(line -> assertThat(line.get(1)).isEqualTo("d1"));
    assertThat(Files.readSymbolicLink(root.resolve(".index/latest")))
        .isEqualTo(Path.of("index.20180810.json"));
    assertThat(text(".global/latest"))
        .isEqualTo(
            """
            2018-08-10T15:11:50Z d1 ------------ DeploymentStart -----------\s
            schedule-hash: %s
            +++ debug start: "scheduler-debug" +++
            because
            +++ debug end: "scheduler-debug" +++
            2018-08-10T15:11:50Z d1 ------------ DeploymentFinish -----------\s
            """
                .formatted(HASH));
    assertThat(text(".changes/latest")).isEqualTo("2018-08-10T15:11:50Z: 01234567: web: up\n");
    assertThat(text("web/log.20180810151150.txt"))
        .contains("web: RoleStart ----------- \nTemplate variables: {\"a\":\"x\",\"b\":1}\n")
        .endsWith("web: RoleFinish ----------- \n");
    assertThat(problems).isEmpty();
  }

  /** Every pointer leads to the row that has its marker. */
  @Test
  void offsetsPointToTheBeginningOfRows() throws IOException {
    var log = log();
    whole(log, FIRST);
    whole(log, new Deployment("d2", HASH, false, List.of("not new")));
    int checked = 0;
    for (var line : text(".index/latest").lines().toList()) {
      var fields = parsed(line);
      var place = (List<?>) Json.object(fields.get(2)).get("fields");
      if (place.size() == 3) {
        var marker =
            String.valueOf(fields.get(3))
                .replaceAll("\\{variant=(\\w+), fields=\\[(.*)]}", "$1(\"$2\")");
        var bytes =
            Files.readAllBytes(root.resolve(place.get(0) + "/log." + place.get(1) + ".txt"));
        int offset = ((Long) place.get(2)).intValue();
        assertThat(new String(bytes, offset, bytes.length - offset, StandardCharsets.UTF_8))
            .startsWith(
                "2018-08-10T15:11:50Z %s ------------ web: %s ".formatted(fields.get(1), marker));
        checked++;
      }
    }
    assertThat(checked).isEqualTo(8);
    assertThat(text(".changes/latest")).doesNotContain("not new");
  }

  @Test
  void theIndexPointsToLogsOfOtherProgramsBelowTheirRecipe() throws IOException {
    var log = log();
    var seen = List.of(new LogPiece.ExternalLog("nginx/error.log", 120));
    log.endRole(
        FIRST,
        "web",
        List.of(
            LogPiece.ofRun("/etc/x: put back after an unfinished run\n"),
            new LogPiece("a.render.yaml", "one\n", List.of()),
            new LogPiece("sub/b.render.yml", "two\n", seen)));
    var rows = text(".index/latest").lines().map(DeploymentLogTest::parsed).toList();
    assertThat(rows.subList(2, rows.size()))
        .<Object>extracting(row -> row.get(3))
        .containsExactly(
            Map.of("variant", "ActionStart", "fields", List.of("a.render.yaml")),
            Map.of("variant", "ActionFinish", "fields", List.of("a.render.yaml")),
            Map.of("variant", "ActionStart", "fields", List.of("sub/b.render.yml")),
            "ExternalLog",
            Map.of("variant", "ActionFinish", "fields", List.of("sub/b.render.yml")),
            "RoleFinish");
    assertThat(rows.get(5).get(2))
        .isEqualTo(Map.of("variant", "External", "fields", List.of("nginx/error.log", 120L)));
  }

  @Test
  void aFullSegmentIsFollowedByAnother() throws IOException {
    whole(log(), FIRST);
    Files.write(root.resolve("web/log.20180810151150.txt"), new byte[(int) Segments.FULL]);
    now = now.plusSeconds(10);
    whole(log(), new Deployment("d2", HASH, false, List.of()));
    assertThat(Files.readSymbolicLink(root.resolve("web/latest")))
        .isEqualTo(Path.of("log.20180810151200.txt"));
    assertThat(text("web/latest")).startsWith("2018-08-10T15:12:00Z d2 ");
    assertThat(Files.readSymbolicLink(root.resolve(".global/latest")))
        .isEqualTo(Path.of("log.20180810151150.txt"));
  }

  @Test
  void writesAfterATornLineBeginANewLine() throws IOException {
    whole(log(), FIRST);
    Files.writeString(root.resolve(".index/latest"), "[\"2018", StandardOpenOption.APPEND);
    Files.writeString(root.resolve("web/latest"), "half a", StandardOpenOption.APPEND);
    whole(log(), new Deployment("d2", HASH, false, List.of()));
    assertThat(text(".index/latest").lines())
        .contains("[\"2018")
        .filteredOn(line -> !line.equals("[\"2018"))
        .allSatisfy(line -> assertThat(parsed(line)).isInstanceOf(List.class));
    var role = text("web/latest");
    assertThat(role).contains("\nhalf a\n2018-08-10T15:11:50Z d2 ");
    var offset =
        role.getBytes(StandardCharsets.UTF_8).length
            - role.substring(role.indexOf("2018-08-10T15:11:50Z d2")).length();
    assertThat(text(".index/latest"))
        .contains("[\"web\",\"20180810151150\"," + offset + "]},\"RoleStart\"");
  }

  private String mode(String path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve(path)));
  }

  @Test
  void otherUsersCannotReadTheLogs() throws IOException {
    whole(log(), FIRST);
    assertThat(mode("web/latest")).isEqualTo("rw-------");
    assertThat(mode("web")).isEqualTo("rwx------");
  }

  @Test
  void aModeLetsTheGroupReadTheLogs() throws IOException {
    whole(log(FileAccess.of("0640", Optional.empty(), root)), FIRST);
    assertThat(mode("web/latest")).isEqualTo("rw-r-----");
    assertThat(mode("web")).isEqualTo("rwxr-x---");
  }

  @Test
  void restrictsTheAccessToLogsOfAnEarlierAgent() throws IOException {
    whole(log(FileAccess.PUBLIC), FIRST);
    assertThat(mode("web/latest")).isEqualTo("rw-r--r--");
    Files.createDirectories(root.resolve("other"));
    Files.setPosixFilePermissions(
        root.resolve("other"), PosixFilePermissions.fromString("rwxr-xr-x"));

    log();

    assertThat(mode("web/latest")).isEqualTo("rw-------");
    assertThat(mode("web")).isEqualTo("rwx------");
    assertThat(mode("other")).isEqualTo("rwxr-xr-x");
    assertThat(problems).isEmpty();
  }

  @Test
  void oldLogsAreRemovedAndOtherFilesAreKept() throws IOException {
    Files.createDirectories(root.resolve("gone"));
    Files.createDirectories(root.resolve("config"));
    var theirs = Files.writeString(root.resolve("config/web.json"), "x");
    var segment = Files.writeString(root.resolve("gone/log.20180101000000.txt"), "x");
    Files.createSymbolicLink(root.resolve("gone/latest"), Path.of("log.20180101000000.txt"));
    for (var file : List.of(theirs, segment)) {
      Files.setLastModifiedTime(file, FileTime.from(now.minus(Duration.ofDays(31))));
    }
    Files.createDirectories(root.resolve(".index"));
    for (int ago = 1; ago < 30; ago++) {
      var day = Rows.indexFile(now.minus(Duration.ofDays(ago)));
      Files.writeString(root.resolve(".index").resolve(day), "[]\n");
    }
    whole(log(), FIRST);
    assertThat(root.resolve("gone")).doesNotExist();
    assertThat(theirs).exists();
    assertThat(root.resolve("web/latest")).exists();
  }

  @Test
  void aLinkIsNotFollowedAndAFailureIsReportedOnce() throws IOException {
    var victim = Files.writeString(root.resolve("victim"), "precious");
    Files.createDirectories(root.resolve("web"));
    Files.createSymbolicLink(root.resolve("web/log.20180810151150.txt"), victim);
    var log = log();
    log.beginRole(FIRST, "web", Map.of());
    log.endRole(FIRST, "web", List.of(LogPiece.ofRun("x\n")));
    assertThat(victim).hasContent("precious");
    assertThat(problems).hasSize(1).first().asString().contains("symbolic link");
  }

  @Test
  void openDeploymentsAreAborted() throws IOException {
    var log = log();
    log.begin(FIRST);
    log.abandon();
    log.abandon();
    assertThat(text(".index/latest").lines()).last().asString().endsWith("\"DeploymentError\"]");
    assertThat(text(".global/latest").lines())
        .filteredOn(line -> line.contains("DeploymentError"))
        .hasSize(1);
  }

  private List<String> ends(String id) throws IOException {
    return text(".index/latest")
        .lines()
        .filter(line -> line.contains("\"" + id + "\""))
        .filter(line -> line.matches(".*\"Deployment(Finish|Error)\"]"))
        .toList();
  }

  @Test
  void deploymentsOfAKilledAgentAreAbortedOnce() throws IOException {
    var killed = log();
    whole(killed, FIRST);
    killed.beginRole(new Deployment("d2", HASH, false, List.of()), "web", Map.of());
    for (int start = 0; start < 2; start++) {
      now = now.plusSeconds(60);
      log().abandonUnfinished();
    }
    assertThat(ends("d1")).singleElement().asString().endsWith("\"DeploymentFinish\"]");
    assertThat(ends("d2")).singleElement().asString().startsWith("[\"2018-08-10T15:12:50Z\"");
    assertThat(text(".global/latest"))
        .endsWith(
            """
            2018-08-10T15:12:50Z d2 ------------ DeploymentError -----------\s
            ERROR: the agent ended before this deployment did
            """)
        .containsOnlyOnce("DeploymentError");
    assertThat(problems).isEmpty();
  }

  @Test
  void aRowWithoutItsBeginningIsIgnored() {
    var row = "[\"web\",\"20180810151150\",123]},\"RoleStart\"]";
    assertThat(Unfinished.among(List.of(row))).isEmpty();
  }

  @Test
  void anIncompleteRowEndsNoDeployment() throws IOException {
    whole(log(), FIRST);
    var index = root.resolve(".index/index.20180810.json");
    var rows = Files.readString(index);
    Files.writeString(index, rows.substring(0, rows.length() - "Finish\"]\n".length()));
    log().abandonUnfinished();
    log().abandonUnfinished();
    assertThat(ends("d1")).singleElement().asString().endsWith("\"DeploymentError\"]");
    assertThat(Files.readString(index)).contains("\"Deployment\n[\"2018");
  }

  @Test
  void aDeploymentOfThePreviousDayIsAborted() throws IOException {
    now = Instant.parse("2018-08-10T23:59:59Z");
    var killed = log();
    killed.begin(FIRST);
    now = Instant.parse("2018-08-11T00:00:01Z");
    whole(killed, new Deployment("d2", HASH, false, List.of()));
    now = Instant.parse("2018-08-20T08:00:00Z");
    log().abandonUnfinished();
    now = Instant.parse("2018-08-21T08:00:00Z");
    log().abandonUnfinished();
    assertThat(text(".index/index.20180820.json").lines())
        .singleElement()
        .asString()
        .contains("\"d1\"")
        .endsWith("\"DeploymentError\"]");
    assertThat(root.resolve(".index/index.20180821.json")).doesNotExist();
  }

  @Test
  void anEmptyLogHasNoUnfinishedDeployments() throws IOException {
    log().abandonUnfinished();
    assertThat(root).isEmptyDirectory();
    assertThat(problems).isEmpty();
  }
}
