package verwalter.controllers.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.model.InstanceError;
import verwalter.model.InstanceError.Retry;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.json.Json;

/** What the scheduler sees of role instances and their processes. */
class InstancesTest {
  private static final Instant THEN = Instant.parse("2026-01-01T00:00:00Z");

  private static Resource<RoleInstance.Spec, RoleInstance.Status> instance(
      String role, String node, Optional<String> version) {
    return Resource.of(
        RoleInstance.KIND,
        RoleInstance.name(role, node),
        new RoleInstance.Spec(role, node, role, version, Map.of()));
  }

  private static ProcessGroup.Slot slot(
      String name, ProcessGroup.State state, Optional<Instant> started) {
    return new ProcessGroup.Slot(
        name,
        state,
        "image",
        Optional.empty(),
        started,
        4,
        0,
        Optional.empty(),
        Optional.empty(),
        "",
        List.of(),
        List.of());
  }

  private static Resource<ProcessGroup.Spec, ProcessGroup.Status> group(
      String role, String sandbox, ProcessGroup.Slot... slots) {
    return Resource.of(
            ProcessGroup.KIND,
            ProcessGroup.name(sandbox, "n1"),
            new ProcessGroup.Spec(role, "n1", sandbox, Map.of()))
        .withStatus(new ProcessGroup.Status(1, 1, 1, List.of(slots), List.of()));
  }

  @Test
  void anInstanceIsShownWithItsStateAndAllItsProcesses() {
    var web =
        instance("web", "n1", Optional.of("v1"))
            .withStatus(
                new RoleInstance.Status(
                    1, RoleInstance.State.BROKEN, 3, 2, 5, THEN, "why", List.of()));
    var groups =
        List.of(
            group("web", "one", slot("one/a.0", ProcessGroup.State.RUNNING, Optional.of(THEN))),
            group("web", "two", slot("two/b.0", ProcessGroup.State.WAITING, Optional.empty())),
            group("db", "db", slot("db/c.0", ProcessGroup.State.RUNNING, Optional.of(THEN))));

    assertThat(Instances.of(List.of(web), groups))
        .isEqualTo(
            Map.of(
                "n1",
                Map.of(
                    "web",
                    Map.of(
                        "version",
                        "v1",
                        "state",
                        "broken",
                        "since",
                        THEN.toEpochMilli(),
                        "desired",
                        3L,
                        "running",
                        2L,
                        "restarts",
                        5L,
                        "reason",
                        "why",
                        "processes",
                        Map.of(
                            "one/a.0",
                            Map.of(
                                "state", "running", "since", THEN.toEpochMilli(), "restarts", 4L),
                            "two/b.0",
                            Map.of("state", "waiting", "restarts", 4L))))));
  }

  private static Object errorOf(InstanceError error) {
    var web =
        instance("web", "n1", Optional.empty())
            .withStatus(
                new RoleInstance.Status(
                        1, RoleInstance.State.BROKEN, 1, 0, 0, THEN, "why", List.of())
                    .withError(Optional.of(error)));
    var seen = Json.object(Instances.of(List.of(web), List.of()).get("n1"));
    return Json.object(Json.object(seen.get("web")).get("error"));
  }

  @Test
  void anErrorIsShownWithWhetherAndWhenItIsTriedAgain() {
    assertThat(errorOf(new InstanceError("no route", Retry.AT_TIME, Optional.of(THEN))))
        .isEqualTo(Map.of("message", "no route", "retry", true, "retry_at", THEN.toEpochMilli()));
    assertThat(errorOf(new InstanceError("no memory", Retry.WHEN_FREED, Optional.empty())))
        .isEqualTo(Map.of("message", "no memory", "retry", true));
    assertThat(errorOf(new InstanceError("no such file", Retry.ON_CHANGE, Optional.empty())))
        .isEqualTo(Map.of("message", "no such file", "retry", false));
  }

  @Test
  void processesOfAGroupThatIsRemovedAreStopping() {
    var group = group("web", "web", slot("web/a.0", ProcessGroup.State.RUNNING, Optional.of(THEN)));
    var removed =
        group.withMeta(group.meta().committed("u", 1, 1, Optional.of(THEN), Optional.of(THEN)));
    assertThat(removed.meta().deleting()).isTrue();
    var web = instance("web", "n1", Optional.empty());
    assertThat(Instances.of(List.of(web), List.of(group)).toString()).contains("state=running");
    assertThat(Instances.of(List.of(web), List.of(removed)).toString()).contains("state=stopping");
  }

  @Test
  void anInstanceWithoutAStatusIsShown() {
    var both =
        List.of(instance("web", "n1", Optional.empty()), instance("web", "n2", Optional.empty()));
    var bare = Map.of("web", Map.of("processes", Map.of()));
    assertThat(Instances.of(both, List.of())).isEqualTo(Map.of("n1", bare, "n2", bare));
  }

  @Test
  void aGroupThatJoinsOrLeavesChangesTheInput() {
    var observed = new ObservedInstances();
    observed.instance(null, instance("web", "n1", Optional.empty()));
    var without = observed.input();
    var group = group("web", "web", slot("web/a.0", ProcessGroup.State.RUNNING, Optional.of(THEN)));
    observed.group(null, group);
    var with = observed.input();
    assertThat(with).isNotEqualTo(without);
    assertThat(with.toString()).contains("web/a.0");

    observed.group(group, null);
    assertThat(observed.input()).isEqualTo(without);
    observed.instance(instance("web", "n1", Optional.empty()), null);
    assertThat(observed.input()).isEmpty();
  }

  @Test
  void aGroupThatIsLeftOfAnInstanceIsShownWithTheNextOne() {
    var observed = new ObservedInstances();
    var web = instance("web", "n1", Optional.empty());
    observed.instance(null, web);
    observed.group(
        null, group("web", "web", slot("web/a.0", ProcessGroup.State.RUNNING, Optional.of(THEN))));
    observed.input();
    observed.instance(web, null);
    assertThat(observed.input()).isEmpty();
    observed.instance(null, web);
    assertThat(observed.input().toString()).contains("web/a.0");
  }
}
