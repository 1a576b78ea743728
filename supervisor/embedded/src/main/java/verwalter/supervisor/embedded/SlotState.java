package verwalter.supervisor.embedded;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import verwalter.model.ProcessGroup.Exit;

/**
 * The desired and the actual state of one slot. The methods named after events record them; {@link
 * #decide} returns the effects. Pure: time is an argument, and equal events give equal results.
 */
record SlotState(String slot, Optional<DesiredProcess> desired, Phase phase, History history) {
  /** The time limit for a launched program to report its process id. */
  static final Duration START_TIMEOUT = Duration.ofSeconds(10);

  /** A command that runs by time is not started later than this after its time. */
  static final Duration LATEST = Duration.ofMinutes(1);

  /** The result of a decision: the new state of the slot, and the effects. */
  record Step(SlotState state, List<SlotEffect> effects) {}

  static SlotState fresh(String slot, Instant now) {
    return new SlotState(slot, Optional.empty(), new Phase.Waiting(now), History.NONE);
  }

  private SlotState in(Phase next) {
    return new SlotState(slot, desired, next, history);
  }

  private SlotState in(Phase next, History newHistory) {
    return new SlotState(slot, desired, next, newHistory);
  }

  /**
   * The process file was read. Another desired process and one that is to be restarted start at
   * once: the delay after crashes of the last one does not apply to them.
   */
  SlotState configured(Optional<DesiredProcess> newDesired, Instant now) {
    if (newDesired.flatMap(DesiredProcess::cron).isPresent()) {
      return timed(newDesired.get(), now);
    }
    boolean same =
        newDesired.map(DesiredProcess::identity).equals(desired.map(DesiredProcess::identity))
            && newDesired
                .filter(next -> next.isAfter(desired.flatMap(DesiredProcess::restartCounter)))
                .isEmpty();
    if (!same && phase instanceof Phase.Waiting waiting && waiting.at().isAfter(now)) {
      return new SlotState(slot, newDesired, new Phase.Waiting(now), history.calm());
    }
    return new SlotState(slot, newDesired, known(newDesired), history);
  }

  /** Another schedule counts from now on. Times before are left out. */
  private SlotState timed(DesiredProcess next, Instant now) {
    boolean same =
        desired
            .filter(was -> was.problems().isEmpty() && was.cron().equals(next.cron()))
            .isPresent();
    var at = next.next(now).orElse(now);
    var then = known(Optional.of(next));
    if (!same && phase instanceof Phase.Waiting) {
      then = new Phase.Waiting(at);
    } else if (!same && phase instanceof Phase.Sweeping sweeping) {
      then = new Phase.Sweeping(sweeping.run(), at);
    }
    return new SlotState(slot, Optional.of(next), then, history);
  }

  /** A process whose launch note was lost is taken for the one that its process file names. */
  private Phase known(Optional<DesiredProcess> process) {
    if (process.filter(it -> !it.identity().equals(Run.UNKNOWN)).isEmpty()) {
      return phase;
    }
    if (phase instanceof Phase.Running running) {
      return new Phase.Running(running.run().knownAs(process.get()), running.process());
    }
    return phase instanceof Phase.Started started
        ? new Phase.Started(started.run().knownAs(process.get()))
        : phase;
  }

  /** Its shim has been started. */
  SlotState launched(Run run) {
    return phase instanceof Phase.Starting starting && starting.id().equals(run.id())
        ? in(new Phase.Started(run), history.started())
        : this;
  }

  /** The last check of its configuration found problems. */
  SlotState refused(String id, List<String> problems, Instant now) {
    return phase instanceof Phase.Starting starting && starting.id().equals(id)
        ? new SlotState(
            slot, desired.map(was -> was.with(problems)), new Phase.Waiting(now), history)
        : this;
  }

  /** The launch failed, or the launched run never had a process. */
  SlotState failed(String id, String why, Instant now) {
    boolean starting = phase instanceof Phase.Starting it && it.id().equals(id);
    boolean started = phase instanceof Phase.Started it && it.run().id().equals(id);
    if (!starting && !started) {
      return this;
    }
    var timeout = phase.activeRun().map(run -> run.terms().restartTimeout()).orElse(1);
    var next = nextTime(now);
    var restart =
        next.isPresent()
            ? new Restart(next.get(), 0, why)
            : Restart.afterFailure(Duration.ofSeconds(timeout), history.earlyExits(), now, why);
    // Also a start that failed is a failure, whatever the process before did.
    var exit = new Exit(Optional.empty(), Optional.empty(), now, true, Optional.of(why));
    return in(
        new Phase.Waiting(restart.at()),
        history.ended(
            history.requested(), restart, starting ? Optional.of(exit) : history.lastExit()));
  }

