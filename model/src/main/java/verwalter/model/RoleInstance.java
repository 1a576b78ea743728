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
   */
  public record Spec(
      String role,
      String node,
      String template,
      Optional<String> version,
      Map<String, Object> variables) {
    public Spec {
      variables = Json.freeze(variables);
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
   */
  public record Status(
      long observedGeneration,
      State state,
      int desired,
      int running,
      long restarts,
      Instant since,
      String reason,
      List<Condition> conditions) {
    public Status {
      conditions = List.copyOf(conditions);
    }
  }

  private RoleInstance() {}
}
