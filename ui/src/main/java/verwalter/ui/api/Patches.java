package verwalter.ui.api;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import verwalter.ui.http.RequestProblem;

/**
 * JSON merge patches (RFC 7386) and JSON patches (RFC 6902) on trees. Arguments are not modified; a
 * result may share parts with them.
 */
final class Patches {
  private static final int MOST_OPERATIONS = 10_000;

  /** The characters of a path that an error shows. */
  private static final int SHOWN = 200;

  /** Applies a merge patch: objects merge, null removes, all else replaces. */
  static JsonNode merge(JsonNode target, JsonNode patch) {
    if (!(patch instanceof ObjectNode changes)) {
      return patch.deepCopy();
    }
    var result = JsonNodeFactory.instance.objectNode();
    if (target instanceof ObjectNode object) {
      result.setAll(object);
    }
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
   * @throws RequestProblem 400 if it is malformed, 413 if it copies or moves too much, 422 if it
   *     does not fit the tree or a test fails
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
    var work = new PatchWork();
    int number = 0;
    for (var operation : patch) {
      result = apply(result, operation, "operation " + number++, work);
    }
    return result;
  }

  private static JsonNode apply(JsonNode tree, JsonNode operation, String where, PatchWork work) {
    var op = operation.path("op").asText("");
    var path = pointer(operation, "path", where);
    return switch (op) {
      case "add" -> add(tree, path, value(operation, where), where, work);
      case "remove" -> remove(tree, path, where, work);
      case "replace" -> {
        existing(tree, path, where);
        yield path.matches()
            ? value(operation, where)
            : add(remove(tree, path, where, work), path, value(operation, where), where, work);
      }
      case "copy" -> {
        var source = existing(tree, pointer(operation, "from", where), where);
        work.spend(source);
        yield add(tree, path, source.deepCopy(), where, work);
      }
      case "move" -> {
        var from = pointer(operation, "from", where);
        var moved = existing(tree, from, where);
        work.spend(moved);
        yield add(remove(tree, from, where, work), path, moved, where, work);
      }
      case "test" -> {
        if (!existing(tree, path, where).equals(value(operation, where))) {
          throw unfit(where, "the test of " + shown(path) + " failed");
        }
        yield tree;
      }
      default ->
          throw RequestProblem.badRequest(
              where + " has no op of add, remove, replace, move, copy and test");
    };
  }

  private static JsonNode add(
      JsonNode tree, JsonPointer path, JsonNode value, String where, PatchWork work) {
    PatchWork.checkDepth(path, value);
    if (path.matches()) {
      return value;
    }
    var parent = parent(tree, path, where);
    var key = path.last().getMatchingProperty();
    if (parent instanceof ObjectNode object) {
      object.set(key, value);
    } else if (parent instanceof ArrayNode array) {
      int index = key.equals("-") ? array.size() : path.last().getMatchingIndex();
      if (index < 0 || index > array.size()) {
        throw unfit(where, shown(path) + " is outside of the array");
      }
      work.shift(array.size() - index);
      array.insert(index, value);
    } else {
      throw unfit(where, "the parent of " + shown(path) + " is neither an object nor an array");
    }
    return tree;
  }

  private static JsonNode remove(JsonNode tree, JsonPointer path, String where, PatchWork work) {
    existing(tree, path, where);
    if (path.matches()) {
      throw unfit(where, "the whole object cannot be removed");
    }
    var parent = parent(tree, path, where);
    if (parent instanceof ArrayNode array) {
      int index = path.last().getMatchingIndex();
      work.shift(array.size() - index);
      array.remove(index);
    } else if (parent instanceof ObjectNode object) {
      object.remove(path.last().getMatchingProperty());
    }
    return tree;
  }

  /** The node that contains the last step. {@link JsonPointer#head} needs quadratic memory. */
  private static JsonNode parent(JsonNode tree, JsonPointer path, String where) {
    var parent = tree;
    for (var step = path; !step.tail().matches(); step = step.tail()) {
      parent =
          parent.isArray()
              ? parent.path(step.getMatchingIndex())
              : parent.path(step.getMatchingProperty());
      if (parent.isMissingNode()) {
        throw unfit(where, "the parent of " + shown(path) + " does not exist");
      }
    }
    return parent;
  }

  private static JsonNode existing(JsonNode tree, JsonPointer path, String where) {
    var node = tree.at(path);
    if (node.isMissingNode()) {
      throw unfit(where, shown(path) + " does not exist");
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
        PatchWork.checkLength(text.asText(), where);
        return JsonPointer.compile(text.asText());
      }
    } catch (IllegalArgumentException e) {
      // reported below
    }
    throw RequestProblem.badRequest(where + " has no JSON pointer as its " + field);
  }

  private static String shown(JsonPointer path) {
    var text = path.toString();
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
  }

  private static RequestProblem unfit(String where, String why) {
    return RequestProblem.of(422, "Invalid", where + " of the patch does not fit: " + why);
  }

  private Patches() {}
}
