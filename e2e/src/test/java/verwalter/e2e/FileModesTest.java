package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The modes of all files and directories that an agent makes. They must not depend on the umask
 * that the agent was started with.
 */
class FileModesTest {
  @TempDir private Path root;

  /** Everything below the state of the agent that is not as described, by its path. */
  private static Map<String, String> deviations(Path root, String files, String directories)
      throws IOException {
    var found = new TreeMap<String, String>();
    for (var top : List.of(root.resolve("storage"), root.resolve("log"), root.resolve("tmp"))) {
      try (var tree = Files.walk(top)) {
        for (var path : tree.filter(each -> !each.equals(root.resolve("tmp"))).toList()) {
          if (!Files.isSymbolicLink(path)) {
            var mode =
                PosixFilePermissions.toString(
                    Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
            var wanted = Files.isDirectory(path) ? directories : files;
            if (!mode.equals(wanted)) {
              found.put(root.relativize(path).toString(), mode);
            }
          }
        }
      }
    }
    return found;
  }

  private static void awaitKept(Path root) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                Files.exists(root.resolve("storage/schedule/schedule.json"))
                    && Files.exists(root.resolve("log/.index/latest"))
                    && notEmpty(root.resolve("storage/decisions")));
  }

  private static boolean notEmpty(Path directory) throws IOException {
    try (var files = Files.list(directory)) {
      return files.findAny().isPresent();
    }
  }

  /** A whole life: processes, templates, decisions, deployments, a snapshot at the end. */
  private static void live(Path root, String umask, String... flags) throws Exception {
    var site = Site.in(root);
    site.version("app", "v1", 2);
    Files.createDirectory(root.resolve("tmp"));
    var agent = LaunchedAgent.startWithUmask(umask, root, site, flags);
    try {
      agent.awaitRunning("app", 2);
      awaitKept(root);
    } finally {
      agent.stop();
      Processes.endAllBelow(root);
    }
  }

  @Test
  void modesDoNotDependOnTheUmask() throws Exception {
    for (var umask : List.of("000", "022", "077")) {
      var own = Files.createDirectory(root.resolve(umask));
      live(own, umask);
      assertThat(deviations(own, "rw-------", "rwx------")).as("umask %s", umask).isEmpty();
      for (var made :
          List.of(
              "storage/store",
              "storage/decisions",
              "storage/templates",
              "storage/schedule/schedule.json",
              "storage/lithos/processes/app.yaml",
              "storage/lithos/run/keeper.sh",
              "storage/lithos/run/lock",
              "log/app.worker.0.log",
              "log/config/app.log",
              "log/app/latest")) {
        assertThat(own.resolve(made)).as("umask %s", umask).exists();
      }
    }
  }

  @Test
  void logModeLetsOthersReadLogsOnly() throws Exception {
    live(root, "077", "--log-mode=0644");
    assertThat(deviations(root, "rw-------", "rwx------").keySet())
        .isNotEmpty()
        .allMatch(path -> path.equals("log") || path.startsWith("log/"))
        .contains("log/app.worker.0.log", "log/app", "log/.index")
        .doesNotContain("log/config", "log/config/app.log");
    assertThat(Files.getPosixFilePermissions(root.resolve("log/app.worker.0.log")))
        .isEqualTo(PosixFilePermissions.fromString("rw-r--r--"));
  }

  @Test
  void aStartRestrictsTheFilesOfAnEarlierVersion() throws Exception {
    live(root, "022");
    loosen(root.resolve("storage"));
    loosen(root.resolve("log"));
    var agent = LaunchedAgent.startWithUmask("022", root, Site.reopened(root));
    try {
      agent.awaitRunning("app", 2);
    } finally {
      agent.stop();
      Processes.endAllBelow(root);
    }
    assertThat(deviations(root, "rw-------", "rwx------").keySet())
        .as("the two directories that were given stay as they were")
        .containsOnly("storage", "log");
  }

  /** The modes of version 0.1.0 under the usual umask. */
  private static void loosen(Path top) throws IOException {
    try (var tree = Files.walk(top)) {
      for (var path : tree.filter(each -> !Files.isSymbolicLink(each)).toList()) {
        Files.setPosixFilePermissions(
            path,
            PosixFilePermissions.fromString(Files.isDirectory(path) ? "rwxr-xr-x" : "rw-r--r--"));
      }
    }
  }

  @Test
  void refusesARunDirectoryThatOthersMayWrite() throws Exception {
    var run = Files.createDirectories(root.resolve("storage/lithos/run"));
    Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwxrwxrwx"));
    var site = Site.in(root);
    var agent =
        new ProcessBuilder(
                LaunchedAgent.HOME.resolve("verwalter").toString(),
                "--config-dir=" + site.config(),
                "--storage-dir=" + root.resolve("storage"),
                "--log-dir=" + root.resolve("log"),
                "--port=0")
            .redirectErrorStream(true)
            .redirectOutput(root.resolve("agent.log").toFile())
            .start();
    assertThat(agent.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(agent.exitValue()).isNotZero();
    assertThat(root.resolve("agent.log"))
        .content()
        .contains("other users may write into " + run.toRealPath())
        .contains("chmod go-w");
  }
}
