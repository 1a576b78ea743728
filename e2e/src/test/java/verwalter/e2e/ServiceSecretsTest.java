package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.ImageSite.soon;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets of the processes of a service, with the launcher and real processes. */
class ServiceSecretsTest {
  private static final String SECRET = "correct-horse-battery-staple";

  /** Says how long its secret is, and with which modes and owners it has it. */
  private static final String SERVICE =
      """
      processes:
        job:
          command:
            - sh
            - -c
            - cd $CREDENTIALS_DIRECTORY && wc -c <db && stat -c '%%a %%u' . db; exec sleep 86400
          secrets: {db: %1$s}
          stop-timeout: 1s
      commands:
        show: {command: [sh, -c, 'cat $CREDENTIALS_DIRECTORY/key'], secrets: {key: %1$s}}
      update: {ready-for: 1s}
      """;

  @TempDir private Path root;
  private Site site;
  private LaunchedAgent agent;

  @BeforeEach
  void start() throws IOException {
    agent = LaunchedAgent.startForServices(root);
    site = agent.site();
  }

  @AfterEach
  void stop() throws Exception {
    agent.close();
  }

  private String logs() throws IOException, InterruptedException {
    return agent.vw("logs", "shop").text();
  }

  private static Path credentials(long pid) throws IOException {
    var environment = Files.readString(Path.of("/proc/" + pid + "/environ"));
    return Path.of(environment.replaceFirst("(?s).*CREDENTIALS_DIRECTORY=([^\0]*)\0.*", "$1"));
  }

  /** The files below a directory that contain the secret. */
  private static String leaks(Path directory) throws IOException {
    var found = new StringBuilder();
    try (var files = Files.walk(directory)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        if (new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(SECRET)) {
          found.append(file).append('\n');
        }
      }
    }
    return found.toString();
  }

  @Test
  void aSecretIsAFileThatOnlyTheUserOfTheProcessMayRead() throws Exception {
    var source = root.resolve("db.key");
    site.write("roles/shop.yaml", SERVICE.formatted(source));
    soon(
        () ->
            assertThat(agent.vw("status").text())
                .contains("secret db: " + source + " does not exist"));
    Files.writeString(source, SECRET);
    soon(() -> assertThat(agent.vw("status").text()).contains("run: chmod 600 " + source));
    Files.setPosixFilePermissions(source, PosixFilePermissions.fromString("rw-------"));

    long pid = agent.awaitRunning("shop", 1).values().iterator().next();
    var uid = Files.getAttribute(Path.of("/proc/" + pid), "unix:uid");
    soon(
        () ->
            assertThat(logs())
                .contains(String.valueOf(SECRET.length()), "700 " + uid, "400 " + uid));
    var copies = credentials(pid);
    assertThat(copies.resolve("db")).hasContent(SECRET);
    var exec =
        agent.vwAsAdmin("exec", "shop/job", "--", "sh", "-c", "cat \"$CREDENTIALS_DIRECTORY/db\"");
    assertThat(exec.text()).contains(SECRET);
    assertThat(agent.vwAsAdmin("exec", "shop/show").text()).contains(SECRET);
    assertThat(agent.vw("describe", "pg", "shop@alone").text())
        .contains(source.toString())
        .doesNotContain(SECRET);
    assertThat(leaks(root.resolve("storage"))).isEmpty();
    assertThat(leaks(root.resolve("log"))).isEmpty();

    agent.killHard();
    agent.startAgain();
    assertThat(agent.awaitRunning("shop", 1).values()).containsExactly(pid);
    assertThat(copies.resolve("db")).hasContent(SECRET);
    Files.delete(site.config().resolve("roles/shop.yaml"));
    soon(() -> assertThat(copies).doesNotExist());
    assertThat(copies.getParent()).isEmptyDirectory();
  }
}
