package verwalter.supervisor.embedded;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import verwalter.model.ProcessGroup.Slot;
import verwalter.model.ProcessGroup.State;

/** A life as others see it. */
final class View {

  static Slot of(SlotState life) {
    var wish = life.wish();
    var run = life.phase().run();
    return new Slot(
        life.slot(),
        state(life),
        run.map(Run::image).or(() -> wish.map(DesiredProcess::image)).orElse(""),
        life.process().map(ProcessId::pid),
        life.process().isPresent() ? run.map(Run::started) : Optional.empty(),
        life.history().restarts(),
        life.history().lastExit(),
        nextStart(life),
        reason(life),
        wish.map(DesiredProcess::warnings).orElse(List.of()));
  }

  private static State state(SlotState life) {
    var phase = life.phase();
    if (phase instanceof Phase.Running) {
      return State.RUNNING;
    }
    if (phase instanceof Phase.Stopping || life.wish().isEmpty()) {
      return State.STOPPING;
    }
    boolean refused = life.wish().filter(it -> !it.problems().isEmpty()).isPresent();
    return refused && phase instanceof Phase.Waiting ? State.REFUSED : State.WAITING;
  }

  private static Optional<Instant> nextStart(SlotState life) {
    if (state(life) != State.WAITING) {
      return Optional.empty();
    }
    if (life.phase() instanceof Phase.Waiting waiting) {
      return Optional.of(waiting.at());
    }
    if (life.phase() instanceof Phase.Starting starting) {
      return Optional.of(starting.since());
    }
    return life.phase() instanceof Phase.Sweeping sweeping
        ? Optional.of(sweeping.next())
        : life.phase().run().map(Run::started);
  }

  private static String reason(SlotState life) {
    var problems = life.wish().map(DesiredProcess::problems).orElse(List.of());
    if (!problems.isEmpty()) {
      return String.join("; ", problems);
    }
    return state(life) == State.WAITING ? life.history().reason() : "";
  }

  private View() {}
}
