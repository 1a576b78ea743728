package verwalter.stores.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import verwalter.model.Resource;
import verwalter.model.codec.Codec;

/**
 * Label and field selectors, in the syntax of Kubernetes.
 *
 * <p>A label selector is a comma-separated list of requirements, all of which must hold: {@code
 * a=b}, {@code a==b}, {@code a!=b}, {@code a in (x,y)}, {@code a notin (x,y)}, {@code a} (the label
 * exists) and {@code !a} (the label does not exist). {@code !=} and {@code notin} also hold for
 * objects without the label.
 *
 * <p>A field selector supports {@code =}, {@code ==} and {@code !=} for the path of any string,
 * number or boolean in the object's JSON, such as {@code metadata.name} or {@code status.state}. An
 * absent field counts as empty. A backslash escapes {@code , = \}.
 *
 * <p>The empty selector selects every object.
 */
public final class Selectors {
  /** The limit of the length, since selectors are user input. */
  private static final int LONGEST = 10_000;

  /** A selector has a syntax error. The message contains the position and the expected text. */
  public static final class Malformed extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    Malformed(String what, String selector, int position, String expected) {
      super(
          "%s '%s': expected %s at position %d"
              .formatted(what, shortened(selector), expected, position));
    }

    private static String shortened(String selector) {
      return selector.length() <= 200 ? selector : selector.substring(0, 200) + "...";
    }
  }

  /**
   * Parses a label selector.
   *
   * @throws Malformed if the selector has a syntax error
   */
  public static Predicate<Resource<?, ?>> labels(String selector) {
    var scanner = scanner("label selector", selector);
    var all = Query.ALL.filter();
    if (scanner.atEnd()) {
      return all;
    }
    do {
      all = all.and(labelRequirement(scanner));
    } while (scanner.skip(","));
    scanner.expectEnd("',' or the end");
    return all;
  }

  private static Predicate<Resource<?, ?>> labelRequirement(SelectorScanner scanner) {
    if (scanner.skip("!")) {
      var absent = scanner.key();
      return object -> !object.meta().labels().containsKey(absent);
    }
    var key = scanner.key();
    if (scanner.skip("!=")) {
      return not(Set.of(scanner.value()), key);
    }
    if (scanner.skip("==") || scanner.skip("=")) {
      return in(Set.of(scanner.value()), key);
    }
    if (scanner.skipWord("in")) {
      return in(values(scanner), key);
    }
    if (scanner.skipWord("notin")) {
      return not(values(scanner), key);
    }
    if (!scanner.atEnd() && !scanner.sees(",")) {
      throw scanner.malformed("one of '=', '==', '!=', 'in', 'notin', ',' or the end");
    }
    return object -> object.meta().labels().containsKey(key);
  }

  private static Set<String> values(SelectorScanner scanner) {
    scanner.expect("(");
    var values = new LinkedHashSet<String>();
    do {
      values.add(scanner.value());
    } while (scanner.skip(","));
    scanner.expect(")");
    return values;
  }

  private static Predicate<Resource<?, ?>> in(Set<String> values, String key) {
    return object -> {
      var value = object.meta().labels().get(key);
      return value != null && values.contains(value);
    };
  }

  private static Predicate<Resource<?, ?>> not(Set<String> values, String key) {
    return in(values, key).negate();
  }

  /**
   * Parses a field selector.
   *
   * @throws Malformed if the selector has a syntax error
   */
  public static Predicate<Resource<?, ?>> fields(String selector) {
    return fields(selector, any -> {});
  }

  /**
   * Parses a field selector.
   *
   * @param reader called with the path of each field; may throw to refuse it
   * @throws Malformed if the selector has a syntax error
   */
  public static Predicate<Resource<?, ?>> fields(String selector, Consumer<List<String>> reader) {
    var scanner = scanner("field selector", selector);
    var all = Query.ALL.filter();
    if (scanner.atEnd()) {
      return all;
    }
    do {
      var path = scanner.path();
      reader.accept(path);
      boolean equal = !scanner.skip("!=");
      if (equal && !scanner.skip("==") && !scanner.skip("=")) {
        throw scanner.malformed("one of '=', '==' or '!='");
      }
      var value = scanner.escapedValue();
      all = all.and(object -> field(object, path).equals(value) == equal);
    } while (scanner.skip(","));
    scanner.expectEnd("',' or the end");
    return all;
  }

  /**
   * The value of a field as a string. Fields other than the name are read from the object's JSON.
   */
  private static String field(Resource<?, ?> object, List<String> path) {
    if (path.equals(List.of("metadata", "name"))) {
      return object.name();
    }
    JsonNode at = Codec.tree(object);
    for (int i = 0; i < path.size(); i++) {
      var rest = path.subList(i, path.size()).stream().collect(Collectors.joining("."));
      if (at.path(rest).isValueNode()) {
        return at.path(rest).asText(""); // a key with dots, such as that of a label
      }
      at = at.path(path.get(i));
    }
    return at.isValueNode() && !at.isNull() ? at.asText() : "";
  }

  private static SelectorScanner scanner(String what, String selector) {
    if (selector.length() > LONGEST) {
      throw new Malformed(what, selector, LONGEST, "the end, since it is too long");
    }
    return new SelectorScanner(what, selector);
  }

  private Selectors() {}
}
