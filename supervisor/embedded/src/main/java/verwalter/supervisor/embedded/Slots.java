package verwalter.supervisor.embedded;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
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
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor;
import verwalter.model.ProcessGroup.Slot;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.program.Identity;

/**
 * All slots and their pending operations. Belongs to the loop, except for {@link #snapshot}. An
 * event changes a {@link SlotState}, which decides, and the effects of one turn of the loop go to
 * the {@link ProcessOperations} together.
 */
final class Slots {
  private static final Logger LOG = LoggerFactory.getLogger(Slots.class);

  private final Loop loop;
  private final ProcessOperations operations;
  private final Consumer<Set<String>> changed;
  private final String stamp;

  private final SlotTable table = new SlotTable();
  private final Map<String, Map<String, ProcessSpec>> entries = new TreeMap<>();
  private final Map<String, String> broken = new HashMap<>();
  private final Map<String, String> lastRuns = new HashMap<>();

  /** The log of the latest run of each slot. Thread-safe. */
  private final Map<String, Path> logs = new ConcurrentHashMap<>();

  /** The cgroups of the latest run of each slot. Thread-safe. */
  private final Map<String, List<Path>> cgroups = new ConcurrentHashMap<>();

  private final DetachedProcesses detached = new DetachedProcesses();

  private final Map<String, Alarm> timers = new HashMap<>();
  private final Launches launches;
  private final LogLimiter limiter;
  private final Map<String, List<Promise<Void>>> emptied = new HashMap<>();
  private final List<SlotEffect> effects = new ArrayList<>();
  private final Set<String> dirty = new TreeSet<>();
  private final List<SlotEffect.Sweep> sweeps = new ArrayList<>();
  private boolean sweeping;
  private boolean flushing;
  private boolean closed;
  private long runs;

  private volatile @Nullable Map<String, Optional<List<Slot>>> snapshot;

  /** A timer for a slot, and the time at which it fires. */
  private record Alarm(Instant at, TimedExecutor.Timer timer) {}

  /**
   * @param logFiles limits the size of logs
   * @param stamp distinguishes run ids from those of other supervisors on this directory
   * @param changed called on the loop with the groups that changed
   */
  Slots(
      Loop loop,
      ProcessOperations operations,
      LogLimiter.Files logFiles,
      String stamp,
      Consumer<Set<String>> changed) {
    this.loop = loop;
    this.operations = operations;
    this.stamp = stamp;
    this.changed = changed;
    this.limiter = new LogLimiter(loop, logFiles, this::logs);
    this.launches = new Launches(loop, operations, this::launched, this::note);
  }

  /** The log of the latest run of a slot; empty if it is not known. Thread-safe. */
  Optional<Path> log(String slot) {
    return Optional.ofNullable(logs.get(slot));
  }

  /** The cgroups of the latest run of a slot; none if it is not known. Thread-safe. */
  List<Path> cgroups(String slot) {
    return cgroups.getOrDefault(slot, List.of());
  }

  private void remember(Run run) {
    logs.put(run.slot(), run.log());
    cgroups.put(run.slot(), run.confinement().groups());
  }

  /** The slots of each group; null before they are known. Thread-safe. */
  @Nullable Map<String, Optional<List<Slot>>> snapshot() {
    return snapshot;
  }

  void adopt(Adoption.Found found) {
    found.slots().forEach(this::put);
    found.slots().forEach(state -> state.phase().activeRun().ifPresent(this::remember));
    lastRuns.putAll(found.lastRuns());
    limiter.grown();
    effects.addAll(found.effects());
    flushSoon();
  }

  /**
   * Applies all files. A removal ends the processes before it removes the file, so those that run
   * without a file go on: it was lost.
   *
   * @param missing the content of a missing file
   */
  void applyAll(
      Map<String, ProcessFileDirectory.Content> contents,
      Function<String, ProcessFileDirectory.Content> missing) {
    var none = new ProcessFileDirectory.Content(Map.of(), Map.of(), "");
    for (var group : table.groups()) {
      if (!contents.containsKey(group)) {
        boolean runs = table.of(group).stream().anyMatch(state -> isActive(state.phase()));
        dropEnded(group);
        apply(group, runs ? missing.apply(group) : none);
        entries.remove(group);
      }
    }
    contents.forEach(this::apply);
    publish();
  }