  /** The process id of its program is known. */
  SlotState alive(String id, ProcessId process) {
    return phase instanceof Phase.Started started && started.run().id().equals(id)
        ? in(new Phase.Running(started.run(), process))
        : this;
  }

  /**
   * The process with that id is unhealthy, and ends as if it had failed by itself. Another process
   * is not affected.
   *
   * @param why the end of a sentence, such as {@code its liveness probe failed}
   */
  Step unhealthy(long pid, String why, Instant now) {
    return phase instanceof Phase.Running running && running.process().pid() == pid
        ? stop(running, now, Optional.of(why))
        : step();
  }

  /**
   * Its program has ended.
   *
   * @param status empty if it is unknown
   */
  Step ended(String id, Optional<ExitStatus> status, Instant at) {
    var run =
        phase.activeRun().filter(its -> its.id().equals(id) && !(phase instanceof Phase.Sweeping));
    if (run.isEmpty()) {
      return new Step(this, List.of());
    }
    var unhealthy =
        phase instanceof Phase.Stopping stopping ? stopping.unhealthy() : Optional.<String>empty();
    boolean asked =
        phase instanceof Phase.Leaving || (phase instanceof Phase.Stopping && unhealthy.isEmpty());
    var exit =
        unhealthy
            .map(why -> unhealthy(status, at, why))
            .orElseGet(() -> exit(run.get(), status, at, asked));
    var restart = asked ? new Restart(at, 0, "") : restart(run.get(), exit);
    return new Step(
        in(
            new Phase.Sweeping(run.get(), restart.at()),
            history.ended(asked, restart, Optional.of(exit))),
        List.of(new SlotEffect.Sweep(run.get(), process(), exit)));
  }

  private Restart restart(Run run, Exit exit) {
    if (!run.terms().byTime()) {
      return Restart.after(run, exit);
    }
    // Not the time of this run again, if the clock was set back since its start.
    var over = Collections.max(List.of(exit.at(), run.started()));
    return Restart.byTime(run, exit, nextTime(over).orElse(over));
  }

  /** The next time of a command that runs by time. */
  private Optional<Instant> nextTime(Instant after) {
    return desired.flatMap(process -> process.next(after));
  }

  /** The running process, if known. */
  Optional<ProcessId> process() {
    if (phase instanceof Phase.Running running) {
      return Optional.of(running.process());
    }
    if (phase instanceof Phase.Leaving leaving) {
      return Optional.of(leaving.process());
    }
    return phase instanceof Phase.Stopping stopping
        ? Optional.of(stopping.process())
        : Optional.empty();
  }

  private static Exit unhealthy(Optional<ExitStatus> status, Instant at, String why) {
    var exit =
        new Exit(status.flatMap(ExitStatus::code), status.flatMap(ExitStatus::signal), at, true);
    return new Exit(
        exit.code(), exit.signal(), at, true, Optional.of(Restart.words(exit) + ", since " + why));
  }

  private static Exit exit(Run run, Optional<ExitStatus> status, Instant at, boolean asked) {
    boolean failure =
        !asked && status.map(ExitStatus::number).map(run.terms()::isFailure).orElse(true);
    var code = status.flatMap(ExitStatus::code);
    var signal = status.flatMap(ExitStatus::signal);
    var exit = new Exit(code, signal, at, failure);
    var message = Restart.words(exit) + judgement(exit, asked);
    return new Exit(code, signal, at, failure, Optional.of(message));
  }

  /** Why the exit is or is not a failure, if that is not obvious. */
  private static String judgement(Exit exit, boolean asked) {
    if (asked) {
      return ", after a request to end";
    }
    if (exit.failure()) {
      return exit.code().equals(Optional.of(0)) ? ", but should have kept running" : "";
    }
    return exit.code().isPresent() ? ", which is a normal exit code" : "";
  }

  /**
   * Nothing of that run is left.
   *
   * @param left what to add about what it left and why it ended
   * @param output the last lines that it wrote; empty if they do not matter
   */
  SlotState swept(String id, String left, String output) {
    return phase instanceof Phase.Sweeping sweeping && sweeping.run().id().equals(id)
        ? in(phase, history.leaving(left, Restart.said(output))).swept(id)
        : this;
  }

  /** Nothing of that run is left. */
  SlotState swept(String id) {
    return phase instanceof Phase.Sweeping sweeping && sweeping.run().id().equals(id)
        ? in(new Phase.Waiting(sweeping.next()))
        : this;
  }

  /** Decides for a slot whose process does not wait for others. */
  Step decide(Instant now, String id) {
    return decide(now, id, Optional.empty());
  }

  /** Whether it has a run that is not the desired one. */
  boolean isUnwanted() {
    return phase.activeRun().filter(run -> !isWanted(run)).isPresent();
  }

