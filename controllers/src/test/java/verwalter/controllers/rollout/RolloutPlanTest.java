package verwalter.controllers.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.RoleInstance;
import verwalter.model.RoleIntent;
import verwalter.model.Rollout;
import verwalter.model.Rollout.Outcome;
import verwalter.model.json.DecodeException;
import verwalter.model.json.Json;
import verwalter.stores.api.Write;

class RolloutPlanTest {
  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");

  private Resource<RoleConfig.Spec, RoleConfig.Status> role =
      Resource.of(
              RoleConfig.KIND, "web", RoleConfig.Spec.of(Map.of("v1", Map.of(), "v2", Map.of())))
          .withStatus(new RoleConfig.Status(1, List.of("v1", "v2"), List.of()));

  private final TreeMap<Long, Resource<Rollout.Spec, Rollout.Status>> rollouts = new TreeMap<>();

  RolloutPlanTest() {
    role = role.withMeta(role.meta().withLabels(Map.of(RoleConfig.ORIGIN, RoleConfig.ROLE_FILE)));
  }

  /** The data of a schedule with these versions of the entries of the node n1. */
  private static Map<String, Object> data(String state, String... entries) {
    var daemons = new TreeMap<String, Object>();
    for (int i = 0; i < entries.length; i++) {
      daemons.put("web-" + i, Map.of("instances", 1L, "version", entries[i]));
    }
    try {
      var its = Json.object(Json.parse(state.replace('\'', '"')));
      return Json.freeze(
          Map.of(
              "nodes",
              Map.of("n1", Map.of("roles", Map.of("web", Map.of("daemons", daemons)))),
              "state",
              its.isEmpty() ? Map.of() : Map.of("web", its)));
    } catch (DecodeException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * The role on n1, whose entries have these versions; those that begin with {@code -} do not run.
   */
  private static RoleOnNode node(RoleInstance.State state, String... entries) {
    var daemons = new TreeMap<String, Object>();
    var slots = new ArrayList<ProcessGroup.Slot>();
    for (int i = 0; i < entries.length; i++) {
      daemons.put("web-" + i, Map.of("version", entries[i].replace("-", "")));
      slots.add(
          new ProcessGroup.Slot(
              "web/web-" + i + ".0",
              entries[i].startsWith("-") ? ProcessGroup.State.WAITING : ProcessGroup.State.RUNNING,
              "sleep",
              Optional.empty(),
              Optional.empty(),
              0,
              0,
              Optional.empty(),
              Optional.empty(),
              "",
              List.of(),
              List.of(),
              Optional.empty()));
    }
    var instance =
        Resource.of(
            RoleInstance.KIND,
            "web@n1",
            new RoleInstance.Spec("web", "n1", "", Optional.empty(), Map.of("daemons", daemons)));
    var group =
        Resource.of(
            ProcessGroup.KIND, "web@n1", new ProcessGroup.Spec("web", "n1", "web", Map.of()));
    return new RoleOnNode(
        instance.withStatus(
            new RoleInstance.Status(
                instance.meta().generation(),
                state,
                entries.length,
                entries.length,
                0,
                NOW,
                "",
                List.of())),
        List.of(
            group.withStatus(
                new ProcessGroup.Status(group.meta().generation(), 0, 0, slots, List.of()))));
  }

  private static RoleOnNode running(String... entries) {
    return node(RoleInstance.State.RUNNING, entries);
  }

  /** Carries out the writes until there are none, and returns the newest rollout on one line. */
  private String after(Map<String, Object> data, RoleOnNode node) {
    for (int round = 0; round < 5; round++) {
      var known = List.copyOf(rollouts.values());
      var before = known.isEmpty() ? "" : known.get(known.size() - 1).spec().to();
      var wanted =
          ScheduledVersion.of(
                  data,
                  "web",
                  before,
                  !known.isEmpty() && Rollout.open(rollouts.lastEntry().getValue()))
              .orElseThrow();
      var writes =
          new RolloutPlan(role, wanted, Map.of("n1", Optional.of(node)), known, NOW).writes();
      if (writes.isEmpty()) {
        return newest();
      }
      writes.forEach(this::apply);
    }
    throw new AssertionError("writes without end: " + newest());
  }

  @SuppressWarnings("unchecked")
  private void apply(Write write) {
    var object =
        write instanceof Write.Put put
            ? put.resource()
            : write instanceof Write.PutStatus status
                ? status.resource()
                : ((Write.Remove) write).resource();
    if (object.type().equals(RoleConfig.KIND)) {
      role = (Resource<RoleConfig.Spec, RoleConfig.Status>) object;
      return;
    }
    var rollout = (Resource<Rollout.Spec, Rollout.Status>) object;
    if (write instanceof Write.Remove) {
      rollouts.remove(rollout.spec().number());
    } else {
      rollouts.put(rollout.spec().number(), rollout);
    }
  }

  private String newest() {
    return line(rollouts.lastEntry().getValue());
  }

  private static String line(Resource<Rollout.Spec, Rollout.Status> it) {
    return "%s %s>%s by %s: %s"
        .formatted(
            it.name(),
            it.spec().from().orElse(""),
            it.spec().to(),
            it.spec().by(),
            it.status().orElseThrow().message());
  }

  private static String update(String more) {
    return """
    {'running': 'v1', 'counts': {'web': 2}, 'update': {'source_ver': 'v1', 'target_ver': 'v2',
    'start_ts': 5000, 'step_ts': 6000, 'smooth_ts': 7000, 'smooth_step': 1, 'deadline_sec': 300,
    'step': 'one_by_one', 'pipeline': [{'name': 'one_by_one', 'substeps': 2}], %s}}\
    """
        .formatted(more);
  }

  private static final String FORWARD = "'direction': 'forward', 'next_ts': 9000, ";
  private static final String DONE_V1 = "{'running': 'v1', 'counts': {'web': 2}}";
  private static final String FAILED_V2 =
      "{'running': 'v1', 'counts': {'web': 2}, 'failed': {'v2': {'at': 1, 'why': 'it is broken'}}}";
  private static final String DONE_V2 = "{'running': 'v2', 'counts': {'web': 2}}";

  @Test
  void anUpdateIsFollowedToItsEnd() {
    assertThat(after(data(DONE_V1, "v1", "v1"), running("v1", "-v1")))
        .isEqualTo(
            "web.1 >v1 by scheduler: 1 of 2 processes run v1; waiting: 1 of 2 processes do not run on n1 yet");
    assertThat(after(data(DONE_V1, "v1", "v1"), running("v1", "v1")))
        .isEqualTo("web.1 >v1 by scheduler: complete: 2 of 2 processes run v1");
    var first = data(update(FORWARD + "'waiting_for': 'web-0 on n1 does not run yet'"), "v2", "v1");
    assertThat(after(first, running("v1", "v1")))
        .isEqualTo(
            "web.2 v1>v2 by file roles/web.yaml: 0 of 2 processes run v2;"
                + " waiting: web-0 on n1 does not run yet");
    assertThat(rollouts.get(2L).status().orElseThrow())
        .extracting(Rollout.Status::step, Rollout.Status::deadline)
        .containsExactly(Optional.of("one_by_one 1 of 2"), Optional.of(Instant.ofEpochSecond(307)));
    assertThat(rollouts.get(2L).spec().began()).isEqualTo(Instant.ofEpochSecond(5));
    var second = data(update(FORWARD + "'waiting_for': 'time'"), "v2", "v1");
    assertThat(after(second, running("v2", "v1")))
        .endsWith(
            "1 of 2 processes run v2; waiting: its processes have to stay up until 00:00:09 UTC");
    assertThat(after(data(DONE_V2, "v2", "v2"), running("v2", "v1")))
        .endsWith("1 of 2 processes run v2; waiting: 1 of 2 processes do not run on n1 yet");
    assertThat(after(data(DONE_V2, "v2", "v2"), running("v2", "v2")))
        .endsWith("complete: 2 of 2 processes run v2");
    assertThat(rollouts).hasSize(2);
  }

  /** While a node renders, the processes that ran the new version before still count. */
  @Test
  void progressStaysWhileANodeTakesOverItsShare() {
    after(data(DONE_V1, "v1", "v1"), running("v1", "v1"));
    var state = update(FORWARD + "'waiting_for': 'time'");
    assertThat(after(data(state, "v2", "v1"), running("v2", "v1"))).contains("1 of 2");
    var rendering = node(RoleInstance.State.RENDERING, "v2", "v2");
    assertThat(after(data(state, "v2", "v2"), rendering)).contains("1 of 2");
    var dead = node(RoleInstance.State.RENDERING, "-v2", "-v2");
    assertThat(after(data(state, "v2", "v2"), dead)).contains("0 of 2");
  }

  @Test
  void aFailureIsToldUntilTheFormerVersionIsBack() {
    after(data(DONE_V1, "v1", "v1"), running("v1", "v1"));
    var back = update("'direction': 'backward', 'trouble': 'web-0 on n1 is broken'");
    assertThat(after(data(back, "v2", "v1"), running("-v2", "v1")))
        .endsWith(
            "v2 has failed: web-0 on n1 is broken; going back to v1; 0 of 2 processes run v2");
    var failed =
        "{'running': 'v1', 'counts': {'web': 2},"
            + " 'failed': {'v2': {'at': 1, 'why': 'web-0 on n1 is broken'}}}";
    assertThat(after(data(failed, "v1", "v1"), running("v1", "v1")))
        .isEqualTo("web.2 v1>v2 by file roles/web.yaml: failed: web-0 on n1 is broken; it runs v1");
    assertThat(rollouts.get(2L).status().orElseThrow().outcome()).contains(Outcome.FAILED);
  }

  private Optional<String> rolledOut() {
    return condition(ConditionType.ROLLED_OUT);
  }

  private Optional<String> condition(ConditionType type) {
    return Condition.find(role.status().orElseThrow().conditions(), type)
        .map(it -> "%s %s %s".formatted(it.status(), it.reason(), it.message()).strip());
  }

  private void fail() {
    after(data(DONE_V1, "v1", "v1"), running("v1", "v1"));
    after(data(update(FORWARD + "'waiting_for': 'time'"), "v2", "v1"), running("-v2", "v1"));
    assertThat(rolledOut()).isEmpty();
    after(data(FAILED_V2, "v1", "v1"), running("v1", "v1"));
    assertThat(rolledOut()).contains("FALSE Reverted v2 failed: it is broken; it runs v1");
  }

  @Test
  void aFailureIsAConditionOfTheRoleUntilAnotherRolloutBegins() {
    fail();
    after(data(DONE_V2.replace("v2", "v3"), "v3", "v3"), running("v1", "v1"));
    assertThat(rolledOut()).contains("TRUE RolledOut");
  }

  @Test
  void processesWithoutPlaceAreConditionOfTheRole() {
    after(data(DONE_V1, "v1", "v1"), running("v1", "v1"));
    assertThat(condition(ConditionType.PLACED)).isEmpty();
    after(data(DONE_V1, "v1"), running("v1"));
    assertThat(condition(ConditionType.PLACED))
        .contains("FALSE NoPlace 1 of 2 processes finds no place");
    after(data(DONE_V1, "v1", "v1"), running("v1", "v1"));
    assertThat(condition(ConditionType.PLACED)).contains("TRUE Placed");
  }

  @Test
  void aFailureIsOverIfTheVersionIsRemoved() {
    fail();
    role = role.withSpec(RoleConfig.Spec.of(Map.of("v1", Map.of())));
    after(data(DONE_V1, "v1", "v1"), running("v1", "v1"));
    assertThat(rolledOut()).contains("TRUE RolledOut");
  }

  @Test
  void aFailureIsOverIfAnOperatorWantsTheFormerVersion() {
    fail();
    role = role.withMeta(role.meta().withAnnotations(Map.of(RoleIntent.REVISION, "v1")));
    after(data(FAILED_V2, "v1", "v1"), running("v1", "v1"));
    assertThat(rolledOut()).contains("TRUE RolledOut");
  }

  @Test
  void theNewestIntentSupersedes() {
    after(data(DONE_V1, "v1", "v1"), running("v1", "v1"));
    after(data(update(FORWARD + "'waiting_for': 'time'"), "v2", "v1"), running("v2", "v1"));
    role =
        role.withMeta(
            role.meta().withAnnotations(Map.of(RoleIntent.REVISION, "v1", RoleIntent.BY, "ada")));
    var reverted = update("'direction': 'backward', 'waiting_for': 'time', 'next_ts': 9000");
    assertThat(after(data(reverted, "v2", "v1"), running("v2", "v1")))
        .startsWith("web.3 v2>v1 by operator ada: 1 of 2 processes run v1");
    assertThat(line(rollouts.get(2L))).endsWith("superseded: v1 is wanted");
    assertThat(after(data(DONE_V1, "v1", "v1"), running("v1", "v1")))
        .endsWith("complete: 2 of 2 processes run v1");
  }

  @Test
  void aPauseWaitsForAnOperator() {
    after(data(DONE_V1, "v1", "v1"), running("v1", "v1"));
    var paused = update("'direction': 'pause', 'before_pause': 'forward', 'waiting_for': 'x'");
    assertThat(after(data(paused, "v2", "v1"), running("v2", "v1")))
        .endsWith(
            "1 of 2 processes run v2; paused; waiting: an operator has to go on: vw rollout resume web");
  }

  @Test
  void aSchedulerWithoutStateIsFollowedByTheVersionsOfItsNodes() {
    after(data("{}", "v1", "v1"), running("v1", "v1"));
    assertThat(newest()).endsWith("complete: 2 of 2 processes run v1");
    assertThat(after(data("{}", "v2", "v1"), running("v2", "v1")))
        .startsWith("web.2 v1>v2 by file roles/web.yaml: 1 of 2 processes run v2");
    assertThat(after(data("{}", "v2", "v2"), running("v2", "v2"))).contains("complete: 2 of 2");
  }

  @Test
  void tenRolloutsAreKept() {
    for (int round = 0; round < 15; round++) {
      var version = round % 2 == 0 ? "v1" : "v2";
      var state = round % 2 == 0 ? DONE_V1 : DONE_V2;
      after(data(state, version, version), running(version, version));
    }
    assertThat(rollouts.keySet()).hasSize(Rollout.KEPT).contains(15L).doesNotContain(5L);
  }
}
