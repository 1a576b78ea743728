package verwalter.scheduler.standard;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A process of a simulated node, in a slot such as {@code web/web-0.0}. */
final class SimulatedProcess {
  /**
   * What shall run in a slot.
   *
   * @param entry the name of its entry in the schedule
   * @param command its command, by which the node knows whether to start another process
   * @param probed whether a probe says whether it is ready
   */
  record Wanted(
      String role,
      String entry,
      String daemon,
      String version,
      String command,
      Map<String, Object> ports,
      boolean probed,
      Behaviour behaviour) {
    /** Whether the process that runs this need not be replaced to run the other. */
    boolean isSame(@Nullable Wanted other) {
      return other != null && command.equals(other.command) && ports.equals(other.ports);
    }
  }

  private enum State {
    WAITING,
    RUNNING,
    STOPPING
  }

  private static final long CRASHES_AFTER = 1_000;

  private Wanted wanted;
  private @Nullable Wanted next;
  private State state = State.RUNNING;
  private long since;
  private long started;
  private long restarts;
  private boolean crashed;

  SimulatedProcess(Wanted wanted, long now) {
    this.wanted = wanted;
    this.since = now;
    this.started = now;
  }

  Wanted wanted() {
    return wanted;
  }

  /** Gives the slot something else to run; null to end it. */
  void want(@Nullable Wanted other, long now) {
    if (state == State.STOPPING) {
      next = other;
    } else if (wanted.isSame(other)) {
      wanted = Objects.requireNonNull(other);
    } else {
      next = other;
      state = State.STOPPING;
      since = now;
    }
  }

  /** Lets time pass; returns whether the slot still exists. */
  boolean pass(long now) {
    if (state == State.STOPPING && now - since >= wanted.behaviour().stopping()) {
      if (next == null) {
        return false;
      }
      wanted = next;
      next = null;
      crashed = false;
      start(now);
    }
    if (state == State.RUNNING
        && wanted.behaviour().fault() == Behaviour.Fault.CRASHES
        && now - started >= CRASHES_AFTER) {
      crash(now);
    }
    if (state == State.WAITING && now - since >= Math.min(8_000, 1_000 << restarts)) {
      start(now);
    }
    return true;
  }

  private void start(long now) {
    state = State.RUNNING;
    since = now;
    started = now;
  }

  /** The process ends by itself, and will be started again. */
  void crash(long now) {
    if (state == State.RUNNING) {
      state = State.WAITING;
      since = now;
      restarts++;
      crashed = true;
    }
  }

  /** Whether it works: it runs, and is ready. */
  boolean serves(long now) {
    return state == State.RUNNING && isReady(now);
  }

  private boolean isReady(long now) {
    return wanted.behaviour().fault() == Behaviour.Fault.NONE
        ? !wanted.probed() || now - started >= wanted.behaviour().starting()
        : !wanted.probed() && wanted.behaviour().fault() == Behaviour.Fault.NEVER_READY;
  }

  /** Whether it does not work because of itself. */
  boolean failed(long now) {
    return state != State.STOPPING && !serves(now) && (crashed || !wanted.behaviour().isGood());
  }

  /** The ports that it holds, as texts. */
  Set<String> ports() {
    var held = new TreeSet<String>();
    wanted.ports().values().forEach(port -> held.add(Objects.toString(port)));
    return held;
  }

  /** How the node reports it. */
  Map<String, Object> report(long now) {
    var seen = new LinkedHashMap<String, Object>();
    seen.put("state", state.name().toLowerCase(java.util.Locale.ROOT));
    seen.put("since", started);
    seen.put("restarts", restarts);
    if (wanted.probed() && state == State.RUNNING) {
      boolean ready = isReady(now);
      seen.put("ready", ready ? "true" : "false");
      seen.put("ready_since", ready ? started + wanted.behaviour().starting() : started);
      seen.put("ready_reason", ready ? "" : "HTTP 503");
    }
    return seen;
  }
}
