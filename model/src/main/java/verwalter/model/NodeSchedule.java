package verwalter.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.json.Json;

/** One node's share of the schedule. Its name is the name of the node. */
public final class NodeSchedule {
  public static final Kind<Spec, Status> KIND =
      Kind.of("NodeSchedule", "nsch", Spec.class, Status.class)
          .in(Scope.CLUSTER)
          .specBy(Writer.SCHEDULE)
          .removedByItsWriters()
          .statusBy(Writer.NODE_SCHEDULE);

  /**
   * The roles that the node should run.
   *
   * @param schedule hash of the schedule that last changed this share; a newer schedule may have
   *     the same roles for this node
   * @param roles the variables of each role, merged from all layers
   * @param versions the settings of the version of each role that has any
   */
  public record Spec(
      String schedule,
      Map<String, Map<String, Object>> roles,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, VersionSettings> versions) {
    public Spec {
      roles = Json.freeze(roles);
      versions = Json.freeze(versions);
    }

    /** Roles whose versions have no settings. */
    public Spec(String schedule, Map<String, Map<String, Object>> roles) {
      this(schedule, roles, Map.of());
    }

    /** The settings of the version of a role. */
    public VersionSettings settings(String role) {
      return versions.getOrDefault(role, VersionSettings.NONE);
    }
  }

  /**
   * The state of the share on the node.
   *
   * @param applied hash of the last schedule of which every role was applied
   * @param roles state of the role instance of each role
   */
  public record Status(
      long observedGeneration,
      Optional<String> applied,
      Map<String, RoleInstance.State> roles,
      List<Condition> conditions) {
    public Status {
      roles = Json.freeze(roles);
      conditions = List.copyOf(conditions);
    }
  }

  private NodeSchedule() {}
}
