package verwalter.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.json.Json;

/** The processes of one sandbox on one node. Its name is {@code sandbox@node}. */
public final class ProcessGroup {
  /** The finalizer that is removed once every process of the group has ended. */
  public static final String FINALIZER = "verwalter.io/processes";

  public static final Kind<Spec, Status> KIND =
      Kind.of("ProcessGroup", "pg", Spec.class, Status.class)
          .in(Scope.NODE)
          .specBy(Writer.INSTANCE)
          .removedByItsWriters()
          .statusBy(Writer.PROCESS)
          .finalizedBy(FINALIZER, Writer.PROCESS);

  public static String name(String sandbox, String node) {
    return sandbox + "@" + node;
  }

  /**
   * The processes that the supervisor should run.
   *
   * @param role name of the role that the group belongs to
   * @param node name of the node
   * @param sandbox name of the group on its node; images run within the limits of the sandbox with
   *     this name
   * @param processes the processes by name
   */
  public record Spec(String role, String node, String sandbox, Map<String, ProcessSpec> processes) {
    public Spec {
      processes = Json.freeze(processes);
    }
  }

  /**
   * The state of the processes, reported by the supervisor.
   *
   * @param desired number of processes that should run
   * @param running number of processes that run
   * @param processes all slots: one for each instance of each process
   * @param commands the slots of commands that run by time
   * @param boot the start of the machine during which the supervisor reported this; processes of
   *     another one have ended. Absent if it is not known.
   */
  public record Status(
      long observedGeneration,
      int desired,
      int running,
      List<Slot> processes,
      List<Condition> conditions,
      Optional<String> boot,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Slot> commands) {
    public Status {
      processes = List.copyOf(processes);
      commands = List.copyOf(commands);
      conditions = List.copyOf(conditions);
    }

    /** A state without commands that run by time. */
    public Status(
        long observedGeneration,
        int desired,
        int running,
        List<Slot> processes,
        List<Condition> conditions,
        Optional<String> boot) {
      this(observedGeneration, desired, running, processes, conditions, boot, List.of());
    }

    /** A state that was reported during an unknown start of the machine. */
    public Status(
        long observedGeneration,
        int desired,
        int running,
        List<Slot> processes,
        List<Condition> conditions) {
      this(
          observedGeneration, desired, running, processes, conditions, Optional.empty(), List.of());
    }
  }

  /** The states of a process slot. */
  public enum State {
    /** The process will be started at {@link Slot#nextStart}. */
    WAITING,
    /** The process was started and has not ended. */
    RUNNING,
    /** The process is being stopped. */
    STOPPING,
    /**
     * The process will not be started, because this supervisor does not allow or support its
     * configuration.
     */
    REFUSED
  }

