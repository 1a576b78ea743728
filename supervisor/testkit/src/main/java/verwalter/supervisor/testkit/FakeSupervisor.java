package verwalter.supervisor.testkit;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.ProcessGroup.Exit;
import verwalter.model.ProcessGroup.Slot;
import verwalter.model.ProcessGroup.State;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.Supervisor;

/**
 * Keeps the promises of {@link Supervisor} with simulated processes. The seed determines the
 * duration of starts and stops; crashed processes restart after a second. Belongs to its loop.
 */
public final class FakeSupervisor implements Supervisor {
  private static final Duration RESTART = Duration.ofSeconds(1);
  private static final int SIGTERM = 15;

  private final FakeMachine machine;
  private final Loop loop;
  private final Random random;
  private final Map<String, Instant> starting = new HashMap<>();
  private final Map<String, Future<?>> tails = new HashMap<>();
  private final Map<String, List<Promise<Void>>> emptied = new HashMap<>();
  private final Set<Listener> listeners = new HashSet<>();
  private Duration longestStart = Duration.ofMillis(200);
  private Duration longestStop = Duration.ofMillis(500);
  private boolean closed;

  /** A listener and its loop. */
  private record Listener(Loop loop, Consumer<String> watcher) {}

  /**
   * A supervisor that adopts the machine's processes; an earlier one can no longer change anything.
   */
  public FakeSupervisor(FakeMachine machine, Loop loop, Random random) {
    this.machine = machine;
    this.loop = loop;
    this.random = random;
    machine.own(this);
    List.copyOf(machine.processes.values()).forEach(this::failInTime);
    loop.execute(this::look);
  }

  /** The maximum duration of a start and of a stop. */
  public FakeSupervisor delays(Duration mostToStart, Duration mostToStop) {
    longestStart = mostToStart;
    longestStop = mostToStop;
    return this;
  }

  /** Ends the slot's process with {@code exit}; false if it has none. */
  public boolean kill(String slot, Exit exit) {
    boolean was = machine.processes.containsKey(slot);
    machine.end(slot, exit);
    loop.execute(this::look);
    return was;
  }

  /** Sets the processes that left the session of the slot's process. */
  public void detach(String slot, List<Long> pids) {
    machine.detached.put(slot, pids);
    loop.execute(this::look);
  }

  private boolean isAway() {
    return closed || !machine.isOwnedBy(this);
  }

  @Override
  public List<String> check(String group, Map<String, ProcessSpec> processes) {
    return machine.problems(processes);
  }

  @Override
  public Future<Void> run(String group, Map<String, ProcessSpec> processes) {
    var wanted = Map.copyOf(new TreeMap<>(processes));
    return inOrder(
        group,
        () -> {
          var problems = check(group, wanted);
          if (!problems.isEmpty()) {
            return Future.failedFuture(new Refused(group, problems));
          }
          machine.files.put(group, new TreeMap<>(wanted));
          look();
          return Future.succeededFuture();
        });
  }

  @Override
  public Future<Void> remove(String group) {
    return inOrder(
        group,
        () -> {
          if (machine.files.containsKey(group)) {
            machine.files.put(group, new TreeMap<>());
          }
          var promise = Promise.<Void>promise();
          emptied.computeIfAbsent(group, its -> new ArrayList<>()).add(promise);
          look();
          return promise
              .future()
              .onSuccess(
                  ended -> {
                    machine.files.remove(group);
                    tell(group);
                  });
        });
  }

  @Override
  public Future<Boolean> restart(String group, Slot slot, String why) {
    boolean same =
        !isAway()
            && Optional.ofNullable(machine.processes.get(slot.name()))
                .filter(it -> slot.pid().filter(pid -> pid == it.pid()).isPresent())
                .isPresent();
    return Future.succeededFuture(
        same
            && kill(
                slot.name(),
                new Exit(
                    Optional.empty(), Optional.of(SIGTERM), loop.now(), true, Optional.of(why))));
  }

  /** Processes the requests of a group one at a time, each after a short delay. */
  private Future<Void> inOrder(String group, Supplier<Future<Void>> request) {
    var promise = Promise.<Void>promise();
    var before = tails.getOrDefault(group, Future.succeededFuture());
    tails.put(group, promise.future());
    before.onComplete(
        done -> loop.after(upTo(Duration.ofMillis(20)), () -> serve(request, promise)));
    return promise.future();
  }

