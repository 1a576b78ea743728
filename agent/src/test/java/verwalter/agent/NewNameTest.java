package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.model.JoinToken;
import verwalter.model.Node;
import verwalter.model.Resource;

class NewNameTest {
  private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");
  private static final String MACHINE = "a".repeat(32);

  private static Resource<Node.Spec, Node.Status> node(String name, String former, int created) {
    var node = Resource.<Node.Spec, Node.Status>of(Node.KIND, name, new Node.Spec(true));
    var status =
        new Node.Status(
            1,
            List.of("10.0.0.2:8379"),
            Map.of(Node.MACHINE_ID, MACHINE),
            new Node.Capacity(1, 1),
            Optional.empty(),
            new Node.Roles(0, 0, 0),
            List.of());
    var annotations =
        former.isEmpty() ? Map.<String, String>of() : Map.of(Node.FORMER_NAMES, former);
    var meta =
        node.meta()
            .withAnnotations(annotations)
            .committed("uid", 1, 1, Optional.of(NOW.plusSeconds(created)), Optional.empty());
    return node.withMeta(meta).withStatus(status);
  }

  private static Resource<JoinToken.Spec, JoinToken.Status> token(
      String name, Instant expires, List<JoinToken.Use> uses) {
    var token =
        Resource.<JoinToken.Spec, JoinToken.Status>of(
            JoinToken.KIND,
            "t-" + name,
            new JoinToken.Spec(
                JoinToken.Purpose.NODE, Optional.of(name), "hash", 1, expires, "tim"));
    return token
        .withMeta(token.meta().withAnnotations(Map.of(JoinToken.RENAMES, "n2")))
        .withStatus(new JoinToken.Status(1, uses.size(), uses));
  }

  private static Optional<String> decide(
      List<Resource<Node.Spec, Node.Status>> nodes,
      List<Resource<JoinToken.Spec, JoinToken.Status>> tokens) {
    return NewName.of("n2", MACHINE, nodes, tokens, NOW);
  }

  @Test
  void aNodeWithoutATokenKeepsItsName() {
    assertThat(decide(List.of(node("n2", "", 0)), List.of())).isEmpty();
  }

  @Test
  void aTokenGivesTheNodeItsNameUntilItExpires() {
    var own = List.of(node("n2", "", 0));

    assertThat(decide(own, List.of(token("web-2", NOW.plusSeconds(1), List.of()))))
        .contains("web-2");
    assertThat(decide(own, List.of(token("web-2", NOW, List.of())))).isEmpty();
  }

  @Test
  void aTokenOfThisMachineIsUsedAgainUntilTheAnswerIsReceived() {
    var own = List.of(node("n2", "", 0));
    var use = new JoinToken.Use("web-2", MACHINE, "key", NOW);
    var other = new JoinToken.Use("web-2", "b".repeat(32), "key", NOW);

    assertThat(decide(own, List.of(token("web-2", NOW.plusSeconds(1), List.of(use)))))
        .contains("web-2");
    assertThat(decide(own, List.of(token("web-2", NOW.plusSeconds(1), List.of(other))))).isEmpty();
  }

  @Test
  void anInterruptedRenameContinuesAfterItsTokenHasExpired() {
    var nodes = List.of(node("n2", "", 0), node("web-2", "n2", 5));

    assertThat(decide(nodes, List.of())).contains("web-2");
  }

  @Test
  void aFormerNameThatWasTakenBackIsNotTakenAgain() {
    var nodes = List.of(node("n2", "web-2", 9), node("web-2", "n2", 5));

    assertThat(decide(nodes, List.of())).isEmpty();
  }
}
