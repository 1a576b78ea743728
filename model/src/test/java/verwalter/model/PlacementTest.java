package verwalter.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlacementTest {
  @Test
  void objectsOfANodeHaveItsNodeAndRole() {
    assertPlace(
        Resource.of(
            RoleInstance.KIND,
            "x",
            new RoleInstance.Spec("r", "n", "t", Optional.empty(), Map.of())),
        "n",
        "r");
    assertPlace(
        Resource.of(TemplateOutput.KIND, "x", new TemplateOutput.Spec("r", "n", "t", Map.of())),
        "n",
        "r");
    assertPlace(
        Resource.of(ProcessGroup.KIND, "x", new ProcessGroup.Spec("r", "n", "s", Map.of())),
        "n",
        "r");
    assertPlace(
        Resource.of(
            DeploymentRef.KIND,
            "x",
            new DeploymentRef.Spec("r", "n", "v", "main", 1, 0, "/a.tar", Optional.empty(), false)),
        "n",
        "r");
    assertPlace(Resource.of(Artifact.KIND, "x", new Artifact.Spec("n", "sha256:1")), "n", "");
  }

  @Test
  void aNodeAndItsScheduleHaveTheirNameAsNode() {
    assertPlace(Resource.of(Node.KIND, "n", new Node.Spec(false)), "n", "");
    assertPlace(Resource.of(NodeSchedule.KIND, "n", new NodeSchedule.Spec("", Map.of())), "n", "");
  }

  @Test
  void objectsOfTheClusterHaveNoNode() {
    var spec = new RoleConfig.Spec(Map.of(), Map.of(), Optional.empty());
    assertPlace(Resource.of(RoleConfig.KIND, "r", spec), "", "r");
    var rollout = new Rollout.Spec("r", 1, Optional.empty(), "v1", "scheduler", Instant.EPOCH);
    assertPlace(Resource.of(Rollout.KIND, "r.1", rollout), "", "r");
    assertPlace(Resource.of(Schedule.KIND, "current", Schedule.Spec.NONE), "", "");
    assertPlace(Resource.of(Action.KIND, "1", new Action.Spec("x", Instant.EPOCH)), "", "");
  }

  @Test
  void anEventHasTheNodeAndRoleOfItsObject() {
    assertPlace(about(Node.KIND.key("n")), "n", "");
    assertPlace(about(NodeSchedule.KIND.key("n")), "n", "");
    assertPlace(about(RoleInstance.KIND.key("r@n")), "n", "r");
    assertPlace(about(TemplateOutput.KIND.key("a@r@n")), "n", "a@r");
    assertPlace(about(ProcessGroup.KIND.key("s@n")), "n", "");
    assertPlace(about(RoleConfig.KIND.key("r@n")), "", "r@n");
    assertPlace(about(RoleInstance.KIND.key("odd")), "", "");
    assertPlace(about(Schedule.KIND.key("current@n")), "", "");
  }

  private static Resource<Event.Spec, Kind.None> about(ResourceKey key) {
    return Resource.of(
        Event.KIND,
        "e",
        new Event.Spec(key, Event.Type.NORMAL, "R", "m", 1, Instant.EPOCH, Instant.EPOCH, "c"));
  }

  /** An empty string means no value. */
  private static <S, T> void assertPlace(Resource<S, T> object, String node, String role) {
    assertThat(object.type().node(object).orElse("")).isEqualTo(node);
    assertThat(object.type().role(object).orElse("")).isEqualTo(role);
  }
}
