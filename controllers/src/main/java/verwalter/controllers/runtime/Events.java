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
  /** How many events are kept. */
  private static final int BOUND = 1_000;

  /** How long news are gathered before they are written. */
  private static final Duration GATHER = Duration.ofMillis(200);

  private final ObjectStore store;
  private final Loop loop;
  private final Map<String, Event.Spec> news = new LinkedHashMap<>();

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
          var written =
              store
                  .get(Event.KIND, name)
                  .map(before -> before.withSpec(again(before.spec(), more)))
                  .orElseGet(() -> Resource.of(Event.KIND, name, more));
          store.put(written);
        });
    news.clear();
    var all = store.list(Event.KIND);
    all.stream()
        .sorted(Comparator.comparing(event -> event.spec().last()))
        .limit(Math.max(0, all.size() - BOUND))
        .forEach(store::remove);
  }
}