  /** Applies the file of a group. A process that runs as desired is not touched. */
  void apply(String group, ProcessFileDirectory.Content content) {
    dirty.add(group);
    if (!content.problem().isEmpty()) {
      keep(group, content.problem());
      return;
    }
    broken.remove(group);
    entries.put(group, content.entries());
    var desired = content.desired(group);
    // All are recorded first: what is stopped depends on what else is.
    for (var each : table.of(group)) {
      if (!desired.containsKey(each.slot())) {
        put(each.configured(Optional.empty(), loop.now()));
      }
    }
    desired.forEach(this::configure);
    table.of(group).forEach(state -> decide(state.slot()));
  }

  /** Records a desired process, and notes what a run is whose note was lost. */
  private void configure(String slot, DesiredProcess process) {
    var present = table.find(slot);
    var state = present == null ? SlotState.fresh(slot, loop.now()) : present;
    var before = state.phase().activeRun();
    put(state.configured(Optional.of(process), loop.now()));
    if (before.filter(run -> run.identity().equals(Run.UNKNOWN)).isPresent()) {
      before
          .map(run -> run.knownAs(process))
          .filter(run -> !run.identity().equals(Run.UNKNOWN))
          .ifPresent(run -> offload("noting " + run.id(), () -> operations.note(run)));
    }
  }

  private static boolean isActive(Phase phase) {
    return phase.activeRun().isPresent() && !(phase instanceof Phase.Sweeping);
  }

  /** Removes the slots of a group whose last run has ended. */
  private void dropEnded(String group) {
    for (var state : table.of(group)) {
      if (!isActive(state.phase())) {
        update(state.slot(), it -> it.configured(Optional.empty(), loop.now()));
      }
    }
  }

  /** A file that cannot be read does not affect running processes. */
  private void keep(String group, String problem) {
    LOG.error("group={} keeps what runs: {}", group, problem);
    broken.put(group, problem);
    for (var state : table.of(group)) {
      var desired =
          state
              .desired()
              .map(was -> was.with(List.of(problem)))
              .or(
                  () ->
                      state
                          .phase()
                          .activeRun()
                          .filter(run -> isActive(state.phase()))
                          .map(run -> keeping(run, problem)));
      update(state.slot(), it -> it.configured(desired, loop.now()));
    }
  }

  private static DesiredProcess keeping(Run run, String problem) {
    return new DesiredProcess(
        run.identity(), run.restartCounter(), run.image(), List.of(problem), List.of());
  }

  /** Removes a group without processes and without a file. */
  void forget(String group) {
    entries.remove(group);
    broken.remove(group);
    dirty.add(group);
    publish();
  }

  /** Completes when the group has no process. */
  Future<Void> emptied(String group) {
    var promise = Promise.<Void>promise();
    if (table.of(group).isEmpty()) {
      promise.complete();
    } else {
      emptied.computeIfAbsent(group, its -> new ArrayList<>()).add(promise);
    }
    return promise.future();
  }

  /** Every group that has a slot. */
  Set<String> groups() {
    return table.groups();
  }

  /** Takes a note of a shim. Notes of runs that are still being launched wait for the launch. */
  void note(RunWatcher.Note note) {
    if (note instanceof RunWatcher.Note.Alive alive) {
      noted(
          alive.run(),
          note,
          state -> new SlotState.Step(state.alive(alive.run(), alive.process()), List.of()));
    } else if (note instanceof RunWatcher.Note.Ended ended) {
      var status = Optional.of(ended.end().status());
      // The clock may have been set back since then.
      var at = Collections.min(List.of(ended.end().at(), loop.now()));
      noted(ended.run(), note, state -> state.ended(ended.run(), status, at));
    } else if (note instanceof RunWatcher.Note.Vanished gone) {
      noted(gone.run(), note, state -> vanished(state, gone.run()));
    } else if (note instanceof RunWatcher.Note.Grown) {
      limiter.grown();
    } else {
      audit();
      limiter.grown();
    }
  }

