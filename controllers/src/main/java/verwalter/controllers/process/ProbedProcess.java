package verwalter.controllers.process;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor;
import verwalter.model.Condition.Truth;
import verwalter.model.ProcessGroup.Readiness;
import verwalter.model.ProcessGroup.Slot;
import verwalter.model.ProcessSpec;
import verwalter.model.ProcessSpec.Purpose;

/** Probes one process from its start to its end. Belongs to the loop. */
final class ProbedProcess {
  private final Loop loop;
  private final Prober prober;
  private final Slot slot;
  private final ProcessSpec.Command command;
  private final Events events;
  private final Map<Purpose, ProbeState> states = new EnumMap<>(Purpose.class);
  private final Map<Purpose, TimedExecutor.Timer> timers = new HashMap<>();
  private boolean ended;

  /** Takes what the probes find. */
  interface Events {
    /** The readiness is another one. */
    void changed();

    /**
     * The startup or the liveness probe has failed, and the process is to be restarted. It is not
     * probed any more.
     */
    void failed(Slot slot, Purpose purpose, String reason);
  }

  /**
   * Begins at once.
   *
   * @param before the readiness of the same process that was known before
   */
  ProbedProcess(
      Loop loop,
      Prober prober,
      Slot slot,
      ProcessSpec.Command command,
      Optional<Readiness> before,
      Events events) {
    this.loop = loop;
    this.prober = prober;
    this.slot = slot;
    this.command = command;
    this.events = events;
    for (var probe : command.probes()) {
      states.put(probe.purpose(), ProbeState.fresh(loop.now()));
    }
    if (before.isPresent() && states.containsKey(Purpose.READINESS)) {
      states.put(Purpose.READINESS, ProbeState.of(before.get()));
    }
    command.probes().forEach(this::attempt);
  }

  /** Whether it is the same process with the same probes. */
  boolean isOf(Slot other, ProcessSpec.Command its) {
    return slot.isSameRun(other) && command.equals(its);
  }

  /** Whether this process is ready; empty if it has no readiness probe. */
  Optional<Readiness> readiness() {
    return Optional.ofNullable(states.get(Purpose.READINESS)).map(ProbeState::readiness);
  }

  /** Ends all probes. */
  void end() {
    ended = true;
    timers.values().forEach(TimedExecutor.Timer::cancel);
  }

  /** The startup probe ends with its success, and the liveness probe waits for it. */
  private boolean isOff(Purpose purpose) {
    var startup = states.get(Purpose.STARTUP);
    boolean started = startup == null || startup.truth() == Truth.TRUE;
    return switch (purpose) {
      case STARTUP -> started;
      case READINESS -> false;
      case LIVENESS -> !started;
    };
  }

  private void attempt(ProcessSpec.Probe probe) {
    if (ended) {
      return;
    }
    if (isOff(probe.purpose())) {
      again(probe);
      return;
    }
    // An exception of the prober is a failed future, too.
    Future.succeededFuture()
        .compose(start -> prober.probe(probe, slot.name(), command))
        .recover(
            failure ->
                Future.succeededFuture(ProbeResult.unknown(String.valueOf(failure.getMessage()))))
        .onSuccess(result -> loop.execute(() -> take(probe, result)));
  }

  private void again(ProcessSpec.Probe probe) {
    if (probe.purpose() == Purpose.STARTUP && isOff(Purpose.STARTUP)) {
      return;
    }
    timers.put(
        probe.purpose(),
        loop.after(Duration.ofSeconds(probe.intervalSeconds()), () -> attempt(probe)));
  }

  private void take(ProcessSpec.Probe probe, ProbeResult result) {
    var before = states.get(probe.purpose());
    if (ended || before == null) {
      return;
    }
    var now = before.after(result, probe, loop.now());
    states.put(probe.purpose(), now);
    if (probe.purpose() == Purpose.READINESS) {
      if (!now.readiness().equals(before.readiness())) {
        events.changed();
      }
    } else if (now.truth() == Truth.FALSE) {
      end();
      events.failed(slot, probe.purpose(), now.reason());
      return;
    }
    again(probe);
  }
}
