package verwalter.controllers.runtime;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import verwalter.concurrent.Loop;
import verwalter.model.Condition;
import verwalter.model.Event;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.json.Json;
import verwalter.stores.api.ObjectStore;

/**
 * Writes down what happens, as {@link Event} objects: the same thing happening again to the same
 * object is counted, not repeated, and the oldest are forgotten beyond a bound. Best effort: what
 * cannot be written is dropped. Confined to its loop; {@link #report} may be called from anywhere.
 */
public final class Events {
  /** The most events that are kept. */
  private static final int BOUND = 1_000;

  /** How many are kept when there are too many: fewer, so that not every new event asks again. */
  private static final int KEPT = 900;

  /** How long news are gathered before they are written. */
  private static final Duration GATHER = Duration.ofMillis(200);

  private final ObjectStore store;
  private final Loop loop;
  private final Map<String, Event.Spec> news = new LinkedHashMap<>();

  /** How many events may have been created before the store is asked how many there are. */
  private int room;

  public Events(ObjectStore store, Loop loop) {
    this.store = store;
    this.loop = loop;
  }

  /** Something happened to {@code regarding}; {@code reporter} is the controller that says so. */
  public void report(
      String reporter, ResourceKey regarding, Event.Type type, Reason reason, String message) {
    report(reporter, regarding, type, reason.title(), message);
  }

  /** A condition of {@code regarding} has become false. */
  public void report(String reporter, ResourceKey regarding, Condition condition) {
    report(reporter, regarding, Event.Type.WARNING, condition.reason(), condition.message());
  }

  private void report(
      String reporter, ResourceKey regarding, Event.Type type, String reason, String message) {
    loop.execute(
        () -> {
          var now = loop.now();
          if (news.isEmpty()) {
            loop.after(GATHER, this::write);
          }
          news.merge(
              name(regarding, reason, message),
              new Event.Spec(regarding, type, reason, message, 1, now, now, reporter),
              Events::again);
        });
  }

  private static String name(ResourceKey regarding, String reason, String message) {
    return Json.hash(regarding + "\n" + reason + "\n" + message).substring(0, 16);
  }

  private static Event.Spec again(Event.Spec before, Event.Spec more) {
    return new Event.Spec(
        before.regarding(),
        before.type(),
        before.reason(),
        before.message(),
        before.count() + more.count(),
        before.first(),
        more.last(),
        more.reporter());
  }

  private void write() {
    news.forEach(
        (name, more) -> {
          var before = store.get(Event.KIND, name);
          if (before.isPresent()) {
            store.put(before.get().withSpec(again(before.get().spec(), more)));
          } else {
            room--;
            store.put(Resource.of(Event.KIND, name, more));
          }
        });
    news.clear();
    if (room < 0) {
      forgetOldest();
    }
  }

  private void forgetOldest() {
    var all = store.list(Event.KIND);
    int surplus = all.size() > BOUND ? all.size() - KEPT : 0;
    all.stream()
        .sorted(Comparator.comparing(event -> event.spec().last()))
        .limit(surplus)
        .forEach(store::remove);
    room = BOUND - (all.size() - surplus);
  }
}
