package verwalter.ui.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.model.codec.Codec;
import verwalter.stores.api.Change;
import verwalter.ui.http.RequestProblem;
import verwalter.ui.table.Tables;

/**
 * Converts changes of a kind to the events of one watch. With a selector, an object that no longer
 * matches is reported as deleted, and one that begins to match as added. Belongs to the loop.
 */
final class WatchEvents<S, T> {
  private final Kind<S, T> kind;
  private final Predicate<Resource<?, ?>> selector;
  private final Rendition rendition;
  private final boolean bookmarks;
  private boolean marksInitial;
  private boolean headings = true;

  /** Objects that the client knows and that still match; empty without a selector. */
  private final Set<String> matching = new HashSet<>();

  /**
   * Objects of which it is unknown whether they matched in the last version that the client saw.
   */
  private final Set<String> unknown = new HashSet<>();

  WatchEvents(
      Kind<S, T> kind,
      Predicate<Resource<?, ?>> selector,
      Rendition rendition,
      boolean bookmarks,
      boolean marksInitial) {
    this.kind = kind;
    this.selector = selector;
    this.rendition = rendition;
    this.bookmarks = bookmarks;
    this.marksInitial = marksInitial;
  }

  /**
   * Prepares for a watch after {@code revision}, given the current objects. Whether objects that
   * changed since then matched is unknown.
   */
  void resume(long revision, List<Resource<S, T>> now) {
    for (var each : now) {
      if (each.meta().version() > revision) {
        unknown.add(each.name());
      } else if (selector.test(each)) {
        matching.add(each.name());
      }
    }
  }

  /** The event of a change for this client; empty if there is none. */
  Optional<ObjectNode> event(Change<S, T> change, Instant now) {
    if (change instanceof Change.Put<S, T> put) {
      return put(put, now);
    }
    if (change instanceof Change.Removed<S, T> removed) {
      return removed(removed.resource(), now);
    }
    if (change instanceof Change.Bookmark<S, T> bookmark) {
      return bookmark(bookmark.revision());
    }
    var ended = (Change.Ended<S, T>) change;
    return Optional.of(event("ERROR", RequestProblem.of(ended.reason()).status()));
  }

  private Optional<ObjectNode> put(Change.Put<S, T> put, Instant now) {
    var resource = put.resource();
    boolean matches = selector.test(resource);
    if (selector == Selector.ALL) {
      return object(put.created() ? "ADDED" : "MODIFIED", resource, now);
    }
    boolean doubted = unknown.remove(resource.name()) && !put.created();
    boolean matched = matching.contains(resource.name());
    if (matches) {
      matching.add(resource.name());
      return object(matched || doubted ? "MODIFIED" : "ADDED", resource, now);
    }
    matching.remove(resource.name());
    return matched || doubted ? object("DELETED", resource, now) : Optional.empty();
  }

  private Optional<ObjectNode> removed(Resource<S, T> resource, Instant now) {
    boolean known =
        selector == Selector.ALL
            || matching.remove(resource.name())
            || unknown.remove(resource.name())
            || selector.test(resource);
    return known ? object("DELETED", resource, now) : Optional.empty();
  }

  private Optional<ObjectNode> object(String type, Resource<S, T> resource, Instant now) {
    if (rendition.shape() == Rendition.Shape.TABLE) {
      var table = Tables.table(kind, List.of(resource), headings, rendition.inclusion(), now);
      table
          .withObject("/metadata")
          .put("resourceVersion", Long.toString(resource.meta().version()));
      headings = false;
      return Optional.of(event(type, table));
    }
    return Optional.of(
        event(
            type,
            rendition.shape() == Rendition.Shape.METADATA
                ? Tables.partial(resource)
                : Codec.tree(resource)));
  }

  private Optional<ObjectNode> bookmark(long revision) {
    if (!bookmarks && !marksInitial) {
      return Optional.empty();
    }
    var object = JsonNodeFactory.instance.objectNode();
    if (rendition.shape() == Rendition.Shape.TABLE) {
      object = Tables.table(kind, List.of(), headings, rendition.inclusion(), Instant.EPOCH);
      headings = false;
    } else if (rendition.shape() == Rendition.Shape.METADATA) {
      object.put("kind", "PartialObjectMetadata").put("apiVersion", "meta.k8s.io/v1");
    } else {
      object.put("kind", kind.name()).put("apiVersion", Kind.API_VERSION);
    }
    var meta = object.withObject("/metadata");
    meta.put("resourceVersion", Long.toString(revision));
    if (marksInitial) {
      meta.putObject("annotations").put("k8s.io/initial-events-end", "true");
      marksInitial = false;
    }
    return Optional.of(event("BOOKMARK", object));
  }

  private static ObjectNode event(String type, ObjectNode object) {
    var event = JsonNodeFactory.instance.objectNode().put("type", type);
    event.set("object", object);
    return event;
  }
}
