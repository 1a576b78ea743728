package verwalter.stores.replicatedkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import verwalter.stores.replicated.LogBlock;

/** Tests of every promise of a replicated log. Extend it and give it an ensemble. */
@SuppressWarnings("NullAway.Init") // opened before each test
public abstract class ReplicatedLogContract {
  private static final int ROUNDS = 30;

  private final List<LogUser> users = new ArrayList<>();
  private Ensemble ensemble;

  /** A new ensemble with an empty log. */
  protected abstract Ensemble newEnsemble() throws Exception;

  @BeforeEach
  void open() throws Exception {
    ensemble = newEnsemble();
  }

  @AfterEach
  void close() throws Exception {
    users.forEach(each -> each.log().close());
    ensemble.close();
    assertThat(users).allSatisfy(each -> assertThat(each.faults()).isEmpty());
  }

  private LogUser user(long from) {
    var user = new LogUser(ensemble.open(), from);
    users.add(user);
    return user;
  }

  private void await(BooleanSupplier condition) {
    ensemble.await(condition);
  }

  /** Appends the texts behind everything that the user has seen, and waits for the result. */
  private String append(LogUser user, String... texts) {
    return append(user, user.next(), texts);
  }

  private String append(LogUser user, long first, String... texts) {
    int before = user.results().size();
    user.append(first, List.of(texts));
    await(() -> user.results().size() > before);
    return user.results().get(before);
  }

  private void awaitSeen(LogUser user, String... texts) {
    await(() -> user.seen().size() >= texts.length || !user.end().isEmpty());
    assertThat(user.seen()).containsExactly(texts);
  }

  @Test
  void firstEntryHasNumberOne() {
    var user = user(1);
    assertThat(append(user, 1, "a", "b")).isEqualTo("appended");
    assertThat(user.seen()).containsExactly("a", "b");
    assertThat(user.next()).isEqualTo(3);
  }

  @Test
  void allFollowersReceiveAllEntriesInOneOrder() {
    var first = user(1);
    var second = user(1);
    append(first, "a", "b");
    append(first, "c");
    awaitSeen(second, "a", "b", "c");
    append(second, "d");
    awaitSeen(first, "a", "b", "c", "d");
    assertThat(first.own()).containsExactly("a", "b", "c");
    assertThat(second.own()).containsExactly("d");
    awaitSeen(user(1), "a", "b", "c", "d");
  }

  @Test
  void appendAtTakenNumberIsRefused() {
    var first = user(1);
    append(first, "a");
    var second = user(1);
    assertThat(append(second, 1, "x")).isEqualTo("taken");
    awaitSeen(second, "a");
    assertThat(append(second, "b")).isEqualTo("appended");
    assertThat(append(first, 2, "y")).isEqualTo("taken");
    awaitSeen(first, "a", "b");
  }

  @Test
  void appendBehindNextNumberIsRefused() {
    var user = user(1);
    assertThat(append(user, 2, "x")).isEqualTo("taken");
    assertThat(append(user, 1, "a")).isEqualTo("appended");
  }

  @Test
  void competingAppendsAreAllThereOnce() {
    competingAppends(round -> {});
  }

  @Test
  void appendsWhoseResultsAreLostAreThereOnce() {
    competingAppends(
        round -> {
          if (round % 10 == 2) {
            ensemble.interrupt();
          }
        });
  }

  private void competingAppends(java.util.function.IntConsumer fault) {
    var all = List.of(user(1), user(1), user(1));
    var wanted = new ArrayList<String>();
    for (int round = 0; round < ROUNDS; round++) {
      int mine = round;
      var open = new ArrayList<>(all);
      while (!open.isEmpty()) {
        var results = open.stream().map(each -> each.results().size()).toList();
        open.forEach(each -> each.append(each.next(), List.of(text(all.indexOf(each), mine))));
        fault.accept(round);
        await(
            () ->
                IntStream.range(0, open.size())
                    .allMatch(i -> open.get(i).results().size() > results.get(i)));
        open.removeIf(each -> each.own().contains(text(all.indexOf(each), mine)));
      }
      for (int i = 0; i < all.size(); i++) {
        wanted.add(text(i, round));
      }
    }
    await(() -> all.stream().allMatch(each -> each.seen().size() >= wanted.size()));
    assertThat(all.get(0).seen()).containsExactlyInAnyOrderElementsOf(wanted);
    assertThat(all).allSatisfy(each -> assertThat(each.seen()).isEqualTo(all.get(0).seen()));
  }

