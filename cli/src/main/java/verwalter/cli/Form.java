package verwalter.cli;

import java.util.List;
import java.util.Map;
import verwalter.cli.json.JsonPath;
import verwalter.cli.json.JsonPathException;
import verwalter.cli.print.CustomColumns;
import verwalter.client.json.PlainJson;
import verwalter.model.Names;

/** The output format that {@code -o} selects. */
sealed interface Form {
  /** Whether the server makes the rows. */
  default boolean isTable() {
    return this instanceof Rows;
  }

  /** A table for people. */
  record Rows(boolean wide) implements Form {}

  /** {@code type/name}, one per line. */
  record NameLines() implements Form {}

  record Yaml() implements Form {}

  record Json() implements Form {}

  record Template(JsonPath path) implements Form {}

  record Custom(CustomColumns columns) implements Form {}

  /** The format that an operator names; a table if none. */
  static Form of(String text) {
    int equals = text.indexOf('=');
    var name = equals < 0 ? text : text.substring(0, equals);
    var rest = equals < 0 ? "" : text.substring(equals + 1);
    try {
      return switch (name) {
        case "" -> new Rows(false);
        case "wide" -> new Rows(true);
        case "name" -> new NameLines();
        case "yaml" -> new Yaml();
        case "json" -> new Json();
        case "jsonpath" -> new Template(JsonPath.template(needed(name, rest)));
        case "custom-columns" -> new Custom(CustomColumns.of(needed(name, rest)));
        default -> throw unknown(name);
      };
    } catch (JsonPathException e) {
      throw Failure.usage(e.getMessage(), "for example: -o jsonpath='{.items[*].metadata.name}'");
    } catch (IllegalArgumentException e) {
      throw Failure.usage(
          String.valueOf(e.getMessage()), "for example: -o custom-columns=NAME:.metadata.name");
    }
  }

  private static String needed(String name, String rest) {
    if (rest.isEmpty()) {
      throw Failure.usage(
          "-o " + name + " needs a value after \"=\"", "for example: -o jsonpath='{.kind}'");
    }
    return rest;
  }

  private static Failure unknown(String name) {
    var known = List.of("wide", "name", "yaml", "json", "jsonpath", "custom-columns");
    if (name.startsWith("go-template")) {
      return Failure.usage("-o go-template is not supported", "use -o jsonpath=TEMPLATE");
    }
    return Failure.usage(
        "unknown format \"-o " + name + "\"; the formats are " + String.join(", ", known),
        Names.nearest(name, known).map(near -> "did you mean -o " + near + "?").orElse(""));
  }

  /** The name as {@code type/name}. */
  static String name(String type, Map<String, Object> object) {
    return type + "/" + PlainJson.text(object, "metadata", "name");
  }
}
