package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import verwalter.model.ProcessGroup.Exit;
import verwalter.model.ProcessGroup.State;
import verwalter.supervisor.program.Terms;

/** The public state of a slot, by its desired process and its phase. */
class SlotViewTest {
  private static final Instant NOW = Instant.ofEpochSecond(100);
  private static final Instant START = Instant.ofEpochSecond(40);
  private static final ProcessId PROCESS = new ProcessId(7, 70);
  private static final History HISTORY = new History(4, 1, false, 1, Optional.empty(), "crashed");
  private static final Run RUN =
      new Run(
          "r1",
          "shop/web.0",
          "one",
          Optional.of(2L),
          "old",
          new Terms(2, 5, List.of(), false),
          Path.of("/log"),
          START,
          HISTORY,
          "boot");

  private static final Optional<DesiredProcess> NONE = Optional.empty();
  private static final Optional<DesiredProcess> GOOD = desired(List.of());
  private static final Optional<DesiredProcess> BAD = desired(List.of("no image", "no config"));

  private static Optional<DesiredProcess> desired(List<String> problems) {
    return Optional.of(
        new DesiredProcess("two", Optional.empty(), "new", problems, List.of("cpu ignored")));
  }

  static Stream<Arguments> phases() {
    var waiting = new Phase.Waiting(NOW);
    var starting = new Phase.Starting("r1", START);
    var started = new Phase.Started(RUN);
    var running = new Phase.Running(RUN, PROCESS);
    var stopping = new Phase.Stopping(RUN, PROCESS, NOW, false);
    var sweeping = new Phase.Sweeping(RUN, NOW);
    var problems = "no image; no config";
    return Stream.of(
        // desired, phase, state, image, next start, reason
        Arguments.of(GOOD, waiting, State.WAITING, "new", NOW, "crashed"),
        Arguments.of(GOOD, starting, State.WAITING, "new", START, "crashed"),
        Arguments.of(GOOD, started, State.WAITING, "old", START, "crashed"),
        Arguments.of(GOOD, running, State.RUNNING, "old", null, ""),
        Arguments.of(GOOD, stopping, State.STOPPING, "old", null, ""),
        Arguments.of(GOOD, sweeping, State.WAITING, "old", NOW, "crashed"),
        Arguments.of(BAD, waiting, State.REFUSED, "new", null, problems),
        Arguments.of(BAD, starting, State.WAITING, "new", START, problems),
        Arguments.of(BAD, running, State.RUNNING, "old", null, problems),
        Arguments.of(BAD, stopping, State.STOPPING, "old", null, problems),
        Arguments.of(BAD, sweeping, State.WAITING, "old", NOW, problems),
        Arguments.of(NONE, waiting, State.STOPPING, "", null, ""),
        Arguments.of(NONE, started, State.STOPPING, "old", null, ""),
        Arguments.of(NONE, running, State.RUNNING, "old", null, ""),
        Arguments.of(NONE, sweeping, State.STOPPING, "old", null, ""));
  }

  @Test
  void aProcessWhoseEntryChangesHasNotFailed() {
    var exit = new Exit(Optional.of(1), Optional.empty(), START, true);
    var waits = new Phase.Waiting(NOW.plusSeconds(8));
    var broken =
        new SlotState(
            "shop/web.0", GOOD, waits, new History(4, 1, false, 4, Optional.of(exit), "crashed"));
    assertThat(SlotView.of(broken).failed()).isTrue();
    var changed =
        GOOD.map(it -> new DesiredProcess("three", Optional.empty(), "new", List.of(), List.of()));
    assertThat(SlotView.of(broken.configured(changed, NOW)).failed()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("phases")
  void showsAPhase(
      Optional<DesiredProcess> desired,
      Phase phase,
      State state,
      String image,
      @Nullable Instant next,
      String reason) {
    var slot = SlotView.of(new SlotState("shop/web.0", desired, phase, HISTORY));

    assertThat(slot.name()).isEqualTo("shop/web.0");
    assertThat(slot.state()).isEqualTo(state);
    assertThat(slot.image()).isEqualTo(image);
    assertThat(slot.nextStart()).isEqualTo(Optional.ofNullable(next));
    assertThat(slot.reason()).isEqualTo(reason);
    assertThat(slot.restarts()).isEqualTo(2);
    assertThat(slot.warnings()).hasSize(desired.isPresent() ? 1 : 0);
  }

  @Test
  void showsTheProcessWhileThereIsOne() {
    var running =
        SlotView.of(new SlotState("shop/web.0", GOOD, new Phase.Running(RUN, PROCESS), HISTORY));
    assertThat(running.pid()).contains(7L);
    assertThat(running.started()).contains(START);
    var started = SlotView.of(new SlotState("shop/web.0", GOOD, new Phase.Started(RUN), HISTORY));
    assertThat(started.pid()).isEmpty();
    assertThat(started.started()).isEmpty();
  }
}
