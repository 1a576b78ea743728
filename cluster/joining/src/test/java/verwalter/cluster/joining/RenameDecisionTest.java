package verwalter.cluster.joining;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.model.JoinToken;
import verwalter.model.JoinToken.Purpose;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.Write;

class RenameDecisionTest {
  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
  private static final String MACHINE = "a".repeat(32);
  private static final String PLACE = "3 10.0.0.2 8381 votes";

  private Resource<Node.Spec, Node.Status> from = node("n2", MACHINE);
  private Optional<Resource<Node.Spec, Node.Status>> to = Optional.empty();
  private Purpose purpose = Purpose.NODE;
  private Instant expires = NOW.plusSeconds(60);
  private JoinToken.Status used = JoinToken.Status.UNUSED;
  private Map<String, String> annotations = Map.of(JoinToken.RENAMES, "n2");

  private static Resource<Node.Spec, Node.Status> node(String name, String machine) {
    var node = Resource.<Node.Spec, Node.Status>of(Node.KIND, name, new Node.Spec(true));
    var status =
        new Node.Status(
            1,
            List.of("10.0.0.2:8379"),
            Map.of(Node.MACHINE_ID, machine, Node.HOSTNAME, name),
            new Node.Capacity(1, 1),
            Optional.empty(),
            new Node.Roles(0, 0, 0),
            List.of());
    var meta =
        node.meta()
            .withLabels(Map.of("zone", "a"))
            .withAnnotations(Map.of(Node.ELECTOR, PLACE, "note", "kept"))
            .adding(Node.MEMBER);
    return node.withMeta(meta).withStatus(status);
  }

  private RenameDecision decide(String name) throws Refused {
    var token =
        Resource.<JoinToken.Spec, JoinToken.Status>of(
            JoinToken.KIND,
            "t",
            new JoinToken.Spec(purpose, Optional.of("web-2"), "hash", 1, expires, "tim"));
    var annotated = token.withMeta(token.meta().withAnnotations(annotations)).withStatus(used);
    return RenameDecision.decide(
        name, "key", new RenameDecision.Situation(from, to, List.of(annotated), NOW));
  }

  private void refuses(String name, Refused.Reason reason) {
    assertThatThrownBy(() -> decide(name))
        .isInstanceOfSatisfying(
            Refused.class, refused -> assertThat(refused.reason()).isEqualTo(reason));
  }

  private static Resource<?, ?> written(RenameDecision decision, int index) {
    return decision.writes().get(index).resource();
  }

  @Test
  void theNewNodeHasEverythingThatTheOldOneHas() throws Exception {
    var decision = decide("web-2");

    var made = written(decision, 0);
    assertThat(made.name()).isEqualTo("web-2");
    assertThat(made.spec()).isEqualTo(new Node.Spec(true));
    assertThat(made.status().orElseThrow()).isEqualTo(from.status().orElseThrow());
    assertThat(made.meta().labels()).isEqualTo(Map.of("zone", "a"));
    assertThat(made.meta().has(Node.MEMBER)).isTrue();
    assertThat(made.meta().annotations())
        .isEqualTo(Map.of(Node.ELECTOR, PLACE, "note", "kept", Node.FORMER_NAMES, "n2"));
    assertThat(made.meta().version()).isZero();
  }

  @Test
  void theOldNodeLosesItsPlaceAndTheTokenIsUsed() throws Exception {
    var decision = decide("web-2");

    assertThat(written(decision, 1).meta().annotations()).isEqualTo(Map.of("note", "kept"));
    assertThat(decision.writes().get(2)).isInstanceOf(Write.PutStatus.class);
    assertThat(written(decision, 2).status().orElseThrow())
        .isEqualTo(
            new JoinToken.Status(
                written(decision, 2).meta().generation(),
                1,
                List.of(new JoinToken.Use("web-2", MACHINE, "key", NOW))));
    assertThat(decision.writes()).hasSize(3);
  }

  @Test
  void aRequestWithTheNewCertificateWritesNothing() throws Exception {
    from = node("web-2", MACHINE);
    to = Optional.of(from);
    used = new JoinToken.Status(1, 1, List.of());

    assertThat(decide("web-2").writes()).isEmpty();
  }

  @Test
  void aRepeatedRequestWritesNothing() throws Exception {
    var renamed = node("web-2", MACHINE);
    to =
        Optional.of(
            renamed.withMeta(renamed.meta().withAnnotations(Map.of(Node.FORMER_NAMES, "n2"))));
    used = new JoinToken.Status(1, 1, List.of());

    assertThat(decide("web-2").writes()).isEmpty();
  }

  @Test
  void refusesANameThatIsTaken() {
    to = Optional.of(node("web-2", "b".repeat(32)));
    refuses("web-2", Refused.Reason.NAME_TAKEN);

    to = Optional.of(node("web-2", MACHINE)); // of the same machine, but not renamed from n2
    refuses("web-2", Refused.Reason.NAME_TAKEN);
  }

  @Test
  void refusesANameThatNoTokenGives() {
    refuses("web-3", Refused.Reason.WRONG_TOKEN);
    refuses("not valid", Refused.Reason.INVALID);

    annotations = Map.of(JoinToken.RENAMES, "n3");
    refuses("web-2", Refused.Reason.WRONG_TOKEN);
    annotations = Map.of();
    refuses("web-2", Refused.Reason.WRONG_TOKEN);
  }

  @Test
  void refusesATokenThatIsUsedExpiredOrForAChannel() {
    used = new JoinToken.Status(1, 1, List.of());
    refuses("web-2", Refused.Reason.WRONG_TOKEN);
    used = JoinToken.Status.UNUSED;
    expires = NOW;
    refuses("web-2", Refused.Reason.WRONG_TOKEN);
    expires = NOW.plusSeconds(60);
    purpose = Purpose.CHANNEL;
    refuses("web-2", Refused.Reason.WRONG_TOKEN);
  }
}
