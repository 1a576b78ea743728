package verwalter.ui.api;

import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.OptionalLong;
import verwalter.concurrent.Loop;
import verwalter.model.Kind;
import verwalter.stores.api.ObjectStore;
import verwalter.ui.http.RequestDispatcher;
import verwalter.ui.http.RequestProblem;
import verwalter.ui.http.Streams;

/** Handles watch requests. */
final class Watches {
  /** The maximum duration of a watch, and its default, in seconds. */
  private static final long LONGEST = 3600;

  private final ObjectStore store;
  private final Loop loop;
  private final Streams streams;

  Watches(ObjectStore store, Loop loop, Streams streams) {
    this.store = store;
    this.loop = loop;
    this.streams = streams;
  }

  <S, T> Future<Void> watch(RoutingContext context, Kind<S, T> kind) {
    var request = context.request();
    var rendition = Rendition.of(request);
    var selector = Selector.of(kind, request);
    VersionMatch.checkWatch(request);
    boolean initial = KubernetesApi.isTrue(request, "sendInitialEvents");
    var after = after(request, initial);
    var atMost = atMost(request);
    var events =
        new WatchEvents<>(
            kind,
            selector,
            rendition,
            KubernetesApi.isTrue(request, "allowWatchBookmarks"),
            initial);
    if (after.isPresent() && selector != Selector.ALL) {
      events.resume(after.getAsLong(), store.list(kind));
    }
    streams.enter();
    RequestDispatcher.streams(context);
    var stream = new WatchStream<>(context.response(), events, loop, streams);
    stream.start(store.watch(kind, after, loop, stream::send), atMost);
    return Future.succeededFuture();
  }

  private OptionalLong after(HttpServerRequest request, boolean initial) {
    var version = Reads.version(request);
    if (initial) {
      return OptionalLong.empty();
    }
    if (version.isEmpty() && request.getParam("sendInitialEvents") != null) {
      return OptionalLong.of(store.revision());
    }
    if (version.isPresent() && version.getAsLong() > store.revision()) {
      throw RequestProblem.of(
          410,
          "Expired",
          "resourceVersion %d is not in the history of this server, which is at %d; list again"
              .formatted(version.getAsLong(), store.revision()));
    }
    return version.isPresent() && version.getAsLong() == 0 ? OptionalLong.empty() : version;
  }

  private static Duration atMost(HttpServerRequest request) {
    var seconds = request.getParam("timeoutSeconds", "");
    try {
      long asked = seconds.isEmpty() ? 0 : Long.parseLong(seconds);
      return Duration.ofSeconds(asked <= 0 ? LONGEST : Math.min(asked, LONGEST));
    } catch (NumberFormatException e) {
      throw RequestProblem.badRequest("timeoutSeconds is not a number: " + seconds);
    }
  }
}
