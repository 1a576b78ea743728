package verwalter.controllers.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Event;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.stores.engine.MemoryStore;
import verwalter.stores.testkit.CountingStore;

class EventsTest {
  private static final ResourceKey KEY = new ResourceKey("RoleInstance", "app@n1");
  private static final Duration A_WHILE = Duration.ofSeconds(1);

  private final VirtualWorld world = new VirtualWorld(1);
  private final CountingStore store =
      new CountingStore(new MemoryStore(world.clock(), world.uids()));
  private final Loop loop = world.loop("events");
  private final Events events = new Events(store, loop, "n1");

  private void report(String message) {
    events.report("test", KEY, Event.Type.NORMAL, Reason.BROKEN, message);
  }

  private List<Event.Spec> written() {
    return store.list(Event.KIND).stream().map(each -> each.spec()).toList();
  }

  @Test
  void anEventNamesObjectReasonAndMessage() {
    report("oops");
    var when = world.now();
    world.runFor(A_WHILE);

    assertThat(written())
        .containsExactly(
            new Event.Spec(KEY, Event.Type.NORMAL, "Broken", "oops", 1, when, when, "test"));
  }

  @Test
  void namesOfEventsEndWithTheNameOfTheirNode() {
    report("oops");
    new Events(store, loop, "n2").report("test", KEY, Event.Type.NORMAL, Reason.BROKEN, "oops");
    world.runFor(A_WHILE);

    assertThat(store.list(Event.KIND))
        .extracting(Resource::name)
        .hasSize(2)
        .allMatch(name -> name.matches("[0-9a-f]{16}[.]n[12]"));
  }

  @Test
  void aConditionIsReportedAsAWarning() {
    events.report(
        "test",
        KEY,
        Condition.ofFalse(ConditionType.RENDERED, Reason.RENDER_FAILED, "oops", 1, world.now()));
    world.runFor(A_WHILE);

    assertThat(written()).hasSize(1);
    assertThat(written().get(0).type()).isEqualTo(Event.Type.WARNING);
    assertThat(written().get(0).reason()).isEqualTo("RenderFailed");
    assertThat(written().get(0).message()).isEqualTo("oops");
  }

  @Test
  void conditionWithoutMessageIsNamed() {
    events.report(
        "test",
        KEY,
        Condition.ofFalse(ConditionType.RENDERED, Reason.RENDER_FAILED, "", 1, world.now()));
    world.runFor(A_WHILE);

    assertThat(written()).extracting(Event.Spec::message).containsExactly("Rendered is false");
  }

  @Test
  void aRepeatedEventIsCounted() {
    report("oops");
    report("oops");
    var first = world.now();
    world.runFor(A_WHILE);
    report("oops");
    var last = world.now();
    world.runFor(A_WHILE);

    assertThat(written()).hasSize(1);
    assertThat(written().get(0).count()).isEqualTo(3);
    assertThat(written().get(0).first()).isEqualTo(first);
    assertThat(written().get(0).last()).isEqualTo(last);
  }

  @Test
  void eventsAreGatheredIntoOneWrite() {
    for (int i = 0; i < 5; i++) {
      report("oops");
    }
    world.runFor(Duration.ofMillis(150));
    assertThat(written()).isEmpty();

    world.runFor(Duration.ofMillis(100));
    assertThat(written()).hasSize(1);
    assertThat(store.count(Event.KIND).asked()).isEqualTo(1);
  }

  @Test
  void theOldestEventsAreRemovedBeyondTheLimit() {
    for (int i = 0; i < 1_000; i++) {
      report("message " + i);
      world.runFor(Duration.ofMillis(250));
    }
    assertThat(written()).hasSize(1_000);

    report("one more");
    world.runFor(A_WHILE);
    assertThat(written()).hasSize(900);
    assertThat(written().stream().map(Event.Spec::message))
        .contains("one more", "message 999", "message 101")
        .doesNotContain("message 0", "message 100");
  }

  @Test
  void aNewEventDoesNotListTheOthers() {
    for (int i = 0; i < 100; i++) {
      report("message " + i);
    }
    world.runFor(A_WHILE);
    store.reset();

    for (int i = 0; i < 50; i++) {
      report("another " + i);
      world.runFor(A_WHILE);
    }
    assertThat(store.listed(Event.KIND)).isZero();
  }

  @Test
  void asManyEventsAsTheBoundAreKeptByANewAgent() {
    for (int i = 0; i < 999; i++) {
      report("message " + i);
    }
    world.runFor(A_WHILE);

    new Events(store, loop, "n1")
        .report("test", KEY, Event.Type.NORMAL, Reason.BROKEN, "of another agent");
    world.runFor(A_WHILE);
    assertThat(written()).hasSize(1_000);
  }

  @Test
  void afterTheOldestWereForgottenTheOthersAreNotListed() {
    for (int i = 0; i < 1_001; i++) {
      report("message " + i);
      world.runFor(Duration.ofMillis(250));
    }
    assertThat(written()).hasSize(900);
    store.reset();

    for (int i = 0; i < 100; i++) {
      report("another " + i);
      world.runFor(Duration.ofMillis(250));
    }
    assertThat(store.listed(Event.KIND)).isZero();
    assertThat(written()).hasSize(1_000);
  }
}
