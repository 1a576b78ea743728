package verwalter.ui.api;

import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import verwalter.concurrent.Loop;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Page;
import verwalter.stores.api.Query;
import verwalter.stores.api.Selection;
import verwalter.stores.api.StoreException;
import verwalter.ui.http.RequestProblem;

/** Handles GET and HEAD requests for objects and lists. */
final class Reads {
  private final ObjectStore store;
  private final Loop loop;

  Reads(ObjectStore store, Loop loop) {
    this.store = store;
    this.loop = loop;
  }

  <S, T> Future<Void> get(RoutingContext context, Kind<S, T> kind, String name) {
    var rendition = Rendition.of(context.request());
    checkNew(kind, version(context.request()));
    var resource = store.get(kind, name).orElseThrow(() -> RequestProblem.notFound(kind, name));
    rendition.send(context.request(), 200, rendition.one(resource, loop.now()));
    return Future.succeededFuture();
  }

  <S, T> Future<Void> list(RoutingContext context, Kind<S, T> kind) {
    var request = context.request();
    var rendition = Rendition.of(request);
    var selector = Selector.of(kind, request);
    checkVersion(kind, request);
    var page = page(kind, request, selector);
    boolean counted = selector == Selector.ALL;
    rendition.send(request, 200, rendition.list(kind, page, counted, loop.now()));
    return Future.succeededFuture();
  }

  private <S, T> Page<S, T> page(
      Kind<S, T> kind, HttpServerRequest request, Predicate<Resource<?, ?>> selector) {
    var token = Optional.ofNullable(request.getParam("continue")).filter(it -> !it.isEmpty());
    try {
      return store.list(kind, new Query(Selection.ALL, selector, limit(request), token));
    } catch (StoreException.Invalid notOurs) {
      throw RequestProblem.badRequest("continue key is not valid: " + notOurs.getMessage());
    }
  }

  private void checkNew(Kind<?, ?> kind, OptionalLong asked) {
    long now = store.revision(kind);
    if (asked.isPresent() && asked.getAsLong() > now) {
      throw RequestProblem.tooNew(asked.getAsLong(), now);
    }
  }

  private void checkVersion(Kind<?, ?> kind, HttpServerRequest request) {
    var asked = version(request);
    VersionMatch.check(request, asked);
    checkNew(kind, asked);
    long now = store.revision(kind);
    if (asked.orElse(now) < now && "Exact".equals(request.getParam("resourceVersionMatch"))) {
      throw RequestProblem.of(410, "Expired", "only the newest version can be listed: " + now);
    }
  }

  private static int limit(HttpServerRequest request) {
    var limit = request.getParam("limit", "0");
    try {
      return Math.max(0, Integer.parseInt(limit));
    } catch (NumberFormatException e) {
      throw RequestProblem.badRequest("limit is not a number: " + limit);
    }
  }

  /** The parameter {@code resourceVersion}; empty if it is not given. */
  static OptionalLong version(HttpServerRequest request) {
    var version = request.getParam("resourceVersion", "");
    try {
      return version.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(version));
    } catch (NumberFormatException e) {
      throw RequestProblem.badRequest("invalid resourceVersion: " + version);
    }
  }
}
