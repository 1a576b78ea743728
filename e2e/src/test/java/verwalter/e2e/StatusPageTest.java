package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** Tests that the page in Debian's browser shows changes without reloading. */
class StatusPageTest {
  @TempDir private Path root;
  private Site site;
  private LaunchedAgent agent;
  private ChromeDriver browser;

  @BeforeEach
  void start() throws IOException {
    site = Site.in(root);
    site.version("app", "v1", 2);
    agent = LaunchedAgent.start(root, site);
    var options = new ChromeOptions();
    options.setBinary("/usr/bin/chromium");
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--user-data-dir=" + root.resolve("browser"));
    var service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(new File("/usr/bin/chromedriver"))
            .build();
    browser = new ChromeDriver(service, options);
  }

  @AfterEach
  void stop() throws Exception {
    if (browser != null) {
      browser.quit();
    }
    agent.close();
  }

  private String text() {
    return browser.findElement(By.tagName("main")).getText();
  }

  @Test
  void aVersionChangeArrivesWithoutReloading() throws Exception {
    agent.awaitRunning("app", 2);
    browser.get(agent.url() + "/");
    var page = (JavascriptExecutor) browser;
    page.executeScript("window.stillTheSamePage = true;");
    await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(text()).contains("v1"));

    site.version("app", "v2", 3);

    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(text()).contains("v2").contains("3/3"));
    assertThat(page.executeScript("return window.stillTheSamePage;")).isEqualTo(true);
  }

  @Test
  void aBrokenTemplateIsShownWithItsReason() throws Exception {
    agent.awaitRunning("app", 2);
    browser.get(agent.url() + "/");

    site.write("templates/app/v1/settings.txt.j2", "version=new\n{{ versoin }}\n");

    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(text()).contains("Broken").contains("settings.txt.j2:2"));
  }

  @Test
  void aFrozenAgentIsShownAsSuch() throws Exception {
    browser.get(agent.url() + "/");
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(line()).isEqualTo("live"));

    agent.freeze();
    try {
      await()
          .atMost(Duration.ofSeconds(15))
          .untilAsserted(() -> assertThat(line()).startsWith("no answer for "));
    } finally {
      agent.thaw();
    }

    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(line()).isEqualTo("live"));
  }

  /** What the page says of its connection. */
  private String line() {
    return browser.findElement(By.id("line-word")).getText();
  }
}