  /**
   * Decides on the effects.
   *
   * @param id of a run to start, if any
   * @param others the longest time for which a process that is not wanted waits until others have
   *     ended; empty if there are none
   */
  Step decide(Instant now, String id, Optional<Duration> others) {
    if (phase instanceof Phase.Waiting waiting) {
      return waiting(waiting, now, id);
    }
    if (phase instanceof Phase.Started started) {
      var deadline = started.run().started().plus(START_TIMEOUT);
      return deadline.isAfter(now)
          ? step(new SlotEffect.Wake(slot, deadline))
          : step(
              new SlotEffect.Annul(started.run()),
              new SlotEffect.Wake(slot, now.plus(START_TIMEOUT)));
    }
    if (phase instanceof Phase.Running running) {
      return running(running, now, others);
    }
    if (phase instanceof Phase.Leaving leaving) {
      return leaving(leaving, now, others);
    }
    if (phase instanceof Phase.Stopping stopping && !stopping.killed()) {
      return stopping(stopping, now);
    }
    return step();
  }

  private Step step(SlotEffect... effects) {
    return new Step(this, List.of(effects));
  }

  private Step waiting(Phase.Waiting waiting, Instant now, String id) {
    if (desired.isEmpty()) {
      return new Step(in(new Phase.Gone()), List.of());
    }
    if (!desired.get().problems().isEmpty()) {
      return step();
    }
    var next = nextTime(now);
    if (desired.get().cron().isPresent()) {
      return next.isPresent() ? waiting(waiting.at(), next.get(), now, id) : step();
    }
    return waiting.at().isAfter(now)
        ? step(new SlotEffect.Wake(slot, waiting.at()))
        : new Step(in(new Phase.Starting(id, now)), List.of(new SlotEffect.Launch(slot, id)));
  }

  /**
   * Waits for a time. Looks again at least once a minute, since the clock may be set: a time that
   * is over is left out, and one that is too far away is replaced.
   */
  private Step waiting(Instant planned, Instant next, Instant now, String id) {
    boolean missed = planned.isBefore(now.minus(LATEST));
    var at = missed || next.isBefore(planned) ? next : planned;
    if (!at.isAfter(now)) {
      return new Step(in(new Phase.Starting(id, now)), List.of(new SlotEffect.Launch(slot, id)));
    }
    var look = Collections.min(List.of(at, now.plus(LATEST)));
    return new Step(in(new Phase.Waiting(at)), List.of(new SlotEffect.Wake(slot, look)));
  }

  /** An invalid desired process never ends a running one. */
  private Step running(Phase.Running running, Instant now, Optional<Duration> others) {
    if (isWanted(running.run())) {
      return limited(running, now);
    }
    var until = now.plusSeconds(running.run().terms().stopDelay());
    var latest = Collections.max(List.of(until, now.plus(others.orElse(Duration.ZERO))));
    var left = in(new Phase.Leaving(running.run(), running.process(), until, latest));
    return left.decide(now, "", others);
  }

  /** Stops a run that takes longer than its limit. */
  private Step limited(Phase.Running running, Instant now) {
    long limit = running.run().terms().limit();
    if (limit == 0) {
      return step();
    }
    var end = running.run().started().plusSeconds(limit);
    return end.isAfter(now)
        ? step(new SlotEffect.Wake(slot, end))
        : stop(running, now, Optional.of("it took longer than its time limit of " + limit + " s"));
  }

  private boolean isWanted(Run run) {
    return desired.filter(it -> !it.problems().isEmpty() || it.isRunBy(run)).isPresent();
  }

  private Step leaving(Phase.Leaving leaving, Instant now, Optional<Duration> others) {
    var running = new Phase.Running(leaving.run(), leaving.process());
    if (isWanted(leaving.run())) {
      return new Step(in(running), List.of());
    }
    var until = others.isPresent() ? leaving.latest() : leaving.until();
    return until.isAfter(now)
        ? step(new SlotEffect.Wake(slot, until))
        : stop(running, now, Optional.empty());
  }

  private Step stop(Phase.Running running, Instant now, Optional<String> unhealthy) {
    var deadline = now.plusSeconds(running.run().terms().killTimeout());
    return new Step(
        in(new Phase.Stopping(running.run(), running.process(), deadline, false, unhealthy)),
        List.of(
            new SlotEffect.Terminate(running.run(), running.process()),
            new SlotEffect.Wake(slot, deadline)));
  }

  private Step stopping(Phase.Stopping stopping, Instant now) {
    if (stopping.deadline().isAfter(now)) {
      return step(new SlotEffect.Wake(slot, stopping.deadline()));
    }
    return new Step(
        in(
            new Phase.Stopping(
                stopping.run(),
                stopping.process(),
                stopping.deadline(),
                true,
                stopping.unhealthy())),
        List.of(new SlotEffect.Kill(stopping.run(), stopping.process())));
  }
}
