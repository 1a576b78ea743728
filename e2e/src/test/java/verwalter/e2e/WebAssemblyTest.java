package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a scheduler and a query module written in Rust, with the launcher. */
class WebAssemblyTest {
  private static final Path MODULES =
      LaunchedAgent.HOME.resolve("scheduler-lua/core/src/test/resources/wasm");

  @TempDir private Path root;
  private Site site;
  private LaunchedAgent agent;

  @BeforeEach
  void start() throws IOException {
    site = Site.in(root);
    site.version("app", "v1", 3);
    module("rust.wasm", "scheduler.wasm");
    Files.delete(site.config().resolve("scheduler/v1/main.lua"));
    agent = LaunchedAgent.start(root, site);
  }

  @AfterEach
  void stop() throws Exception {
    agent.close();
  }

  private void module(String from, String name) throws IOException {
    var target = site.config().resolve("scheduler/v1").resolve(name);
    var next = target.resolveSibling("." + name + ".new");
    Files.copy(MODULES.resolve(from), next, StandardCopyOption.REPLACE_EXISTING);
    Files.move(next, target, StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void modulesDecideAndDetermineWhatIsRendered() throws Exception {
    agent.awaitRunning("app", 3);
    assertThat(agent.object("schedules", "current").at("/status/log").asText())
        .isEqualTo("1 hosts");
    assertThat(agent.json("/v1/roles_data").at("/to_render/app/count").asInt()).isEqualTo(3);

    module("rust-query.wasm", "query.wasm");
    agent.awaitRunning("app", 2);
    assertThat(agent.json("/v1/roles_data").at("/to_render/app/count").asInt()).isEqualTo(2);

    site.write("scheduler/v1/query.wasm", "no module");
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(agent.complaint(agent.object("nodeschedules", "alone"), "Accepted"))
                    .startsWith("query.wasm: it is no valid module: "));
    assertThat(agent.pids("app")).hasSize(2);

    Files.delete(site.config().resolve("scheduler/v1/query.wasm"));
    agent.awaitRunning("app", 3);
  }
}
