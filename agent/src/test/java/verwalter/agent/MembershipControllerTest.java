package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import verwalter.cluster.zookeeper.Elector;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.ClusterConfig;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Node;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.stores.engine.MemoryStore;

class MembershipControllerTest {
  private final VirtualWorld world = new VirtualWorld(1);
  private final Loop loop = world.loop("membership");
  private final MemoryStore store = new MemoryStore(world.clock(), world.uids());
  private final Set<Long> voters = new TreeSet<>(Set.of(1L));
  private final Set<Integer> silent = new TreeSet<>();
  private boolean leads = true;
  private int looks;
  private final MembershipController controller =
      new MembershipController(store, Optional.of(new Voters()), () -> leads, machine(1), loop);

  MembershipControllerTest() {
    controller.start();
  }

  /** An ensemble that changes at once. */
  private final class Voters implements MembershipController.Ensemble {
    @Override
    public Set<Long> voters() {
      looks++;
      return Set.copyOf(voters);
    }

    @Override
    public void add(Elector elector) {
      voters.add(elector.id());
    }

    @Override
    public void remove(long id) {
      voters.remove(id);
    }
  }

  private static String machine(int number) {
    return "%032x".formatted(number);
  }

  /** A node whose server receives the log. */
  private void join(int number) {
    var status =
        new Node.Status(
            0,
            List.of(),
            Map.of(Node.MACHINE_ID, machine(number)),
            new Node.Capacity(1, 1),
            Optional.empty(),
            new Node.Roles(0, 0, 0),
            List.of(
                Condition.ofTrue(ConditionType.READY, Reason.AGENT_RUNNING, "", 0, world.now())));
    var node = Resource.of(Node.KIND, "n" + number, new Node.Spec(false)).withStatus(status);
    var place = new ElectorPlace(new Elector(number, "10.0.0." + number, 8381), false);
    world.await(store.put(place.in(node)));
    report(number);
  }

  private void report(int number) {
    if (!silent.contains(number)) {
      loop.execute(() -> controller.ready(machine(number)));
      loop.after(Duration.ofSeconds(2), () -> report(number));
    }
  }

  private void lose(int number) {
    silent.add(number);
    var node = store.get(Node.KIND, "n" + number).orElseThrow();
    var unknown =
        Condition.ofUnknown(ConditionType.READY, Reason.LEASE_EXPIRED, "", 0, world.now());
    var status = node.status().orElseThrow().withConditions(List.of(unknown));
    world.await(store.putStatus(node.withStatus(status)));
  }

  private void pass(Duration time) {
    world.runFor(time);
  }

  private Map<String, Boolean> marked() {
    var marked = new HashMap<String, Boolean>();
    store
        .list(Node.KIND)
        .forEach(node -> marked.put(node.name(), ElectorPlace.of(node).orElseThrow().votes()));
    return marked;
  }

  private void joinFour() {
    for (int number = 1; number <= 4; number++) {
      join(number);
      pass(Duration.ofSeconds(5));
    }
  }

  @Test
  void letsThreeOfFourNodesVote() {
    join(1);
    join(2);
    pass(Duration.ofSeconds(5));
    assertThat(voters).containsExactly(1L);
    join(3);
    join(4);
    pass(Duration.ofSeconds(5));
    assertThat(voters).containsExactly(1L, 2L, 3L);
    assertThat(marked()).isEqualTo(Map.of("n1", true, "n2", true, "n3", true, "n4", false));
  }

  @Test
  void doesNothingWithoutLeading() {
    leads = false;
    joinFour();
    assertThat(voters).containsExactly(1L);
  }

  @Test
  void replacesALostElectorAfterTheTimeInTheSettings() {
    world.await(
        store.put(
            Resource.of(ClusterConfig.KIND, ClusterConfig.NAME, new ClusterConfig.Spec(3, 60))));
    joinFour();
    lose(3);
    pass(Duration.ofSeconds(55));
    assertThat(voters).containsExactly(1L, 2L, 3L);
    pass(Duration.ofSeconds(10));
    assertThat(voters).containsExactly(1L, 2L, 4L);
  }

  @Test
  void removesANodeFromTheEnsembleFirst() {
    joinFour();
    world.await(store.remove(store.get(Node.KIND, "n2").orElseThrow()));
    assertThat(store.get(Node.KIND, "n2")).isPresent();
    pass(Duration.ofSeconds(10));
    assertThat(voters).containsExactly(1L, 3L, 4L);
    assertThat(store.get(Node.KIND, "n2")).isEmpty();
    var removed =
        store
            .get(ClusterConfig.KIND, ClusterConfig.NAME)
            .flatMap(Resource::status)
            .orElseThrow()
            .removed();
    assertThat(removed).extracting(ClusterConfig.Removal::node).containsExactly("n2");
  }

  @Test
  void keepsANodeThatTheEnsembleCannotDoWithout() {
    joinFour();
    lose(2);
    lose(3);
    world.await(store.remove(store.get(Node.KIND, "n2").orElseThrow()));
    pass(Duration.ofHours(1));
    assertThat(voters).containsExactly(1L, 2L, 3L);
    assertThat(store.get(Node.KIND, "n2")).isPresent();
  }

  @Test
  void letsEachNodeVoteWhenOthersRunTheEnsemble() {
    controller.close();
    new MembershipController(store, Optional.empty(), () -> leads, machine(1), loop).start();
    joinFour();
    assertThat(marked()).isEqualTo(Map.of("n1", true, "n2", true, "n3", true, "n4", true));
    world.await(store.remove(store.get(Node.KIND, "n2").orElseThrow()));
    pass(Duration.ofSeconds(10));
    assertThat(marked()).isEqualTo(Map.of("n1", true, "n3", true, "n4", true));
    assertThat(voters).containsExactly(1L);
  }

  @Test
  void looksSeldomWhileNothingIsPending() {
    for (int number = 1; number <= 5; number++) {
      join(number);
      pass(Duration.ofSeconds(5));
    }
    assertThat(voters).containsExactly(1L, 2L, 3L);
    pass(MembershipController.REST);
    int before = looks;
    pass(Duration.ofMinutes(10));
    assertThat(looks - before).isBetween(20, 100);

    lose(3);
    before = looks;
    pass(Duration.ofMinutes(1));
    assertThat(looks - before).isGreaterThan(25);
  }

  @Test
  void followsANewNumberOfElectorsAtOnce() {
    for (int number = 1; number <= 5; number++) {
      join(number);
      pass(Duration.ofSeconds(5));
    }
    pass(Duration.ofMinutes(10));
    world.await(
        store.put(
            Resource.of(ClusterConfig.KIND, ClusterConfig.NAME, new ClusterConfig.Spec(5, 60))));
    pass(Duration.ofSeconds(3));
    assertThat(voters).containsExactly(1L, 2L, 3L, 4L, 5L);
  }
}
