package verwalter.supervisor.embedded;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.program.Examined;
import verwalter.supervisor.program.Program;

/** Performs the operations that the loop decided on. All methods block and are stateless. */
final class ProcessOperations {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessOperations.class);

  /** After this time the number of an ended run's session may be reused. */
  private static final Duration FRESH = Duration.ofSeconds(5);

  /** Secrets that are older belong to no launch that is under way. */
  private static final Duration LONGEST_LAUNCH = Duration.ofMinutes(1);

  private final ProcessExaminer examiner;
  private final RunDirectory runs;
  private final ProcessShim shim;
  private final LogFiles logs;
  private final String boot;
  private final Cgroups cgroups;
  private final Credentials credentials;

  ProcessOperations(
      ProcessExaminer examiner,
      RunDirectory runs,
      ProcessShim shim,
      LogFiles logs,
      String boot,
      Cgroups cgroups,
      Credentials credentials) {
    this.examiner = examiner;
    this.runs = runs;
    this.shim = shim;
    this.logs = logs;
    this.boot = boot;
    this.cgroups = cgroups;
    this.credentials = credentials;
  }

  /**
   * A slot to start.
   *
   * @param entry the entry of its process
   * @param last the previous run of the slot, whose notes are no longer needed
   */
  record Order(
      SlotName slot,
      String id,
      ProcessSpec entry,
      String identity,
      History before,
      Optional<String> last) {}

  /** The outcome of an order. */
  sealed interface Outcome {
    /** The run. */
    String id();

    /** A shim has been started. */
    record Launched(Run run) implements Outcome {
      @Override
      public String id() {
        return run.id();
      }
    }

    /** The configuration prevents the start. */
    record Refused(String id, List<String> problems) implements Outcome {}

    /** The start failed. */
    record Failed(String id, String why) implements Outcome {}
  }

  /** Starts the shims of the orders that {@link #examine} found correct. */
  Map<Order, Outcome> launch(
      List<Order> orders, Map<String, Map<String, Examined>> examined, Instant now) {
    var outcomes = new LinkedHashMap<Order, Outcome>();
    for (var order : orders) {
      outcomes.put(order, prepare(order, examined, now));
    }
    var ready =
        outcomes.values().stream().filter(each -> each instanceof Outcome.Launched).toList();
    try {
      if (!ready.isEmpty()) {
        shim.start(ready.stream().map(each -> runs.path(each.id())).toList());
      }
    } catch (IOException | InterruptedException failed) {
      LOG.warn("shims cannot be started: {}", failed.toString());
      outcomes.replaceAll((order, outcome) -> unlessTaken(outcome, failed));
    }
    return outcomes;
  }

  /** Some shims of a batch may run even if its start failed. */
  private Outcome unlessTaken(Outcome outcome, Exception failed) {
    if (!(outcome instanceof Outcome.Launched) || !runs.annul(outcome.id())) {
      return outcome;
    }
    forget(outcome.id());
    return new Outcome.Failed(outcome.id(), "cannot start a shim: " + failed.getMessage());
  }

  /** Validates the configuration again, since it may have changed: by group and process. */
  Map<String, Map<String, Examined>> examine(List<Order> orders) {
    var entries = new HashMap<String, Map<String, ProcessSpec>>();
    for (var order : orders) {
      entries
          .computeIfAbsent(order.slot().group(), group -> new HashMap<>())
          .put(order.slot().process(), order.entry());
    }
    var examined = new HashMap<String, Map<String, Examined>>();
    entries.forEach((group, its) -> examined.put(group, examiner.examine(group, its)));
    return examined;
  }

  private Outcome prepare(Order order, Map<String, Map<String, Examined>> examined, Instant now) {
    var look =
        examined
            .getOrDefault(order.slot().group(), Map.of())
            .getOrDefault(order.slot().process(), new Examined(List.of(), List.of(), List.of()));
    if (!look.problems().isEmpty() || look.programs().size() <= order.slot().index()) {
      return new Outcome.Refused(order.id(), look.problems());
    }
    var program = look.programs().get(order.slot().index());
    try {
      logs.rotate(Set.of(program.log()), now);
      var prepared = credentials.prepared(order.id(), program);
      begin(program, now);
      // Last, since a rotation may take long, and the audit removes cgroups of unknown runs.
      var confinement = cgroups.prepare(order.id(), program.limits());
      var run = run(order, program, now, confinement);
      runs.launch(run.id(), RunText.write(run, prepared, shim, runs.mark(run.id())));
      order.last().ifPresent(runs::forget);
      return new Outcome.Launched(run);
    } catch (IOException failed) {
      credentials.remove(order.id());
      return new Outcome.Failed(order.id(), "cannot be started: " + reason(failed));
    }
  }

  private Run run(Order order, Program program, Instant now, Confinement confinement) {
    return new Run(
        order.id(),
        program.slot(),
        order.identity(),
        order.entry().restartCounter(),
        order.entry().program(),
        program.terms(),
        program.log(),
        now,
        order.before(),
        boot,
        confinement);
  }

  /** Messages of this package say all that is to be known. */
  private static String reason(IOException failed) {
    return failed.getClass() == IOException.class
        ? String.valueOf(failed.getMessage())
        : failed.toString();
  }

  /** A full disk does not prevent a start. */
  private void begin(Program program, Instant now) throws IOException {
    try {
      logs.append(program.log(), LogFiles.frame(now, starting(program)));
    } catch (LogFiles.LinkedLog unsafe) {
      throw unsafe;
    } catch (IOException unwritable) {
      LOG.warn("{} cannot be written: {}", program.log(), unwritable.toString());
    }
  }

  private static String starting(Program program) {
    return "Starting \""
        + program.slot()
        + "\": \""
        + program.named()
        + "\""
        + program.arguments().stream()
            .map(each -> " \"" + each.replace("\n", "\\n") + "\"")
            .collect(Collectors.joining());
  }

  void terminate(SlotEffect.Terminate effect) {
    shim.signal(effect.run().terms().stopSignal(), effect.process());
  }

  void kill(SlotEffect.Kill effect, Instant now) {
    var run = effect.run();
    logs.mention(
        run.log(),
        LogFiles.frame(
            now,
            "Process \""
                + run.slot()
                + "\" did not respond to "
                + run.terms().stopSignal()
                + " in "
                + run.terms().killTimeout()
                + "s, uptime "
                + uptime(run, now)
                + "s. Killing.."));
    Proc.killSession(effect.process());
  }

  private static long uptime(Run run, Instant now) {
    return Math.max(0, Duration.between(run.started(), now).toSeconds());
  }

  /**
   * What a run left.
   *
   * @param words what is to be said about the end of the run; may be empty
   * @param output the last lines that it wrote if it failed; otherwise empty
   */
  record Left(String words, String output) {
    /** Nothing. */
    static final Left NOTHING = new Left("", "");
  }

  /**
   * Lists all processes once for all slots that have just ended.
   *
   * @return what the runs left
   */
  Map<String, Left> sweep(Collection<SlotEffect.Sweep> sweeps, Instant now) {
    var fresh = new HashSet<ProcessId>();
    var sessions = new HashMap<Run, Long>();
    for (var each : sweeps) {
      var process = each.process().or(() -> runs.process(each.run().id()));
      sessions.put(each.run(), process.map(ProcessId::pid).orElse(0L));
    }
    var outside = inCgroups(sessions);
    for (var each : sweeps) {
      var process = each.process().or(() -> runs.process(each.run().id()));
      if (each.exit().at().plus(FRESH).isAfter(now)) {
        process.ifPresent(fresh::add);
      } else {
        process.ifPresent(it -> Proc.killLeftoversOf(each.run().slot(), it));
      }
    }
    Proc.killLeftovers(fresh, stat -> true);
    var ids = sweeps.stream().map(each -> each.run().id()).collect(Collectors.toSet());
    var detached = Proc.killMarked(runs.scope(), ids::contains);
    var all = new HashMap<String, Left>();
    for (var each : sweeps) {
      var run = each.run();
      var memory = MemoryLimit.words(run, each.exit(), cgroups.endedByMemory(run));
      var left = new TreeSet<>(detached.getOrDefault(run.id(), Collections.emptySortedSet()));
      left.addAll(outside.getOrDefault(run.id(), Collections.emptySortedSet()));
      cgroups.end(run);
      var words = memory + Restart.left(left);
      var at = each.exit().at();
      var output = each.exit().failure() ? new LastOutput(logs, runs).of(run) : "";
      all.put(run.id(), new Left(words, output));
      logs.mention(
          run.log(),
          LogFiles.frame(
              at,
              "Process \""
                  + run.slot()
                  + "\" "
                  + Restart.words(each.exit())
                  + ", uptime "
                  + uptime(run, at)
                  + "s"
                  + words));
      credentials.remove(run.id());
      runs.settle(run.id());
    }
    return all;
  }

  /**
   * Finds processes that left the session of their program. Those of runs that are over, and whose
   * notes are removed, are killed: their role was removed.
   *
   * @param activeRuns the runs with their sessions; 0 if it is not known yet
   * @return the processes of active runs, by run
   */
  Map<String, SortedSet<Long>> detached(Map<Run, Long> activeRuns, Instant now) {
    var active = new HashMap<String, Long>();
    activeRuns.forEach((run, session) -> active.put(run.id(), session));
    Predicate<String> over = run -> !active.containsKey(run) && !runs.isKnown(run);
    var sessions = Set.copyOf(active.values());
    // What is in the session of its program is known. A session of 0 belongs to a run whose process
    // is not known yet, but also to processes that come from outside of a PID namespace.
    var marked =
        Proc.marked(
            runs.scope(),
            stat ->
                !stat.isKernelThread()
                    && (stat.session() == 0 || !sessions.contains(stat.session())));
    if (marked.keySet().stream().anyMatch(over)) {
      Proc.killMarked(runs.scope(), over)
          .forEach((run, pids) -> LOG.warn("run={} is over; killed its processes {}", run, pids));
    }
    // The cgroup of a run is made just before its note is written.
    cgroups.runs().stream()
        .filter(over.and(run -> cgroups.isOlder(run, now.minus(FRESH))))
        .forEach(run -> LOG.info("run={} is over; its cgroups had {}", run, cgroups.end(run)));
    credentials.retain(
        run -> active.containsKey(run) || runs.isTaken(run), now.minus(LONGEST_LAUNCH));
    var detached = inCgroups(activeRuns);
    marked.forEach(
        (run, all) -> {
          var session = active.get(run);
          var pids = new TreeSet<Long>();
          all.stream()
              .filter(it -> session != null && session != 0 && it.session() != session)
              .forEach(it -> pids.add(it.id().pid()));
          if (!pids.isEmpty()) {
            detached.computeIfAbsent(run, its -> new TreeSet<>()).addAll(pids);
          }
        });
    return detached;
  }

  /**
   * The processes that left the session of their program, but not its cgroup. Commands of {@code vw
   * exec} have never been in the session.
   */
  private Map<String, SortedSet<Long>> inCgroups(Map<Run, Long> active) {
    var outside = new HashMap<String, SortedSet<Long>>();
    active.forEach(
        (run, session) -> {
          var pids = session == 0 ? new TreeSet<Long>() : new TreeSet<>(cgroups.processes(run));
          pids.removeIf(
              pid ->
                  Proc.stat(pid).filter(it -> it.isAlive() && it.session() != session).isEmpty()
                      || Proc.hasVariable(pid, ExecShell.MARK));
          if (!pids.isEmpty()) {
            outside.put(run.id(), pids);
          }
        });
    return outside;
  }

  /**
   * Checks a run that should have a process by now: either it has one, or it is prevented from
   * starting one.
   */
  Optional<RunWatcher.Note> annul(Run run) {
    if (runs.annul(run.id())) {
      forget(run.id());
      return Optional.of(new RunWatcher.Note.Vanished(run.id()));
    }
    return look(List.of(run), List.of()).stream().findFirst();
  }

  /**
   * Finds changes without a note: a program that ended together with its shim because the shim was
   * killed, and missed notes. Without this check, such a slot would stay down.
   */
  List<RunWatcher.Note> look(Collection<Run> started, Collection<SlotState> running) {
    var notes = new ArrayList<RunWatcher.Note>();
    var suspects = new HashMap<String, String>();
    for (var run : started) {
      var process = runs.process(run.id());
      process.ifPresent(it -> notes.add(new RunWatcher.Note.Alive(run.id(), it)));
      runs.end(run.id()).ifPresent(it -> notes.add(new RunWatcher.Note.Ended(run.id(), it)));
      if (process.isEmpty() && runs.isTaken(run.id())) {
        suspects.put(runs.path(run.id()).toString(), run.id());
      }
    }
    for (var state : running) {
      if (state.process().filter(Proc::isAlive).isPresent()) {
        continue; // The note of its end is written afterwards.
      }
      var id = state.phase().activeRun().map(Run::id).orElse("");
      var end = runs.end(id);
      end.ifPresent(it -> notes.add(new RunWatcher.Note.Ended(id, it)));
      if (end.isEmpty()) {
        suspects.put(runs.path(id).toString(), id);
      }
    }
    if (!suspects.isEmpty()) {
      var kept = Proc.arguments(suspects.keySet(), credentials.own());
      suspects.forEach(
          (path, id) -> {
            if (!kept.containsKey(path)) {
              notes.add(
                  runs.end(id)
                      .<RunWatcher.Note>map(end -> new RunWatcher.Note.Ended(id, end))
                      .orElse(new RunWatcher.Note.Vanished(id)));
            }
          });
    }
    return notes;
  }

  /** Writes the note of a run that was lost. */
  void note(Run run) {
    try {
      runs.note(run);
    } catch (IOException failed) {
      LOG.warn("run={} {}", run.id(), failed.getMessage());
    }
  }

  void forget(String id) {
    credentials.remove(id);
    runs.forget(id);
  }
}
