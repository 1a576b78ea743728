package verwalter.e2e;

import java.io.File;
import java.nio.file.Path;
import org.openqa.selenium.By;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** Debian's Chromium without a window, which shows the page of an agent. */
final class Browser implements AutoCloseable {
  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /**
   * Starts a browser.
   *
   * @param profile a directory for its own files
   */
  static Browser start(Path profile) {
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
        "--user-data-dir=" + profile);
    var service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(new File("/usr/bin/chromedriver"))
            .build();
    return new Browser(new ChromeDriver(service, options));
  }

  /** Loads the page of an agent. */
  void open(LaunchedAgent agent) {
    driver.get(agent.url() + "/");
    driver.executeScript("window.stillTheSamePage = true;");
  }

  /** Whether the page was not loaded again since {@link #open}. */
  boolean isSamePage() {
    return Boolean.TRUE.equals(driver.executeScript("return window.stillTheSamePage;"));
  }

  /** The text that a person sees. */
  String text() {
    return driver.findElement(By.tagName("main")).getText();
  }

  /** What the page says of its connection. */
  String connection() {
    return driver.findElement(By.id("line-word")).getText();
  }

  @Override
  public void close() {
    driver.quit();
  }
}
