package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.supervisor.program.Terms;

/**
 * Writes the notes of processes that run although their notes are missing, empty or cut off, so
 * that they are adopted: nothing ends because a file was lost. A process is found by its pid note,
 * or by the mark in its environment.
 *
 * <p>Every user of the machine can start a process with any environment and arguments. So a marked
 * process without a pid note counts only if a shim of the supervisor's user is its parent, or if it
 * is in a cgroup of the run.
 */
final class LostNotes {
  private static final Logger LOG = LoggerFactory.getLogger(LostNotes.class);

  private static final String LOG_SUFFIX = ".log";

  /** The terms until the process file tells those of the process. */
  private static final Terms TERMS = new Terms(1, 5, List.of(), false);

  private final RunDirectory runs;
  private final Path logs;
  private final String boot;
  private final long user;

  /**
   * @param logs the directory of the logs of programs
   * @param user the number of the supervisor's user
   */
  LostNotes(RunDirectory runs, Path logs, String boot, long user) {
    this.runs = runs;
    this.logs = logs;
    this.boot = boot;
    this.user = user;
  }

  /** Writes what is missing. A run whose notes cannot be written is left out. */
  void repair() throws IOException {
    var known = new HashMap<String, Run>();
    runs.runs().forEach(run -> known.put(run.id(), run));
    var leaders = leaders();
    var ids = new TreeSet<>(runs.ids());
    ids.addAll(leaders.keySet());
    ids.removeIf(id -> SlotName.ofRun(id).isEmpty());
    var paths = ids.stream().collect(Collectors.toMap(id -> runs.path(id).toString(), id -> id));
    var shims = new HashMap<String, Set<Long>>();
    Proc.arguments(paths.keySet(), user)
        .forEach((path, pids) -> shims.put(paths.getOrDefault(path, ""), pids));
    for (var id : ids) {
      var own = new Marked(leaders.getOrDefault(id, Set.of()), shims.getOrDefault(id, Set.of()));
      try {
        repair(id, Optional.ofNullable(known.get(id)), own);
      } catch (IOException failed) {
        LOG.warn("the notes of run={} cannot be written again: {}", id, failed.getMessage());
      }
    }
  }

  /** The processes of each mark that lead a session. */
  private Map<String, Set<ProcessId>> leaders() {
    var leaders = new HashMap<String, Set<ProcessId>>();
    Proc.marked(runs.scope(), stat -> stat.id().pid() == stat.session())
        .forEach(
            (run, all) ->
                leaders.put(run, all.stream().map(Proc.Stat::id).collect(Collectors.toSet())));
    return leaders;
  }

  /**
   * The processes with the mark of a run.
   *
   * @param leaders those that lead a session, of any user
   * @param shims the processes of the supervisor's user that keep the run
   */
  private record Marked(Set<ProcessId> leaders, Set<Long> shims) {
    /** The main process of the run, if it certainly is one. */
    Optional<ProcessId> main(Optional<Run> note) {
      return leaders.stream()
          .filter(
              it ->
                  Proc.parent(it.pid()).filter(shims::contains).isPresent()
                      || note.filter(run -> isIn(run.confinement().groups(), it)).isPresent())
          .min(Comparator.comparing(ProcessId::startTicks));
    }

    /** Whether the process of a note is one of the run, and no later one with its number. */
    boolean confirms(ProcessId noted) {
      return Proc.isAlive(noted) && (leaders.contains(noted) || !shims.isEmpty());
    }

    private static boolean isIn(List<Path> groups, ProcessId process) {
      return groups.stream().anyMatch(group -> members(group).contains("" + process.pid()));
    }

    private static List<String> members(Path group) {
      try {
        return Files.readAllLines(group.resolve("cgroup.procs"));
      } catch (IOException gone) {
        return List.of();
      }
    }
  }

  private void repair(String id, Optional<Run> note, Marked marked) throws IOException {
    var noted = runs.process(id);
    var slot = SlotName.ofRun(id);
    if ((note.isPresent() && noted.isPresent())
        || note.filter(run -> !run.boot().equals(boot)).isPresent()
        || slot.isEmpty()
        || runs.end(id).isPresent()) {
      return;
    }
    // Without notes and a shim, it is left of a role that was removed.
    var alive = noted.isEmpty() ? marked.main(note) : noted.filter(marked::confirms);
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

  private Run run(String id, SlotName slot, ProcessId process) {
    return new Run(
        id,
        slot.toString(),
        Run.UNKNOWN,
        Optional.empty(),
        "",
        TERMS,
        log(slot, process),
        runs.taken(id),
        History.NONE.started(),
        boot);
  }

  /** The file that the process writes to, if it is a log: a program may change its output. */
  private Path log(SlotName slot, ProcessId process) {
    return Proc.output(process.pid())
        .filter(file -> file.toString().endsWith(LOG_SUFFIX))
        .filter(this::isInLogs)
        .orElse(logs.resolve(slot.log()));
  }

  private boolean isInLogs(Path file) {
    try {
      return logs.toRealPath().equals(file.getParent());
    } catch (IOException gone) {
      return false;
    }
  }
}
