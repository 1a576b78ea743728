package verwalter.ui.api;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import verwalter.ui.http.RequestProblem;

/**
 * JSON merge patches (RFC 7386) and JSON patches (RFC 6902) on trees. Arguments are not modified.
 */
final class Patches {
  private static final int MOST_OPERATIONS = 10_000;

  /** Applies a merge patch: objects merge, null removes, all else replaces. */
  static JsonNode merge(JsonNode target, JsonNode patch) {
    if (!(patch instanceof ObjectNode changes)) {
      return patch.deepCopy();
    }
    var result =
        target instanceof ObjectNode object
            ? object.deepCopy()
            : JsonNodeFactory.instance.objectNode();
    changes
        .properties()
        .forEach(
            change -> {
              if (change.getValue().isNull()) {
                result.remove(change.getKey());
              } else {
                result.set(change.getKey(), merge(result.path(change.getKey()), change.getValue()));
              }
            });
    return result;
  }

  /**
   * Applies a JSON patch: all its operations or none.
   *
   * @throws RequestProblem 400 if it is malformed, 422 if it does not fit the tree or a test fails
   */
  static JsonNode json(JsonNode target, JsonNode patch) {
    if (!patch.isArray()) {
      throw RequestProblem.badRequest("a JSON patch is an array of operations");
    }
    if (patch.size() > MOST_OPERATIONS) {
      throw RequestProblem.of(
          413,
          "RequestEntityTooLarge",
          "a JSON patch has at most " + MOST_OPERATIONS + " operations");
    }
    JsonNode result = target.deepCopy();
    int number = 0;
    for (var operation : patch) {
      result = apply(result, operation, "operation " + number++);
    }
    return result;
  }

  private static JsonNode apply(JsonNode tree, JsonNode operation, String where) {
    var op = operation.path("op").asText("");
    var path = pointer(operation, "path", where);
    return switch (op) {
      case "add" -> add(tree, path, value(operation, where), where);
      case "remove" -> remove(tree, path, where);
      case "replace" -> {
        existing(tree, path, where);
        yield path.matches()
            ? value(operation, where)
            : add(remove(tree, path, where), path, value(operation, where), where);
      }
      case "copy" ->
          add(
              tree,
              path,
              existing(tree, pointer(operation, "from", where), where).deepCopy(),
              where);
      case "move" -> {
        var from = pointer(operation, "from", where);
        var moved = existing(tree, from, where);
        yield add(remove(tree, from, where), path, moved, where);
      }
      case "test" -> {
        if (!existing(tree, path, where).equals(value(operation, where))) {
          throw unfit(where, "the test of " + path + " failed");
        }
        yield tree;
      }
      default ->
          throw RequestProblem.badRequest(
              where + " has no op of add, remove, replace, move, copy and test");
    };
  }

  private static JsonNode add(JsonNode tree, JsonPointer path, JsonNode value, String where) {
    if (path.matches()) {
      return value;
    }
    var parent = existing(tree, path.head(), where);
    var key = path.last().getMatchingProperty();
    if (parent instanceof ObjectNode object) {
      object.set(key, value);
    } else if (parent instanceof ArrayNode array) {
      int index = key.equals("-") ? array.size() : path.last().getMatchingIndex();
      if (index < 0 || index > array.size()) {
        throw unfit(where, path + " is outside of the array");
      }
      array.insert(index, value);
    } else {
      throw unfit(where, path.head() + " is neither an object nor an array");
    }
    return tree;
  }

  private static JsonNode remove(JsonNode tree, JsonPointer path, String where) {
    existing(tree, path, where);
    if (path.matches()) {
      throw unfit(where, "the whole object cannot be removed");
    }
    if (tree.at(path.head()) instanceof ArrayNode array) {
      array.remove(path.last().getMatchingIndex());
    } else if (tree.at(path.head()) instanceof ObjectNode object) {
      object.remove(path.last().getMatchingProperty());
    }
    return tree;
  }

  private static JsonNode existing(JsonNode tree, JsonPointer path, String where) {
    var node = tree.at(path);
    if (node.isMissingNode()) {
      throw unfit(where, path + " does not exist");
    }
    return node;
  }

  private static JsonNode value(JsonNode operation, String where) {
    var value = operation.get("value");
    if (value == null) {
      throw RequestProblem.badRequest(where + " has no value");
    }
    return value.deepCopy();
  }

  private static JsonPointer pointer(JsonNode operation, String field, String where) {
    var text = operation.path(field);
    try {
      if (text.isTextual()) {
        return JsonPointer.compile(text.asText());
      }
    } catch (IllegalArgumentException e) {
      // reported below
    }
    throw RequestProblem.badRequest(where + " has no JSON pointer as its " + field);
  }

  private static RequestProblem unfit(String where, String why) {
    return RequestProblem.of(422, "Invalid", where + " of the patch does not fit: " + why);
  }

  private Patches() {}
}
