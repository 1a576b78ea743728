package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import verwalter.model.ProcessGroup.State;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.program.Terms;

/** The state of one slot, step by step, with times in seconds. */
class SlotStateTest {
  private static final String SLOT = "shop/web.0";
  private static final ProcessId PROCESS = new ProcessId(7, 70);
  private static final DesiredProcess ONE =
      new DesiredProcess("one", Optional.empty(), "v1", List.of(), List.of());
  private static final DesiredProcess TWO =
      new DesiredProcess("two", Optional.empty(), "v2", List.of(), List.of());

  private static Instant at(double seconds) {
    return Instant.ofEpochMilli((long) (seconds * 1000));
  }

  private static Run run(String id, double started, History before) {
    return run(id, started, before, List.of());
  }

  private static Run run(String id, double started, History before, List<Integer> normalExitCodes) {
    return new Run(
        id,
        SLOT,
        "one",
        Optional.empty(),
        "v1",
        new Terms(2, 5, normalExitCodes, false),
        Path.of("/log"),
        at(started),
        before,
        "boot");
  }

  private static SlotState running() {
    return running(List.of());
  }

  private static SlotState running(List<Integer> normalExitCodes) {
    return SlotState.fresh(SLOT, at(0))
        .configured(Optional.of(ONE), at(0))
        .decide(at(0), "r1")
        .state()
        .launched(run("r1", 0, History.NONE, normalExitCodes))
        .alive("r1", PROCESS);
  }

  @Test
  void aDesiredSlotIsLaunchedAtOnce() {
    var step = SlotState.fresh(SLOT, at(0)).configured(Optional.of(ONE), at(0)).decide(at(0), "r1");
    assertThat(step.effects()).containsExactly(new SlotEffect.Launch(SLOT, "r1"));
    assertThat(step.state().decide(at(1), "r2").effects()).isEmpty();
    assertThat(SlotView.of(step.state()).state()).isEqualTo(State.WAITING);
  }

  @Test
  void aBrokenDesiredProcessIsRefusedAndNotStarted() {
    var step =
        SlotState.fresh(SLOT, at(0))
            .configured(Optional.of(ONE.with(List.of("no image"))), at(0))
            .decide(at(9), "r1");
    assertThat(step.effects()).isEmpty();
    assertThat(SlotView.of(step.state()).state()).isEqualTo(State.REFUSED);
    assertThat(SlotView.of(step.state()).reason()).isEqualTo("no image");
  }

  @Test
  void aLaunchWithoutAProcessFailsAfterTenSeconds() {
    var started =
        SlotState.fresh(SLOT, at(0))
            .configured(Optional.of(ONE), at(0))
            .decide(at(0), "r1")
            .state()
            .launched(run("r1", 0, History.NONE));
    assertThat(started.decide(at(1), "r2").effects())
        .containsExactly(new SlotEffect.Wake(SLOT, at(10)));
    assertThat(started.decide(at(10), "r2").effects())
        .contains(new SlotEffect.Annul(run("r1", 0, History.NONE)));
    var failed = started.failed("r1", "no process came up", at(10));
    assertThat(failed.decide(at(10), "r2").effects())
        .containsExactly(new SlotEffect.Wake(SLOT, at(12)));
    assertThat(SlotView.of(failed).reason()).isEqualTo("no process came up; next start in 2s");
  }

  @Test
  void anUnchangedOrBrokenDesiredProcessTouchesNothing() {
    assertThat(running().configured(Optional.of(ONE), at(1)).decide(at(1), "x").effects())
        .isEmpty();
    var broken = running().configured(Optional.of(TWO.with(List.of("no image"))), at(1));
    assertThat(broken.decide(at(1), "x").effects()).isEmpty();
    assertThat(SlotView.of(broken).state()).isEqualTo(State.RUNNING);
    assertThat(SlotView.of(broken).reason()).isEqualTo("no image");
  }

