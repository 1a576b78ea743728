package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.supervisor.program.Terms;

/** Which processes wait for which, and how long at most. */
class StopOrderTest {
  private static final Instant NOW = Instant.EPOCH;

  /** 10 s to start, 3 s delay, 7 s to end, 5 s after SIGKILL. */
  private static final Duration STOP = Duration.ofSeconds(25);

  private static SlotState running(String slot, boolean wanted, String... before) {
    var run =
        new Run(
            "id of " + slot,
            slot,
            "one",
            Optional.empty(),
            "v1",
            new Terms(1, 7, List.of(), false, 3, "SIGTERM", List.of(before)),
            Path.of("/log"),
            NOW,
            History.NONE,
            "boot");
    var desired =
        new DesiredProcess(wanted ? "one" : "two", Optional.empty(), "v1", List.of(), List.of());
    return new SlotState(
        slot, Optional.of(desired), new Phase.Running(run, new ProcessId(7, 70)), History.NONE);
  }

  private static Optional<Duration> wait(SlotState... group) {
    return StopOrder.wait(group[0], List.of(group));
  }

  @Test
  void aProcessWaitsForThoseThatAreStoppedBeforeIt() {
    var db = running("shop/db.0", false);
    assertThat(wait(db)).isEmpty();
    assertThat(wait(db, running("shop/web.0", false))).isEmpty();
    assertThat(wait(db, running("shop/web.0", false, "db"))).contains(STOP);
    assertThat(wait(running("shop/web.0", false, "db"), db)).isEmpty();
  }

  @Test
  void aProcessThatGoesOnIsNotWaitedFor() {
    assertThat(wait(running("shop/db.0", false), running("shop/web.0", true, "db"))).isEmpty();
    assertThat(wait(running("shop/db.0", true), running("shop/web.0", false, "db"))).isEmpty();
  }

  @Test
  void namesOfTheSchedulerCount() {
    var web = running("shop/web-v3.0", false, "db");
    assertThat(wait(running("shop/db-v2.0", false), web)).contains(STOP);
    assertThat(wait(running("shop/db-0.0", false), web)).contains(STOP);
    assertThat(wait(running("shop/db-x.0", false), web)).isEmpty();
    assertThat(wait(running("shop/dbx.0", false), web)).isEmpty();
  }

  @Test
  void timesOfAChainAddUp() {
    assertThat(
            wait(
                running("shop/db.0", false),
                running("shop/web.0", false, "db"),
                running("shop/front.0", false, "web"),
                running("shop/front.1", false, "web"),
                running("shop/cron.0", false, "db")))
        .contains(STOP.multipliedBy(2));
  }

  @Test
  void aCycleEnds() {
    assertThat(wait(running("shop/a.0", false, "b"), running("shop/b.0", false, "a")))
        .hasValueSatisfying(time -> assertThat(time).isLessThanOrEqualTo(STOP.multipliedBy(2)));
  }
}