  private void serve(Supplier<Future<Void>> request, Promise<Void> promise) {
    if (isAway()) {
      promise.fail(new IllegalStateException("the supervisor is closed"));
    } else {
      request.get().onComplete(promise);
    }
  }

  private Duration upTo(Duration most) {
    return Duration.ofMillis(random.nextInt((int) most.toMillis() + 1));
  }

  @Override
  public Optional<List<Slot>> processes(String group) {
    return Optional.of(
        slots().filter(slot -> groupOf(slot).equals(group)).map(this::view).toList());
  }

  @Override
  public Set<String> groups() {
    var names = new TreeSet<>(machine.files.keySet());
    machine.processes.keySet().forEach(slot -> names.add(groupOf(slot)));
    return names;
  }

  @Override
  public Watch watch(Loop where, Consumer<String> watcher) {
    var listener = new Listener(where, watcher);
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  @Override
  public void close() {
    closed = true;
    listeners.clear();
  }

  private static String groupOf(String slot) {
    return slot.substring(0, slot.indexOf('/'));
  }

  /** The desired process of each slot. */
  private Map<String, ProcessSpec> wanted() {
    var wanted = new TreeMap<String, ProcessSpec>();
    machine.files.forEach(
        (group, entries) ->
            entries.forEach(
                (process, entry) -> {
                  for (int i = 0; i < entry.daemons(); i++) {
                    wanted.put(group + "/" + process + "." + i, instance(entry, i));
                  }
                }));
    return wanted;
  }

  /** The spec of one instance; a process with another one is replaced. */
  private static ProcessSpec instance(ProcessSpec spec, int index) {
    return new ProcessSpec(
        spec.runtime(),
        spec.kind(),
        spec.image(),
        spec.config(),
        1,
        spec.variables(),
        spec.ipAddresses().stream().skip(index).limit(1).toList(),
        spec.secretsNamespaces(),
        spec.command(),
        spec.restartCounter());
  }

  private Stream<String> slots() {
    var slots = new TreeSet<>(wanted().keySet());
    slots.addAll(machine.processes.keySet());
    return slots.stream();
  }

  /** Compares the running processes with the desired ones, and starts and stops processes. */
  private void look() {
    if (isAway()) {
      return;
    }
    var wanted = wanted();
    List.copyOf(machine.processes.values()).stream()
        .filter(process -> process.ends().isPresent())
        .forEach(this::reap);
    var unwanted = machine.processes.values().stream().filter(it -> !isWanted(it, wanted)).toList();
    for (var process : unwanted) {
      if (process.ends().isEmpty() && unwanted.stream().noneMatch(it -> isBefore(it, process))) {
        var ends = loop.now().plus(upTo(longestStop));
        machine.terminate(process, ends);
        loop.after(Duration.between(loop.now(), ends), this::look);
      }
    }
    wanted.keySet().stream()
        .filter(slot -> !machine.processes.containsKey(slot) && !starting.containsKey(slot))
        .toList()
        .forEach(this::startLater);
    machine.forgetOthers(slots().collect(Collectors.toSet()));
    tellAll();
  }

  private static boolean isWanted(
      FakeMachine.FakeProcess process, Map<String, ProcessSpec> wanted) {
    return Optional.ofNullable(wanted.get(process.slot()))
        .filter(spec -> isAsWanted(process.spec(), spec))
        .isPresent();
  }

  /** Whether the other process is stopped only after this one. */
  private static boolean isBefore(FakeMachine.FakeProcess it, FakeMachine.FakeProcess other) {
    var name = other.slot().substring(other.slot().indexOf('/') + 1, other.slot().lastIndexOf('.'));
    return groupOf(it.slot()).equals(groupOf(other.slot()))
        && it.spec()
            .command()
            .filter(command -> ProcessSpec.Stop.names(command.stopping().before(), name))
            .isPresent();
  }

  /** Whether a process is kept: its spec is the desired one, apart from older restart counters. */
  private static boolean isAsWanted(ProcessSpec running, ProcessSpec wanted) {
    long counter = wanted.restartCounter().orElse(Long.MIN_VALUE);
    return counter <= running.restartCounter().orElse(Long.MIN_VALUE)
        && running.withRestartCounter(wanted.restartCounter()).equals(wanted);
  }

  private void reap(FakeMachine.FakeProcess process) {
    var ends = process.ends().orElseThrow();
    if (ends.isAfter(loop.now())) {
      loop.after(Duration.between(loop.now(), ends), this::look);
    } else {
      machine.end(process.slot(), new Exit(Optional.empty(), Optional.of(SIGTERM), ends, false));
    }
  }

  private void startLater(String slot) {
    var crashed = Optional.ofNullable(machine.exits.get(slot)).filter(Exit::failure);
    var wait =
        crashed
            .map(exit -> Duration.between(loop.now(), exit.at().plus(RESTART)))
            .filter(span -> !span.isNegative())
            .orElse(Duration.ZERO)
            .plus(upTo(longestStart));
    starting.put(slot, loop.now().plus(wait));
    loop.after(wait, () -> start(slot));
  }

  private void start(String slot) {
    starting.remove(slot);
    if (isAway()) {
      return;
    }
    var desired = wanted().get(slot);
    boolean free = !machine.processes.containsKey(slot);
    if (desired != null
        && free
        && machine.refusal(desired.program()).isEmpty()
        && !machine.isStuck(desired.program())) {
      failInTime(machine.start(slot, desired, loop.now()));
    }
    tell(groupOf(slot));
  }

  private void failInTime(FakeMachine.FakeProcess process) {
    machine
        .lifetime(process.image())
        .map(time -> Duration.between(loop.now(), process.started().plus(time)))
        .ifPresent(
            left -> loop.after(left.isNegative() ? Duration.ZERO : left, () -> fail(process)));
  }

  private void fail(FakeMachine.FakeProcess process) {
    if (process.equals(machine.processes.get(process.slot()))) {
      kill(process.slot(), new Exit(Optional.of(1), Optional.empty(), loop.now(), true));
    }
  }

  /** Notifies all listeners; extra notifications are allowed. */
  private void tellAll() {
    var names = groups();
    for (var group : List.copyOf(emptied.keySet())) {
      if (machine.processes.keySet().stream().noneMatch(it -> groupOf(it).equals(group))) {
        Optional.ofNullable(emptied.remove(group)).orElse(List.of()).forEach(Promise::complete);
      }
    }
    names.forEach(this::tell);
  }

  private void tell(String group) {
    for (var listener : listeners) {
      listener
          .loop()
          .execute(
              () -> {
                if (listeners.contains(listener)) {
                  listener.watcher().accept(group);
                }
              });
    }
  }

  /** How the slot's process has failed; empty if it has not. */
  private String ended(String slot) {
    return Optional.ofNullable(machine.exits.get(slot))
        .filter(Exit::failure)
        .map(
            exit ->
                exit.code()
                    .map(code -> "exited with code " + code)
                    .orElseGet(() -> "killed by signal " + exit.signal().orElse(0)))
        .orElse("");
  }

  private Slot view(String slot) {
    var process = Optional.ofNullable(machine.processes.get(slot));
    var desired = Optional.ofNullable(wanted().get(slot));
    var refusal = desired.flatMap(it -> machine.refusal(it.program()));
    var state = process.isPresent() ? State.RUNNING : State.WAITING;
    if (process.isPresent() && process.get().ends().isPresent()) {
      state = State.STOPPING;
    } else if (process.isEmpty() && refusal.isPresent()) {
      state = State.REFUSED;
    }
    long replacements = machine.replacements.getOrDefault(slot, 0L);
    return new Slot(
        slot,
        state,
        process
            .map(FakeMachine.FakeProcess::image)
            .or(() -> desired.map(ProcessSpec::program))
            .orElse(""),
        process.map(FakeMachine.FakeProcess::pid),
        process.map(FakeMachine.FakeProcess::started),
        Math.max(0, machine.starts.getOrDefault(slot, 0L) - 1 - replacements),
        replacements,
        Optional.ofNullable(machine.exits.get(slot)),
        state == State.WAITING ? Optional.ofNullable(starting.get(slot)) : Optional.empty(),
        refusal.orElse(state == State.WAITING ? ended(slot) : ""),
        List.of(),
        machine.detached.getOrDefault(slot, List.of()),
        process.isPresent()
            ? process.get().spec().restartCounter()
            : desired.flatMap(ProcessSpec::restartCounter));
  }
}
