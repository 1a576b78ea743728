package verwalter.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KindsTest {
  @Test
  void eachKindIsFoundByItsExactName() {
    for (var kind : Kinds.ALL) {
      assertThat(Kinds.named(kind.name())).isEqualTo(Optional.of(kind));
      assertThat(Kinds.named(kind.plural())).isEmpty();
    }
    assertThat(Kinds.named("node")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "no, Node", "node, Node", "Nodes, Node", "nsch, NodeSchedule", "RCFG, RoleConfig",
    "schedules, Schedule", "sch, Schedule", "ev, Event", "pg, ProcessGroup", "dr, DeploymentRef",
    "art, Artifact", "pods, ",
  })
  void kindsAreFoundByAnyOfTheirNamesIgnoringCase(String word, String kind) {
    assertThat(Kinds.find(word).map(Kind::name).orElse(null)).isEqualTo(kind);
  }

  @Test
  void noTwoKindsShareAName() {
    var words = new ArrayList<String>();
    for (var kind : Kinds.ALL) {
      words.addAll(
          Stream.of(kind.name(), kind.plural(), kind.shortName())
              .map(word -> word.toLowerCase(Locale.ROOT))
              .distinct()
              .toList());
    }
    assertThat(words).doesNotHaveDuplicates();
  }

  @Test
  void pluralsAreValidInUrls() {
    assertThat(Kinds.ALL).allMatch(kind -> kind.plural().matches("[a-z]+"));
    assertThat(Node.KIND.key("alpha")).hasToString("Node/alpha");
    assertThat(List.of(Kind.API_VERSION)).containsExactly("verwalter.io/v1");
  }

  /** Scope, spec writers and status writers of each kind. */
  @Test
  void eachKindStatesItsScopeAndItsWriters() {
    assertThat(Kinds.ALL)
        .extracting(
            kind ->
                "%s | %s | %s | %s"
                    .formatted(kind.name(), kind.scope(), kind.specWriters(), kind.statusWriters()))
        .containsExactly(
            "Node | CLUSTER | [OPERATOR, NODE] | [CONFIG, NODE, LEASE]",
            "RoleConfig | CLUSTER | [OPERATOR, CONFIG] | [CONFIG, ROLE, ROLLOUT, SCHEDULE]",
            "Rollout | CLUSTER | [ROLLOUT] | [ROLLOUT]",
            "Configuration | CLUSTER | [OPERATOR, CONFIG] | [CONFIG]",
            "SchedulerCode | CLUSTER | [CONFIG] | []",
            "Schedule | CLUSTER | [SCHEDULE] | [SCHEDULE]",
            "NodeSchedule | CLUSTER | [SCHEDULE] | [NODE_SCHEDULE]",
            "RoleInstance | NODE | [NODE_SCHEDULE] | [INSTANCE]",
            "TemplateOutput | NODE | [INSTANCE] | [TEMPLATE]",
            "ProcessGroup | NODE | [INSTANCE] | [PROCESS]",
            "DeploymentRef | NODE | [INSTANCE] | [DEPLOYMENT]",
            "Artifact | NODE | [DEPLOYMENT] | [DEPLOYMENT]",
            "Action | CLUSTER | [OPERATOR] | [SCHEDULE]",
            "Event | NODE | [CONFIG, SCHEDULE, NODE_SCHEDULE, INSTANCE, TEMPLATE, PROCESS, NODE,"
                + " LEASE, EVENTS] | []",
            "JoinToken | CLUSTER | [OPERATOR] | [JOIN]",
            "AuthorityChange | CLUSTER | [OPERATOR] | [JOIN]",
            "AccessRule | CLUSTER | [OPERATOR] | []",
            "AccessToken | CLUSTER | [OPERATOR] | []",
            "ClusterConfig | CLUSTER | [OPERATOR, MEMBERSHIP] | [MEMBERSHIP]");
  }

  /**
   * Conditions with their own writer, finalizers, and others than the writers of the spec that may
   * delete.
   */
  @Test
  void eachKindStatesWhoWritesSingleConditionsAndFinalizers() {
    assertThat(Kinds.ALL)
        .extracting(
            kind ->
                "%s | %s | %s | %s"
                    .formatted(
                        kind.name(),
                        kind.writers().conditions(),
                        kind.writers().finalizers(),
                        kind.writers().removal()))
        .containsExactly(
            "Node | {READY=LEASE, CONFIG_IN_FORCE=CONFIG} | {verwalter.io/member=MEMBERSHIP} |"
                + " [OPERATOR]",
            "RoleConfig | {SCHEDULED=SCHEDULE, HEALTHY=ROLE, ROLLED_OUT=ROLLOUT, PLACED=ROLLOUT} | {} |"
                + " [OPERATOR]",
            "Rollout | {} | {} | [OPERATOR]",
            "Configuration | {} | {} | [OPERATOR]",
            "SchedulerCode | {} | {} | [OPERATOR]",
            "Schedule | {} | {} | []",
            "NodeSchedule | {} | {} | []",
            "RoleInstance | {} | {verwalter.io/instance=INSTANCE} | []",
            "TemplateOutput | {} | {verwalter.io/files=TEMPLATE} | []",
            "ProcessGroup | {} | {verwalter.io/processes=PROCESS} | []",
            "DeploymentRef | {} | {verwalter.io/release=DEPLOYMENT} | []",
            "Artifact | {} | {verwalter.io/blob=DEPLOYMENT} | []",
            "Action | {} | {} | [OPERATOR, SCHEDULE]",
            "Event | {} | {} | [OPERATOR]",
            "JoinToken | {} | {} | [OPERATOR, JOIN]",
            "AuthorityChange | {} | {verwalter.io/authority=JOIN} | [OPERATOR, JOIN]",
            "AccessRule | {} | {} | [OPERATOR]",
            "AccessToken | {} | {} | [OPERATOR]",
            "ClusterConfig | {} | {} | [OPERATOR]");
  }
}
