package verwalter.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.json.Json;

/** The processes of one sandbox on one node. Its name is {@code sandbox@node}. */
public final class ProcessGroup {
  /** Held until every process of the group has ended. */
  public static final String FINALIZER = "verwalter.io/processes";

  public static final Kind<Spec, Status> KIND =
      Kind.of("ProcessGroup", "pg", Spec.class, Status.class)
          .in(Scope.NODE)
          .specBy(Writer.INSTANCE)
          .statusBy(Writer.PROCESS)
          .finalizedBy(FINALIZER, Writer.PROCESS);

  public static String name(String sandbox, String node) {
    return sandbox + "@" + node;
  }

  /**
   * Which processes the supervisor should run.
   *
   * @param role name of the role it belongs to
   * @param node name of the node
   * @param sandbox name of the group on its node; images run within the limits of the sandbox of
   *     that name
   * @param processes what to run, by name
   */
  public record Spec(String role, String node, String sandbox, Map<String, ProcessSpec> processes) {
    public Spec {
      processes = Json.freeze(processes);
    }
  }

  /**
   * What the supervisor reports.
   *
   * @param desired how many processes should run
   * @param running how many do
   * @param processes every slot: one for each instance of each process
   */
  public record Status(
      long observedGeneration,
      int desired,
      int running,
      List<Slot> processes,
      List<Condition> conditions) {
    public Status {
      processes = List.copyOf(processes);
      conditions = List.copyOf(conditions);
    }
  }

  /** The life of one process slot. */
  public enum State {
    /** Will be started at {@link Slot#nextStart}. */
    WAITING,
    /** Was started and has not ended. */
    RUNNING,
    /** Is being ended. */
    STOPPING,
    /**
     * Will not be started: its configuration asks for what this supervisor must not or cannot do.
     */
    REFUSED
  }

  /**
   * One process slot.
   *
   * @param name {@code sandbox/process.index}
   * @param state its state
   * @param image the image it runs, or will; the path of the program if it has a command
   * @param pid while it runs
   * @param started when it was started last
   * @param restarts how often it was started again
   * @param lastExit how it ended last
   * @param nextStart when it will be started, while it waits
   * @param reason why it is refused or waits; empty when there is nothing to say
   * @param warnings what it asks for and this supervisor leaves out
   */
  public record Slot(
      String name,
      State state,
      String image,
      Optional<Long> pid,
      Optional<Instant> started,
      long restarts,
      Optional<Exit> lastExit,
      Optional<Instant> nextStart,
      String reason,
      List<String> warnings) {
    public Slot {
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * How a process ended: a code, or a signal, or neither if it is unknown.
   *
   * @param code what it returned
   * @param signal number of the signal that ended it
   * @param at when
   * @param failure whether it counts as a failure of the process
   */
  public record Exit(
      Optional<Integer> code, Optional<Integer> signal, Instant at, boolean failure) {}

  private ProcessGroup() {}
}
