package verwalter.supervisor.embedded;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import verwalter.model.ProcessGroup.Slot;
import verwalter.model.ProcessGroup.State;
import verwalter.model.ProcessSpec;

/** The public state of a slot. */
final class SlotView {

  static Slot of(SlotState slot) {
    return of(slot, List.of());
  }

  /**
   * The public state.
   *
   * @param detached processes that left its session
   */
  static Slot of(SlotState slot, List<Long> detached) {
    var desired = slot.desired();
    var run = slot.phase().activeRun();
    return new Slot(
        slot.slot(),
        state(slot),
        run.map(Run::image).or(() -> desired.map(DesiredProcess::image)).orElse(""),
        slot.process().map(ProcessId::pid),
        slot.process().isPresent() ? run.map(Run::started) : Optional.empty(),
        cron(slot).isPresent() ? 0 : slot.history().restarts(),
        slot.history().replacements(),
        slot.history().lastExit(),
        nextStart(slot),
        reason(slot),
        desired.map(DesiredProcess::warnings).orElse(List.of()),
        detached,
        run.isPresent()
            ? run.flatMap(Run::restartCounter)
            : desired.flatMap(DesiredProcess::restartCounter),
        Optional.empty(),
        run.map(it -> it.confinement().unenforced()).filter(why -> !why.isEmpty()),
        cron(slot));
  }

  /** The schedule of a command that runs by time. */
  private static Optional<String> cron(SlotState slot) {
    return slot.desired()
        .flatMap(DesiredProcess::cron)
        .map(ProcessSpec.Cron::schedule)
        .or(
            () ->
                slot.phase()
                    .activeRun()
                    .map(run -> run.terms().cron())
                    .filter(text -> !text.isEmpty()));
  }

  private static State state(SlotState slot) {
    var phase = slot.phase();
    if (phase instanceof Phase.Running) {
      return State.RUNNING;
    }
    if (phase instanceof Phase.Leaving
        || phase instanceof Phase.Stopping
        || (phase instanceof Phase.Sweeping && cron(slot).isPresent())
        || slot.desired().isEmpty()) {
      return State.STOPPING;
    }
    boolean refused = slot.desired().filter(it -> !it.problems().isEmpty()).isPresent();
    return refused && phase instanceof Phase.Waiting ? State.REFUSED : State.WAITING;
  }

  private static Optional<Instant> nextStart(SlotState slot) {
    if (state(slot) != State.WAITING) {
      return Optional.empty();
    }
    if (slot.phase() instanceof Phase.Waiting waiting) {
      return Optional.of(waiting.at());
    }
    if (slot.phase() instanceof Phase.Starting starting) {
      return Optional.of(starting.since());
    }
    return slot.phase() instanceof Phase.Sweeping sweeping
        ? Optional.of(sweeping.next())
        : slot.phase().activeRun().map(Run::started);
  }

  private static String reason(SlotState slot) {
    var problems = slot.desired().map(DesiredProcess::problems).orElse(List.of());
    if (!problems.isEmpty()) {
      return String.join("; ", problems);
    }
    return state(slot) == State.WAITING ? slot.history().reason() : "";
  }

  private SlotView() {}
}
