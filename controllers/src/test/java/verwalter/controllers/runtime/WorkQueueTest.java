package verwalter.controllers.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.testkit.VirtualWorld;

class WorkQueueTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final VirtualWorld world = new VirtualWorld(1);
  private final List<Long> ready = new ArrayList<>();
  private final long began = world.now().getEpochSecond();
  private final WorkQueue<String> queue =
      new WorkQueue<>(world.loop("queue"), () -> ready.add(world.now().getEpochSecond() - began));

  private List<String> takeAll() {
    var taken = new ArrayList<String>();
    for (var key = queue.take(); key.isPresent(); key = queue.take()) {
      taken.add(key.get());
    }
    return taken;
  }

  private void pass(int seconds) {
    world.runFor(SECOND.multipliedBy(seconds));
  }

  @Test
  void keysAreTakenInOrderAndOnce() {
    queue.add("b");
    queue.add("a");
    queue.add("b");

    assertThat(ready).hasSize(2);
    assertThat(queue.depth()).isEqualTo(2);
    assertThat(takeAll()).containsExactly("b", "a");
    assertThat(queue.depth()).isZero();
    assertThat(queue.busy()).isEqualTo(2);
    assertThat(queue.take()).isEmpty();
  }

  @Test
  void aKeyThatIsAddedWhileItIsTakenIsDueWhenItIsDone() {
    queue.add("a");
    queue.take();
    queue.add("a");
    queue.add("a");
    assertThat(queue.take()).isEmpty();
    assertThat(ready).hasSize(1);

    queue.done("a");
    assertThat(ready).hasSize(2);
    assertThat(queue.busy()).isZero();
    assertThat(takeAll()).containsExactly("a");

    queue.done("a");
    assertThat(queue.take()).isEmpty();
  }

  @Test
  void aDelayedKeyIsReadyAfterTheDelay() {
    queue.addAfter("a", SECOND.multipliedBy(5));
    pass(4);
    assertThat(queue.depth()).isZero();
    pass(1);
    assertThat(ready).containsExactly(5L);
    assertThat(takeAll()).containsExactly("a");
    pass(60);
    assertThat(ready).hasSize(1);
  }

  @Test
  void aLaterDelayReplacesAnEarlierOne() {
    queue.addAfter("a", SECOND.multipliedBy(5));
    queue.addAfter("a", SECOND.multipliedBy(9));
    pass(60);
    assertThat(ready).containsExactly(9L);
  }

  @Test
  void aKeyThatIsAddedSoonerIsNotAddedAgainAfterItsDelay() {
    queue.addAfter("a", SECOND.multipliedBy(5));
    queue.add("a");
    assertThat(takeAll()).containsExactly("a");
    queue.done("a");
    pass(60);
    assertThat(ready).containsExactly(0L);
  }

  @Test
  void aKeyThatIsReadyOrDueIsNotDelayed() {
    queue.add("a");
    queue.addAfter("a", SECOND);
    queue.take();
    pass(60);
    queue.done("a");
    assertThat(queue.take()).isEmpty();

    queue.add("a");
    queue.take();
    queue.add("a");
    queue.addAfter("a", SECOND);
    queue.done("a");
    assertThat(takeAll()).containsExactly("a");
    queue.done("a");
    pass(60);
    assertThat(queue.take()).isEmpty();
  }

  @Test
  void callsWithinAWindowCauseOneRunAtItsEnd() {
    queue.addWithin("a", SECOND.multipliedBy(5));
    pass(3);
    queue.addWithin("a", SECOND.multipliedBy(5));
    pass(60);
    assertThat(ready).containsExactly(5L);

    queue.addWithin("a", SECOND);
    queue.take();
    queue.done("a");
    pass(60);
    assertThat(ready).containsExactly(5L);
  }

  @Test
  void aWindowShortensALongerDelayAndKeepsAShorterOne() {
    queue.addAfter("long", SECOND.multipliedBy(30));
    queue.addWithin("long", SECOND.multipliedBy(5));
    pass(10);
    assertThat(ready).containsExactly(5L);

    queue.addAfter("short", SECOND.multipliedBy(2));
    queue.addWithin("short", SECOND.multipliedBy(5));
    pass(60);
    assertThat(ready).containsExactly(5L, 12L);
  }

  @Test
  void theWindowOfATakenKeyBeginsWhenItIsDone() {
    queue.add("a");
    queue.take();
    queue.addWithin("a", SECOND.multipliedBy(5));
    pass(60);
    assertThat(ready).hasSize(1);

    queue.done("a");
    pass(4);
    assertThat(ready).hasSize(1);
    pass(1);
    assertThat(ready).containsExactly(0L, 65L);
  }

  @Test
  void aTakenKeyThatIsAddedDoesNotWaitForItsWindow() {
    queue.add("a");
    queue.take();
    queue.addWithin("a", SECOND.multipliedBy(5));
    queue.add("a");
    queue.done("a");
    assertThat(takeAll()).containsExactly("a");

    queue.done("a");
    pass(60);
    assertThat(queue.take()).isEmpty();
  }

  @Test
  void aClearedQueueHasNothingLeft() {
    queue.add("taken");
    queue.add("due");
    queue.add("windowed");
    takeAll();
    queue.add("due");
    queue.addWithin("windowed", SECOND);
    queue.add("ready");
    queue.addAfter("delayed", SECOND);
    ready.clear();

    queue.clear();
    assertThat(queue.depth()).isZero();
    for (var key : List.of("taken", "due", "windowed")) {
      queue.done(key);
    }
    pass(60);
    assertThat(ready).isEmpty();
    assertThat(queue.take()).isEqualTo(Optional.empty());
    assertThat(queue.busy()).isZero();
  }

  @Test
  void aClearedQueueTakesKeysAgain() {
    queue.addAfter("a", SECOND.multipliedBy(2));
    queue.clear();
    queue.addWithin("a", SECOND.multipliedBy(5));
    pass(60);
    assertThat(ready).containsExactly(5L);
  }
}
