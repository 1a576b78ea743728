package verwalter.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.ProcessGroup.State;

class EmbeddedSupervisorTest {
  @TempDir Path base;
  private Site site;

  @BeforeEach
  void open() {
    site = new Site(base);
  }

  @AfterEach
  void close() {
    site.close();
  }

  @Test
  void aProcessIsStartedAndItsDeathNoticed() {
    site.image("web", "exec sleep 300", "");
    site.open();
    site.run(Map.of("web", Site.entry("web", 1)));
    var slot = site.awaitSlot("web.0", it -> it.state() == State.RUNNING);
    assertThat(Site.alive(slot.pid().orElseThrow())).isTrue();
    Site.kill9(slot.pid().orElseThrow());
    var dead = site.awaitSlot("web.0", it -> it.lastExit().isPresent());
    assertThat(dead.lastExit().orElseThrow().signal()).isEqualTo(Optional.of(9));
    assertThat(dead.lastExit().orElseThrow().failure()).isTrue();
    var next = site.awaitSlot("web.0", it -> it.state() == State.RUNNING);
    assertThat(next.pid()).isNotEqualTo(slot.pid());
    assertThat(next.restarts()).isEqualTo(1);
    System.out.println(site.read("log/shop.log"));
  }
}
