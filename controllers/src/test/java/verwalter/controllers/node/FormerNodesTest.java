package verwalter.controllers.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.controllers.runtime.Result;
import verwalter.model.Event;
import verwalter.model.Node;
import verwalter.model.Reason;
import verwalter.model.Resource;

class FormerNodesTest {
  private final Site site = new Site();
  private final Loop loop = site.world.loop("former-nodes");
  private final FormerNodes reconciler = new FormerNodes(site.store, site.events);

  @BeforeEach
  void start() {
    loop.execute(() -> reconciler.controller().startOn(loop));
    settle();
  }

  private void settle() {
    site.pass(Duration.ofSeconds(1));
  }

  @Test
  void theNodeOfARenamedMachineIsRemovedAndReported() {
    site.put(Site.claimed("old", "a1"));
    site.put(Site.claimed("new", "a1", "old"));
    settle();

    assertThat(site.names(Node.KIND)).containsExactly("new");
    assertThat(site.written())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.regarding()).isEqualTo(Node.KIND.key("new"));
              assertThat(event.type()).isEqualTo(Event.Type.NORMAL);
              assertThat(event.reason()).isEqualTo(Reason.RENAMED.title());
              assertThat(event.message()).contains("old", "new");
            });
  }

  @Test
  void theNodeStaysWhileTheAgentRunsUnderItsName() {
    site.put(Site.claimed("old", "a1"));
    var renamed = Site.claimed("new", "a1", "old");
    site.put(renamed.withStatus(named(renamed, "old")));
    settle();
    assertThat(site.names(Node.KIND)).containsExactly("new", "old");

    var present = site.store.get(Node.KIND, "new").orElseThrow();
    site.world.await(site.store.putStatus(present.withStatus(named(present, "new"))));
    settle();
    assertThat(site.names(Node.KIND)).containsExactly("new");
  }

  private static Node.Status named(Resource<Node.Spec, Node.Status> node, String name) {
    var status = node.status().orElseThrow();
    return new Node.Status(
        status.observedGeneration(),
        status.addresses(),
        Map.of(Node.MACHINE_ID, "a1", Node.HOSTNAME, name),
        status.capacity(),
        status.schedule(),
        status.roles(),
        status.conditions());
  }

  @Test
  void allFormerNamesAreRemovedTogether() {
    site.put(Site.claimed("first", "a1"));
    site.put(Site.claimed("second", "a1", "first"));
    site.put(Site.claimed("third", "a1", "second", "first"));
    settle();

    assertThat(site.names(Node.KIND)).containsExactly("third");
  }

  @Test
  void aFormerNameThatAnotherMachineHasTakenIsLeftAlone() {
    site.put(Site.claimed("old", "b2"));
    site.put(Site.claimed("new", "a1", "old"));
    settle();

    assertThat(site.names(Node.KIND)).containsExactly("new", "old");
    assertThat(site.written()).isEmpty();
  }

  @Test
  void aNodeThatIsBeingRemovedIsNotRemovedAgain() {
    var old = Site.claimed("old", "a1");
    site.put(old.withMeta(old.meta().adding("someone/else")));
    site.remove(Node.KIND, "old");
    site.put(Site.claimed("new", "a1", "old"));
    settle();

    assertThat(site.names(Node.KIND)).containsExactly("new", "old");
    assertThat(site.written()).isEmpty();
  }

  @Test
  void nodesWithoutFormerNamesAreNotLookedAt() {
    site.store.reset();
    site.put(Site.claimed("n1", "a1"));
    site.put(Resource.of(Node.KIND, "n2", new Node.Spec(false)));
    settle();

    assertThat(site.store.read(Node.KIND)).isZero();
    assertThat(site.names(Node.KIND)).containsExactly("n1", "n2");
  }

  @Test
  void aNodeThatIsGoneNeedsNothing() {
    assertThat(site.world.await(reconciler.reconcile(Node.KIND.key("gone"))))
        .isEqualTo(Result.DONE);
  }
}
