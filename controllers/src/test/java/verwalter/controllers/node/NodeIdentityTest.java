package verwalter.controllers.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.model.Node;
import verwalter.model.ProcessGroup;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.TemplateOutput;
import verwalter.stores.testkit.Faults;

class NodeIdentityTest {
  private static final Duration A_WHILE = Duration.ofSeconds(1);

  private final Site site = new Site();
  private final Loop loop = site.world.loop("identity");
  private final List<String> moved = new ArrayList<>();
  private final List<List<String>> rested = new ArrayList<>();
  private Future<Void> resting = Future.succeededFuture();
  private boolean diskFails;
  private boolean creates = true;

  private NodeIdentity identity(String name, String id) {
    return new NodeIdentity(
        site.store,
        loop,
        site.events,
        Site.machine(name, id),
        (from, to) -> {
          moved.add(from + " to " + to);
          if (diskFails) {
            throw new IOException("no space left");
          }
        },
        () -> {
          rested.add(site.names(RoleInstance.KIND));
          return resting;
        },
        () -> creates);
  }

  private Future<Void> claim(String name, String id) {
    var claimed = identity(name, id).claim();
    site.pass(A_WHILE);
    return claimed;
  }

  private void role(String role, String node) {
    site.put(
        Resource.of(
            RoleInstance.KIND,
            RoleInstance.name(role, node),
            new RoleInstance.Spec(role, node, role, Optional.empty(), Map.of())));
  }

  @Test
  void aFreeNameIsClaimedWithTheIdOfTheMachine() {
    assertThat(claim("n1", "a1").succeeded()).isTrue();

    assertThat(Node.machineId(site.node("n1"))).contains("a1");
    assertThat(site.node("n1").status()).contains(Site.machine("n1", "a1").status());
    assertThat(site.written()).isEmpty();
  }

  @Test
  void theNodeThatAnOperatorMadeIsClaimedAndKeepsItsSpec() {
    site.put(Resource.of(Node.KIND, "n1", new Node.Spec(true)));

    assertThat(claim("n1", "a1").succeeded()).isTrue();
    assertThat(Node.machineId(site.node("n1"))).contains("a1");
    assertThat(site.node("n1").spec().cordoned()).isTrue();
  }

  @Test
  void theMachinesOwnNameIsClaimedWithoutAWrite() {
    claim("n1", "a1");
    long revision = site.memory.revision();

    assertThat(claim("n1", "a1").succeeded()).isTrue();
    assertThat(site.memory.revision()).isEqualTo(revision);
  }

