package verwalter.cluster.joining;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import verwalter.cluster.joining.ClusterMember.Peer;
import verwalter.cluster.joining.ClusterMember.Role;
import verwalter.cluster.joining.JoinDecision.Situation;
import verwalter.model.JoinToken;
import verwalter.model.JoinToken.Purpose;
import verwalter.model.JoinTokenText;
import verwalter.model.Node;
import verwalter.model.Resource;

class JoinDecisionTest {
  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
  private static final String MACHINE = "a".repeat(32);
  private static final String OTHER_MACHINE = "b".repeat(32);
  private static final JoinTokenText TEXT =
      JoinTokenText.create("00".repeat(32), new SplittableRandom(1));

  private JoinToken.Spec spec =
      new JoinToken.Spec(
          Purpose.NODE, Optional.empty(), TEXT.hash(), 1, NOW.plusSeconds(60), "tim");
  private JoinToken.Status status = JoinToken.Status.UNUSED;
  private Optional<Resource<Node.Spec, Node.Status>> node = Optional.empty();
  private List<Peer> members =
      List.of(new Peer("n1", List.of("10.0.0.1:8380", "one.example:8380"), Role.ELECTOR));
  private JoinRequest request =
      new JoinRequest(
          TEXT.id(),
          TEXT.secret(),
          "",
          "n2",
          MACHINE,
          List.of("10.0.0.2:8380"),
          NOW.toEpochMilli());

  private JoinDecision decide(String key) throws Refused {
    var token = Resource.of(JoinToken.KIND, TEXT.id(), spec).withStatus(status);
    return JoinDecision.decide(request, key, new Situation(Optional.of(token), node, members, NOW));
  }

  private AbstractThrowableAssert<?, ? extends Throwable> refusal(Refused.Reason reason) {
    return assertThatThrownBy(() -> decide("key"))
        .isInstanceOfSatisfying(
            Refused.class, refused -> assertThat(refused.reason()).isEqualTo(reason));
  }

  private void request(String name, String machine, String... addresses) {
    request =
        new JoinRequest(
            TEXT.id(), TEXT.secret(), "", name, machine, List.of(addresses), NOW.toEpochMilli());
  }

  private void token(Purpose purpose, Optional<String> name, int uses, Instant expires) {
    spec = new JoinToken.Spec(purpose, name, TEXT.hash(), uses, expires, "tim");
  }

  private void existing(String machine) {
    node =
        Optional.of(
            Resource.of(Node.KIND, "n2", new Node.Spec(false))
                .withStatus(
                    new Node.Status(
                        0,
                        List.of(),
                        Map.of(Node.MACHINE_ID, machine),
                        new Node.Capacity(0, 0),
                        Optional.empty(),
                        new Node.Roles(0, 0, 0),
                        List.of())));
  }

  @Test
  void spendsOneUse() throws Exception {
    var spent = decide("key").spent().orElseThrow();

    assertThat(spent.used()).isEqualTo(1);
    assertThat(spent.uses()).containsExactly(new JoinToken.Use("n2", MACHINE, "key", NOW));
  }

  @Test
  void listsTheLastUsesOnly() throws Exception {
    token(Purpose.NODE, Optional.empty(), 1000, NOW.plusSeconds(60));
    for (int i = 0; i < 100; i++) {
      status = decide("key " + i).spent().orElseThrow();
    }

    assertThat(status.used()).isEqualTo(100);
    assertThat(status.uses()).hasSize(JoinToken.MOST_LISTED);
    assertThat(status.uses().get(JoinToken.MOST_LISTED - 1).key()).isEqualTo("key 99");
  }

  @Test
  void countsARepeatedRequestOnce() throws Exception {
    status = decide("key").spent().orElseThrow();
    existing(MACHINE);

    assertThat(decide("key").spent()).isEmpty();
  }

  @Test
  void refusesAUsedTokenWithAnotherKeyNameOrMachine() throws Exception {
    status = decide("other key").spent().orElseThrow();
    refusal(Refused.Reason.USED_UP).hasMessage("the token was used 1 of 1 times");

    status = new JoinToken.Status(1, 1, List.of(new JoinToken.Use("n3", MACHINE, "key", NOW)));
    refusal(Refused.Reason.USED_UP);

    status =
        new JoinToken.Status(1, 1, List.of(new JoinToken.Use("n2", OTHER_MACHINE, "key", NOW)));
    refusal(Refused.Reason.USED_UP);
  }

  @Test
  void refusesUnknownAndWrongTokensAlike() {
    var wrong =
        new JoinRequest(
            TEXT.id(), "x", "", "n2", MACHINE, List.of("10.0.0.2:8380"), NOW.toEpochMilli());
    var none = new Situation(Optional.empty(), node, members, NOW);
    var messages = new ArrayList<String>();
    for (var each : List.of(wrong, request)) {
      var token = Resource.of(JoinToken.KIND, TEXT.id(), spec);
      var situation =
          each.equals(wrong) ? new Situation(Optional.of(token), node, members, NOW) : none;
      assertThatThrownBy(() -> JoinDecision.decide(each, "key", situation))
          .isInstanceOfSatisfying(
              Refused.class,
              refused -> {
                assertThat(refused.reason()).isEqualTo(Refused.Reason.WRONG_TOKEN);
                assertThat(refused.next()).isEqualTo("vw token create");
                messages.add(refused.getMessage());
              });
    }
    assertThat(messages.get(0)).isEqualTo(messages.get(1));
  }

