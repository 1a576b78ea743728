package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** Tests schedules of the largest size with the memory that an agent has by default. */
class ScheduleSizeTest {
  /** Returns 16 MiB of JSON minus at most {@code spare} bytes; each entry is different. */
  private static final String LARGEST =
      """
      local function schedule(input)
        local entries, size, padding = {}, 0, string.rep("x", 1500)
        while size < 16 * 1024 * 1024 - 4000 do
          local n = #entries
          local entry = '"entry' .. n .. '":{"n":' .. n .. ',"padding":"' .. padding .. '"}'
          entries[n + 1] = entry
          size = size + #entry + 1
        end
        return '{"roles":{},"nodes":{"' .. input.current_host .. '":{"roles":{}}},"state":{' ..
          table.concat(entries, ",") .. '}}', ""
      end
      return { scheduler = schedule }
      """;

  /** Returns a share that is larger than an object can be. */
  private static final String TOO_LARGE =
      """
      local function schedule(input)
        return '{"roles":{},"nodes":{"' .. input.current_host .. '":{"roles":{"' ..
          string.rep("x", 2000000) .. '":{}}}}}', ""
      end
      return { scheduler = schedule }
      """;

  @TempDir private Path root;
  private LaunchedAgent agent;

  @AfterEach
  void stop() throws Exception {
    if (agent != null) {
      agent.close();
    }
  }

  @EnabledIfEnvironmentVariable(named = "VERWALTER_SLOW_TESTS", matches = ".+")
  @Test
  void largestScheduleIsPublished() throws Exception {
    var site = Site.in(root);
    site.write("scheduler/v1/main.lua", LARGEST);
    agent = LaunchedAgent.start(root, site);
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> agent.vw("status").text().contains("Schedule:    ● ok"));
    assertThat(agent.text("/apis/verwalter.io/v1/schedules/current"))
        .hasSizeGreaterThan((16 << 20) - 4000)
        .contains("\"entry0\"");
    agent.killHard();
    agent.startAgain();
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(agent.text("/apis/verwalter.io/v1/schedules/current"))
                    .hasSizeGreaterThan((16 << 20) - 4000));
  }

  @Test
  void scheduleThatCannotBeStoredIsShownByStatus() throws Exception {
    var site = Site.in(root);
    site.version("app", "v1", 1);
    agent = LaunchedAgent.start(root, site);
    agent.awaitRunning("app", 1);
    site.write("scheduler/v1/main.lua", TOO_LARGE);
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () ->
                assertThat(agent.vw("status").text())
                    .contains("the schedule cannot be stored: NodeSchedule/alone: its JSON has"));
    assertThat(agent.stateOf("app")).isEqualTo("RUNNING");
  }
}