  @Test
  void aChangedSlotIsTerminatedThenKilledThenStarted() {
    var step = running().configured(Optional.of(TWO), at(3)).decide(at(3), "x");
    assertThat(step.effects())
        .containsExactly(
            new SlotEffect.Terminate(run("r1", 0, History.NONE), PROCESS),
            new SlotEffect.Wake(SLOT, at(8)));
    assertThat(SlotView.of(step.state()).state()).isEqualTo(State.STOPPING);
    var again = step.state().configured(Optional.of(TWO), at(5)).decide(at(5), "x");
    assertThat(again.effects()).containsExactly(new SlotEffect.Wake(SLOT, at(8)));
    var killed = again.state().decide(at(8), "x");
    assertThat(killed.effects())
        .containsExactly(new SlotEffect.Kill(run("r1", 0, History.NONE), PROCESS));
    assertThat(killed.state().decide(at(9), "x").effects()).isEmpty();
    var ended = killed.state().ended("r1", said(137), at(9));
    assertThat(ended.state().decide(at(9), "r2").effects()).isEmpty();
    var exit = ended.state().history().lastExit().orElseThrow();
    assertThat(exit.failure()).isFalse();
    assertThat(exit.message()).contains("killed by signal SIGKILL[9], after a request to end");
    var swept = ended.state().swept("r1").decide(at(9), "r2");
    assertThat(swept.effects()).containsExactly(new SlotEffect.Launch(SLOT, "r2"));
  }

  private static Optional<DesiredProcess> restarted(long counter) {
    return Optional.of(new DesiredProcess("one", Optional.of(counter), "v1", List.of(), List.of()));
  }

  private static SlotState running(long counter) {
    var run = run("r1", 0, History.NONE);
    return SlotState.fresh(SLOT, at(0))
        .configured(restarted(counter), at(0))
        .decide(at(0), "r1")
        .state()
        .launched(
            new Run(
                run.id(),
                SLOT,
                run.identity(),
                Optional.of(counter),
                run.image(),
                run.terms(),
                run.log(),
                run.started(),
                run.before(),
                run.boot()))
        .alive("r1", PROCESS);
  }

  @Test
  void aProcessIsRestartedForALargerCounterAndForNoOther() {
    assertThat(running().configured(restarted(0), at(3)).decide(at(3), "x").effects())
        .hasAtLeastOneElementOfType(SlotEffect.Terminate.class);
    assertThat(running(2).configured(restarted(3), at(3)).decide(at(3), "x").effects())
        .hasAtLeastOneElementOfType(SlotEffect.Terminate.class);

    for (var other : List.of(restarted(2), restarted(1), Optional.of(ONE))) {
      var step = running(2).configured(other, at(3)).decide(at(3), "x");
      assertThat(step.effects()).isEmpty();
      assertThat(SlotView.of(step.state()).restartCounter()).contains(2L);
    }
  }

  @Test
  void aRestartEndsTheDelayAfterCrashes() {
    var waiting = running().ended("r1", said(1), at(0.5)).state().swept("r1");
    assertThat(waiting.decide(at(1), "r2").effects())
        .noneMatch(effect -> effect instanceof SlotEffect.Launch);

    var asked = waiting.configured(restarted(1), at(1));

    assertThat(asked.decide(at(1), "r2").effects())
        .containsExactly(new SlotEffect.Launch(SLOT, "r2"));
    assertThat(SlotView.of(asked).restartCounter()).contains(1L);
    var again = waiting.configured(Optional.of(ONE), at(1));
    assertThat(again.decide(at(1), "r2").effects())
        .noneMatch(effect -> effect instanceof SlotEffect.Launch);
  }

  @Test
  void aSlotThatIsNotDesiredIsGoneAfterItsExit() {
    var stopping = running().configured(Optional.empty(), at(3)).decide(at(3), "x").state();
    var swept = stopping.ended("r1", said(143), at(4)).state().swept("r1");
    assertThat(swept.decide(at(4), "x").state().phase()).isEqualTo(new Phase.Gone());
  }

