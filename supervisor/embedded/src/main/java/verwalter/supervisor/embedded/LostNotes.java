package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.supervisor.program.Terms;

/**
 * Writes the notes of processes that run although their notes are missing, empty or cut off, so
 * that they are adopted: nothing ends because a file was lost. A process is found by its pid note,
 * or by the mark in its environment.
 */
final class LostNotes {
  private static final Logger LOG = LoggerFactory.getLogger(LostNotes.class);

  private static final String LOG_SUFFIX = ".log";

  /** The terms until the process file tells those of the process. */
  private static final Terms TERMS = new Terms(1, 5, List.of(), false);

  private final RunDirectory runs;
  private final Path logs;
  private final String boot;

  /**
   * @param logs the directory of the logs of programs
   */
  LostNotes(RunDirectory runs, Path logs, String boot) {
    this.runs = runs;
    this.logs = logs;
    this.boot = boot;
  }

  /** Writes what is missing. */
  void repair() throws IOException {
    var known = new HashMap<String, Run>();
    runs.runs().forEach(run -> known.put(run.id(), run));
    var leaders = leaders();
    var ids = new TreeSet<>(runs.ids());
    ids.addAll(leaders.keySet());
    for (var id : ids) {
      repair(id, Optional.ofNullable(known.get(id)), Optional.ofNullable(leaders.get(id)));
    }
  }

  /** The main process of each run that has a mark: the first that leads a session. */
  private Map<String, ProcessId> leaders() {
    var leaders = new HashMap<String, ProcessId>();
    Proc.marked(runs.scope(), stat -> stat.id().pid() == stat.session())
        .forEach(
            (run, all) ->
                all.stream()
                    .map(Proc.Stat::id)
                    .min(Comparator.comparing(ProcessId::startTicks))
                    .ifPresent(first -> leaders.put(run, first)));
    return leaders;
  }

  private void repair(String id, Optional<Run> note, Optional<ProcessId> leader)
      throws IOException {
    var noted = runs.process(id);
    var slot = SlotName.ofRun(id);
    if ((note.isPresent() && noted.isPresent())
        || note.filter(run -> !run.boot().equals(boot)).isPresent()
        || slot.isEmpty()
        || runs.end(id).isPresent()) {
      return;
    }
    var alive = noted.isEmpty() ? leader : noted.filter(it -> isOf(id, it, leader));
    if (note.isEmpty() && noted.isEmpty() && !hasShim(id)) {
      return; // What is left of a role that was removed.
    }
    if (alive.isEmpty()) {
      return;
    }
    var missing = new ArrayList<String>();
    if (noted.isEmpty()) {
      missing.add(RunDirectory.PID);
      runs.note(id, alive.get());
    }
    if (note.isEmpty()) {
      missing.add(RunDirectory.LAUNCH);
      runs.note(run(id, slot.get(), alive.get()));
    }
    if (!missing.isEmpty()) {
      LOG.warn(
          "run={} goes on as process {}: its notes {} were missing or cut off, and are written"
              + " again",
          id,
          alive.get().pid(),
          String.join(", ", missing));
    }
  }

  /** A note may be of another boot, and its number that of another process now. */
  private boolean isOf(String id, ProcessId process, Optional<ProcessId> leader) {
    return Proc.isAlive(process) && (leader.filter(process::equals).isPresent() || hasShim(id));
  }

  private boolean hasShim(String id) {
    var path = runs.path(id).toString();
    return Proc.arguments(Set.of(path)).contains(path);
  }

  private Run run(String id, SlotName slot, ProcessId process) {
    return new Run(
        id,
        slot.toString(),
        Run.UNKNOWN,
        Optional.empty(),
        "",
        TERMS,
        Proc.output(process.pid())
            .filter(file -> file.toString().endsWith(LOG_SUFFIX))
            .orElse(logs.resolve(slot.log())),
        runs.taken(id),
        History.NONE.started(),
        boot);
  }
}
