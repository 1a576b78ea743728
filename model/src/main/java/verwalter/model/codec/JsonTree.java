package verwalter.model.codec;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.DecodeException;
import verwalter.model.json.FieldPath;
import verwalter.model.json.Json;
import verwalter.model.json.JsonNumber;
import verwalter.model.json.JsonText;
import verwalter.model.json.Located;

/** Converts Jackson's trees to values without places. */
final class JsonTree {
  private final ValueBudget budget;

  private JsonTree(ValueBudget budget) {
    this.budget = budget;
  }

  /** Converts a tree of at most about {@code limit} characters. */
  static Located located(JsonNode tree, int limit) throws DecodeException {
    return new JsonTree(new ValueBudget(limit)).value(tree, FieldPath.ROOT, 0);
  }

  private Located value(JsonNode node, FieldPath path, int depth) throws DecodeException {
    if (depth > Json.MAX_DEPTH) {
      throw problem(path, "nested deeper than " + Json.MAX_DEPTH + " levels");
    }
    if (!budget.allows(node.isTextual() ? node.textValue().length() : 0)) {
      throw problem(path, "the object is too big");
    }
    if (node.isObject()) {
      var fields = new ArrayList<Located.Field>();
      for (var each : node.properties()) {
        var here = path.field(each.getKey());
        if (!budget.allows(each.getKey().length()) || !JsonText.wellFormed(each.getKey())) {
          throw problem(here, "the name is too long or contains half a surrogate pair");
        }
        fields.add(
            new Located.Field(
                Located.Place.NONE, each.getKey(), value(each.getValue(), here, depth + 1)));
      }
      return new Located.Fields(Located.Place.NONE, fields);
    }
    if (node.isArray()) {
      var items = new ArrayList<Located>();
      for (var each : node) {
        items.add(value(each, path.item(items.size()), depth + 1));
      }
      return new Located.Items(Located.Place.NONE, items);
    }
    return new Located.Scalar(Located.Place.NONE, scalar(node, path));
  }

  private static @Nullable Object scalar(JsonNode node, FieldPath path) throws DecodeException {
    if (node.isNull() || node.isMissingNode()) {
      return null;
    }
    if (node.isBoolean()) {
      return node.booleanValue();
    }
    if (node.isTextual() && JsonText.wellFormed(node.textValue())) {
      return node.textValue();
    }
    if (node.isIntegralNumber()) {
      return JsonNumber.narrow(node.bigIntegerValue());
    }
    if (node.isNumber() && Double.isFinite(node.doubleValue())) {
      return node.doubleValue();
    }
    throw problem(path, "not a JSON value: " + node.getNodeType());
  }

  private static DecodeException problem(FieldPath path, String message) {
    var problems = new Problems("");
    problems.add(Located.Place.NONE, path, message);
    return problems.exception();
  }
}
