package verwalter.ui.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.random.RandomGenerator;
import verwalter.access.AccessVerb;
import verwalter.concurrent.Loop;
import verwalter.model.Kind;
import verwalter.model.Kinds;
import verwalter.model.Resource;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Query;
import verwalter.stores.api.Selection;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;
import verwalter.stores.api.WriteRules;
import verwalter.ui.access.Admission;
import verwalter.ui.api.Writing.Part;
import verwalter.ui.http.MediaTypes;
import verwalter.ui.http.RequestProblem;
import verwalter.ui.http.StrictJson;
import verwalter.ui.port.Authors;
import verwalter.ui.port.RequestStore;

/** Handles requests that change objects. */
final class WriteRequests {
  /** The number of attempts to apply a patch after conflicts. */
  private static final int MOST_TRIES = 5;

  private final ObjectStore store;
  private final Authors authors;
  private final Loop loop;
  private final RandomGenerator chance;

  WriteRequests(ObjectStore store, Authors authors, Loop loop, RandomGenerator chance) {
    this.store = store;
    this.authors = authors;
    this.loop = loop;
    this.chance = chance;
  }

  <S, T> Future<Void> create(RoutingContext context, Kind<S, T> kind) {
    var request = context.request();
    var rendition = Rendition.of(request);
    var wanted = Writing.created(kind, body(context), chance);
    Admission.of(context).confirm(AccessVerb.CREATE, wanted);
    Future<Resource<S, T>> created;
    if (!isDry(request)) {
      created = as(request).put(wanted);
    } else if (store.get(kind, wanted.name()).isPresent()) {
      created = Future.failedFuture(new StoreException.Exists(wanted.key()));
    } else {
      created =
          dry(
              request,
              Optional.empty(),
              new Write.Put(wanted),
              Writing.asIfStored(wanted, loop.now(), chance));
    }
    return answer(request, rendition, 201, kind, wanted.name(), created);
  }

  <S, T> Future<Void> replace(RoutingContext context, Kind<S, T> kind, String name, Part part) {
    var request = context.request();
    var rendition = Rendition.of(request);
    var body = body(context);
    var wanted = Writing.replaced(current(kind, name), body, part);
    var result = written(context, wanted, part, AccessVerb.UPDATE);
    return answer(request, rendition, 200, kind, name, result);
  }

  <S, T> Future<Void> patch(RoutingContext context, Kind<S, T> kind, String name, Part part) {
    var request = context.request();
    var rendition = Rendition.of(request);
    var type = MediaTypes.content(request.getHeader("Content-Type"));
    if (!type.equals(MediaTypes.MERGE_PATCH) && !type.equals(MediaTypes.JSON_PATCH)) {
      throw RequestProblem.unsupported(
          "a patch of %s must be %s or %s, not %s"
              .formatted(kind.plural(), MediaTypes.MERGE_PATCH, MediaTypes.JSON_PATCH, type));
    }
    var body = context.body().buffer();
    var patch = StrictJson.parse(body == null ? Buffer.buffer() : body, type);
    boolean merges = type.equals(MediaTypes.MERGE_PATCH);
    return answer(
        request, rendition, 200, kind, name, patched(context, kind, name, part, patch, merges, 1));
  }

  private <S, T> Future<Resource<S, T>> patched(
      RoutingContext context,
      Kind<S, T> kind,
      String name,
      Part part,
      JsonNode patch,
      boolean merges,
      int tries) {
    var current = current(kind, name);
    var tree = Writing.patchable(current);
    var changed = merges ? Patches.merge(tree, patch) : Patches.json(tree, patch);
    return written(context, Writing.replaced(current, changed, part), part, AccessVerb.PATCH)
        .recover(
            refusal ->
                refusal instanceof StoreException.Conflict && tries < MOST_TRIES
                    ? patched(context, kind, name, part, patch, merges, tries + 1)
                    : Future.failedFuture(refusal));
  }

  <S, T> Future<Void> delete(RoutingContext context, Kind<S, T> kind, String name) {
    var request = context.request();
    var rendition = Rendition.of(request);
    var options = options(context);
    var current = current(kind, name);
    var doomed = Deletion.of(current, options);
    checkOrphans(doomed, options);
    var removed =
        isDry(request) || Deletion.isDry(options)
            ? dry(request, Optional.of(current), new Write.Remove(doomed), current)
            : as(request).remove(doomed);
    return failing(kind, name, removed)
        .map(
            last -> {
              boolean stays = last.meta().deleting() && !last.meta().finalizers().isEmpty();
              rendition.send(
                  request,
                  200,
                  stays ? rendition.one(last, loop.now()) : success(kind, name, last));
              return null;
            });
  }

  /**
   * Deletes the objects that the selectors match, each in its own transaction, and returns them as
   * they were. An object that is gone already is no error. After any other error the remaining
   * objects are still deleted.
   */
  <S, T> Future<Void> deleteAll(RoutingContext context, Kind<S, T> kind) {
    var request = context.request();
    var rendition = Rendition.of(request);
    var options = options(context);
    boolean dry = isDry(request) || Deletion.isDry(options);
    var page = store.list(kind, Query.where(Selector.of(kind, request)));
    var doomed = page.items().stream().map(each -> Deletion.of(each, options)).toList();
    doomed.forEach(each -> checkOrphans(each, options));
    var removals =
        doomed.stream()
            .map(
                each ->
                    dry
                        ? dry(request, Optional.of(each), new Write.Remove(each), each)
                        : removed(request, each))
            .toList();
    return Future.join(removals)
        .map(
            done -> {
              rendition.send(request, 200, rendition.list(kind, page, false, loop.now()));
              return null;
            });
  }