  @Test
  void theNameOfAnotherMachineIsRefusedAndReportedOnce() {
    site.put(Site.claimed("n1", "b2"));

    var claimed = claim("n1", "a1");
    site.pass(Duration.ofMinutes(5));
    assertThat(claimed.isComplete()).isFalse();
    assertThat(Node.machineId(site.node("n1"))).contains("b2");
    assertThat(site.written())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.reason()).isEqualTo(Reason.NAME_TAKEN.title());
              assertThat(event.count()).isEqualTo(1);
              assertThat(event.message()).contains("n1", "a1", "b2");
            });
  }

  @Test
  void aNameIsClaimedWithinTenSecondsAfterTheOtherMachineHasGivenItUp() {
    site.put(Site.claimed("n1", "b2"));
    var claimed = claim("n1", "a1");

    site.remove(Node.KIND, "n1");
    site.pass(Duration.ofSeconds(11));
    assertThat(claimed.succeeded()).isTrue();
    assertThat(Node.machineId(site.node("n1"))).contains("a1");
  }

  @Test
  void aClaimIsRepeatedUntilTheStoreTakesIt() {
    site.faulty.become(new Faults(1, 0, Duration.ofMillis(1), Duration.ZERO));
    var claimed = claim("n1", "a1");
    site.pass(Duration.ofMinutes(10));
    assertThat(claimed.isComplete()).isFalse();
    assertThat(site.names(Node.KIND)).isEmpty();

    site.faulty.heal();
    site.pass(Duration.ofSeconds(11));
    assertThat(claimed.succeeded()).isTrue();
  }

  @Test
  void theWaitBetweenClaimsGrowsWithEachFailure() {
    site.faulty.become(new Faults(1, 0, Duration.ofMillis(1), Duration.ZERO));
    claim("n1", "a1");
    site.pass(Duration.ofMinutes(10));

    assertThat(site.store.count(Node.KIND).asked()).isBetween(60L, 80L);
  }

  @Test
  void aClaimWaitsForANodeThatOthersCreate() {
    creates = false;
    var claim = identity("n1", "a1").claim();
    site.pass(Duration.ofMinutes(1));
    assertThat(claim.isComplete()).isFalse();
    assertThat(site.store.get(Node.KIND, "n1")).isEmpty();

    site.put(
        Resource.of(Node.KIND, "n1", new Node.Spec(false))
            .withStatus(Site.machine("n1", "a1").status()));
    site.pass(Duration.ofMinutes(1));

    assertThat(claim.succeeded()).isTrue();
  }

  @Test
  void ofTwoMachinesThatClaimOneNameOneIsRefused() {
    var first = identity("n1", "a1").claim();
    var second =
        new NodeIdentity(
                site.store,
                site.world.loop("other"),
                site.events,
                Site.machine("n1", "b2"),
                (from, to) -> {},
                Future::succeededFuture,
                () -> true)
            .claim();
    site.pass(Duration.ofMinutes(1));

    assertThat(List.of(first.isComplete(), second.isComplete()))
        .containsExactlyInAnyOrder(true, false);
  }

  @Test
  void nothingIsClaimedAfterClose() {
    site.put(Site.claimed("n1", "b2"));
    var identity = identity("n1", "a1");
    var claimed = identity.claim();
    site.pass(A_WHILE);

    identity.close();
    site.remove(Node.KIND, "n1");
    site.pass(Duration.ofMinutes(1));
    assertThat(claimed.isComplete()).isFalse();
    assertThat(site.names(Node.KIND)).isEmpty();
  }

  @Test
  void aMachineWithAnotherNameTakesItsRolesAlongBeforeTheNameIsClaimed() {
    site.put(Site.claimed("old", "a1"));
    role("app", "old");
    role("db", "old");

    assertThat(claim("new", "a1").succeeded()).isTrue();
    assertThat(site.names(RoleInstance.KIND)).containsExactly("app@new", "db@new");
    assertThat(moved).containsExactly("app@old to app@new", "db@old to db@new");
    assertThat(Node.formerNames(site.node("new"))).containsExactly("old");
  }

  @Test
  void aMachineThatJoinedAgainUnderAnotherNameKeepsItsRoles() {
    site.put(Site.claimed("new", "a1"));
    role("app", "old");
    group("app", "old");

    assertThat(claim("new", "a1").succeeded()).isTrue();
    assertThat(site.names(RoleInstance.KIND)).containsExactly("app@new");
    assertThat(moved).containsExactly("app@old to app@new");
    assertThat(Node.formerNames(site.node("new"))).containsExactly("old");
  }

  @Test
  void filesAreMovedFromEveryFormerName() {
    site.put(Site.claimed("third", "a1", "second", "first"));
    role("app", "third");

    assertThat(claim("third", "a1").succeeded()).isTrue();
    assertThat(moved).containsExactly("app@second to app@third", "app@first to app@third");
  }

  @Test
  void claimsNameOnlyAfterFilesAreMoved() {
    site.put(Site.claimed("old", "a1"));
    role("app", "old");
    diskFails = true;

    var claimed = claim("new", "a1");
    site.pass(Duration.ofMinutes(5));
    assertThat(claimed.isComplete()).isFalse();
    assertThat(moved).hasSizeBetween(30, 60).containsOnly("app@old to app@new");
    assertThat(site.written())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.reason()).isEqualTo(Reason.FILES_NOT_MOVED.title());
              assertThat(event.count()).isEqualTo(1);
              assertThat(event.message()).contains("new", "no space left");
            });

    diskFails = false;
    site.pass(Duration.ofSeconds(11));
    assertThat(claimed.succeeded()).isTrue();
  }

  @Test
  void movesFilesWhileNothingIsUnderWay() {
    site.put(Site.claimed("new", "a1", "old"));
    role("app", "new");
    var stopping = Promise.<Void>promise();
    resting = stopping.future();

    var claimed = claim("new", "a1");
    assertThat(moved).isEmpty();

    stopping.complete();
    site.pass(A_WHILE);
    assertThat(moved).containsExactly("app@old to app@new");
    assertThat(claimed.succeeded()).isTrue();
  }

  @Test
  void objectsOfRenamedMachineHaveNoNameBeforeClaim() {
    site.put(Site.claimed("new", "a1", "old"));
    group("app", "new");
    assertThat(nameOfObjects("new")).isEmpty();
  }

  @Test
  void objectsAreRenamedWhenNothingIsUnderWay() {
    site.put(Site.claimed("old", "a1"));
    role("app", "old");
    var stopping = Promise.<Void>promise();
    resting = stopping.future();

    var claimed = claim("new", "a1");
    assertThat(site.names(Node.KIND)).containsExactly("new", "old");
    assertThat(rested).containsExactly(List.of("app@old"));
    assertThat(site.names(RoleInstance.KIND)).containsExactly("app@old");

    stopping.complete();
    site.pass(A_WHILE);
    assertThat(claimed.succeeded()).isTrue();
    assertThat(site.names(RoleInstance.KIND)).containsExactly("app@new");
  }

  @Test
  void nameIsClaimedIfTheObjectsAreGoneWhenNothingIsUnderWay() {
    site.put(Site.claimed("old", "a1"));
    role("app", "old");
    var stopping = Promise.<Void>promise();
    resting = stopping.future();
    var claimed = claim("new", "a1");
    assertThat(claimed.isComplete()).isFalse();

    site.remove(RoleInstance.KIND, "app@old");
    stopping.complete();
    site.pass(A_WHILE);
    assertThat(claimed.succeeded()).isTrue();
  }

  @Test
  void nothingRestsForAMachineThatKeepsItsName() {
    site.put(Site.claimed("n1", "a1"));
    role("app", "n1");

    assertThat(claim("n1", "a1").succeeded()).isTrue();
    assertThat(rested).isEmpty();
  }

  @Test
  void everythingRestsOnceTheNameIsAnotherMachines() {
    site.put(Site.claimed("n1", "b2"));

    claim("n1", "a1");
    site.pass(Duration.ofMinutes(5));
    assertThat(rested).hasSize(1);
  }

  private void group(String role, String node) {
    site.put(
        Resource.of(
            ProcessGroup.KIND,
            ProcessGroup.name(role, node),
            new ProcessGroup.Spec(role, node, role, Map.of())));
  }

  private Optional<String> nameOfObjects(String name) {
    return NodeIdentity.nameOfObjects(site.memory, Site.machine(name, "a1"));
  }

  @Test
  void theNameOfObjectsNeedsNoNode() {
    assertThat(nameOfObjects("n1")).isEmpty();
    role("app", "n9");
    assertThat(nameOfObjects("n1")).isEmpty();
    group("app", "n1");
    assertThat(nameOfObjects("n1")).contains("n1");
    assertThat(nameOfObjects("new")).contains("n1");
  }

  @Test
  void theNameOfObjectsIsThatOfOutputsToo() {
    site.put(Site.claimed("n1", "a1"));
    site.put(
        Resource.of(
            TemplateOutput.KIND,
            RoleInstance.name("app", "n1"),
            new TemplateOutput.Spec("app", "n1", "app", Map.of())));
    assertThat(nameOfObjects("n1")).contains("n1");
    assertThat(nameOfObjects("new")).contains("n1");
  }

  @Test
  void theNameOfObjectsIsThePresentOneOnceSomeHaveIt() {
    group("app", "old");
    group("app", "new");
    assertThat(nameOfObjects("new")).contains("new");
    assertThat(nameOfObjects("other")).isEmpty();
  }

  @Test
  void theNameOfObjectsIsNotThatOfAnotherMachine() {
    group("app", "n1");
    group("app", "old");
    site.put(Site.claimed("n1", "b2"));
    assertThat(nameOfObjects("n1")).isEmpty();
    assertThat(nameOfObjects("new")).contains("old");
  }
}
