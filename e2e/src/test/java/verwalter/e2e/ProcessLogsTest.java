package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.ImageSite.soon;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs of processes with the launcher: {@code vw logs} of one node. */
class ProcessLogsTest {
  private static final String SERVICE =
      """
      processes:
        web:
          # head reads a line at once, so that only one of two processes gets it.
          command: [/bin/sh, -c, "echo begin $$0; while :; do line=$$(head -n 1 <in); [ -z \\"$$line\\" ] || echo got $$line; done", "${process}"]
          directory: %s
          instances: 2
          user: %s
        bad:
          command: [/bin/sh, -c, "echo first; echo cannot open $$DB_PASSWORD >&2; exit 3"]
          env: {DB_PASSWORD: hunter2-secret}
      """;

  @TempDir private Path root;
  private LaunchedAgent agent;

  @BeforeEach
  void start() throws Exception {
    var site = Site.reopened(root);
    Files.createDirectories(site.config().resolve("roles"));
    site.write("roles/shop.yaml", SERVICE.formatted(root, System.getProperty("user.name")));
    assertThat(new ProcessBuilder("mkfifo", root.resolve("in").toString()).start().waitFor())
        .isZero();
    agent = LaunchedAgent.start(root, site);
  }

  @AfterEach
  void stop() throws Exception {
    agent.close();
  }

  private String logs(String... words) throws IOException, InterruptedException {
    var line = IntStream.rangeClosed(0, words.length).mapToObj(i -> i == 0 ? "logs" : words[i - 1]);
    var output = agent.vw(line.toArray(String[]::new));
    assertThat(output.code()).as(output.text()).isZero();
    return output.text();
  }

  @Test
  void linesOfAllProcessesArePrintedFollowedAndFoundAfterACrash() throws Exception {
    soon(
        () ->
            assertThat(logs("shop"))
                .contains(
                    "shop/web.0@alone | begin ",
                    "shop/web.1@alone | begin ",
                    "shop/bad.0@alone | first"));
    assertThat(logs("shop/web.1")).contains("web.1@alone | begin").doesNotContain("web.0");
    assertThat(logs("shop/web.1", "--tail", "1", "--timestamps"))
        .matches("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z shop/web.1@alone \\| begin .*\n");
    soon(
        () ->
            assertThat(logs("shop/bad", "--previous"))
                .contains("cannot open", "exited with code 3")
                .containsOnlyOnce("| first"));

    var follower =
        new ProcessBuilder(
                LaunchedAgent.HOME.resolve("vw").toString(),
                "--server=" + agent.url(),
                "logs",
                "shop/web",
                "-f")
            .redirectErrorStream(true)
            .start();
    try (var lines =
        new BufferedReader(
            new InputStreamReader(follower.getInputStream(), StandardCharsets.UTF_8))) {
      var line = lines.readLine();
      while (!line.contains("begin")) {
        line = lines.readLine();
      }
      Files.writeString(root.resolve("in"), "the word\n");
      while (!line.contains("| got")) {
        line = lines.readLine();
      }
      assertThat(line).endsWith("| got the word");
    } finally {
      follower.destroy();
    }
  }
}
