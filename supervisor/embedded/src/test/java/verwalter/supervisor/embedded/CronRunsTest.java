package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.ProcessGroup.State;
import verwalter.model.ProcessSpec;

/** Commands that run by time, as real processes, with a clock that is set to that time. */
class CronRunsTest {
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  @TempDir
  Path base;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Site site;

  @BeforeEach
  void start() {
    site = new Site(base);
    site.settings = Settings.standard().allowingCommands();
    site.open();
  }

  @AfterEach
  void close() {
    site.close();
  }

  private static ProcessSpec yearly(String script, long limit) {
    return ProcessSpec.ofCommand(
            ProcessSpec.Type.COMMAND,
            1,
            new ProcessSpec.Command(
                List.of("/bin/sh", "-c", script),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Map.of("COLOUR", "blue"),
                Map.of(),
                ProcessSpec.Limits.NONE,
                List.of(),
                Optional.empty(),
                Optional.of("027")))
        .at(new ProcessSpec.Cron("0 0 1 1 *", Optional.empty(), limit));
  }

  /** Sets the clock to the next time of the command. Returns that time. */
  private Instant come() {
    var time = site.slot("job.0").nextStart().orElseThrow();
    site.loop.shift(Duration.between(Instant.now(), time.minusMillis(100)));
    Site.done(site.supervisor.reload("shop"));
    return time;
  }

  @Test
  void aCommandRunsAtItsTimeLikeAProcess() {
    site.run(Map.of("job", yearly("echo $COLOUR; umask; exit 3", 60)));
    var waiting = site.slot("job.0");
    assertThat(waiting.state()).isEqualTo(State.WAITING);
    assertThat(waiting.cron()).contains("0 0 1 1 *");
    var time = come();
    var ended =
        site.awaitSlot(
            "job.0", slot -> slot.state() == State.WAITING && slot.lastExit().isPresent());
    assertThat(ended.nextStart().orElseThrow()).isAfter(time);
    assertThat(ended.lastExit().orElseThrow().code()).contains(3);
    assertThat(ended.lastExit().orElseThrow().message().orElse(""))
        .contains("exited with code 3", "blue", "0027");
    assertThat(ended.restarts()).isZero();
    assertThat(site.read("log/shop.job.0.log")).contains("Starting \"shop/job.0\"", "blue");
    assertThat(site.slots()).hasSize(1);
  }

  @Test
  void aRunSurvivesTheAgentAndEndsWithItsCommand() throws Exception {
    site.run(Map.of("job", yearly("exec sleep 300", 600)));
    come();
    var pid = site.awaitSlot("job.0", it -> it.state() == State.RUNNING).pid().orElseThrow();

    site.reopen();
    site.awaitSlot("job.0", slot -> slot.state() == State.RUNNING);
    assertThat(site.pid("job.0")).isEqualTo(pid);
    site.run(Map.of("job", yearly("exec sleep 301", 600)));
    assertThat(Site.alive(pid)).isTrue();

    site.run(Map.of());
    site.until(() -> site.slots().isEmpty());
    assertThat(Files.exists(Path.of("/proc/" + pid))).isFalse();
  }

  @Test
  void aRunIsStoppedAfterItsTimeLimit() {
    site.run(Map.of("job", yearly("exec sleep 300", 1)));
    come();
    var ended = site.awaitSlot("job.0", slot -> slot.lastExit().isPresent());
    assertThat(ended.lastExit().orElseThrow().failure()).isTrue();
    assertThat(ended.lastExit().orElseThrow().message().orElse(""))
        .contains("it took longer than its time limit of 1 s");
  }

  @Test
  void anInvalidScheduleIsRefused() {
    var never = yearly("exit", 60).at(new ProcessSpec.Cron("x", Optional.of("Mars/Base"), 60));
    assertThat(site.supervisor.check("shop", Map.of("job", never)))
        .containsExactly(
            "job: there is no time zone Mars/Base; write a name such as Europe/Berlin");
  }
}