  private static String text(int user, int round) {
    return "%d-%d".formatted(user, round);
  }

  @Test
  void followsFromTheMiddle() {
    var first = user(1);
    append(first, "a");
    append(first, "b");
    append(first, "c");
    awaitSeen(user(2), "b", "c");
    var last = user(4);
    append(first, "d");
    awaitSeen(last, "d");
  }

  @Test
  void followsFromTheMiddleOfAnAppend() {
    var first = user(1);
    append(first, "a", "b", "c", "d");
    append(first, "e");
    awaitSeen(user(2), "b", "c", "d", "e");
    var last = user(4);
    awaitSeen(last, "d", "e");
    assertThat(append(last, "f")).isEqualTo("appended");
    first.log().trim(2);
    ensemble.settle();
    awaitSeen(user(3), "c", "d", "e", "f");
  }

  @Test
  void largestAppendIsStoredAndLargerOneRefused() {
    var user = user(1);
    long least = LogBlock.size(List.of(ByteBuffer.allocate(0)));
    var text = "x".repeat(Math.toIntExact(user.log().largestAppend() - least));
    assertThat(append(user, text)).isEqualTo("appended");
    awaitSeen(user(1), text);
    assertThatThrownBy(() -> user.append(2, List.of(text + "x")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void trimmedEntriesCannotBeFollowed() {
    var user = user(1);
    for (var text : List.of("a", "b", "c", "d")) {
      append(user, text);
    }
    user.log().trim(2);
    ensemble.settle();
    var late = user(1);
    await(() -> !late.end().isEmpty());
    assertThat(late.seen()).isEmpty();
    assertThat(late.trimmed()).isEqualTo(2);
    awaitSeen(user(3), "c", "d");
    assertThat(append(user, "e")).isEqualTo("appended");
  }

  @Test
  void trimDoesNotRemoveWhatFollowsIt() {
    var user = user(1);
    append(user, "a", "b", "c");
    append(user, "d");
    user.log().trim(2);
    ensemble.settle();
    awaitSeen(user(4), "d");
    user.log().trim(400);
    append(user, "e");
    ensemble.settle();
    awaitSeen(user(4), "d", "e");
  }

  @Test
  void nothingIsAppendedAtTrimmedNumber() {
    var away = user(1);
    var user = user(1);
    append(user, "a");
    awaitSeen(away, "a");
    ensemble.cut(away.log());
    away.append(2, List.of("x"));
    append(user, "b");
    append(user, "c");
    user.log().trim(2);
    ensemble.settle();
    ensemble.reconnect(away.log());
    await(() -> !away.results().isEmpty());
    assertThat(away.results()).doesNotContain("appended");
    ensemble.settle();
    awaitSeen(user(3), "c");
  }

  @Test
  void cutOffProcessCatchesUp() {
    var away = user(1);
    var user = user(1);
    append(user, "a");
    awaitSeen(away, "a");
    ensemble.cut(away.log());
    append(user, "b");
    append(user, "c");
    away.append(2, List.of("x"));
    ensemble.reconnect(away.log());
    awaitSeen(away, "a", "b", "c");
    await(() -> !away.results().isEmpty());
    assertThat(away.results()).containsExactly("taken");
    assertThat(append(away, "d")).isEqualTo("appended");
  }

  @Test
  void closingLeavesResultUnknown() {
    var user = user(1);
    append(user, "a");
    ensemble.cut(user.log());
    user.append(2, List.of("b"));
    user.log().close();
    await(() -> !user.results().isEmpty() && user.results().size() == 2);
    assertThat(user.results()).containsExactly("appended", "unknown");
    user.append(2, List.of("c"));
    await(() -> user.results().size() == 3);
    assertThat(user.results()).endsWith("unknown");
  }

  @Test
  void lostLogIsNotBegunAgain() {
    var user = user(1);
    append(user, "a");
    append(user, "b");
    ensemble.wipe();
    await(() -> !user.end().isEmpty());
    assertThat(append(user, 3, "c")).isEqualTo("unknown");
    var restarted = user(3);
    await(() -> !restarted.end().isEmpty());
    assertThat(restarted.seen()).isEmpty();
    assertThat(restarted.trimmed()).isZero();
  }
}