  @Test
  void anEarlyExitDelaysTheStartAndALateOneDoesNot() {
    var early = running().ended("r1", said(0), at(0.5)).state().swept("r1");
    assertThat(early.decide(at(0.6), "r2").effects())
        .containsExactly(new SlotEffect.Wake(SLOT, at(2)));
    assertThat(early.history().lastExit().orElseThrow().failure()).isTrue();
    assertThat(early.history().lastExit().orElseThrow().message())
        .contains("exited with code 0, but should have kept running");
    assertThat(SlotView.of(early).nextStart()).contains(at(2));
    var late = running().ended("r1", said(0), at(10)).state().swept("r1");
    assertThat(late.decide(at(10), "r2").effects())
        .containsExactly(new SlotEffect.Launch(SLOT, "r2"));
  }

  @Test
  void messageOfAnExitSaysWhetherItsCodeIsNormal() {
    assertThat(message(running(List.of(3)), 3))
        .contains("exited with code 3, which is a normal exit code");
    assertThat(message(running(), 3)).contains("exited with code 3");
    assertThat(message(running(), 143)).contains("killed by signal SIGTERM[15]");
  }

  private static Optional<String> message(SlotState running, int status) {
    var ended = running.ended("r1", said(status), at(10)).state();
    return ended.history().lastExit().orElseThrow().message();
  }

  @Test
  void anotherDesiredProcessDoesNotWait() {
    var waiting = running().ended("r1", said(1), at(0.5)).state().swept("r1");
    assertThat(waiting.configured(Optional.of(ONE), at(0.6)).decide(at(0.6), "r2").effects())
        .containsExactly(new SlotEffect.Wake(SLOT, at(2)));
    assertThat(waiting.configured(Optional.of(TWO), at(0.6)).decide(at(0.6), "r2").effects())
        .containsExactly(new SlotEffect.Launch(SLOT, "r2"));
  }

  @Test
  void factsOfOtherRunsAndRepeatedFactsChangeNothing() {
    var running = running();
    assertThat(running.alive("r0", new ProcessId(8, 80))).isEqualTo(running);
    assertThat(running.ended("r0", said(0), at(1)).state()).isEqualTo(running);
    assertThat(running.swept("r1")).isEqualTo(running);
    assertThat(running.launched(run("r1", 0, History.NONE))).isEqualTo(running);
    var ended = running.ended("r1", said(0), at(1)).state();
    assertThat(ended.ended("r1", said(1), at(2)).effects()).isEmpty();
  }

  @Test
  void aSignalDiffersFromACode() {
    assertThat(exit(139).signal()).contains(11);
    assertThat(exit(139).code()).isEmpty();
    assertThat(exit(255).code()).contains(255);
    assertThat(exit(128).code()).contains(128);
    assertThat(exit(143).failure()).isFalse();
    var unseen = running().ended("r1", Optional.empty(), at(5)).state().history().lastExit();
    assertThat(unseen.orElseThrow().failure()).isTrue();
    assertThat(unseen.orElseThrow().code()).isEmpty();
  }

  private static verwalter.model.ProcessGroup.Exit exit(int status) {
    return running().ended("r1", said(status), at(5)).state().history().lastExit().orElseThrow();
  }

  /** A status with the description of a signal. */
  private static Optional<ExitStatus> said(int number) {
    return ExitStatus.parse("Killed\n" + number + "\n");
  }

  private static SlotState starting() {
    return SlotState.fresh(SLOT, at(0))
        .configured(Optional.of(ONE), at(0))
        .decide(at(0), "r1")
        .state();
  }

  @Test
  void aRefusedLaunchWaitsWithItsProblems() {
    var refused = starting().refused("r1", List.of("no image"), at(3));

    assertThat(refused.phase()).isEqualTo(new Phase.Waiting(at(3)));
    assertThat(refused.desired()).contains(ONE.with(List.of("no image")));
    assertThat(refused.decide(at(9), "r2").effects()).isEmpty();
  }

