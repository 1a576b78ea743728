package verwalter.controllers.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.Schedule;
import verwalter.stores.api.Write;

class NodeSchedulesTest {
  private static final List<String> NODES = List.of("a", "b", "c");

  private static Schedule.Spec schedule(Map<String, Object> vars, String versionOnA) {
    Map<String, Object> a = Map.of("roles", Map.of("web", Map.of("version", versionOnA)));
    Map<String, Object> b = Map.of("roles", Map.of("web", Map.of("version", "v1")));
    return Schedule.Spec.of(
        Map.of("vars", vars, "state", Map.of("n", versionOnA), "nodes", Map.of("a", a, "b", b)),
        List.of(),
        "00",
        Instant.EPOCH);
  }

  private static List<Resource<NodeSchedule.Spec, NodeSchedule.Status>> present(
      NodeSchedules shares) {
    return shares.writes(NODES, List.of()).stream().map(NodeSchedulesTest::share).toList();
  }

  @SuppressWarnings("unchecked")
  private static Resource<NodeSchedule.Spec, NodeSchedule.Status> share(Write write) {
    return (Resource<NodeSchedule.Spec, NodeSchedule.Status>) write.resource();
  }

  @Test
  void aNodeThatTheScheduleDoesNotNameGetsAShareWithoutRoles() {
    var shares = NodeSchedules.of(schedule(Map.of(), "v1"), NODES, Optional.empty());
    assertThat(present(shares)).extracting(Resource::name).containsExactly("a", "b", "c");
    assertThat(shares.roles().get("c")).isEmpty();
    assertThat(shares.roles().get("a").get("web")).containsEntry("version", "v1");
  }

  @Test
  void aChangeOnOneNodeIsOneWrite() {
    var first = NodeSchedules.of(schedule(Map.of(), "v1"), NODES, Optional.empty());
    var next = NodeSchedules.of(schedule(Map.of(), "v2"), NODES, Optional.of(first));
    var writes = next.writes(NODES, present(first));
    assertThat(writes).extracting(write -> write.resource().name()).containsExactly("a");
    assertThat(share(writes.get(0)).spec().schedule()).isEqualTo(next.schedule().hash());
  }

  @Test
  void unchangedSharesAreReused() {
    var first = NodeSchedules.of(schedule(Map.of(), "v1"), NODES, Optional.empty());
    var next = NodeSchedules.of(schedule(Map.of(), "v2"), NODES, Optional.of(first));
    assertThat(next.roles().get("b")).isSameAs(first.roles().get("b"));
    assertThat(next.roles())
        .isEqualTo(NodeSchedules.of(schedule(Map.of(), "v2"), NODES, Optional.empty()).roles());
  }

  @Test
  void aChangeOfCommonVariablesIsAWriteForEachNodeWithRoles() {
    var first = NodeSchedules.of(schedule(Map.of(), "v1"), NODES, Optional.empty());
    var next = NodeSchedules.of(schedule(Map.of("x", 1L), "v1"), NODES, Optional.of(first));
    assertThat(next.writes(NODES, present(first)))
        .extracting(write -> write.resource().name())
        .containsExactly("a", "b");
  }

  @Test
  void aShareWithoutAScheduleIsReplacedEvenIfItsRolesAreEqual() {
    var shares = NodeSchedules.of(schedule(Map.of(), "v1"), List.of("c"), Optional.empty());
    var old = Resource.of(NodeSchedule.KIND, "c", new NodeSchedule.Spec("", new TreeMap<>()));
    assertThat(
            shares.writes(
                List.of("c"),
                List.of(
                    old.withStatus(
                        new NodeSchedule.Status(1, Optional.empty(), Map.of(), List.of())))))
        .extracting(write -> write.resource().name())
        .contains("c");
  }

  @Test
  void theShareOfARemovedNodeIsRemoved() {
    var shares = NodeSchedules.of(schedule(Map.of(), "v1"), NODES, Optional.empty());
    var present = present(shares);
    var rest = NodeSchedules.of(schedule(Map.of(), "v1"), List.of("b", "c"), Optional.of(shares));
    assertThat(rest.writes(List.of("b", "c"), present))
        .singleElement()
        .satisfies(
            write -> {
              assertThat(write).isInstanceOf(Write.Remove.class);
              assertThat(write.resource().name()).isEqualTo("a");
            });
  }

  @Test
  void onlyUnknownNodesWithRolesAreReported() {
    var schedule =
        Schedule.Spec.of(
            Map.of(
                "nodes",
                Map.of(
                    "a", Map.of("roles", Map.of("web", Map.of())),
                    "n2", Map.of("roles", Map.of("web", Map.of())),
                    "n3", Map.of("roles", Map.of()))),
            List.of(),
            "00",
            Instant.EPOCH);
    assertThat(NodeSchedules.unknown(schedule, NODES)).containsExactly("n2");
  }

  @Test
  void aScheduleAppliesToNodesThatHaveAShare() {
    var present =
        present(NodeSchedules.of(schedule(Map.of(), "v1"), List.of("c"), Optional.empty()));
    assertThat(NodeSchedules.meant(schedule(Map.of(), "v1"), List.of("z"), present))
        .containsExactly("a", "b", "c", "z");
  }

  private static String unknown(int unknown, int known) {
    var nodes = new TreeMap<String, Object>();
    for (int i = 0; i < unknown; i++) {
      nodes.put("u" + i, Map.of("roles", Map.of("web", Map.of())));
    }
    var schedule = Schedule.Spec.of(Map.of("nodes", nodes), List.of(), "00", Instant.EPOCH);
    return NodeSchedules.condition(
            Resource.of(Schedule.KIND, Schedule.CURRENT, schedule),
            IntStream.range(0, known).mapToObj(i -> "n" + i).toList(),
            List.of(),
            Instant.EPOCH)
        .get(0)
        .message();
  }

  @Test
  void aMessageNamesAtMostFiveNodes() {
    assertThat(unknown(1, 0))
        .isEqualTo(
            "the schedule gives roles to u0, but no node has such a name; the nodes are none");
    assertThat(unknown(5, 6))
        .isEqualTo(
            "the schedule gives roles to u0, u1, u2, u3, u4, but no node has such a name;"
                + " the nodes are n0, n1, n2, n3, n4 and 1 more");
  }
}
