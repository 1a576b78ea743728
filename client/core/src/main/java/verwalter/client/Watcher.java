package verwalter.client;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import verwalter.client.json.PlainJson;
import verwalter.client.transport.Unreachable;
import verwalter.concurrent.Backoff;

/**
 * Follows the objects of a query in a blocking thread: reports existing objects, then all changes.
 * Each version of an object is reported once. A broken watch is resumed after the last received
 * version. If the server does not know that version any more, objects are listed again and the
 * differences are reported.
 */
public final class Watcher {
  private final ApiClient api;
  private final Supplier<Duration> silence;
  private final Sink sink;
  private final ListWatch state;
  private final ObservedList<Item> known = new ObservedList<>(Item::identity, Item::version);

  /** Receives objects and changes. */
  public interface Sink {
    /**
     * Called after each list.
     *
     * @param answer the list as the server sent it
     * @param items the items that were not reported before
     * @return whether to go on
     */
    boolean listed(Map<String, Object> answer, List<Item> items);

    /**
     * Called when an object has changed.
     *
     * @param event {@code ADDED}, {@code MODIFIED} or {@code DELETED}
     * @return whether to go on
     */
    boolean changed(String event, Item item);

    /** Whether to continue without a change; polled from time to time. */
    default boolean continues() {
      return true;
    }

    /** Called when the watch received nothing for its timeout. It is made again. */
    default void silent() {}

    /** Called when the watch broke. It is retried after a {@link #pause}. */
    void lost(String why);

    /** Waits. */
    void pause(Duration time);
  }

  /**
   * @param silence supplies the timeout while a watch receives nothing; read before each wait
   */
  public Watcher(ApiClient api, Supplier<Duration> silence, Backoff backoff, Sink sink) {
    this.api = api;
    this.silence = silence;
    this.state = new ListWatch(backoff);
    this.sink = sink;
  }

  /**
   * Follows changes until the sink stops it.
   *
   * @throws ApiException if the server permanently refuses a list or a watch
   * @throws IOException if the first list cannot be read
   */
  public void follow(ResourceType type, ApiClient.Shape shape, QueryParameters query)
      throws IOException {
    boolean more = list(type, shape, query);
    while (more && sink.continues()) {
      var version = state.version();
      more =
          version.isPresent()
              ? watch(type, shape, query, version.get())
              : listAgain(type, shape, query);
    }
  }

  /** Lists objects. Returns whether to continue, which needs a list with a version. */
  private boolean list(ResourceType type, ApiClient.Shape shape, QueryParameters query)
      throws IOException {
    var answer = api.list(type, shape, query);
    var difference = known.listed(Item.of(answer));
    for (var gone : difference.gone()) {
      if (!sink.changed("DELETED", gone)) {
        return false;
      }
    }
    var version = PlainJson.text(answer, "metadata", "resourceVersion");
    state.listed(version);
    var items = difference.changed().stream().map(ObservedList.Changed::now).toList();
    return sink.listed(answer, items) && !version.isEmpty();
  }

  private boolean listAgain(ResourceType type, ApiClient.Shape shape, QueryParameters query)
      throws IOException {
    try {
      return list(type, shape, query);
    } catch (Unreachable e) {
      lost(e.why(), state.failed());
    } catch (ApiException e) {
      if (!e.isTransient()) {
        throw e;
      }
      lost(e.getMessage(), state.failed());
    }
    return true;
  }

  private boolean watch(
      ResourceType type, ApiClient.Shape shape, QueryParameters query, String version) {
    try (var answer = api.watch(type, shape, query, version, silence)) {
      var lines = new EventLines(EventLines.MAX_EVENT);
      for (var piece = answer.next(); piece != null; piece = answer.next()) {
        for (var line : lines.add(piece)) {
          if (!event(PlainJson.readObject(line))) {
            return false;
          }
        }
      }
      lost("the server ended the watch", state.ended());
    } catch (ApiException e) {
      if (e.isExpired()) {
        pause(state.expired());
      } else if (e.isTransient()) {
        lost(e.getMessage(), state.failed());
      } else {
        throw e;
      }
    } catch (SocketTimeoutException e) {
      sink.silent();
      pause(state.silent());
    } catch (Unreachable e) {
      lost(e.why(), state.failed());
    } catch (IOException e) {
      lost(String.valueOf(e.getMessage()), state.failed());
    }
    return true;
  }

  private void lost(String why, Duration pause) {
    if (!pause.isZero()) {
      sink.lost(why);
      sink.pause(pause);
    }
  }

  private void pause(Duration time) {
    if (!time.isZero()) {
      sink.pause(time);
    }
  }

  private boolean event(Map<String, Object> event) {
    var kind = PlainJson.text(event, "type");
    var object = PlainJson.map(event, "object");
    if (kind.equals("ERROR")) {
      throw ApiException.of(object);
    }
    var reached = PlainJson.text(object, "metadata", "resourceVersion");
    boolean more = sink.continues();
    if (!kind.equals("BOOKMARK")) {
      for (var item : Item.of(object)) {
        reached = item.version().isEmpty() ? reached : item.version();
        more = more && report(kind, item);
      }
    }
    state.reached(reached);
    return more;
  }

  private boolean report(String kind, Item item) {
    boolean fresh =
        kind.equals("DELETED") ? known.deleted(item).isPresent() : known.changed(item).isPresent();
    return !fresh || sink.changed(kind, item);
  }
}
