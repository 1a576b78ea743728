package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.ImageSite.awaitVersion;
import static verwalter.e2e.ImageSite.soon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A directory of the agent is lost while it runs, and stays lost when the next agent starts. No
 * process ends, other roles are deployed, and an update works once the directory is back.
 */
@EnabledIfEnvironmentVariable(named = "VERWALTER_SLOW_TESTS", matches = ".+")
class LostDirectoriesTest {
  @TempDir private Path root;
  private ArchiveServer server;
  private ImageSite images;
  private ProcessJournal journal;
  private LaunchedAgent agent;
  private Map<String, Long> before;

  @BeforeEach
  void start() throws IOException {
    server = new ArchiveServer();
    images = ImageSite.in(root, server);
    journal = new ProcessJournal(root.resolve("journal"));
    images.role("app");
    images.version("app", "v1", 2, files("app"));
    agent = LaunchedAgent.start(root, images.site());
    awaitVersion(agent, "app", "v1", 2);
    before = agent.pids("app");
  }

  @AfterEach
  void stop() throws Exception {
    agent.close();
    server.close();
  }

  private Map<String, String> files(String text) {
    var files = new java.util.HashMap<>(ImageSite.journaled(journal));
    files.put("app/text", text);
    return files;
  }

  private void assertUntouched() throws IOException {
    assertThat(journal.endings()).isEmpty();
    assertThat(journal.running()).containsAll(before.values());
  }

  /** The agent has looked at everything once it runs another role. */
  private void another(String role) throws IOException {
    images.role(role);
    images.wanted(role, "v1", 1, role, server.add(role, files(role)));
    awaitVersion(agent, role, "v1", 1);
  }

  private void update() throws IOException {
    images.wanted("app", "v2", 2, "v2", server.add("v2", files("second")));
    awaitVersion(agent, "app", "v2", 2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"storage/releases", "storage/artifacts", "storage/lithos/processes", "log"})
  void aDirectoryOfTheAgentIsLost(String directory) throws Exception {
    Files.move(root.resolve(directory), root.resolve("lost"));

    another("second");

    assertUntouched();
    assertThat(agent.pids("app")).isEqualTo(before);
    agent.killHard();
    agent.startAgain();
    another("third");
    assertUntouched();
    soon(() -> assertThat(agent.pids("app")).isEqualTo(before));
    awaitVersion(agent, "app", "v1", 2);
    assertUntouched();
    update();
  }

  @Test
  void theWholeConfigurationIsLost() throws Exception {
    Files.move(root.resolve("config"), root.resolve("lost"));

    soon(() -> assertThat(agent.vw("status").text()).contains("the configuration directory"));

    assertUntouched();
    agent.killHard();
    assertThat(agent.runAgain()).isNotZero();
    assertThat(agent.log().lines().reduce((any, last) -> last).orElseThrow())
        .contains(root.resolve("config").toString());
    assertUntouched();
    Files.move(root.resolve("lost"), root.resolve("config"));
    agent.startAgain();
    another("second");
    assertThat(agent.pids("app")).isEqualTo(before);
    assertUntouched();
    update();
  }

  @ParameterizedTest
  @CsvSource({
    "config/runtime, config/runtime",
    "config/scheduler, config/scheduler",
    "config/templates, templates/app/v1 is not a directory"
  })
  void aDirectoryOfTheConfigurationIsLost(String directory, String shown) throws Exception {
    Files.move(root.resolve(directory), root.resolve("lost"));

    soon(() -> assertThat(agent.vw("status").text()).contains(shown));

    assertUntouched();
    agent.killHard();
    agent.startAgainUnready();
    soon(() -> assertThat(agent.vw("status").text()).contains(shown));
    assertUntouched();
    assertThat(agent.pids("app")).isEqualTo(before);
    Files.move(root.resolve("lost"), root.resolve(directory));
    another("second");
    assertUntouched();
    update();
  }

  @Test
  void theWholeStorageIsLostWhileTheAgentRuns() throws Exception {
    Files.move(root.resolve("storage"), root.resolve("lost"));
    images.role("second");
    images.wanted("second", "v1", 1, "second", server.add("second", files("second")));

    soon(() -> assertThat(agent.log()).contains(root.resolve("storage").toString()));

    assertUntouched();
    agent.killHard();
    // The agent makes directories for downloads if it got so far.
    if (Files.exists(root.resolve("storage"))) {
      Files.move(root.resolve("storage"), root.resolve("remains"));
    }
    Files.move(root.resolve("lost"), root.resolve("storage"));
    agent.startAgain();
    awaitVersion(agent, "second", "v1", 1);
    assertThat(agent.pids("app")).isEqualTo(before);
    assertUntouched();
    update();
  }
}