  @Test
  void aRefusalOrFailureOfAnotherRunChangesNothing() {
    var starting = starting();
    var running = running();

    assertThat(starting.refused("r9", List.of("no image"), at(3))).isSameAs(starting);
    assertThat(starting.failed("r9", "no room", at(3))).isSameAs(starting);
    assertThat(running.refused("r1", List.of("no image"), at(3))).isSameAs(running);
    assertThat(running.failed("r1", "no room", at(3))).isSameAs(running);
  }

  @Test
  void aFailedLaunchIsTriedAgainLater() {
    var failed = starting().failed("r1", "no room", at(3));

    assertThat(failed.phase()).isEqualTo(new Phase.Waiting(at(4)));
    assertThat(failed.history().earlyExits()).isEqualTo(1);
    assertThat(failed.history().reason()).startsWith("no room");
    assertThat(SlotView.of(failed).failed()).isTrue();
  }

  @Test
  void anotherDesiredProcessResetsTheCountOfEarlyExits() {
    var failed = starting().failed("r1", "no room", at(3));
    var two = new DesiredProcess("two", Optional.empty(), "v2", List.of(), List.of());
    var wished = failed.configured(Optional.of(two), at(3));

    assertThat(wished.phase()).isEqualTo(new Phase.Waiting(at(3)));
    assertThat(wished.history()).isEqualTo(failed.history().calm());
  }

  @Test
  void exitNamesProcessesThatWereKilledOutsideTheSession() {
    var ended = running().ended("r1", said(1), at(0.5)).state();
    var detached = Restart.left(new TreeSet<>(Set.of(12L, 7L)));
    assertThat(ended.swept("r2", detached, "")).as("another run").isEqualTo(ended);
    var swept = ended.swept("r1", detached, "");
    assertThat(swept.phase()).isEqualTo(ended.swept("r1").phase());
    assertThat(message(swept))
        .isEqualTo(message(ended) + "; killed what it left outside its session: 7, 12");
    assertThat(ended.swept("r1", "", "")).isEqualTo(ended.swept("r1"));
    assertThat(swept.swept("r1", detached, "")).as("swept already").isEqualTo(swept);
  }

  private static String message(SlotState state) {
    return state.history().lastExit().orElseThrow().message().orElseThrow();
  }

  /** A slot with a running process that is stopped three seconds after it is not wanted. */
  private static SlotState delayed() {
    var now = running();
    var run = ((Phase.Running) now.phase()).run();
    var terms = new Terms(2, 5, List.of(), false, 3);
    var same =
        new Run(
            run.id(),
            run.slot(),
            run.identity(),
            run.restartCounter(),
            run.image(),
            terms,
            run.log(),
            run.started(),
            run.before(),
            run.boot());
    return new SlotState(SLOT, now.desired(), new Phase.Running(same, PROCESS), now.history());
  }

  @Test
  void aProcessWithAStopDelayIsStoppingBeforeItIsAskedToEnd() {
    var left = delayed().configured(Optional.of(TWO), at(10)).decide(at(10), "r2");
    assertThat(left.effects()).containsExactly(new SlotEffect.Wake(SLOT, at(13)));
    assertThat(SlotView.of(left.state()).state()).isEqualTo(State.STOPPING);
    assertThat(SlotView.of(left.state()).pid()).contains(PROCESS.pid());
    assertThat(left.state().decide(at(12.9), "r2").effects())
        .containsExactly(new SlotEffect.Wake(SLOT, at(13)));

    var stopped = left.state().decide(at(13), "r2");
    assertThat(stopped.effects().get(0)).isInstanceOf(SlotEffect.Terminate.class);
    assertThat(stopped.state().phase()).isInstanceOf(Phase.Stopping.class);
  }

  @Test
  void aProcessThatIsWantedAgainDuringItsStopDelayGoesOn() {
    var left = delayed().configured(Optional.empty(), at(10)).decide(at(10), "r2").state();
    var again = left.configured(Optional.of(ONE), at(11)).decide(at(11), "r2");
    assertThat(again.effects()).isEmpty();
    assertThat(SlotView.of(again.state()).state()).isEqualTo(State.RUNNING);
    assertThat(again.state().decide(at(13), "r2").effects()).isEmpty();
  }

