package verwalter.controllers.runtime;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import verwalter.concurrent.Loop;
import verwalter.model.Condition;
import verwalter.model.Event;
import verwalter.model.MessageLimit;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.json.Json;
import verwalter.stores.api.ObjectStore;

/**
 * Writes {@link Event} objects. An event that happens again to the same object increases its count.
 * The oldest events are removed when there are too many. Best effort: events that cannot be written
 * are dropped. Confined to its loop; {@link #report} may be called from any thread.
 */
public final class Events {
  /** The limit of events. */
  private static final int BOUND = 1_000;

  /**
   * How many events are kept when the limit is exceeded. Fewer than the limit, so that not every
   * new event exceeds it again.
   */
  private static final int KEPT = 900;

  /** How long events are gathered before they are written. */
  private static final Duration GATHER = Duration.ofMillis(200);

  private final ObjectStore store;
  private final Loop loop;
  private final String node;
  private final Map<String, Event.Spec> pending = new LinkedHashMap<>();

  /** How many events may still be created before they must be counted again. */
  private int room;

  /**
   * Creates events of a node, which is the master of them whatever object they are about.
   *
   * @param node name of the node; names of events end with it, so that two nodes do not use the
   *     same
   */
  public Events(ObjectStore store, Loop loop, String node) {
    this.store = store;
    this.loop = loop;
    this.node = node;
  }

  /**
   * Reports that something happened to {@code regarding}; {@code reporter} is the name of the
   * controller.
   */
  public void report(
      String reporter, ResourceKey regarding, Event.Type type, Reason reason, String message) {
    report(reporter, regarding, type, reason.title(), message);
  }

  /**
   * Reports that a condition of {@code regarding} has become false. Without a message, the event
   * names the condition.
   */
  public void report(String reporter, ResourceKey regarding, Condition condition) {
    var message =
        condition.message().isEmpty() ? condition.type() + " is false" : condition.message();
    report(reporter, regarding, Event.Type.WARNING, condition.reason(), message);
  }

  private void report(
      String reporter, ResourceKey regarding, Event.Type type, String reason, String whole) {
    var message = MessageLimit.shorten(whole);
    loop.execute(
        () -> {
          var now = loop.now();
          if (pending.isEmpty()) {
            loop.after(GATHER, this::write);
          }
          pending.merge(
              name(regarding, reason, message),
              new Event.Spec(regarding, type, reason, message, 1, now, now, reporter),
              Events::again);
        });
  }

  private String name(ResourceKey regarding, String reason, String message) {
    var hash = Json.hash(regarding + "\n" + reason + "\n" + message).substring(0, 16);
    return hash + "." + node;
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
    pending.forEach(
        (name, more) -> {
          var before = store.get(Event.KIND, name);
          if (before.isPresent()) {
            store.put(before.get().withSpec(again(before.get().spec(), more)));
          } else {
            room--;
            store.put(Resource.of(Event.KIND, name, more));
          }
        });
    pending.clear();
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