  /**
   * One process slot.
   *
   * @param name {@code sandbox/process.index}
   * @param state its state
   * @param image the image of the process, or the path of the program if it has a command
   * @param pid process id, while the process runs
   * @param started time of the last start
   * @param restarts number of restarts after the process had ended by itself
   * @param replacements number of starts after the supervisor had stopped the process because
   *     another one was wanted
   * @param lastExit how the process ended last
   * @param nextStart time of the next start, while the slot waits
   * @param reason why the slot is refused or waits; may be empty
   * @param warnings settings that this supervisor ignores
   * @param detached ids of processes that left the session of the process, as daemons do; at most
   *     ten
   * @param restartCounter the restart counter with which the process was started, or will be
   * @param readiness the result of its readiness probe; absent if it has none
   * @param unenforced why limits of the process are not enforced; absent if all are
   * @param cron the schedule of a command that runs by time; absent for other processes
   */
  public record Slot(
      String name,
      State state,
      String image,
      Optional<Long> pid,
      Optional<Instant> started,
      long restarts,
      long replacements,
      Optional<Exit> lastExit,
      Optional<Instant> nextStart,
      String reason,
      List<String> warnings,
      List<Long> detached,
      Optional<Long> restartCounter,
      Optional<Readiness> readiness,
      Optional<String> unenforced,
      Optional<String> cron) {
    public Slot {
      warnings = List.copyOf(warnings);
      detached = List.copyOf(detached);
    }

    /** A slot of a process that does not run by time. */
    public Slot(
        String name,
        State state,
        String image,
        Optional<Long> pid,
        Optional<Instant> started,
        long restarts,
        long replacements,
        Optional<Exit> lastExit,
        Optional<Instant> nextStart,
        String reason,
        List<String> warnings,
        List<Long> detached,
        Optional<Long> restartCounter,
        Optional<Readiness> readiness,
        Optional<String> unenforced) {
      this(
          name,
          state,
          image,
          pid,
          started,
          restarts,
          replacements,
          lastExit,
          nextStart,
          reason,
          warnings,
          detached,
          restartCounter,
          readiness,
          unenforced,
          Optional.empty());
    }

    /** A slot that is not probed, and whose limits are enforced. */
    public Slot(
        String name,
        State state,
        String image,
        Optional<Long> pid,
        Optional<Instant> started,
        long restarts,
        long replacements,
        Optional<Exit> lastExit,
        Optional<Instant> nextStart,
        String reason,
        List<String> warnings,
        List<Long> detached,
        Optional<Long> restartCounter) {
      this(
          name,
          state,
          image,
          pid,
          started,
          restarts,
          replacements,
          lastExit,
          nextStart,
          reason,
          warnings,
          detached,
          restartCounter,
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
    }

    /** A slot whose process was never restarted by request. */
    public Slot(
        String name,
        State state,
        String image,
        Optional<Long> pid,
        Optional<Instant> started,
        long restarts,
        long replacements,
        Optional<Exit> lastExit,
        Optional<Instant> nextStart,
        String reason,
        List<String> warnings,
        List<Long> detached) {
      this(
          name,
          state,
          image,
          pid,
          started,
          restarts,
          replacements,
          lastExit,
          nextStart,
          reason,
          warnings,
          detached,
          Optional.empty());
    }

    /** A copy with another readiness. */
    public Slot withReadiness(Optional<Readiness> other) {
      return new Slot(
          name,
          state,
          image,
          pid,
          started,
          restarts,
          replacements,
          lastExit,
          nextStart,
          reason,
          warnings,
          detached,
          restartCounter,
          other,
          unenforced,
          cron);
    }

    /** Whether both are the same process, which has not been started again. */
    public boolean isSameRun(Slot other) {
      return name.equals(other.name)
          && pid.isPresent()
          && pid.equals(other.pid)
          && started.equals(other.started);
    }

    /** Whether the process runs and is ready; one that is not probed is ready while it runs. */
    public boolean isReady() {
      return state == State.RUNNING
          && readiness.filter(it -> it.ready() != Condition.Truth.TRUE).isEmpty();
    }

    /**
     * Whether the slot is refused, or waits after its process failed. A slot that waits without a
     * reason is about to start something else than what failed.
     */
    public boolean failed() {
      return state == State.REFUSED
          || (state == State.WAITING
              && !reason.isEmpty()
              && lastExit.filter(Exit::failure).isPresent());
    }
  }

  /**
   * Whether a process is ready.
   *
   * @param ready unknown until it was probed, and while it cannot be probed
   * @param reason why it is not ready, or not known to be, such as {@code HTTP 503 from
   *     http://127.0.0.1:10200/healthz}; empty if it is ready
   * @param since when {@code ready} last changed
   */
  public record Readiness(Condition.Truth ready, String reason, Instant since) {}

  /**
   * How a process ended: an exit code, a signal, or neither if it is unknown.
   *
   * @param code exit code
   * @param signal number of the signal that ended it
   * @param at when the process ended
   * @param failure whether the exit counts as a failure
   * @param message how it ended, and why that is or is not a failure
   */
  public record Exit(
      Optional<Integer> code,
      Optional<Integer> signal,
      Instant at,
      boolean failure,
      Optional<String> message) {
    /** An exit without a message. */
    public Exit(Optional<Integer> code, Optional<Integer> signal, Instant at, boolean failure) {
      this(code, signal, at, failure, Optional.empty());
    }
  }

  private ProcessGroup() {}
}