  @Test
  void aProcessWaitsForOthersUntilTheyHaveEnded() {
    var wait = Optional.of(Duration.ofSeconds(20));
    var held = delayed().configured(Optional.of(TWO), at(10)).decide(at(10), "r2", wait);
    assertThat(held.effects()).containsExactly(new SlotEffect.Wake(SLOT, at(30)));
    assertThat(held.state().decide(at(14), "r2", wait).effects())
        .containsExactly(new SlotEffect.Wake(SLOT, at(30)));
    assertThat(held.state().decide(at(12), "r2").effects())
        .as("its own delay")
        .containsExactly(new SlotEffect.Wake(SLOT, at(13)));
    assertThat(held.state().decide(at(14), "r2").effects())
        .hasAtLeastOneElementOfType(SlotEffect.Terminate.class);
    assertThat(held.state().configured(Optional.of(ONE), at(14)).decide(at(14), "r2", wait))
        .extracting(step -> step.state().phase())
        .isInstanceOf(Phase.Running.class);
  }

  @Test
  void aProcessDoesNotWaitForOthersForever() {
    var wait = Optional.of(Duration.ofSeconds(20));
    var held = running().configured(Optional.empty(), at(10)).decide(at(10), "r2", wait).state();
    assertThat(SlotView.of(held).state()).isEqualTo(State.STOPPING);
    assertThat(held.decide(at(30), "r2", wait).effects())
        .hasAtLeastOneElementOfType(SlotEffect.Terminate.class);
  }

  @Test
  void aProcessThatEndsDuringItsStopDelayHasNotFailed() {
    var left = delayed().configured(Optional.of(TWO), at(10)).decide(at(10), "r2").state();
    var ended = left.ended("r1", Optional.empty(), at(11)).state().swept("r1");
    assertThat(ended.history().lastExit().orElseThrow().failure()).isFalse();
    assertThat(ended.decide(at(11), "r2").effects())
        .containsExactly(new SlotEffect.Launch(SLOT, "r2"));
  }

  /** Every minute, at most ten seconds. */
  private static DesiredProcess timed(String schedule) {
    return new DesiredProcess(
        "job",
        Optional.empty(),
        "v1",
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.of(new ProcessSpec.Cron(schedule, Optional.empty(), 10)));
  }

  private static SlotState waiting(String schedule, double now) {
    return SlotState.fresh(SLOT, at(now)).configured(Optional.of(timed(schedule)), at(now));
  }

  private static Run job(String id, double started) {
    return new Run(
        id,
        SLOT,
        "job",
        Optional.empty(),
        "v1",
        new Terms(1, 5, List.of(), true, 0, "SIGTERM", List.of(), "* * * * *", 10),
        Path.of("/log"),
        at(started),
        History.NONE,
        "boot");
  }

  private static SlotState job(String schedule) {
    return waiting(schedule, 1)
        .decide(at(60), "r1")
        .state()
        .launched(job("r1", 60))
        .alive("r1", PROCESS);
  }

  @Test
  void aCommandWaitsForItsTimeAndLooksAtTheClockMeanwhile() {
    var slot = waiting("*/5 * * * *", 1);
    assertThat(slot.phase()).isEqualTo(new Phase.Waiting(at(300)));
    var looks = slot.decide(at(1), "r1");
    assertThat(looks.effects()).containsExactly(new SlotEffect.Wake(SLOT, at(61)));
    assertThat(looks.state().decide(at(280), "r1").effects())
        .containsExactly(new SlotEffect.Wake(SLOT, at(300)));
    assertThat(looks.state().decide(at(300.1), "r1").effects())
        .containsExactly(new SlotEffect.Launch(SLOT, "r1"));
    assertThat(SlotView.of(looks.state()).nextStart()).contains(at(300));
    assertThat(SlotView.of(looks.state()).cron()).contains("*/5 * * * *");
  }

