package verwalter.model;

import java.util.List;
import java.util.Optional;

/** All kinds of objects. */
public final class Kinds {
  /**
   * All kinds, ordered by the flow from the schedule to processes; access and the cluster come
   * last.
   */
  public static final List<Kind<?, ?>> ALL =
      List.of(
          Node.KIND,
          RoleConfig.KIND,
          Rollout.KIND,
          Configuration.KIND,
          SchedulerCode.KIND,
          Schedule.KIND,
          NodeSchedule.KIND,
          RoleInstance.KIND,
          TemplateOutput.KIND,
          ProcessGroup.KIND,
          DeploymentRef.KIND,
          Artifact.KIND,
          Action.KIND,
          Event.KIND,
          JoinToken.KIND,
          AuthorityChange.KIND,
          AccessRule.KIND,
          AccessToken.KIND,
          ClusterConfig.KIND);

  /** Finds the kind with this exact name, as used in {@code kind:} fields. */
  public static Optional<Kind<?, ?>> named(String name) {
    return ALL.stream().filter(kind -> kind.name().equals(name)).findFirst();
  }

  /** Finds a kind by its name, plural or short name, ignoring case. */
  public static Optional<Kind<?, ?>> find(String word) {
    return ALL.stream().filter(kind -> kind.hasName(word)).findFirst();
  }

  private Kinds() {}
}
