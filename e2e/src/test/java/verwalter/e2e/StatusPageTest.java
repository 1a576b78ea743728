package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the page in Debian's browser shows changes without reloading. */
class StatusPageTest {
  @TempDir private Path root;
  private Site site;
  private LaunchedAgent agent;
  private Browser browser;

  @BeforeEach
  void start() throws IOException {
    site = Site.in(root);
    site.version("app", "v1", 2);
    agent = LaunchedAgent.start(root, site);
    browser = Browser.start(root.resolve("browser"));
  }

  @AfterEach
  void stop() throws Exception {
    if (browser != null) {
      browser.close();
    }
    agent.close();
  }

  @Test
  void aVersionChangeArrivesWithoutReloading() throws Exception {
    agent.awaitRunning("app", 2);
    browser.open(agent);
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(browser.text()).contains("v1"));

    site.version("app", "v2", 3);

    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(browser.text()).contains("v2").contains("3/3"));
    assertThat(browser.isSamePage()).isTrue();
  }

  @Test
  void aBrokenTemplateIsShownWithItsReason() throws Exception {
    agent.awaitRunning("app", 2);
    browser.open(agent);

    site.write("templates/app/v1/settings.txt.j2", "version=new\n{{ versoin }}\n");

    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> assertThat(browser.text()).contains("Broken").contains("settings.txt.j2:2"));
  }

  @Test
  void aFrozenAgentIsShownAsSuch() throws Exception {
    browser.open(agent);
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(browser.connection()).isEqualTo("live"));

    agent.freeze();
    try {
      await()
          .atMost(Duration.ofSeconds(15))
          .untilAsserted(() -> assertThat(browser.connection()).startsWith("no answer for "));
    } finally {
      agent.thaw();
    }

    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(browser.connection()).isEqualTo("live"));
  }
}
