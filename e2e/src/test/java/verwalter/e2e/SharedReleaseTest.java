package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.ImageSite.awaitVersion;
import static verwalter.e2e.ImageSite.soon;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two roles with the same archive, which is downloaded once and removed with its last user. */
class SharedReleaseTest {
  private static final String ARCHIVE = "shared.tar.gz";

  @TempDir private Path root;
  private ArchiveServer server;
  private ImageSite images;
  private ProcessJournal journal;
  private LaunchedAgent agent;

  @BeforeEach
  void start() throws IOException {
    server = new ArchiveServer();
    images = ImageSite.in(root, server);
    journal = new ProcessJournal(root.resolve("journal"));
    agent = LaunchedAgent.start(root, images.site());
  }

  @AfterEach
  void stop() throws Exception {
    agent.close();
    server.close();
  }

  @Test
  void theArchiveIsDownloadedOnceAndTheRemovalOfOneRoleLeavesTheOther() throws Exception {
    var sha256 = server.add(ARCHIVE, ImageSite.journaled(journal));
    server.hold(ARCHIVE);
    for (var role : List.of("left", "right")) {
      images.role(role);
      images.wanted(role, "v1", 1, ARCHIVE, sha256);
    }
    soon(() -> assertThat(agent.vw("get", "dr").text()).contains("left@v1", "right@v1"));
    soon(() -> assertThat(users()).containsExactly("left", "right"));
    server.release(ARCHIVE);
    awaitVersion(agent, "left", "v1", 1);
    awaitVersion(agent, "right", "v1", 1);

    assertThat(server.requests(ARCHIVE)).isEqualTo(1);
    assertThat(users()).containsExactly("left", "right");
    assertThat(images.archives()).hasSize(1);
    soon(() -> assertThat(images.releases()).hasSize(2));
    var right = agent.pids("right");

    images.site().remove("runtime/left");

    soon(() -> assertThat(users()).containsExactly("right"));
    soon(() -> assertThat(images.releases()).hasSize(1));
    assertThat(images.archives()).hasSize(1);
    assertThat(agent.pids("right")).isEqualTo(right);
    assertThat(journal.running()).containsExactlyElementsOf(right.values());

    images.site().remove("runtime/right");

    soon(() -> assertThat(users()).isEmpty());
    soon(() -> assertThat(images.releases()).isEmpty());
    soon(() -> assertThat(images.archives()).isEmpty());
  }

  /** The roles that use an archive of the node. */
  private List<String> users() {
    return agent.objects("artifacts").stream()
        .flatMap(
            artifact -> StreamSupport.stream(artifact.at("/status/users").spliterator(), false))
        .map(user -> user.asText().replaceFirst("@.*", ""))
        .sorted()
        .toList();
  }
}
