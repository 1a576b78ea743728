package verwalter.supervisor.embedded;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Determines at start what earlier supervisors left running. */
final class Adoption {
  private static final Logger LOG = LoggerFactory.getLogger(Adoption.class);
  private final RunDirectory runs;
  private final String boot;
  private final Instant now;
  private final List<SlotState> slots = new ArrayList<>();
  private final List<SlotEffect> effects = new ArrayList<>();
  private final Map<String, String> lastRuns = new LinkedHashMap<>();

  Adoption(RunDirectory runs, String boot, Instant now) {
    this.runs = runs;
    this.boot = boot;
    this.now = now;
  }

  /**
   * The result.
   *
   * @param slots slots that have a history, some with a process
   * @param effects to perform
   * @param lastRuns the run by slot whose notes exist
   */
  record Found(List<SlotState> slots, List<SlotEffect> effects, Map<String, String> lastRuns) {}

  Found find() throws IOException {
    runs.removeOrphans();
    var bySlot = new LinkedHashMap<String, List<Run>>();
    for (var run : runs.runs()) {
      if (run.boot().equals(boot)) {
        bySlot.computeIfAbsent(run.slot(), slot -> new ArrayList<>()).add(run);
      } else {
        runs.forget(run.id());
      }
    }
    bySlot.values().forEach(this::slot);
    return new Found(slots, effects, lastRuns);
  }

  /** The newest run is that of the slot. A crash may have left notes of the run before it. */
  private void slot(List<Run> all) {
    all.sort(Comparator.comparing(Run::started).thenComparing(Run::id));
    var newest = all.remove(all.size() - 1);
    for (var old : all) {
      // Notes are written only after the end of the run before, so it is over; this is a safeguard.
      var process = runs.process(old.id()).filter(Proc::isAlive);
      if (process.isPresent()) {
        LOG.error("run={} is a second run of {}; it is killed", old.id(), old.slot());
        Proc.killSession(process.get());
      }
      runs.forget(old.id());
    }
    adopt(newest);
  }

  /** Until the process file is read, the former desired process is assumed. */
  private static Optional<DesiredProcess> desired(Run run) {
    return Optional.of(
        new DesiredProcess(
            run.identity(), run.restartCounter(), run.image(), List.of(), List.of()));
  }

  private void adopt(Run run) {
    var started =
        new SlotState(run.slot(), desired(run), new Phase.Started(run), run.before().started());
    var process = runs.process(run.id());
    var end = runs.end(run.id());
    lastRuns.put(run.slot(), run.id());
    if (end.isPresent()) {
      var alive = process.map(it -> started.alive(run.id(), it)).orElse(started);
      // The clock may have been set back since then.
      var at = Collections.min(List.of(end.get().at(), now));
      var step = alive.ended(run.id(), Optional.of(end.get().status()), at);
      if (process.isPresent()) {
        slots.add(step.state());
        effects.addAll(step.effects());
      } else {
        slots.add(step.state().swept(run.id()));
      }
    } else if (process.isPresent()) {
      slots.add(started.alive(run.id(), process.get()));
    } else if (runs.annul(run.id())) {
      // The agent crashed between writing the note and starting the shim, which cannot start now.
      runs.forget(run.id());
      slots.add(new SlotState(run.slot(), desired(run), new Phase.Waiting(now), run.before()));
    } else {
      slots.add(started);
    }
  }
}
