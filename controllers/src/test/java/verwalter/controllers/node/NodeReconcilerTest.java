package verwalter.controllers.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.controllers.runtime.Result;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Event;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.State;

class NodeReconcilerTest {
  private static final Duration A_WHILE = Duration.ofSeconds(1);

  private final Site site = new Site();
  private final Loop loop = site.world.loop("node");
  private final NodeReconciler.Machine machine = Site.machine("n1", "a1");
  private boolean creates = true;
  private final NodeReconciler reconciler =
      new NodeReconciler(site.store, site.events, machine, () -> creates);

  private void start() {
    loop.execute(() -> reconciler.controller().startOn(loop));
    site.pass(A_WHILE);
  }

  private Node.Status status() {
    return site.node("n1").status().orElseThrow();
  }

  private void role(String role, String node, State state) {
    site.put(
        Resource.of(
                RoleInstance.KIND,
                RoleInstance.name(role, node),
                new RoleInstance.Spec(role, node, role, Optional.empty(), Map.of()))
            .withStatus(
                new RoleInstance.Status(1, state, 0, 0, 0, site.world.now(), "", List.of())));
    site.pass(A_WHILE);
  }

  private void applied(String node, String hash) {
    site.put(
        Resource.of(NodeSchedule.KIND, node, new NodeSchedule.Spec(hash, Map.of()))
            .withStatus(new NodeSchedule.Status(1, Optional.of(hash), Map.of(), List.of())));
    site.pass(A_WHILE);
  }

  @Test
  void aMissingNodeIsMadeWithTheStateOfItsRoles() {
    role("app", "n1", State.RUNNING);
    start();

    assertThat(site.node("n1").spec().cordoned()).isFalse();
    assertThat(status().observedGeneration()).isEqualTo(1);
    assertThat(status().addresses()).isEqualTo(machine.addresses());
    assertThat(status().facts()).isEqualTo(machine.facts());
    assertThat(status().capacity()).isEqualTo(machine.capacity());
    assertThat(status().roles()).isEqualTo(new Node.Roles(1, 1, 0));
    assertThat(status().conditions()).isEmpty();
  }

  @Test
  void aNodeThatWasRemovedFromItsClusterIsNotMadeAgain() {
    start();
    creates = false;
    site.remove(Node.KIND, "n1");
    role("app", "n1", State.RUNNING);

    assertThat(site.store.get(Node.KIND, "n1")).isEmpty();
  }

  @Test
  void aNodeThatWasRemovedIsMadeAgain() {
    start();
    site.remove(Node.KIND, "n1");
    site.pass(A_WHILE);

    assertThat(Node.machineId(site.node("n1"))).contains("a1");
  }

  @Test
  void runningAndHaltedRolesAreReadyAndBrokenOnesFail() {
    start();
    for (var state : State.values()) {
      role(state.name().toLowerCase(java.util.Locale.ROOT), "n1", state);
    }
    role("second", "n1", State.RUNNING);
    role("elsewhere", "n2", State.RUNNING);

    assertThat(status().roles()).isEqualTo(new Node.Roles(State.values().length + 1, 3, 1));
  }

  @Test
  void aRoleWithoutAStatusIsCountedAsGiven() {
    start();
    site.put(
        Resource.of(
            RoleInstance.KIND,
            "app@n1",
            new RoleInstance.Spec("app", "n1", "app", Optional.empty(), Map.of())));
    site.pass(A_WHILE);

    assertThat(status().roles()).isEqualTo(new Node.Roles(1, 0, 0));
  }

  @Test
  void theAppliedScheduleIsThatOfTheNodesShare() {
    start();
    applied("n2", "h2");
    assertThat(status().schedule()).isEmpty();

    applied("n1", "h1");
    assertThat(status().schedule()).contains("h1");
  }

  @Test
  void conditionsOfOthersStayAndTheGenerationFollowsTheSpec() {
    start();
    var ready =
        Condition.ofTrue(ConditionType.READY, Reason.AGENT_RUNNING, "", 1, site.world.now());
    site.world.await(
        site.memory.putStatus(site.node("n1").withStatus(status().withConditions(List.of(ready)))));
    site.put(site.node("n1").withSpec(new Node.Spec(true)));
    site.pass(A_WHILE);

    assertThat(status().observedGeneration()).isEqualTo(2);
    assertThat(status().conditions()).containsExactly(ready);
  }

  @Test
  void nothingIsWrittenWhileNothingChanges() {
    role("app", "n1", State.RUNNING);
    start();
    long revision = site.memory.revision();
    role("elsewhere", "n2", State.RUNNING);

    assertThat(site.memory.revision()).isEqualTo(revision + 1);
  }

  @Test
  void theNodeOfAnotherMachineIsLeftAloneAndLookedAtAgain() {
    site.put(Site.claimed("n1", "b2"));
    assertThat(site.world.await(reconciler.reconcile(Node.KIND.key("n1"))))
        .isEqualTo(Result.again(Duration.ofSeconds(30)));
    site.pass(A_WHILE);

    assertThat(Node.machineId(site.node("n1"))).contains("b2");
    assertThat(site.written())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.regarding()).isEqualTo(Node.KIND.key("n1"));
              assertThat(event.type()).isEqualTo(Event.Type.WARNING);
              assertThat(event.reason()).isEqualTo(Reason.NAME_TAKEN.title());
            });
  }

  @Test
  void theRefusalSaysWhoHasTheNameAndWhatToDo() {
    assertThat(machine.refusal("b2")).contains("n1", "a1", "b2", "vw delete node n1");
  }

  @Test
  void aMachineWithoutAnIdIsKnownByItsName() {
    var nameless = new NodeReconciler.Machine("n1", List.of(), Map.of(), new Node.Capacity(1, 1));

    assertThat(nameless.id()).isEqualTo("n1");
    assertThat(machine.id()).isEqualTo("a1");
  }
}
