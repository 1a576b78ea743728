package verwalter.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.json.Json;

/** One node's share of the schedule. Its name is the node's. */
public final class NodeSchedule {
  public static final Kind<Spec, Status> KIND =
      Kind.of("NodeSchedule", "ns", Spec.class, Status.class)
          .in(Scope.CLUSTER)
          .specBy(Writer.SCHEDULE)
          .statusBy(Writer.NODE_SCHEDULE);

  /**
   * What the node should run.
   *
   * @param schedule hash of the schedule that changed this share last; the newest one may be
   *     another that says the same of this node
   * @param roles the variables of each role, merged from all layers
   */
  public record Spec(String schedule, Map<String, Map<String, Object>> roles) {
    public Spec {
      roles = Json.freeze(roles);
    }
  }

  /**
   * What the node made of it.
   *
   * @param applied hash of the last schedule of which every role was carried out
   * @param roles state of each role, as its role instance has it
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
