package verwalter.ui.api;

import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
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

  /** The interval of bookmarks, for clients that ask for bookmarks. */
  private static final Duration BOOKMARKS = Duration.ofMinutes(1);

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
    if (request.method().equals(HttpMethod.HEAD)) {
      throw RequestProblem.of(405, "MethodNotAllowed", "a watch has no end; use GET");
    }
    var rendition = Rendition.of(request);
    var selector = Selector.of(kind, request);
    VersionMatch.checkWatch(request);
    boolean initial = KubernetesApi.isTrue(request, "sendInitialEvents");
    var after = after(kind, request, initial);
    var atMost = atMost(request);
    boolean marked = KubernetesApi.isTrue(request, "allowWatchBookmarks");
    var events = new WatchEvents<>(kind, selector, rendition, marked, initial);
    if (after.isPresent() && selector != Selector.ALL) {
      events.resume(after.getAsLong(), store.list(kind));
    }
    streams.enter();
    RequestDispatcher.streams(context);
    var stream = new WatchStream<>(context.response(), events, loop, streams);
    var bookmarks = new TimedBookmarks<S, T>(loop, BOOKMARKS, after, stream::send);
    var watch =
        store.watch(
            kind,
            after,
            loop,
            change -> {
              bookmarks.follow(change);
              stream.send(change);
            });
    if (marked) {
      bookmarks.start();
    }
    stream.start(
        () -> {
          watch.close();
          bookmarks.stop();
        },
        atMost);
    return Future.succeededFuture();
  }

  private OptionalLong after(Kind<?, ?> kind, HttpServerRequest request, boolean initial) {
    var version = Reads.version(request);
    if (initial) {
      return OptionalLong.empty();
    }
    if (version.isEmpty() && request.getParam("sendInitialEvents") != null) {
      return OptionalLong.of(store.revision(kind));
    }
    if (version.isPresent() && version.getAsLong() > store.revision(kind)) {
      throw RequestProblem.of(
          410,
          "Expired",
          "resourceVersion %d is not in the history of this server, which is at %d; list again"
              .formatted(version.getAsLong(), store.revision(kind)));
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