  /**
   * What an object owns is removed with it, so only an object that owns nothing can be orphaned.
   */
  private void checkOrphans(Resource<?, ?> doomed, JsonNode options) {
    if (!Deletion.orphans(options)) {
      return;
    }
    var owned = Query.of(new Selection.Owner(doomed.meta().uid())).limit(1);
    for (var kind : Kinds.ALL) {
      if (!store.list(kind, owned).items().isEmpty()) {
        throw RequestProblem.conflict(
            doomed.type(),
            doomed.name(),
            "propagationPolicy cannot be Orphan: it owns %s, which are always removed with it"
                .formatted(kind.plural()));
      }
    }
  }

  private <S, T> Future<Resource<S, T>> removed(HttpServerRequest request, Resource<S, T> doomed) {
    var removed =
        as(request)
            .remove(doomed)
            .recover(
                failure ->
                    failure instanceof StoreException.Missing
                        ? Future.succeededFuture(doomed)
                        : Future.failedFuture(failure));
    return failing(doomed.type(), doomed.name(), removed);
  }

  private static ObjectNode success(Kind<?, ?> kind, String name, Resource<?, ?> last) {
    var status = JsonNodeFactory.instance.objectNode();
    status.put("kind", "Status").put("apiVersion", "v1");
    status.putObject("metadata");
    status.put("status", "Success");
    status
        .putObject("details")
        .put("name", name)
        .put("group", Kind.GROUP)
        .put("kind", kind.plural())
        .put("uid", last.meta().uid());
    return status;
  }

  private <S, T> Future<Resource<S, T>> written(
      RoutingContext context, Resource<S, T> wanted, Part part, AccessVerb verb) {
    var request = context.request();
    Admission.of(context).confirm(verb, wanted);
    if (isDry(request)) {
      var write = part == Part.STATUS ? new Write.PutStatus(wanted) : new Write.Put(wanted);
      return dry(request, store.get(wanted.type(), wanted.name()).map(it -> it), write, wanted);
    }
    return part == Part.STATUS ? as(request).putStatus(wanted) : as(request).put(wanted);
  }

  /** The store with the author of the request. */
  private ObjectStore as(HttpServerRequest request) {
    return new RequestStore(store, () -> authors.author(request));
  }

  /** The result of a dry run: the object that a write would store, or the error. */
  private <V> Future<V> dry(
      HttpServerRequest request, Optional<Resource<?, ?>> present, Write write, V wanted) {
    var author = authors.author(request);
    return WriteRules.fromFile(author, present, write)
        .<StoreException>map(refusal -> refusal)
        .or(() -> WriteRules.refusal(author, present, write))
        .<Future<V>>map(Future::failedFuture)
        .orElseGet(() -> Future.succeededFuture(wanted));
  }

  private <S, T> Future<Void> answer(
      HttpServerRequest request,
      Rendition rendition,
      int code,
      Kind<S, T> kind,
      String name,
      Future<Resource<S, T>> result) {
    return failing(kind, name, result)
        .map(
            resource -> {
              rendition.send(request, code, rendition.one(resource, loop.now()));
              return null;
            });
  }

  private static <V> Future<V> failing(Kind<?, ?> kind, String name, Future<V> result) {
    return result.recover(
        failure ->
            Future.failedFuture(
                failure instanceof StoreException refusal
                    ? problem(refusal, kind, name)
                    : failure));
  }

  private static RequestProblem problem(StoreException refusal, Kind<?, ?> kind, String name) {
    return refusal instanceof StoreException.Forbidden forbidden
        ? RequestProblem.forbidden(kind, name, Alternatives.to(forbidden, kind))
        : RequestProblem.of(refusal, kind, name);
  }

  private <S, T> Resource<S, T> current(Kind<S, T> kind, String name) {
    return store.get(kind, name).orElseThrow(() -> RequestProblem.notFound(kind, name));
  }

  private static boolean isDry(HttpServerRequest request) {
    var dry = request.getParam("dryRun", "");
    if (!dry.isEmpty() && !dry.equals("All")) {
      throw RequestProblem.badRequest("dryRun must be All, not " + dry);
    }
    return !dry.isEmpty();
  }

  private static JsonNode body(RoutingContext context) {
    var type = MediaTypes.content(context.request().getHeader("Content-Type"));
    if (!type.equals(MediaTypes.JSON) && !MediaTypes.isYaml(type)) {
      throw RequestProblem.unsupported(
          "an object must be %s or %s, not %s".formatted(MediaTypes.JSON, MediaTypes.YAML, type));
    }
    return parse(context, type);
  }

  private static JsonNode options(RoutingContext context) {
    return context.body().length() <= 0
        ? JsonNodeFactory.instance.objectNode()
        : parse(context, MediaTypes.content(context.request().getHeader("Content-Type")));
  }

  private static JsonNode parse(RoutingContext context, String type) {
    var body = context.body().buffer();
    if (body == null || body.length() == 0) {
      throw RequestProblem.badRequest("the request has no body; send the object as JSON or YAML");
    }
    return StrictJson.parse(body, type);
  }
}