  /** Ends an unhealthy process, if it is still that run of the slot. */
  boolean restart(Slot unhealthy, String why) {
    var state = table.find(unhealthy.name());
    boolean same =
        state != null
            && state.phase() instanceof Phase.Running running
            && unhealthy.pid().equals(Optional.of(running.process().pid()))
            && unhealthy.started().equals(Optional.of(running.run().started()));
    if (state == null || !same) {
      return false;
    }
    LOG.warn("slot={} is restarted, since {}", unhealthy.name(), why);
    accept(state.unhealthy(unhealthy.pid().orElse(0L), why, loop.now()));
    return true;
  }

  private SlotState.Step vanished(SlotState state, String run) {
    return state.phase() instanceof Phase.Started
        ? new SlotState.Step(state.failed(run, "no process came up", loop.now()), List.of())
        : state.ended(run, Optional.empty(), loop.now());
  }

  private void noted(String run, RunWatcher.Note note, Function<SlotState, SlotState.Step> fact) {
    if (launches.holdsBack(run, note)) {
      return;
    }
    var state = SlotName.ofRun(run).map(slot -> table.find(slot.toString()));
    if (state.isPresent()) {
      accept(fact.apply(state.get()));
      decide(state.get().slot());
      release(state.get().slot());
    }
  }

  /** Decides about the processes that may have waited for the end of this one. */
  private void release(String slot) {
    for (var state : table.of(SlotName.parse(slot).group())) {
      if (state.phase() instanceof Phase.Leaving leaving && leaving.waits()) {
        decide(state.slot());
      }
    }
  }

  private void put(SlotState state) {
    table.put(state);
    dirty.add(SlotName.parse(state.slot()).group());
  }

  private void update(String slot, UnaryOperator<SlotState> fact) {
    var state = table.find(slot);
    if (state != null) {
      put(fact.apply(state));
      decide(slot);
    }
  }

  private void decide(String slot) {
    decide(slot, loop.now());
  }

  private void decide(String slot, Instant now) {
    var state = table.find(slot);
    if (state != null && !closed) {
      var name = SlotName.parse(slot);
      var others =
          state.isUnwanted()
              ? StopOrder.wait(state, table.of(name.group()))
              : Optional.<Duration>empty();
      accept(state.decide(now, name.run(stamp + "-" + ++runs), others));
    }
  }

  private void accept(SlotState.Step step) {
    put(step.state());
    if (step.state().phase() instanceof Phase.Gone) {
      remove(step.state().slot());
    }
    if (step.state().phase() instanceof Phase.Sweeping sweeping
        && sweeping.next().isAfter(loop.now())) {
      // The pause counts from the end on, even if the clock is set during the sweep.
      wake(new SlotEffect.Wake(step.state().slot(), sweeping.next()));
    }
    for (var effect : step.effects()) {
      if (effect instanceof SlotEffect.Wake wake) {
        wake(wake);
      } else {
        effects.add(effect);
      }
    }
    flushSoon();
  }

  private void remove(String slot) {
    table.remove(slot);
    logs.remove(slot);
    cgroups.remove(slot);
    var timer = timers.remove(slot);
    if (timer != null) {
      timer.timer().cancel();
    }
    var last = lastRuns.remove(slot);
    if (last != null) {
      offload("forgetting " + last, () -> operations.forget(last));
    }
  }

  /**
   * Decides at that time. The timer measures it from now on, also if the clock is set meanwhile: it
   * is not replaced by one for the same time, and that time has come when it fires.
   */
  private void wake(SlotEffect.Wake wake) {
    var before = timers.get(wake.slot());
    if (before != null && before.at().equals(wake.at())) {
      return;
    }
    if (before != null) {
      before.timer().cancel();
    }
    var delay = Duration.between(loop.now(), wake.at());
    var timer =
        loop.after(
            delay.isNegative() ? Duration.ZERO : delay, () -> wakeUp(wake.slot(), wake.at()));
    timers.put(wake.slot(), new Alarm(wake.at(), timer));
  }

