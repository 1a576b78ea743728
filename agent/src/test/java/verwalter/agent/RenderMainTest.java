package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RenderMainTest {
  private static final String RECIPE =
      """
      templates:
        conf: conf.j2
      commands:
      - !Copy {src: "{{ files.conf }}", dest: "%s/{{ role }}.conf"}
      - !Sh "test ! -e %s/fail"
      """;

  @TempDir private Path root;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Path web;

  @BeforeEach
  void write() throws IOException {
    Files.createDirectories(root.resolve("sandbox"));
    Files.createDirectories(root.resolve("log"));
    web = Files.createDirectories(root.resolve("templates/web"));
    Files.writeString(web.resolve("web.render.yaml"), RECIPE.formatted(root, root));
    Files.writeString(web.resolve("conf.j2"), "port={{ port }} {{ deployment_id }}\n");
  }

  private int run(String... arguments) {
    var all = new ArrayList<>(List.of("--config-dir=" + root, "--log-dir=" + root.resolve("log")));
    all.addAll(List.of(arguments));
    var line =
        RenderMain.commandLine(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    line.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8));
    line.setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
    return line.execute(all.toArray(String[]::new));
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }

  private static final String FULL =
      "{\"role\":\"web\",\"port\":80,\"template\":\"web\",\"deployment_id\":\"d1\",\"verwalter_version\":\"v"
          + BuildVersion.NUMBER
          + "\"}";

  @Test
  void aCheckPrintsAndChangesNothing() {
    assertThat(run("--check-dir=" + web, "{\"role\":\"web\",\"port\":80}")).isZero();
    assertThat(text(out))
        .startsWith(
            "(dry run) web: web.render.yaml: conf:\nport=80 dry-run-dep-id-dead-beef\n\n(dry run) web: web.render.yaml:4:3: Copy ");
    assertThat(root.resolve("web.conf")).doesNotExist();
    assertThat(root.resolve("log")).isEmptyDirectory();
  }

  @Test
  void anErrorIsReportedWithFileLineAndColumn() throws IOException {
    Files.writeString(web.resolve("conf.j2"), "\n{{ prot }}\n");
    assertThat(run("-C", web.toString(), "{\"role\":\"web\",\"port\":80}")).isEqualTo(10);
    assertThat(text(err))
        .startsWith(web.resolve("conf.j2") + ":2:")
        .contains("prot")
        .contains("port");
  }

  @Test
  void withoutACheckItIsAppliedAndLogged() throws IOException {
    assertThat(run(FULL)).as(text(err)).isZero();
    assertThat(root.resolve("web.conf")).hasContent("port=80 d1");
    assertThat(Files.readString(root.resolve("log/web/latest")))
        .contains("d1 ------------ web: RoleStart", "\"port\":80");
    assertThat(Files.readString(root.resolve("log/.index/latest"))).contains("\"ActionStart\"");
  }

  @Test
  void aDryRunWritesNothing() {
    assertThat(run("--dry-run", FULL)).isZero();
    assertThat(text(out)).contains("port=80 d1");
    assertThat(root.resolve("web.conf")).doesNotExist();
  }

  @Test
  void aFailedCommandRestoresTheFiles() throws IOException {
    Files.writeString(root.resolve("web.conf"), "before");
    Files.createFile(root.resolve("fail"));
    assertThat(run(FULL)).isEqualTo(20);
    assertThat(root.resolve("web.conf")).hasContent("before");
    assertThat(text(err)).contains("web.render.yaml:5:3");
    assertThat(Files.readString(root.resolve("log/web/latest")))
        .contains("ERROR: Can't apply templates: ");
  }

  @Test
  void aLogThatCannotBeWrittenIsReportedAtTheEnd() throws IOException {
    Files.delete(root.resolve("log"));
    assertThat(run(FULL)).isEqualTo(81);
    assertThat(root.resolve("web.conf")).exists();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2|--what|{}",
        "2|--dry-run|{",
        "2|--schedule={|{}",
        "3|--dry-run|[]",
        "3|--vars-file=/nonexistent|{}",
        "3|--dry-run|{\"role\":\"web\",\"template\":\"web\"}",
        "4|--dry-run|{\"role\":\"web\",\"deployment_id\":\"d\"}",
        "3|--dry-run|{\"role\":\"web\",\"deployment_id\":\"d\",\"template\":\"web\"}",
        "5|--dry-run|{\"role\":\"web\",\"deployment_id\":\"d\",\"template\":\"web\",\"verwalter_version\":\"v0\"}",
        "3|--dry-run|{\"deployment_id\":\"d\",\"template\":\"web\",\"verwalter_version\":\"v0.1.0\"}",
        "3|--check-dir=/tmp|{\"port\":80}",
        "3|--schedule-file=/nonexistent|{\"role\":\"web\",\"deployment_id\":\"d\",\"template\":\"web\",\"verwalter_version\":\"v0.1.0\"}",
        "10|--dry-run|{\"role\":\"web\",\"deployment_id\":\"d\",\"template\":\"../x\",\"verwalter_version\":\"v0.1.0\"}",
        "10|--dry-run|{\"role\":\"web\",\"deployment_id\":\"d\",\"template\":\"gone\",\"verwalter_version\":\"v0.1.0\"}",
        "0|--help|{}",
      })
  void theExitCodeDependsOnTheError(int code, String flag, String variables) {
    assertThat(run(flag, variables)).as(text(err)).isEqualTo(code);
    assertThat(root.resolve("web.conf")).doesNotExist();
  }

  @Test
  void withoutASandboxNothingIsRendered() throws IOException {
    Files.delete(root.resolve("sandbox"));
    assertThat(run(FULL)).isEqualTo(3);
  }
}
