package verwalter.supervisor.embedded;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.concurrent.Loop;
import verwalter.model.ProcessGroup.Slot;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.program.Identity;

/**
 * All slots and what is being done about them. Belongs to the loop: everything but {@link
 * #snapshot} is touched on it only. Facts change a {@link SlotState}, the life decides, and the
 * effects of one turn of the loop go to the {@link ProcessOperations} together.
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
  private final Map<String, Loop.Timer> timers = new HashMap<>();
  private final Launches launches;
  private final Map<String, List<Promise<Void>>> emptied = new HashMap<>();
  private final List<Effect> effects = new ArrayList<>();
  private final Set<String> dirty = new TreeSet<>();
  private boolean flushing;
  private boolean closed;
  private long runs;

  private volatile @Nullable Map<String, Optional<List<Slot>>> snapshot;

  /**
   * @param stamp makes run ids unlike those of other supervisors on this directory
   * @param changed hears on the loop which sandboxes changed
   */
  Slots(Loop loop, ProcessOperations operations, String stamp, Consumer<Set<String>> changed) {
    this.loop = loop;
    this.operations = operations;
    this.stamp = stamp;
    this.changed = changed;
    this.launches = new Launches(loop, operations, this::launched, this::note);
  }

  /** What is known of each sandbox; null before anything is. Any thread may ask. */
  @Nullable Map<String, Optional<List<Slot>>> snapshot() {
    return snapshot;
  }

  void adopt(Adoption.Found found) {
    found.lives().forEach(this::put);
    lastRuns.putAll(found.lastRuns());
    effects.addAll(found.effects());
    flushSoon();
  }

  /** Applies every file; sandboxes without one are to run nothing. */
  void applyAll(Map<String, ProcessFiles.Content> contents) {
    var none = new ProcessFiles.Content(Map.of(), Map.of(), "");
    for (var sandbox : table.sandboxes()) {
      if (!contents.containsKey(sandbox)) {
        apply(sandbox, none);
        entries.remove(sandbox);
      }
    }
    contents.forEach(this::apply);
    publish();
  }

  /** Makes the sandbox want what its file says. What is running as wanted is not touched. */
  void apply(String sandbox, ProcessFiles.Content content) {
    dirty.add(sandbox);
    if (!content.problem().isEmpty()) {
      keep(sandbox, content.problem());
      return;
    }
    broken.remove(sandbox);
    entries.put(sandbox, content.entries());
    var wishes = content.wishes(sandbox);
    for (var each : table.of(sandbox)) {
      if (!wishes.containsKey(each.slot())) {
        update(each.slot(), life -> life.wished(Optional.empty(), loop.now()));
      }
    }
    wishes.forEach(
        (slot, wish) -> {
          if (table.find(slot) == null) {
            put(SlotState.fresh(slot, loop.now()));
          }
          update(slot, life -> life.wished(Optional.of(wish), loop.now()));
        });
  }

  /** A file that cannot be read says nothing about what runs. */
  private void keep(String sandbox, String problem) {
    LOG.error("sandbox={} keeps what runs: {}", sandbox, problem);
    broken.put(sandbox, problem);
    for (var life : table.of(sandbox)) {
      var wish =
          life.wish()
              .map(was -> was.with(List.of(problem)))
              .or(() -> life.phase().run().map(run -> keeping(run, problem)));
      update(life.slot(), it -> it.wished(wish, loop.now()));
    }
  }

  private static DesiredProcess keeping(Run run, String problem) {
    return new DesiredProcess(run.identity(), run.image(), List.of(problem), List.of());
  }

  /** The sandbox is known no more, now that nothing of it runs and its file is gone. */
  void forget(String sandbox) {
    entries.remove(sandbox);
    broken.remove(sandbox);
    dirty.add(sandbox);
    publish();
  }

  /** Completes when the sandbox has no process. */
  Future<Void> emptied(String sandbox) {
    var promise = Promise.<Void>promise();
    if (table.of(sandbox).isEmpty()) {
      promise.complete();
    } else {
      emptied.computeIfAbsent(sandbox, its -> new ArrayList<>()).add(promise);
    }
    return promise.future();
  }

  /** Every sandbox that has a slot. */
  Set<String> sandboxes() {
    return table.sandboxes();
  }

  /** A keeper's note. Notes of runs that are still being launched wait for the launch. */
  void note(RunWatcher.Note note) {
    if (note instanceof RunWatcher.Note.Alive alive) {
      noted(
          alive.run(),
          note,
          life -> new SlotState.Step(life.alive(alive.run(), alive.process()), List.of()));
    } else if (note instanceof RunWatcher.Note.Ended ended) {
      var status = Optional.of(ended.end().status());
      noted(ended.run(), note, life -> life.ended(ended.run(), status, ended.end().at()));
    } else if (note instanceof RunWatcher.Note.Vanished gone) {
      noted(gone.run(), note, life -> vanished(life, gone.run()));
    } else {
      audit();
    }
  }

  private SlotState.Step vanished(SlotState life, String run) {
    return life.phase() instanceof Phase.Started
        ? new SlotState.Step(life.failed(run, "no process came up", loop.now()), List.of())
        : life.ended(run, Optional.empty(), loop.now());
  }

  private void noted(String run, RunWatcher.Note note, Function<SlotState, SlotState.Step> fact) {
    if (launches.holdsBack(run, note)) {
      return;
    }
    var life = SlotName.ofRun(run).map(slot -> table.find(slot.toString()));
    if (life.isPresent()) {
      accept(fact.apply(life.get()));
      decide(life.get().slot());
    }
  }

  private void put(SlotState life) {
    table.put(life);
    dirty.add(SlotName.parse(life.slot()).sandbox());
  }

  private void update(String slot, UnaryOperator<SlotState> fact) {
    var life = table.find(slot);
    if (life != null) {
      put(fact.apply(life));
      decide(slot);
    }
  }

  private void decide(String slot) {
    var life = table.find(slot);
    if (life != null && !closed) {
      accept(life.decide(loop.now(), SlotName.parse(slot).run(stamp + "-" + ++runs)));
    }
  }

  private void accept(SlotState.Step step) {
    put(step.life());
    if (step.life().phase() instanceof Phase.Gone) {
      remove(step.life().slot());
    }
    for (var effect : step.effects()) {
      if (effect instanceof Effect.Wake wake) {
        wake(wake);
      } else {
        effects.add(effect);
      }
    }
    flushSoon();
  }

  private void remove(String slot) {
    table.remove(slot);
    var timer = timers.remove(slot);
    if (timer != null) {
      timer.cancel();
    }
    var last = lastRuns.remove(slot);
    if (last != null) {
      offload("forgetting " + last, () -> operations.forget(last));
    }
  }

  private void wake(Effect.Wake wake) {
    var delay = Duration.between(loop.now(), wake.at());
    var timer = loop.after(delay.isNegative() ? Duration.ZERO : delay, () -> decide(wake.slot()));
    var before = timers.put(wake.slot(), timer);
    if (before != null) {
      before.cancel();
    }
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
      launch(only(due, Effect.Launch.class));
      sweep(only(due, Effect.Sweep.class));
      only(due, Effect.Annul.class).forEach(this::annul);
      var signals =
          due.stream()
              .filter(it -> it instanceof Effect.Terminate || it instanceof Effect.Kill)
              .toList();
      signal(signals);
    }
    publish();
  }

  private static <E extends Effect> List<E> only(List<Effect> effects, Class<E> type) {
    return effects.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private void launch(List<Effect.Launch> due) {
    var orders = new ArrayList<ProcessOperations.Order>();
    for (var each : due) {
      order(each).ifPresent(orders::add);
    }
    launches.begin(orders);
  }

  private Optional<ProcessOperations.Order> order(Effect.Launch launch) {
    var slot = SlotName.parse(launch.slot());
    var life = table.find(launch.slot());
    var entry = entries.getOrDefault(slot.sandbox(), Map.of()).get(slot.process());
    if (life == null || entry == null || life.wish().isEmpty()) {
      // Stopped being wanted within this very turn.
      update(launch.slot(), it -> it.failed(launch.id(), "not wanted any more", loop.now()));
      return Optional.empty();
    }
    return Optional.of(
        new ProcessOperations.Order(
            slot,
            launch.id(),
            entry,
            Identity.of(entry, slot.index()),
            life.history(),
            Optional.ofNullable(lastRuns.get(launch.slot()))));
  }

  private void launched(ProcessOperations.Order order, ProcessOperations.Outcome outcome) {
    var slot = order.slot().toString();
    var now = loop.now();
    if (outcome instanceof ProcessOperations.Outcome.Launched launched) {
      lastRuns.put(slot, launched.id());
      update(slot, life -> life.launched(launched.run()));
    } else if (outcome instanceof ProcessOperations.Outcome.Refused refused) {
      LOG.error("slot={} is refused: {}", slot, String.join("; ", refused.problems()));
      update(slot, life -> life.refused(refused.id(), refused.problems(), now));
    } else if (outcome instanceof ProcessOperations.Outcome.Failed failed) {
      LOG.warn("slot={} {}", slot, failed.why());
      update(slot, life -> life.failed(failed.id(), failed.why(), now));
    }
  }

  private void sweep(List<Effect.Sweep> sweeps) {
    if (!sweeps.isEmpty()) {
      var now = loop.now();
      loop.offload(
              () -> {
                operations.sweep(sweeps, now);
                return sweeps;
              })
          .onFailure(failed -> LOG.error("sweeping failed", failed))
          .onComplete(
              done ->
                  sweeps.forEach(it -> update(it.run().slot(), life -> life.swept(it.run().id()))));
    }
  }

  private void annul(Effect.Annul annul) {
    loop.offload(() -> operations.annul(annul.run()))
        .onSuccess(note -> note.ifPresent(this::note))
        .onFailure(failed -> LOG.error("annulling {} failed", annul.run().id(), failed));
  }

  private void signal(List<Effect> signals) {
    if (!signals.isEmpty()) {
      var now = loop.now();
      offload(
          "signalling",
          () -> {
            for (var each : signals) {
              if (each instanceof Effect.Terminate terminate) {
                operations.terminate(terminate);
              } else if (each instanceof Effect.Kill kill) {
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

  /** Looks after what no note told, and after the size of logs. */
  Future<Void> audit() {
    if (closed) {
      return Future.succeededFuture();
    }
    var started = new ArrayList<Run>();
    var running = new ArrayList<SlotState>();
    var logs = new HashSet<Path>();
    table
        .all()
        .forEach(
            life -> {
              life.phase().run().ifPresent(run -> logs.add(run.log()));
              if (life.process().isPresent()) {
                running.add(life);
              } else if (life.phase() instanceof Phase.Started it) {
                started.add(it.its());
              }
            });
    return loop.offload(
            () -> {
              operations.rotate(logs);
              return operations.look(started, running);
            })
        .onSuccess(notes -> notes.forEach(this::note))
        .onFailure(failed -> LOG.error("the audit failed", failed))
        .mapEmpty();
  }

  /** Makes known what changed, then tells who waits for it. */
  void publish() {
    if (dirty.isEmpty()) {
      return;
    }
    var names = Set.copyOf(dirty);
    dirty.clear();
    var before = snapshot;
    var next = new LinkedHashMap<String, Optional<List<Slot>>>(before == null ? Map.of() : before);
    for (var sandbox : names) {
      if (entries.containsKey(sandbox)
          || !table.of(sandbox).isEmpty()
          || broken.containsKey(sandbox)) {
        next.put(sandbox, slots(sandbox));
      } else {
        next.remove(sandbox);
      }
    }
    snapshot = Map.copyOf(next);
    changed.accept(names);
    names.forEach(this::tellEmptied);
  }

  /** With a broken file and nothing running there is nothing that we could say. */
  private Optional<List<Slot>> slots(String sandbox) {
    var slots = table.of(sandbox).stream().map(View::of).toList();
    return slots.isEmpty() && broken.containsKey(sandbox) ? Optional.empty() : Optional.of(slots);
  }

  private void tellEmptied(String sandbox) {
    if (table.of(sandbox).isEmpty()) {
      Collection<Promise<Void>> waiting =
          Optional.ofNullable(emptied.remove(sandbox)).orElse(List.of());
      waiting.forEach(Promise::complete);
    }
  }

  /**
   * Nothing is decided any more; what runs goes on. Completes when no launch is under way: only
   * then can another supervisor see all that there is.
   */
  Future<Void> close() {
    closed = true;
    timers.values().forEach(Loop.Timer::cancel);
    timers.clear();
    emptied.values().forEach(all -> all.forEach(it -> it.fail("the supervisor was closed")));
    emptied.clear();
    return launches.close();
  }
}
