package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.ImageSite.awaitVersion;
import static verwalter.e2e.ImageSite.soon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.stores.testkit.SmallDisk;

/**
 * A disk without space for the next release, on a file system of its own. The old version runs, and
 * the update goes on once there is space.
 */
class ReleaseDiskTest {
  /** What a download or an unpacking leaves free on a disk. */
  private static final int RESERVE = 256 << 20;

  private static final int MORE = 32 << 20;

  private static final int FILE = 20_000_000;

  @TempDir private Path root;
  private ArchiveServer server;
  private SmallDisk disk;
  private ImageSite images;
  private ProcessJournal journal;
  private LaunchedAgent agent;

  @BeforeEach
  void start() throws IOException {
    disk = SmallDisk.on(root.resolve("storage"), (RESERVE + MORE) / 1024);
    server = new ArchiveServer();
    images = ImageSite.in(root, server);
    images.role("app");
    journal = new ProcessJournal(root.resolve("journal"));
    images.version("app", "v1", 1, files(""));
    agent = LaunchedAgent.start(root, images.site());
    awaitVersion(agent, "app", "v1", 1);
  }

  @AfterEach
  void stop() throws Exception {
    if (agent != null) {
      agent.close();
      server.close();
    }
    if (disk != null) {
      disk.close();
    }
  }

  private Map<String, String> files(String ballast) {
    var files = new HashMap<>(ImageSite.journaled(journal));
    files.put("app/ballast", ballast);
    return files;
  }

  private String reason() {
    return ImageSite.reason(agent, "app");
  }

  @Test
  void aReleaseThatDoesNotFitWaitsUntilThereIsSpace() throws Exception {
    var ballast = disk.directory().resolve("other");
    Files.write(ballast, new byte[MORE / 2]);

    // It can be compressed well, so the archive fits.
    images.version("app", "v2", 1, files("x".repeat(199).concat("\n").repeat(FILE / 200)));

    soon(
        () ->
            assertThat(reason())
                .startsWith("v2: verified: cannot unpack sha256:")
                .contains(FILE + " bytes are needed, and a reserve of " + RESERVE)
                .containsPattern("; next attempt at 20.*Z"));
    assertThat(agent.vw("get", "dr", "-o", "json").text()).contains("NoSpace");
    assertThat(journal.endings()).isEmpty();
    Files.delete(ballast);

    awaitVersion(agent, "app", "v2", 1);
  }

  @Test
  void aDiskThatIsFullDuringADownloadStopsNothingAndTheUpdateGoesOn() throws Exception {
    var archive = ImageSite.archive("v2");
    server.hold(archive);
    images.version("app", "v2", 1, files(ImageSite.ballast(2_000_000)));
    int half = server.size(archive) / 2;
    soon(() -> assertThat(server.sent(archive)).isEqualTo(half));

    disk.fill();
    server.release(archive);

    soon(() -> assertThat(server.sending(archive)).isZero());
    soon(() -> assertThat(agent.text("/readyz")).contains("[-]store failed", "the disk is full"));
    assertThat(journal.endings()).isEmpty();
    disk.free();

    awaitVersion(agent, "app", "v2", 1);
    assertThat(server.starts(archive).get(0)).isZero();
    assertThat(server.starts(archive).subList(1, server.requests(archive)))
        .isNotEmpty()
        .allMatch(start -> start > 0);
    soon(() -> assertThat(images.releases()).hasSize(1));
  }
}
