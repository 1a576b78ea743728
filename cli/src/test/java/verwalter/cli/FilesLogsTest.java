package verwalter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.Decisions;
import verwalter.ui.port.DeploymentHistory;

/** {@code vw files logs} with a real server and logs on disk. */
@SuppressWarnings("NullAway.Init") // JUnit fills the fields
class FilesLogsTest {
  @TempDir Path logs;
  private final Shell shell = new Shell();
  private RealServer server;

  private record LogsOnDisk(Path logs) implements DeploymentHistory {
    @Override
    public Path backups() {
      return logs;
    }

    @Override
    public Optional<Path> external(String name) {
      return Optional.empty();
    }

    @Override
    public void renderAll() {}
  }

  @BeforeEach
  void start() throws IOException {
    server = new RealServer(Decisions.NONE, new LogsOnDisk(logs));
    shell.environment.put("VERWALTER_SERVER", server.url());
    Files.createDirectories(logs.resolve("web"));
    Files.createDirectories(logs.resolve(".index"));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static String run(String id, String text) {
    return """
    2018-08-10T15:11:50Z %s ------------ web: RoleStart -----------\s
    Template variables: {}
    %s
    2018-08-10T15:11:51Z %s ------------ web: RoleFinish -----------\s
    """
        .formatted(id, text, id);
  }

  private void log(String segment, String... runs) throws IOException {
    Files.writeString(logs.resolve("web/log.%s.txt".formatted(segment)), String.join("", runs));
    Files.deleteIfExists(logs.resolve("web/latest"));
    Files.createSymbolicLink(logs.resolve("web/latest"), Path.of("log.%s.txt".formatted(segment)));
  }

  private String said(String... line) {
    assertThat(shell.vw(line)).as(shell.err()).isZero();
    return shell.out();
  }

  @Test
  void printsLastDeploymentOrNamedOne() throws IOException {
    log("1", run("aaa1", "  | one"), run("bbb2", "  | two"), run("bab3", "  | 2018 x \u001b[2J"));
    var last = said("files", "logs", "web");
    assertThat(last)
        .startsWith("2018-08-10T15:11:50Z bab3 ------------ web: RoleStart")
        .contains("  | 2018 x ")
        .doesNotContain("\u001b")
        .doesNotContain("bbb2")
        .contains("bab3 ------------ web: RoleFinish");
    assertThat(said("files", "logs", "role/web", "--previous")).contains("  | two\n");
    assertThat(said("files", "logs", "web", "-p")).contains("  | two\n").doesNotContain("one");
    assertThat(said("files", "logs", "web", "--deployment", "a")).contains("  | one\n");
    assertThat(shell.vw("files", "logs", "web", "--deployment", "b")).isEqualTo(1);
    assertThat(shell.err()).contains("more than one deployment begins with \"b\": bbb2, bab3");
    assertThat(shell.vw("files", "logs", "web", "--deployment", "c")).isEqualTo(1);
    assertThat(shell.err())
        .contains("deployment \"c\" of role \"web\" is neither in the role's log")
        .contains("vw files logs web");
  }

  @Test
  void findsFullLogByIndex() throws IOException {
    log("1", run("aaa1", "  | one"));
    log("2", run("bbb2", "  | two"));
    Files.writeString(
        logs.resolve(".index/latest"),
        """
        ["t","aaa1",{"variant":"Role","fields":["web","1",0]},"RoleStart"]
        ["t","ccc3",{"variant":"Role","fields":["db","7",0]},"RoleStart"]
        ["t","bbb2",{"variant":"Role","fields":["web","2",0]},"RoleStart"]
        ["t","bbb2",{"variant":"Role","fields":["web","../3",0]},"RoleStart"]
        ["t","bb
        """);
    assertThat(said("files", "logs", "web", "--previous")).contains("  | one\n");
    assertThat(said("files", "logs", "web", "--deployment", "aaa1")).contains("  | one\n");
    assertThat(said("files", "logs", "web")).contains("  | two\n");
  }

  @Test
  void reportsMissingDeployment() throws IOException {
    assertThat(shell.vw("files", "logs", "nope")).isEqualTo(1);
    assertThat(shell.err()).contains("no deployment of role \"nope\"").contains("vw why nope");
    log("1", run("aaa1", "  | one"));
    assertThat(shell.vw("files", "logs", "web", "--previous")).isEqualTo(1);
    assertThat(shell.err())
        .contains("no previous deployment of role")
        .contains("vw files logs web");
    assertThat(shell.vw("files", "logs", "web", "-p", "--deployment", "a")).isEqualTo(2);
    assertThat(shell.vw("files", "logs", "web", "--node", "n2")).isEqualTo(2);
    assertThat(shell.err()).contains("--server http://NODE:8379");
    assertThat(shell.vw("files", "logs")).isEqualTo(2);
    assertThat(shell.vw("files", "log", "web")).isEqualTo(2);
    assertThat(shell.err()).contains("did you mean vw files logs?");
  }
}
