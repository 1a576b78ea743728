package verwalter.ui.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import verwalter.model.Kind;
import verwalter.model.Kinds;
import verwalter.ui.http.MediaTypes;

/**
 * The API as OpenAPI 3.0 document. With it {@code kubectl explain} knows the fields, and {@code
 * kubectl create} and {@code apply} leave validation to this server.
 */
final class OpenApi {
  private static final String PATH = "apis/" + Kind.API_VERSION;
  private static final String PREFIX = "io.verwalter.v1.";

  /** {@code /openapi/v3}: links to the document of the group. */
  static ObjectNode index() {
    var index = JsonNodeFactory.instance.objectNode();
    index.putObject("paths").putObject(PATH).put("serverRelativeURL", "/openapi/v3/" + PATH);
    return index;
  }

  /** {@code /openapi/v3/apis/verwalter.io/v1}. */
  static ObjectNode group(String version) {
    var document = JsonNodeFactory.instance.objectNode().put("openapi", "3.0.0");
    document.putObject("info").put("title", "Verwalter").put("version", version);
    var paths = document.putObject("paths");
    var schemas = document.putObject("components").putObject("schemas");
    schemas.set(PREFIX + "ObjectMeta", metadata());
    for (var kind : Kinds.ALL) {
      paths(paths, kind);
      schemas.set(PREFIX + kind.name(), kind(kind));
      schemas.set(PREFIX + kind.name() + "List", list(kind));
    }
    return document;
  }

  private static void paths(ObjectNode paths, Kind<?, ?> kind) {
    var all = paths.putObject("/" + PATH + "/" + kind.plural());
    operation(
        all,
        "get",
        "list",
        kind,
        kind.name() + "List",
        List.of(
            "limit",
            "continue",
            "labelSelector",
            "fieldSelector",
            "watch",
            "resourceVersion",
            "timeoutSeconds"));
    operation(all, "post", "create", kind, kind.name(), List.of("dryRun", "fieldValidation"));
    operation(
        all,
        "delete",
        "deletecollection",
        kind,
        kind.name() + "List",
        List.of("labelSelector", "fieldSelector", "dryRun"));
    var one = paths.putObject("/" + PATH + "/" + kind.plural() + "/{name}");
    operation(one, "get", "get", kind, kind.name(), List.of());
    operation(one, "put", "update", kind, kind.name(), List.of("dryRun", "fieldValidation"));
    operation(one, "patch", "patch", kind, kind.name(), List.of("dryRun", "fieldValidation"));
    operation(one, "delete", "delete", kind, kind.name(), List.of("dryRun"));
    one.putArray("parameters")
        .addObject()
        .put("name", "name")
        .put("in", "path")
        .put("required", true)
        .putObject("schema")
        .put("type", "string");
  }

  private static void operation(
      ObjectNode path,
      String method,
      String action,
      Kind<?, ?> kind,
      String answer,
      List<String> parameters) {
    var operation = path.putObject(method);
    operation.put("operationId", action + kind.name());
    var list = operation.putArray("parameters");
    for (var name : parameters) {
      list.addObject()
          .put("name", name)
          .put("in", "query")
          .putObject("schema")
          .put("type", "string");
    }
    if (List.of("post", "put", "patch").contains(method)) {
      var content = operation.putObject("requestBody").putObject("content");
      var types =
          method.equals("patch")
              ? List.of(MediaTypes.MERGE_PATCH, MediaTypes.JSON_PATCH)
              : List.of(MediaTypes.JSON, MediaTypes.YAML);
      types.forEach(type -> content.putObject(type).set("schema", reference(kind.name())));
    }
    operation
        .putObject("responses")
        .putObject(action.equals("create") ? "201" : "200")
        .put("description", "OK")
        .putObject("content")
        .putObject(MediaTypes.JSON)
        .set("schema", reference(answer));
    operation.put("x-kubernetes-action", action);
    operation.set("x-kubernetes-group-version-kind", identity(kind.name()));
  }

  private static ObjectNode kind(Kind<?, ?> kind) {
    var schema = Schemas.object();
    var properties = schema.putObject("properties");
    properties.set("apiVersion", Schemas.text());
    properties.set("kind", Schemas.text());
    properties.putObject("metadata").putArray("allOf").add(reference("ObjectMeta"));
    properties.set("spec", Schemas.of(kind.spec()));
    if (Discovery.hasStatus(kind)) {
      properties.set("status", Schemas.of(kind.status()));
    }
    schema.putArray("x-kubernetes-group-version-kind").add(identity(kind.name()));
    return schema.put(
        "description",
        "A %s; its short name is %s."
            .formatted(kind.name().toLowerCase(Locale.ROOT), kind.shortName()));
  }

  private static ObjectNode list(Kind<?, ?> kind) {
    var schema = Schemas.object();
    var properties = schema.putObject("properties");
    properties.set("apiVersion", Schemas.text());
    properties.set("kind", Schemas.text());
    properties.set("metadata", Schemas.anything());
    properties.putObject("items").put("type", "array").set("items", reference(kind.name()));
    schema.putArray("x-kubernetes-group-version-kind").add(identity(kind.name() + "List"));
    return schema;
  }

  private static ObjectNode metadata() {
    var schema = Schemas.object();
    var properties = schema.putObject("properties");
    for (var text : List.of("name", "uid", "resourceVersion")) {
      properties.set(text, Schemas.text());
    }
    for (var time : List.of("creationTimestamp", "deletionTimestamp")) {
      properties.set(time, Schemas.text().put("format", "date-time"));
    }
    properties.putObject("generation").put("type", "integer").put("format", "int64");
    for (var texts : List.of("labels", "annotations")) {
      var map = Schemas.object();
      map.set("additionalProperties", Schemas.text());
      properties.set(texts, map);
    }
    properties.putObject("finalizers").put("type", "array").set("items", Schemas.text());
    properties
        .putObject("ownerReferences")
        .put("type", "array")
        .set("items", Schemas.of(verwalter.model.OwnerReference.class));
    return schema;
  }

  private static ObjectNode reference(String name) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("$ref", "#/components/schemas/" + PREFIX + name);
  }

  private static ObjectNode identity(String kind) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("group", Kind.GROUP)
        .put("version", Kind.VERSION)
        .put("kind", kind);
  }

  private OpenApi() {}
}
