package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.model.ProcessGroup.Exit;
import verwalter.supervisor.program.Terms;

class RestartTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static Run run(int timeout, int early) {
    return new Run(
        "r",
        "shop/web.0",
        "id",
        Optional.empty(),
        "v1",
        new Terms(timeout, 5, List.of(), false),
        Path.of("/log"),
        START,
        new History(0, 0, false, early, Optional.empty(), ""),
        "boot");
  }

  private static Restart after(int timeout, int early, long livedMillis) {
    var at = START.plusMillis(livedMillis);
    return Restart.after(run(timeout, early), new Exit(Optional.of(3), Optional.empty(), at, true));
  }

  @ParameterizedTest
  @CsvSource({
    // timeout, early exits before, lived ms, next start ms after this start, early exits now
    "1, 0, 999, 1000, 1",
    "1, 0, 1000, 1000, 0",
    "1, 9, 5000, 5000, 0",
    "1, 1, 10, 2000, 2",
    "1, 5, 10, 32000, 6",
    "1, 6, 10, 60000, 7",
    "1, 1000, 10, 60000, 1001",
    "2, 0, 100, 2000, 1",
    "2, 1, 100, 4000, 2",
    "90, 0, 100, 90000, 1",
    "90, 7, 100, 90000, 8",
    "0, 0, 50, 100, 1",
    "0, 0, 100, 100, 0",
    "0, 3, 50, 800, 4",
  })
  void theDelayDoublesWithEveryEarlyExit(
      int timeout, int early, long lived, long next, int earlyNow) {
    var restart = after(timeout, early, lived);
    assertThat(Duration.between(START, restart.at())).hasMillis(next);
    assertThat(restart.earlyExits()).isEqualTo(earlyNow);
  }

  @Test
  void theReasonNamesTheExitAndTheNextStart() {
    assertThat(after(1, 2, 100).reason())
        .isEqualTo("exited with code 3 after 0.1s; next start in 4s (3 early exits)");
    assertThat(after(1, 0, 940).reason())
        .isEqualTo("exited with code 3 after 0.9s; next start in 0.1s");
    assertThat(after(1, 0, 1000).reason())
        .isEqualTo("exited with code 3 after 1.0s; starts again at once");
    assertThat(Restart.words(new Exit(Optional.empty(), Optional.of(11), START, true)))
        .isEqualTo("killed by signal SIGSEGV[11]");
    assertThat(Restart.words(new Exit(Optional.empty(), Optional.empty(), START, true)))
        .isEqualTo("ended unobserved");
  }

  @ParameterizedTest
  @CsvSource({
    // timeout in ms, early exits before, next start in ms, as text
    "0, 0, 100, 0.1s",
    "999, 0, 999, 1.0s",
    "1000, 0, 1000, 1s",
    "1000, 2, 4000, 4s (3 early exits)",
    "1600, 0, 1600, 2s",
    "1000, 20, 60000, 60s (21 early exits)",
  })
  void aFailedLaunchIsDelayedLikeAnEarlyExit(long timeout, int early, long next, String text) {
    var restart = Restart.afterFailure(Duration.ofMillis(timeout), early, START, "no room");
    assertThat(restart)
        .isEqualTo(
            new Restart(START.plusMillis(next), early + 1, "no room; next start in " + text));
  }
}
