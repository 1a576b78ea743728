package verwalter.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.json.Json;

/** One role on one node. Its name is {@code role@node}. */
public final class RoleInstance {
  /** The finalizer that is removed once processes have stopped and files are removed. */
  public static final String FINALIZER = "verwalter.io/instance";

  public static final Kind<Spec, Status> KIND =
      Kind.of("RoleInstance", "ri", Spec.class, Status.class)
          .in(Scope.NODE)
          .specBy(Writer.NODE_SCHEDULE)
          .removedByItsWriters()
          .statusBy(Writer.INSTANCE)
          .finalizedBy(FINALIZER, Writer.INSTANCE);

  /** The field that {@code vw restart} raises. */
  public static final String RESTART_COUNTER = "restartCounter";

  private static Map<String, Long> counters(Optional<Long> restart) {
    return restart.map(number -> Map.of(RESTART_COUNTER, number)).orElse(Map.of());
  }

  public static String name(String role, String node) {
    return role + "@" + node;
  }

  /**
   * The role as the schedule assigns it to the node.
   *
   * @param role name of the role
   * @param node name of the node
   * @param template directory below {@code templates/}, from the variable of that name
   * @param version the variable {@code version}, if it is a string; for display only
   * @param variables the input of the templates
   * @param restartCounter the number of the last restart that was requested; absent before the
   *     first one. Operators raise it, and the schedule does not change it.
   */
  public record Spec(
      String role,
      String node,
      String template,
      Optional<String> version,
      Map<String, Object> variables,
      Optional<Long> restartCounter)
      implements Commanded<Spec> {
    public Spec {
      variables = Json.freeze(variables);
    }

    /** An instance of which no restart was requested. */
    public Spec(
        String role,
        String node,
        String template,
        Optional<String> version,
        Map<String, Object> variables) {
      this(role, node, template, version, variables, Optional.empty());
    }

    /** A copy with another restart counter. */
    public Spec withRestartCounter(Optional<Long> counter) {
      return new Spec(role, node, template, version, variables, counter);
    }

    @Override
    public Map<String, Long> counters() {
      return RoleInstance.counters(restartCounter);
    }

    @Override
    public Spec withCountersOf(Spec other) {
      return withRestartCounter(other.restartCounter);
    }
  }

  /** The states of an instance, in their usual order. */
  public enum State {
    /** Created; nothing was done yet. */
    INITIAL,
    /** Its files are being rendered, or it waits for another role. */
    RENDERING,
    /** Its files are in place; processes are being started. */
    BOOTING,
    /** All of its processes run. */
    RUNNING,
    /** Rendering failed, or a process failed or was refused. */
    BROKEN,
    /** Its processes are being stopped. */
    HALTING,
    /** It has no process to run. */
    HALTED
  }

  /**
   * The state of the instance.
   *
   * @param state the state
   * @param desired number of processes that should run
   * @param running number of processes that run
   * @param restarts number of restarts of its present processes after they had ended by themselves
   * @param since when the state was entered
   * @param reason why it is in that state: one line of text
   * @param restartCounter the last restart that was carried out: no process was started before it
   */
  public record Status(
      long observedGeneration,
      State state,
      int desired,
      int running,
      long restarts,
      Instant since,
      String reason,
      List<Condition> conditions,
      Optional<Long> restartCounter)
      implements Counted {
    public Status {
      conditions = List.copyOf(conditions);
    }

    /** The state of an instance that was never restarted by request. */
    public Status(
        long observedGeneration,
        State state,
        int desired,
        int running,
        long restarts,
        Instant since,
        String reason,
        List<Condition> conditions) {
      this(
          observedGeneration,
          state,
          desired,
          running,
          restarts,
          since,
          reason,
          conditions,
          Optional.empty());
    }

    @Override
    public Map<String, Long> counters() {
      return RoleInstance.counters(restartCounter);
    }
  }

  private RoleInstance() {}
}
