package verwalter.e2e.simulation;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.Supervisor;

/** A supervisor that cannot always be asked, that is slow, and whose agent may be killed. */
final class FaultySupervisor implements Supervisor {
  /** What is wrong with the supervisor of a machine, also across its agents. */
  static final class Trouble {
    /** Whether it does not say which processes run. */
    boolean silent;

    /** Whether requests fail without an effect. */
    boolean failing;

    /** The longest time until it reads a request, and until it reports a change. */
    Duration late = Duration.ZERO;

    void end() {
      silent = false;
      failing = false;
      late = Duration.ZERO;
    }
  }

  private final Supervisor real;
  private final Loop loop;
  private final Random random;
  private final Trouble trouble;
  private final CrashPoints points;
  private final Map<String, Future<?>> last = new HashMap<>();
  private final List<Listener> listeners = new ArrayList<>();

  private record Listener(Loop loop, Consumer<String> watcher) {}

  FaultySupervisor(Supervisor real, Loop loop, Random random, Trouble trouble, CrashPoints points) {
    this.real = real;
    this.loop = loop;
    this.random = random;
    this.trouble = trouble;
    this.points = points;
  }

  @Override
  public List<String> check(String group, Map<String, ProcessSpec> processes) {
    return real.check(group, processes);
  }

  @Override
  public Future<Void> run(String group, Map<String, ProcessSpec> processes) {
    return request("run", group, () -> real.run(group, processes));
  }

  @Override
  public Future<Void> remove(String group) {
    return request("remove", group, () -> real.remove(group));
  }

  @Override
  public Future<Boolean> restart(String group, ProcessGroup.Slot slot, String why) {
    return real.restart(group, slot, why);
  }

  /** The requests of a group are served in their order. */
  private Future<Void> request(String verb, String group, Supplier<Future<Void>> effect) {
    var what = verb + " " + group;
    if (trouble.failing) {
      return Future.failedFuture(new IOException("cannot " + what + ": the supervisor is gone"));
    }
    var done = Promise.<Void>promise();
    var before = Optional.<Future<?>>ofNullable(last.put(group, done.future()));
    loop.after(
        late(),
        () ->
            before
                .orElseGet(Future::succeededFuture)
                .onComplete(
                    served -> loop.execute(() -> points.around(what, effect).onComplete(done))));
    return done.future();
  }

  private Duration late() {
    return trouble.late.isZero()
        ? Duration.ZERO
        : Duration.ofMillis(random.nextLong(trouble.late.toMillis()));
  }

  @Override
  public Optional<List<ProcessGroup.Slot>> processes(String group) {
    return trouble.silent ? Optional.empty() : real.processes(group);
  }

  @Override
  public Set<String> groups() {
    return real.groups();
  }

  @Override
  public Watch watch(Loop where, Consumer<String> watcher) {
    var listener = new Listener(where, watcher);
    listeners.add(listener);
    var watch = real.watch(where, group -> tell(listener, group));
    return () -> {
      listeners.remove(listener);
      watch.close();
    };
  }

  private void tell(Listener to, String group) {
    to.loop()
        .after(
            late(),
            () -> {
              if (listeners.contains(to)) {
                to.watcher().accept(group);
              }
            });
  }

  /** The troubles have ended: what is known of any group may have changed. */
  void recovered() {
    for (var listener : List.copyOf(listeners)) {
      real.groups().forEach(group -> tell(listener, group));
    }
  }

  @Override
  public void close() {
    real.close();
  }
}
