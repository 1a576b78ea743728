package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static verwalter.e2e.ImageSite.awaitVersion;
import static verwalter.e2e.ImageSite.soon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A machine that starts anew: the agent and all processes are gone, the storage directory is kept,
 * and the kernel has another boot id. To show the agent another one needs root.
 */
class ReleaseRebootTest {
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

  @TempDir private Path root;
  private ArchiveServer server;
  private ImageSite images;
  private ProcessJournal journal;
  private LaunchedAgent agent;

  @BeforeEach
  void start() throws IOException {
    assumeTrue(
        System.getProperty("user.name").equals("root"), "root shows an agent another boot id");
    server = new ArchiveServer();
    images = ImageSite.in(root, server);
    journal = new ProcessJournal(root.resolve("journal"));
    for (var role : new String[] {"steady", "updated"}) {
      images.role(role);
      images.wanted(role, "v1", 2, first(role), server.add(first(role), files(role)));
    }
    agent = LaunchedAgent.start(root, images.site());
  }

  @AfterEach
  void stop() throws Exception {
    if (agent != null) {
      agent.close();
      server.close();
    }
  }

  private static String first(String role) {
    return role + ".tar.gz";
  }

  private Map<String, String> files(String text) {
    var files = new HashMap<>(ImageSite.journaled(journal));
    files.put("text", text);
    return files;
  }

  /** Ends everything that a reboot ends. */
  private void reboot() throws Exception {
    agent.killHard();
    journal.killing();
    Processes.endAllBelow(root);
    soon(() -> assertThat(journal.running()).isEmpty());
    var boot = Files.writeString(root.resolve("boot"), UUID.randomUUID() + "\n");
    agent.startAgainBy(
        "unshare",
        "--mount",
        "sh",
        "-c",
        "mount --bind \"$0\" " + BOOT + " && exec \"$@\"",
        boot.toString());
  }

  @Test
  void whatRanIsStartedWithoutADownloadAndAnUnfinishedDownloadGoesOn() throws Exception {
    awaitVersion(agent, "steady", "v1", 2);
    awaitVersion(agent, "updated", "v1", 2);
    var releases = new TreeSet<>(images.releases());
    var next = ImageSite.archive("v2");
    server.hold(next);
    images.version("updated", "v2", 2, files(ImageSite.ballast(100_000)));
    soon(() -> assertThat(server.sent(next)).isEqualTo(server.size(next) / 2));
    soon(() -> assertThat(images.partial().get(0)).hasSize(server.size(next) / 2));

    reboot();

    agent.awaitRunning("steady", 2);
    soon(() -> assertThat(agent.pids("updated")).hasSize(2));
    assertThat(ImageSite.versions(agent, "updated")).containsOnly("v1");
    assertThat(ImageSite.reason(agent, "updated")).startsWith("v2: downloading");
    assertThat(images.releases()).containsExactlyElementsOf(releases);
    server.release(next);
    awaitVersion(agent, "updated", "v2", 2);
    awaitVersion(agent, "steady", "v1", 2);

    assertThat(server.requests(first("steady"))).isEqualTo(1);
    assertThat(server.requests(first("updated"))).isEqualTo(1);
    assertThat(server.starts(next)).containsExactly(0, server.size(next) / 2);
    assertThat(startsOf("steady")).isEqualTo(4);
    assertThat(startsOf("updated")).isEqualTo(6);
  }

  /** The number of processes that a role has started. */
  private long startsOf(String role) {
    return journal.lines().stream()
        .filter(line -> line.event().equals("start") && line.slot().startsWith(role + "/"))
        .count();
  }
}
