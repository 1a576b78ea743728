package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.stores.testkit.SmallDisk;

/** Process files and notes of shims on a real disk that is full. */
class FullDiskTest {
  @TempDir Path root = Path.of("");
  private SmallDisk disk;
  private Site site;

  @BeforeEach
  void open() {
    disk = SmallDisk.on(root.resolve("disk"), 1024);
    site = new Site(disk.directory());
    site.image("one", "exec sleep 300", "kill-timeout: 1");
    site.image(
        "ends",
        "trap 'exit 42' USR1; echo ready; while :; do sleep 0.02; done",
        "restart-timeout: 1");
    site.open();
  }

  @AfterEach
  void close() {
    if (site != null) {
      disk.free();
      site.close();
    }
    if (disk != null) {
      disk.close();
    }
  }

  @Test
  void aRequestThatCannotBeWrittenFailsAndWhatRunsGoesOn() {
    site.run(Map.of("web", Site.entry("one", 2)));
    site.awaitRunning(2);
    long pid = site.pid("web.0");
    var file = site.read("processes/shop.yaml");
    disk.fill();

    assertThatThrownBy(() -> site.run(Map.of("web", Site.entry("one", 3))))
        .hasStackTraceContaining("shop.yaml")
        .hasStackTraceContaining("No space left");

    assertThat(site.read("processes/shop.yaml")).isEqualTo(file);
    assertThat(site.slots()).hasSize(2);
    assertThat(site.pid("web.0")).isEqualTo(pid);
    disk.free();
    site.run(Map.of("web", Site.entry("one", 3)));
    site.awaitRunning(3);
    assertThat(site.pid("web.0")).isEqualTo(pid);
  }

  @Test
  void anExitIsNotedAndTheProgramStartsAgainWhenThereIsRoom() throws Exception {
    site.run(Map.of("web", Site.entry("ends", 1)));
    site.awaitRunning(1);
    site.until(() -> site.read("log/shop.web.0.log").contains("ready"));
    disk.fill();

    new ProcessBuilder("kill", "-USR1", "" + site.pid("web.0")).start().waitFor();

    var ended = site.awaitSlot("web.0", slot -> slot.lastExit().isPresent());
    assertThat(ended.lastExit().orElseThrow().code()).contains(42);
    disk.free();
    site.awaitRunning(1);
  }

  @Test
  void aNewSupervisorOpensAndAdoptsOnTheFullDisk() {
    site.run(Map.of("web", Site.entry("one", 2)));
    site.awaitRunning(2);
    long pid = site.pid("web.0");
    disk.fill();

    site.reopen();

    site.awaitRunning(2);
    assertThat(site.pid("web.0")).isEqualTo(pid);
  }
}
