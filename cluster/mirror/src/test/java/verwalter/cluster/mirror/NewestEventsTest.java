package verwalter.cluster.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import verwalter.model.Event;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;

class NewestEventsTest {
  private static final int MOST = NewestEvents.most(1000);

  private final NewestEvents events = new NewestEvents(() -> 1000);

  private static Resource<?, ?> event(int number, int last) {
    var at = Instant.ofEpochSecond(last);
    return Resource.of(
        Event.KIND,
        "e" + number,
        new Event.Spec(Node.KIND.key("n"), Event.Type.NORMAL, "Is", "", 1, at, at, "test"));
  }

  private static ResourceKey key(int number) {
    return Event.KIND.key("e" + number);
  }

  @Test
  void aSmallClusterHasAllEvents() {
    assertThat(NewestEvents.most(20)).isEqualTo(1000);
    assertThat(NewestEvents.most(0)).isGreaterThan(1000);
    assertThat(NewestEvents.most(1_000_000)).isPositive();
  }

  @Test
  void anEventReplacesTheOldestOne() {
    IntStream.range(0, MOST).forEach(i -> assertThat(events.put(event(i, i))).isEmpty());
    assertThat(events.put(event(MOST, MOST))).containsExactly(key(0));
    assertThat(events.has("e0")).isFalse();
    assertThat(events.has("e" + MOST)).isTrue();
  }

  @Test
  void anEventThatHappensAgainIsNew() {
    IntStream.range(0, MOST).forEach(i -> events.put(event(i, i)));
    assertThat(events.put(event(0, 2 * MOST))).isEmpty();
    assertThat(events.put(event(MOST, 3 * MOST))).containsExactly(key(1));
  }

  @Test
  void anOldEventIsNotSelected() {
    IntStream.range(0, MOST).forEach(i -> events.put(event(i, i + 10)));
    assertThat(events.put(event(MOST, 1))).containsExactly(key(MOST));
  }

  @Test
  void aRemovedEventMakesRoom() {
    IntStream.range(0, MOST).forEach(i -> events.put(event(i, i)));
    events.remove("e5");
    assertThat(events.put(event(MOST, MOST))).isEmpty();
  }

  @Test
  void theNewestOfAllAreSelected() {
    List<Resource<?, ?>> all = new ArrayList<>();
    IntStream.range(0, 3 * MOST).forEach(i -> all.add(event(i, i)));
    events.select(all);
    assertThat(all.stream().filter(each -> events.has(each.name())).toList())
        .isEqualTo(all.subList(2 * MOST, 3 * MOST));
  }
}
