package verwalter.controllers.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import verwalter.model.Action;
import verwalter.model.Resource;
import verwalter.model.Scheduler;
import verwalter.stores.api.Write;

class ReportsTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  private static Resource<Action.Spec, Action.Status> action(int second) {
    return Resource.of(
        Action.KIND,
        "action-%03d".formatted(second),
        new Action.Spec(Map.of(), NOW.plusSeconds(second)));
  }

  private static Resource<Action.Spec, Action.Status> done(int second) {
    return action(second)
        .withStatus(new Action.Status(1, Action.State.DONE, "hash", Optional.empty(), "", NOW));
  }

  private static List<String> forgotten(List<Resource<Action.Spec, Action.Status>> all) {
    return Reports.forgotten(all).stream()
        .map(write -> (Write.Remove) write)
        .map(write -> write.resource().name())
        .toList();
  }

  @Test
  void theNewest200CompletedActionsAreKept() {
    var all = new ArrayList<Resource<Action.Spec, Action.Status>>();
    for (int i = 0; i < 203; i++) {
      all.add(done(i));
    }
    Collections.shuffle(all, new Random(1));
    assertThat(forgotten(all)).containsExactly("action-000", "action-001", "action-002");
    assertThat(forgotten(all.subList(0, 200))).isEmpty();
  }

  @Test
  void pendingActionsAreNeitherForgottenNorCounted() {
    var all = new ArrayList<Resource<Action.Spec, Action.Status>>();
    for (int i = 0; i < 300; i++) {
      all.add(action(i));
    }
    assertThat(forgotten(all)).isEmpty();
    for (int i = 300; i < 501; i++) {
      all.add(done(i));
    }
    assertThat(forgotten(all)).containsExactly("action-300");
  }

  @Test
  void theAnswerToAnActionIsWrittenToItsStatus() {
    var actions = List.of(action(1), action(2));
    var situation =
        new Situation(
            NOW, "n1", "a1", List.of(), List.of(), Map.of(), actions, List.of(), Map.of());
    var outcome =
        RunOutcome.of(
            input ->
                new Scheduler.Decision(
                    Map.of(), "", 0, true, List.of(), Map.of("action-001", "moved")),
            situation);
    assertThat(Reports.actions(actions, outcome, "hash", NOW))
        .extracting(write -> ((Action.Status) write.resource().status().orElseThrow()).answer())
        .containsExactly(Optional.of("moved"), Optional.empty());
  }

  @Test
  void anActionThatTheRunDidNotSeeStaysPending() {
    var situation =
        new Situation(
            NOW,
            "n1",
            "a1",
            List.of(),
            List.of(),
            Map.of(),
            List.of(action(1)),
            List.of(),
            Map.of());
    var outcome = RunOutcome.of(input -> new Scheduler.Decision(Map.of(), "", 0), situation);
    assertThat(Reports.actions(List.of(action(1), action(2)), outcome, "hash", NOW))
        .extracting(write -> write.resource().name())
        .containsExactly("action-001");
    assertThat(outcome.actionsTaken()).isTrue();
    assertThat(outcome.covers(situation)).isTrue();
  }

  @Test
  void aRunCoversASituationIfEveryEntryWasSeenOrSetAside() {
    var whole =
        new Situation(
            NOW,
            "n1",
            "a1",
            List.of(),
            List.of(),
            Map.of(),
            List.of(action(1), action(2), action(3)),
            List.of(),
            Map.of());
    var part = whole.without(java.util.Set.of(action(2).key(), action(3).key()));
    var seen = RunOutcome.of(input -> new Scheduler.Decision(Map.of(), "", 0), part);
    assertThat(seen.covers(whole)).isFalse();
    assertThat(seen.settingAside(Map.of(action(2).key(), "no")).covers(whole)).isFalse();
    assertThat(
            seen.settingAside(Map.of(action(2).key(), "no", action(3).key(), "no")).covers(whole))
        .isTrue();
    var failed =
        RunOutcome.of(
            input -> {
              throw new Scheduler.Failed("no", "");
            },
            part);
    assertThat(failed.covers(whole)).isTrue();
    assertThat(failed.actionsTaken()).isFalse();
    var none =
        RunOutcome.of(
            input -> new Scheduler.Decision(Map.of(), "", 0),
            whole.without(java.util.Set.of(action(1).key(), action(2).key(), action(3).key())));
    assertThat(none.actionsTaken()).isFalse();
  }
}
