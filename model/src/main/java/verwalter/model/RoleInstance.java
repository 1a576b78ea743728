package verwalter.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.json.Json;

/** One role on one node. Its name is {@code role@node}. */
public final class RoleInstance {
  /** Held until processes have stopped and files are gone. */
  public static final String FINALIZER = "verwalter.io/instance";

  public static final Kind<Spec, Status> KIND =
      Kind.of("RoleInstance", "ri", Spec.class, Status.class)
          .in(Scope.NODE)
          .specBy(Writer.NODE_SCHEDULE)
          .statusBy(Writer.INSTANCE)
          .finalizedBy(FINALIZER, Writer.INSTANCE);

  public static String name(String role, String node) {
    return role + "@" + node;
  }

  /**
   * What the schedule gave the node for this role.
   *
   * @param role name of the role
   * @param node name of the node
   * @param template directory below {@code templates/}, from the variable of that name
   * @param version the variable {@code version}, when it is a text; for people only
   * @param variables everything the templates see
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
    /** Seen, nothing done yet. */
    INITIAL,
    /** Its files are being rendered, or could not be. */
    RENDERING,
    /** Its files are in place; processes are being started. */
    BOOTING,
    /** Every process that should run does. */
    RUNNING,
    /** Some process does not stay up. */
    BROKEN,
    /** Its processes are being stopped. */
    HALTING,
    /** It has no process to run. */
    HALTED
  }

  /**
   * The state of the instance.
   *
   * @param state its state
   * @param desired how many processes should run
   * @param running how many do
   * @param restarts how often any of them was started again since the agent knows them
   * @param since when {@code state} was entered
   * @param reason one line for people: why it is in that state
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