  @Test
  void tellsNothingAboutNamesWithoutTheSecret() {
    existing(OTHER_MACHINE);
    spec =
        new JoinToken.Spec(
            Purpose.NODE, Optional.empty(), "0".repeat(64), 1, NOW.plusSeconds(60), "tim");

    refusal(Refused.Reason.WRONG_TOKEN);
  }

  @Test
  void refusesExpiredTokens() {
    token(Purpose.NODE, Optional.empty(), 1, NOW);

    refusal(Refused.Reason.EXPIRED_TOKEN)
        .hasMessage("the token has expired at 2026-11-22T12:00:00Z");
  }

  @Test
  void refusesExpiredTokensAlsoForRepeatedRequests() throws Exception {
    status = decide("key").spent().orElseThrow();
    token(Purpose.NODE, Optional.empty(), 1, NOW);

    refusal(Refused.Reason.EXPIRED_TOKEN);
  }

  @Test
  void refusesTokensForChannelsAndForOtherNodes() {
    token(Purpose.CHANNEL, Optional.of("stable"), 1, NOW.plusSeconds(60));
    refusal(Refused.Reason.OTHER_PURPOSE);

    token(Purpose.NODE, Optional.of("n7"), 1, NOW.plusSeconds(60));
    refusal(Refused.Reason.OTHER_PURPOSE).hasMessage("the token is for node n7, not for n2");
  }

  @Test
  void refusesTheNameOfAnotherMachineWithEveryToken() {
    existing(OTHER_MACHINE);
    refusal(Refused.Reason.NAME_TAKEN)
        .hasMessage("node n2 is another machine (machine id %s)".formatted(OTHER_MACHINE));

    token(Purpose.NODE, Optional.of("n2"), 1, NOW.plusSeconds(60));
    refusal(Refused.Reason.NAME_TAKEN);
  }

  @Test
  void admitsAnExistingNodeOnlyWithATokenThatNamesIt() throws Exception {
    existing(MACHINE);
    assertThatThrownBy(() -> decide("key"))
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> assertThat(refused.next()).isEqualTo("vw token create --name n2"));

    token(Purpose.NODE, Optional.of("n2"), 1, NOW.plusSeconds(60));
    assertThat(decide("key").spent()).isPresent();
  }

  @Test
  void admitsClocksThatDifferByHoursOnly() throws Exception {
    var late = NOW.plus(JoinDecision.MOST_DIFFERENCE);
    request =
        new JoinRequest(
            TEXT.id(), TEXT.secret(), "", "n2", MACHINE, request.addresses(), late.toEpochMilli());
    assertThat(decide("key").spent()).isPresent();

    request =
        new JoinRequest(
            TEXT.id(),
            TEXT.secret(),
            "",
            "n2",
            MACHINE,
            request.addresses(),
            NOW.minus(JoinDecision.MOST_DIFFERENCE).minus(Duration.ofMillis(1)).toEpochMilli());
    refusal(Refused.Reason.CLOCK_DIFFERS)
        .hasMessageContaining("says 2026-11-21T23:59:59.999Z, and that of the cluster 2026-11-22");
  }

  @Test
  void refusesNamesThatAreNotValid() {
    request("n2/../n1", MACHINE, "10.0.0.2");
    refusal(Refused.Reason.INVALID);

    request("n2", "not hex", "10.0.0.2");
    refusal(Refused.Reason.INVALID);

    request("n2", MACHINE);
    refusal(Refused.Reason.INVALID).hasMessage("a node has 1 to 16 addresses");
  }

  @Test
  void refusesHostsOfOtherNodes() {
    for (var host :
        List.of("10.0.0.1:8380", "10.0.0.1:9999", "10.0.0.1", "ONE.example:1", "n1:8380")) {
      request("n2", MACHINE, "10.0.0.2:8380", host);
      refusal(Refused.Reason.ADDRESS_TAKEN);
    }
    members = List.of(new Peer("n1", List.of("[fd00::1]:8380"), Role.ELECTOR));
    request("n2", MACHINE, "[fd00:0::0:1]:8380");
    refusal(Refused.Reason.ADDRESS_TAKEN).hasMessage("[fd00:0::0:1]:8380 is an address of node n1");
  }

  @Test
  void admitsSeveralNodesOnLoopbackWithDifferentPorts() throws Exception {
    members = List.of(new Peer("n1", List.of("127.0.0.1:8380"), Role.ELECTOR));
    request("n2", MACHINE, "127.0.0.1:8381");
    assertThat(decide("key").spent()).isPresent();

    request("n2", MACHINE, "127.0.0.1:8380");
    refusal(Refused.Reason.ADDRESS_TAKEN);
  }

  @Test
  void doesNotPrintSecrets() {
    assertThat(request.toString()).contains("n2").doesNotContain(TEXT.secret());
  }
}
