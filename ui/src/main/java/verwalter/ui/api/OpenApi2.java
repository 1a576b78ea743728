package verwalter.ui.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The API as OpenAPI 2 document, for older clients. */
final class OpenApi2 {
  private static final String SCHEMAS = "#/components/schemas/";

  /** {@code /openapi/v2}: one document with everything. */
  static ObjectNode document(String version) {
    var newer = OpenApi.group(version);
    var document = JsonNodeFactory.instance.objectNode().put("swagger", "2.0");
    document.set("info", newer.path("info"));
    var paths = document.putObject("paths");
    newer
        .path("paths")
        .properties()
        .forEach(each -> path(each.getValue(), paths.putObject(each.getKey())));
    document.set("definitions", renamed(newer.at("/components/schemas")));
    return document;
  }

  private static void path(JsonNode newer, ObjectNode path) {
    newer
        .properties()
        .forEach(
            each -> {
              if (each.getKey().equals("parameters")) {
                each.getValue().forEach(it -> path.withArray("parameters").add(parameter(it)));
              } else {
                path.set(each.getKey(), operation(each.getValue()));
              }
            });
  }

  private static ObjectNode operation(JsonNode newer) {
    ObjectNode operation = newer.deepCopy();
    var parameters = operation.putArray("parameters");
    newer.path("parameters").forEach(each -> parameters.add(parameter(each)));
    operation.remove("requestBody");
    body(newer.at("/requestBody/content"), operation, parameters);
    newer
        .path("responses")
        .properties()
        .forEach(
            each -> {
              var response = operation.withObject("/responses").putObject(each.getKey());
              response.set("description", each.getValue().path("description"));
              var content = each.getValue().path("content");
              content.fieldNames().forEachRemaining(operation.withArray("produces")::add);
              content.forEach(type -> response.set("schema", renamed(type.path("schema"))));
            });
    return operation;
  }

  private static void body(JsonNode content, ObjectNode operation, ArrayNode parameters) {
    if (!content.isEmpty()) {
      content.fieldNames().forEachRemaining(operation.withArray("consumes")::add);
      parameters
          .addObject()
          .put("name", "body")
          .put("in", "body")
          .put("required", true)
          .set("schema", renamed(content.elements().next().path("schema")));
    }
  }

  /** A parameter with its type in place, not in a schema. */
  private static ObjectNode parameter(JsonNode newer) {
    ObjectNode parameter = newer.deepCopy();
    parameter.remove("schema");
    parameter.setAll((ObjectNode) newer.path("schema"));
    return parameter;
  }

  /** A copy whose references point to the definitions of OpenAPI 2. */
  private static JsonNode renamed(JsonNode newer) {
    if (newer.isArray()) {
      var list = JsonNodeFactory.instance.arrayNode();
      newer.forEach(each -> list.add(renamed(each)));
      return list;
    }
    if (!newer.isObject()) {
      return newer;
    }
    var copy = JsonNodeFactory.instance.objectNode();
    newer
        .properties()
        .forEach(
            each -> {
              var text = each.getValue().asText("");
              if (each.getKey().equals("$ref") && text.startsWith(SCHEMAS)) {
                copy.put("$ref", "#/definitions/" + text.substring(SCHEMAS.length()));
              } else {
                copy.set(each.getKey(), renamed(each.getValue()));
              }
            });
    return copy;
  }

  private OpenApi2() {}
}
