package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Time and memory of starting processes. The limits are wide, since the machine is shared; the
 * figures are printed.
 */
class SpeedTest {
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  @TempDir
  Path base;

  @Test
  void aHundredProcessesStartWithinSecondsAndCostLittle() throws IOException {
    try (var site = new Site(base)) {
      site.write("images/one/config.yaml", "executable: /bin/sleep\narguments: ['300']\n");
      site.open();
      // Warms up, since a supervisor that starts a hundred programs has usually run for a while.
      site.run(Map.of("warm", Site.entry("one", 3)));
      site.awaitRunning(3);
      int threads = Thread.activeCount();
      long began = System.nanoTime();
      site.run(Map.of("warm", Site.entry("one", 3), "web", Site.entry("one", 100)));
      site.awaitRunning(103);
      long startMillis = millisSince(began);
      assertThat(Thread.activeCount()).isLessThan(threads + 20);

      began = System.nanoTime();
      site.run(Map.of("warm", Site.entry("one", 3), "web", Site.entry("one", 99)));
      long reloadMillis = millisSince(began);

      var latencies = new ArrayList<Long>();
      for (int i = 0; i < 20; i++) {
        latencies.add(restartLatency(site, "web." + i));
      }
      Collections.sort(latencies);
      System.out.printf(
          "start of 100: %d ms; reload of 102: %d ms; restart after kill -9: median %d ms, worst"
              + " %d ms; shims: %d kB PSS for %d%n",
          startMillis,
          reloadMillis,
          latencies.get(10),
          latencies.get(19),
          shimsPss(site).stream().mapToLong(each -> each).sum(),
          shimsPss(site).size());
      assertThat(startMillis).isLessThan(5_000);
      assertThat(reloadMillis).isLessThan(1_000);
      assertThat(latencies.get(10)).isLessThan(500);
    }
  }

  private static long millisSince(long began) {
    return (System.nanoTime() - began) / 1_000_000;
  }

  private static long restartLatency(Site site, String name) {
    long pid = site.pid(name);
    site.until(
        () -> site.slot(name).started().orElseThrow().plusSeconds(1).isBefore(site.loop.now()));
    long began = System.nanoTime();
    Site.kill9(pid);
    while (site.slot(name).pid().filter(now -> now != pid).isEmpty()) {
      LockSupport.parkNanos(200_000);
    }
    return millisSince(began);
  }

  private static List<Long> shimsPss(Site site) throws IOException {
    var sizes = new ArrayList<Long>();
    for (var slot : site.slots()) {
      var parent = slot.pid().flatMap(ProcessHandle::of).flatMap(ProcessHandle::parent);
      if (parent.isPresent()) {
        var rollup = Files.readString(Path.of("/proc/" + parent.get().pid() + "/smaps_rollup"));
        rollup
            .lines()
            .filter(line -> line.startsWith("Pss:"))
            .forEach(line -> sizes.add(Long.parseLong(line.replaceAll("[^0-9]", ""))));
      }
    }
    return sizes;
  }
}
