package verwalter.controllers.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.json.Json;

class ObservedInstancesTest {
  private final ObservedInstances instances = new ObservedInstances();

  private static Resource<RoleInstance.Spec, RoleInstance.Status> instance(
      String role, String node, int running) {
    var spec = new RoleInstance.Spec(role, node, role, Optional.of("v1"), Map.of());
    return Resource.of(RoleInstance.KIND, RoleInstance.name(role, node), spec)
        .withStatus(
            new RoleInstance.Status(
                1, RoleInstance.State.RUNNING, 1, running, 0, Instant.EPOCH, "", List.of()));
  }

  @Test
  void theInputContainsAllInstances() {
    var all = List.of(instance("web", "a", 1), instance("api", "a", 2), instance("web", "b", 3));
    all.forEach(each -> instances.instance(null, each));
    assertThat(instances.input()).isEqualTo(Instances.of(all, List.of()));
  }

  @Test
  void aChangeOnOneNodeLeavesTheValuesOfTheOthers() {
    var before = instance("web", "a", 1);
    instances.instance(null, before);
    instances.instance(null, instance("web", "b", 1));
    var first = instances.input();

    instances.instance(before, instance("web", "a", 0));
    var second = instances.input();

    assertThat(second.get("b")).isSameAs(first.get("b"));
    assertThat(Json.object(Json.object(second.get("a")).get("web"))).containsEntry("running", 0L);
  }

  @Test
  void aChangeThatTheSchedulerCannotSeeLeavesTheInputEqual() {
    var before = instance("web", "a", 1);
    instances.instance(null, before);
    var first = instances.input();
    instances.instance(before, before.withMeta(before.meta().withLabels(Map.of("not", "shown"))));
    assertThat(instances.input().get("a")).isSameAs(first.get("a"));
  }

  private static Resource<NodeSchedule.Spec, NodeSchedule.Status> share(
      String node, Map<String, Map<String, Object>> roles) {
    return Resource.of(NodeSchedule.KIND, node, new NodeSchedule.Spec("hash", roles));
  }

  @Test
  void scheduledRolesOfANodeThatHasNotReportedAreUnknown() {
    var share = share("a", Map.of("web", Map.of("version", "v2"), "api", Map.of()));
    instances.share(null, share);
    var unknown = Map.of("state", "unknown", "processes", Map.of());
    assertThat(instances.input())
        .isEqualTo(
            Map.of(
                "a",
                Map.of(
                    "api",
                    unknown,
                    "web",
                    Map.of("version", "v2", "state", "unknown", "processes", Map.of()))));

    var reported = instance("web", "a", 1);
    instances.instance(null, reported);
    assertThat(instances.input()).isEqualTo(Instances.of(List.of(reported), List.of()));

    instances.instance(reported, null);
    instances.share(share, null);
    assertThat(instances.input()).isEmpty();
  }

  @Test
  void aNodeWithoutInstancesIsNotInTheInput() {
    var only = instance("web", "a", 1);
    instances.instance(null, only);
    instances.input();
    instances.instance(only, null);
    assertThat(instances.input()).isEmpty();
  }
}