  private void wakeUp(String slot, Instant at) {
    timers.remove(slot);
    decide(slot, Collections.max(List.of(at, loop.now())));
  }

  private void flushSoon() {
    if (!flushing) {
      flushing = true;
      loop.execute(this::flush);
    }
  }

  private void flush() {
    flushing = false;
    if (!closed) {
      var due = List.copyOf(effects);
      effects.clear();
      launch(only(due, SlotEffect.Launch.class));
      sweep(only(due, SlotEffect.Sweep.class));
      only(due, SlotEffect.Annul.class).forEach(this::annul);
      var signals =
          due.stream()
              .filter(it -> it instanceof SlotEffect.Terminate || it instanceof SlotEffect.Kill)
              .toList();
      signal(signals);
    }
    publish();
  }

  private static <E extends SlotEffect> List<E> only(List<SlotEffect> effects, Class<E> type) {
    return effects.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private void launch(List<SlotEffect.Launch> due) {
    var orders = new ArrayList<ProcessOperations.Order>();
    for (var each : due) {
      order(each).ifPresent(orders::add);
    }
    launches.begin(orders);
  }

  private Optional<ProcessOperations.Order> order(SlotEffect.Launch launch) {
    var slot = SlotName.parse(launch.slot());
    var state = table.find(launch.slot());
    var entry = entries.getOrDefault(slot.group(), Map.of()).get(slot.process());
    if (state == null || entry == null || state.desired().isEmpty()) {
      // The process was removed from the desired ones in this turn.
      update(launch.slot(), it -> it.failed(launch.id(), "not wanted any more", loop.now()));
      return Optional.empty();
    }
    return Optional.of(
        new ProcessOperations.Order(
            slot,
            launch.id(),
            entry,
            Identity.of(entry, slot.index()),
            state.history(),
            Optional.ofNullable(lastRuns.get(launch.slot()))));
  }

  private void launched(ProcessOperations.Order order, ProcessOperations.Outcome outcome) {
    var slot = order.slot().toString();
    var now = loop.now();
    if (outcome instanceof ProcessOperations.Outcome.Launched launched) {
      lastRuns.put(slot, launched.id());
      remember(launched.run());
      limiter.grown();
      update(slot, state -> state.launched(launched.run()));
    } else if (outcome instanceof ProcessOperations.Outcome.Refused refused) {
      LOG.error("slot={} is refused: {}", slot, String.join("; ", refused.problems()));
      update(slot, state -> state.refused(refused.id(), refused.problems(), now));
    } else if (outcome instanceof ProcessOperations.Outcome.Failed failed) {
      LOG.warn("slot={} {}", slot, failed.why());
      update(slot, state -> state.failed(failed.id(), failed.why(), now));
    }
    release(slot);
  }

  /**
   * Sweeps what has ended. Each sweep lists all processes of the machine, so those that are due
   * during one are swept together.
   */
  private void sweep(List<SlotEffect.Sweep> due) {
    sweeps.addAll(due);
    if (sweeping || sweeps.isEmpty()) {
      return;
    }
    sweeping = true;
    var batch = List.copyOf(sweeps);
    sweeps.clear();
    var now = loop.now();
    loop.offload(() -> operations.sweep(batch, now))
        .onFailure(failed -> LOG.error("sweeping failed", failed))
        .otherwise(Map.of())
        .onSuccess(
            left -> {
              sweeping = false;
              batch.forEach(it -> swept(it.run(), left));
              sweep(List.of());
            });
  }

  private void swept(Run run, Map<String, ProcessOperations.Left> left) {
    var its = left.getOrDefault(run.id(), ProcessOperations.Left.NOTHING);
    update(run.slot(), state -> state.swept(run.id(), its.words(), its.output()));
    release(run.slot());
  }

  private void annul(SlotEffect.Annul annul) {
    loop.offload(() -> operations.annul(annul.run()))
        .onSuccess(note -> note.ifPresent(this::note))
        .onFailure(failed -> LOG.error("annulling {} failed", annul.run().id(), failed));
  }

  private void signal(List<SlotEffect> signals) {
    if (!signals.isEmpty()) {
      var now = loop.now();
      offload(
          "signalling",
          () -> {
            for (var each : signals) {
              if (each instanceof SlotEffect.Terminate terminate) {
                operations.terminate(terminate);
              } else if (each instanceof SlotEffect.Kill kill) {
                operations.kill(kill, now);
              }
            }
          });
    }
  }

  private void offload(String what, Runnable work) {
    loop.offload(
            () -> {
              work.run();
              return true;
            })
        .onFailure(failed -> LOG.error("{} failed", what, failed));
  }

  /** The logs of running processes. */
  Set<Path> logs() {
    var logs = new HashSet<Path>();
    table.all().forEach(it -> it.phase().activeRun().ifPresent(run -> logs.add(run.log())));
    return logs;
  }

  /** Checks for changes without a note. */
  Future<Void> audit() {
    if (closed) {
      return Future.succeededFuture();
    }
    var started = new ArrayList<Run>();
    var running = new ArrayList<SlotState>();
    table
        .all()
        .forEach(
            state -> {
              if (state.process().isPresent()) {
                running.add(state);
              } else if (state.phase() instanceof Phase.Started it) {
                started.add(it.run());
              }
            });
    var sessions = new HashMap<Run, Long>();
    table
        .all()
        .forEach(
            state ->
                state
                    .phase()
                    .activeRun()
                    .ifPresent(
                        run -> sessions.put(run, state.process().map(ProcessId::pid).orElse(0L))));
    var now = loop.now();
    loop.offload(() -> operations.detached(sessions, now))
        .onSuccess(this::detached)
        .onFailure(failed -> LOG.error("looking for detached processes failed", failed));
    return loop.offload(() -> operations.look(started, running))
        .onSuccess(notes -> notes.forEach(this::note))
        .onFailure(failed -> LOG.error("the audit failed", failed))
        .mapEmpty();
  }

  private void detached(Map<String, SortedSet<Long>> found) {
    var changed = detached.update(found);
    changed.forEach(run -> SlotName.ofRun(run).ifPresent(slot -> dirty.add(slot.group())));
    publish();
  }

  private Slot view(SlotState state) {
    return SlotView.of(
        state, state.phase().activeRun().map(run -> detached.of(run.id())).orElse(List.of()));
  }

  /** Publishes the changes, then notifies listeners. */
  void publish() {
    if (dirty.isEmpty()) {
      return;
    }
    var names = Set.copyOf(dirty);
    dirty.clear();
    var before = snapshot;
    var next = new LinkedHashMap<String, Optional<List<Slot>>>(before == null ? Map.of() : before);
    for (var group : names) {
      if (entries.containsKey(group) || !table.of(group).isEmpty() || broken.containsKey(group)) {
        next.put(group, slots(group));
      } else {
        next.remove(group);
      }
    }
    snapshot = Map.copyOf(next);
    changed.accept(names);
    names.forEach(this::tellEmptied);
  }

  /** With an invalid file and no process, the state is unknown. */
  private Optional<List<Slot>> slots(String group) {
    var slots = table.of(group).stream().map(this::view).toList();
    return slots.isEmpty() && broken.containsKey(group) ? Optional.empty() : Optional.of(slots);
  }

  private void tellEmptied(String group) {
    if (table.of(group).isEmpty()) {
      Collection<Promise<Void>> waiting =
          Optional.ofNullable(emptied.remove(group)).orElse(List.of());
      waiting.forEach(Promise::complete);
    }
  }

  /**
   * Stops deciding; running processes continue. Completes when no launch is under way: only then
   * can another supervisor see all processes.
   */
  Future<Void> close() {
    closed = true;
    limiter.close();
    timers.values().forEach(each -> each.timer().cancel());
    timers.clear();
    emptied.values().forEach(all -> all.forEach(it -> it.fail("the supervisor was closed")));
    emptied.clear();
    return launches.close();
  }
}