  @Test
  void timesThatAreOverAreLeftOut() {
    var slot = waiting("*/5 * * * *", 1);
    var late = slot.decide(at(361), "r1");
    assertThat(late.state().phase()).isEqualTo(new Phase.Waiting(at(600)));
    var back = waiting("*/5 * * * *", 10_000).decide(at(1), "r1");
    assertThat(back.state().phase()).isEqualTo(new Phase.Waiting(at(300)));
  }

  @Test
  void theNextRunIsAfterTheEndOfTheLastOne() {
    var failed = new ExitStatus(3, false);
    var ended = job("* * * * *").ended("r1", Optional.of(failed), at(185)).state();
    assertThat(ended.phase()).isEqualTo(new Phase.Sweeping(job("r1", 60), at(240)));
    var swept = ended.swept("r1");
    assertThat(swept.phase()).isEqualTo(new Phase.Waiting(at(240)));
    var view = SlotView.of(swept);
    assertThat(view.lastExit().orElseThrow().code()).contains(3);
    assertThat(view.reason()).isEqualTo("exited with code 3 after 125.0s");
    assertThat(view.restarts()).isZero();
    var good = job("* * * * *").ended("r1", Optional.of(new ExitStatus(0, false)), at(65)).state();
    assertThat(good.history().lastExit().orElseThrow().failure()).isFalse();
    assertThat(SlotView.of(good.swept("r1")).reason()).isEmpty();
  }

  @Test
  void aRunGoesOnIfItsCommandChangesAndEndsIfItIsRemoved() {
    var run = job("* * * * *");
    var other = run.configured(Optional.of(timed("*/2 * * * *")), at(62)).decide(at(62), "r2");
    assertThat(other.effects()).containsExactly(new SlotEffect.Wake(SLOT, at(70)));
    assertThat(run.configured(Optional.empty(), at(62)).decide(at(62), "r2").effects())
        .hasAtLeastOneElementOfType(SlotEffect.Terminate.class);
    assertThat(run.configured(Optional.of(ONE), at(62)).decide(at(62), "r2").effects())
        .hasAtLeastOneElementOfType(SlotEffect.Terminate.class);
  }

  @Test
  void aRunHasATimeLimit() {
    var run = job("* * * * *");
    assertThat(run.decide(at(69), "r2").effects())
        .containsExactly(new SlotEffect.Wake(SLOT, at(70)));
    var stopped = run.decide(at(70), "r2");
    assertThat(stopped.effects()).hasAtLeastOneElementOfType(SlotEffect.Terminate.class);
    var ended = stopped.state().ended("r1", Optional.of(new ExitStatus(143, true)), at(71)).state();
    assertThat(message(ended)).endsWith("since it took longer than its time limit of 10 s");
    assertThat(ended.swept("r1").phase()).isEqualTo(new Phase.Waiting(at(120)));
  }

  @Test
  void aCommandWithAProblemDoesNotRunAndCountsFromItsRepairOn() {
    var broken =
        waiting("* * * * *", 1)
            .configured(Optional.of(timed("* * * * *").with(List.of("no program"))), at(2));
    assertThat(broken.decide(at(60), "r1").effects()).isEmpty();
    var repaired = broken.configured(Optional.of(timed("* * * * *")), at(130));
    assertThat(repaired.phase()).isEqualTo(new Phase.Waiting(at(180)));
    assertThat(repaired.configured(Optional.of(ONE), at(131)).decide(at(131), "r1").effects())
        .containsExactly(new SlotEffect.Launch(SLOT, "r1"));
  }

  @Test
  void aStartThatFailsIsTriedAgainAtTheNextTime() {
    var starting = waiting("* * * * *", 1).decide(at(60), "r1").state();
    var failed = starting.failed("r1", "cannot start a shim", at(61));
    assertThat(failed.phase()).isEqualTo(new Phase.Waiting(at(120)));
    assertThat(SlotView.of(failed).reason()).isEqualTo("cannot start a shim");
  }
}
