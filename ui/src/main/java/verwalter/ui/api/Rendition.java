package verwalter.ui.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.model.codec.Codec;
import verwalter.stores.api.Page;
import verwalter.ui.http.Answer;
import verwalter.ui.http.MediaTypes;
import verwalter.ui.http.MediaTypes.MediaType;
import verwalter.ui.http.RequestProblem;
import verwalter.ui.http.StrictJson;
import verwalter.ui.table.Tables;
import verwalter.ui.table.Tables.Inclusion;

/**
 * The representation of objects that a client accepts, from {@code Accept} and {@code
 * includeObject}.
 */
record Rendition(Shape shape, boolean yaml, Inclusion inclusion) {

  /** What objects are turned into. */
  enum Shape {
    WHOLE,
    TABLE,
    METADATA
  }

  /**
   * The most preferred representation that this server supports.
   *
   * @throws RequestProblem 406 if there is none
   */
  static Rendition of(HttpServerRequest request) {
    var inclusion = inclusion(request);
    for (var type : MediaTypes.accepted(request.getHeader("Accept"))) {
      boolean yaml = MediaTypes.isYaml(type.name());
      boolean json = List.of("*/*", "application/*", "application/json").contains(type.name());
      if ((json || yaml) && (type.parameter("as").isEmpty() || isMeta(type))) {
        switch (type.parameter("as")) {
          case "" -> {
            return new Rendition(Shape.WHOLE, yaml, inclusion);
          }
          case "Table" -> {
            return new Rendition(Shape.TABLE, yaml, inclusion);
          }
          case "PartialObjectMetadata", "PartialObjectMetadataList" -> {
            return new Rendition(Shape.METADATA, yaml, inclusion);
          }
          default -> {
            // try the next media type
          }
        }
      }
    }
    throw RequestProblem.of(
        406,
        "NotAcceptable",
        "only application/json (also as=Table) and application/yaml are supported");
  }

  private static boolean isMeta(MediaType type) {
    return type.parameter("g").equals("meta.k8s.io") && type.parameter("v").equals("v1");
  }

  private static Inclusion inclusion(HttpServerRequest request) {
    var wanted = request.getParam("includeObject", "Metadata");
    try {
      return Inclusion.valueOf(wanted.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw RequestProblem.badRequest(
          "includeObject must be None, Metadata or Object, not " + wanted);
    }
  }

  /** One object. */
  <S, T> ObjectNode one(Resource<S, T> resource, Instant now) {
    return switch (shape) {
      case WHOLE -> Codec.tree(resource);
      case METADATA -> Tables.partial(resource);
      case TABLE -> {
        var table = Tables.table(resource.type(), List.of(resource), true, inclusion, now);
        table
            .withObject("/metadata")
            .put("resourceVersion", Long.toString(resource.meta().version()));
        yield table;
      }
    };
  }

  /** A list of objects. */
  <S, T> ObjectNode list(Kind<S, T> kind, Page<S, T> page, boolean counted, Instant now) {
    var list =
        shape == Shape.TABLE
            ? Tables.table(kind, page.items(), true, inclusion, now)
            : items(kind, page);
    var meta = list.withObject("/metadata");
    meta.put("resourceVersion", Long.toString(page.revision()));
    page.next().ifPresent(next -> meta.put("continue", next));
    if (counted && page.next().isPresent()) {
      meta.put("remainingItemCount", page.remaining());
    }
    return list;
  }

  private <S, T> ObjectNode items(Kind<S, T> kind, Page<S, T> page) {
    var list = JsonNodeFactory.instance.objectNode();
    if (shape == Shape.METADATA) {
      list.put("kind", "PartialObjectMetadataList").put("apiVersion", "meta.k8s.io/v1");
    } else {
      list.put("kind", kind.name() + "List").put("apiVersion", Kind.API_VERSION);
    }
    list.putObject("metadata");
    var items = list.putArray("items");
    for (var each : page.items()) {
      items.add(shape == Shape.METADATA ? Tables.partial(each) : Codec.tree(each));
    }
    return list;
  }

  /** Sends a tree in the syntax of this representation. */
  void send(HttpServerRequest request, int code, ObjectNode tree) {
    if (yaml) {
      Answer.send(request, code, MediaTypes.YAML, StrictJson.yaml(tree));
    } else {
      Answer.json(request, code, tree);
    }
  }
}
