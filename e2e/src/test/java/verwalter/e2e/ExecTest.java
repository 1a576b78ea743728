package verwalter.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.ImageSite.soon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.e2e.LaunchedAgent.Output;

/** Commands beside processes with the launcher: {@code vw exec}. */
class ExecTest {
  private static final String SERVICE =
      """
      processes:
        web:
          command: [/bin/sh, -c, "exec sleep 86400"]
          directory: %s
          env: {COLOUR: blue}
          limits: {files: 77}
      commands:
        migrate:
          command: [/bin/sh, -c, "id -un; pwd; echo $$COLOUR; umask; cat; exit 5"]
          directory: %1$s
          env: {COLOUR: red}
          umask: "027"
        yearly: {command: [/bin/true], cron: "@yearly"}
      """;

  @TempDir private Path root;
  private LaunchedAgent agent;

  @BeforeEach
  void start() throws Exception {
    var site = Site.reopened(root);
    Files.createDirectories(site.config().resolve("roles"));
    site.write("roles/shop.yaml", SERVICE.formatted(root));
    agent = LaunchedAgent.start(root, site);
    soon(() -> assertThat(agent.vw("get", "pg").text()).contains("1/1"));
  }

  @AfterEach
  void stop() throws Exception {
    agent.close();
  }

  private String socket() {
    return "unix:" + root.resolve("storage/verwalter.sock");
  }

  /** Runs {@code vw exec} over the unix socket, with an input. */
  private Output exec(String input, String... words) throws Exception {
    var line =
        new ArrayList<>(
            List.of(LaunchedAgent.HOME.resolve("vw").toString(), "--server", socket(), "exec"));
    line.addAll(List.of(words));
    var file = Files.writeString(root.resolve("input"), input);
    var process =
        new ProcessBuilder(line).redirectInput(file.toFile()).redirectErrorStream(true).start();
    var text = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Output(process.waitFor(), text);
  }

  private String user() throws IOException {
    boolean isRoot = System.getProperty("user.name").equals("root");
    return isRoot ? "nobody" : System.getProperty("user.name");
  }

  @Test
  void commandHasTheUserDirectoryEnvironmentAndLimitsOfTheProcess() throws Exception {
    var script = "id -un; pwd; echo $COLOUR; ulimit -n; tr a-z A-Z; echo bad >&2; exit 7";
    var output = exec("the input\n", "shop/web", "--", "sh", "-c", script);
    // Errors may arrive earlier or later than what was printed.
    assertThat(output.text()).contains("bad\n");
    assertThat(output.text().replace("bad\n", ""))
        .contains(user() + "\n" + root + "\nblue\n77\nTHE INPUT\n");
    assertThat(output.code()).isEqualTo(7);

    var large = "x".repeat(3_000_000);
    assertThat(exec(large, "shop", "--", "cat").text()).isEqualTo(large);

    var killed = exec("", "shop", "--", "sh", "-c", "kill -KILL $$");
    assertThat(killed.code()).isEqualTo(137);

    var terminal = exec("exit 3\n", "shop", "-t", "--", "sh", "-c", "tty; stty size; read a; $a");
    assertThat(terminal.text()).contains("/dev/pts/", "24 80");
    assertThat(terminal.code()).isEqualTo(3);

    var unknown = exec("", "shop", "--", "no-such-program");
    assertThat(unknown.text()).contains("there is no program \"no-such-program\"");
    assertThat(unknown.code()).isEqualTo(1);

    var audit = agent.vwAsAdmin("audit").text();
    assertThat(audit).contains("exec", "shop/web.0@alone sh").doesNotContain("COLOUR");
    assertThat(Files.readString(onlyAudit())).contains("\"exec-end\"", "\"outcome\":7");
  }

  @Test
  void commandOfTheServiceRunsByItsName() throws Exception {
    var output = exec("the input", "shop/migrate");
    assertThat(output.text()).isEqualTo(user() + "\n" + root + "\nred\n0027\nthe input");
    assertThat(output.code()).isEqualTo(5);
    assertThat(exec("x", "shop", "--", "cat").text()).as("the only process").isEqualTo("x");

    var command = agent.object("processgroups", "shop@alone").at("/status/commands/0");
    assertThat(command.path("name").asText()).isEqualTo("shop/yearly.0");
    assertThat(command.path("nextStart").asText()).matches("\\d{4}-01-01T00:00:00Z");
    assertThat(exec("", "shop/yearly").code()).isZero();
  }

  private Path onlyAudit() throws IOException {
    try (var files = Files.list(root.resolve("storage/audit"))) {
      return files.filter(file -> file.toString().contains("audit")).findFirst().orElseThrow();
    }
  }

  @Test
  void onlyAdministratorsRunCommands() throws Exception {
    var anonymous = agent.vw("exec", "shop/web", "--", "id");
    assertThat(anonymous.text())
        .contains("Forbidden", "create exec needs an admin, and you are anonymous")
        .doesNotContain("uid=");
    assertThat(anonymous.code()).isEqualTo(1);
  }

  @Test
  void commandEndsWithItsClient() throws Exception {
    var client =
        new ProcessBuilder(
                LaunchedAgent.HOME.resolve("vw").toString(),
                "--server",
                socket(),
                "exec",
                "shop/web",
                "--",
                "sh",
                "-c",
                "setsid sleep 4711 & echo $!; trap '' TERM; sleep 4712; sleep 4713")
            .redirectErrorStream(true)
            .start();
    try {
      var pid = new StringBuilder();
      for (int next = client.getInputStream().read(); next != '\n'; ) {
        assertThat(next).isNotNegative();
        pid.append((char) next);
        next = client.getInputStream().read();
      }
      var left = ProcessHandle.of(Long.parseLong(pid.toString())).orElseThrow();
      client.destroyForcibly();
      soon(() -> assertThat(left.isAlive()).isFalse());
    } finally {
      client.destroyForcibly();
    }
  }
}
