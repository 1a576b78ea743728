package verwalter.stores.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
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

  /** The largest number of requirements. */
  private static final int MOST_REQUIREMENTS = 200;

  /** The largest number of names in the path of a field. */
  private static final int DEEPEST = 50;

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
    int count = 0;
    do {
      checkCount(scanner, count++);
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
    var requirements = new ArrayList<FieldRequirement>();
    do {
      checkCount(scanner, requirements.size());
      var path = scanner.path();
      if (path.size() > DEEPEST) {
        throw scanner.malformed("at most %d names in the path of a field".formatted(DEEPEST));
      }
      reader.accept(path);
      boolean equal = !scanner.skip("!=");
      if (equal && !scanner.skip("==") && !scanner.skip("=")) {
        throw scanner.malformed("one of '=', '==' or '!='");
      }
      var value = scanner.escapedValue();
      requirements.add(new FieldRequirement(path, value, equal));
    } while (scanner.skip(","));
    scanner.expectEnd("',' or the end");
    return all(requirements);
  }

  /** The JSON of an object is made at most once, since that takes time. */
  private static Predicate<Resource<?, ?>> all(List<FieldRequirement> requirements) {
    var ofName = requirements.stream().filter(FieldRequirement::isOfName).toList();
    var others = requirements.stream().filter(each -> !each.isOfName()).toList();
    return object -> {
      if (!ofName.stream().allMatch(each -> each.holds(object.name()))) {
        return false;
      }
      if (others.isEmpty()) {
        return true;
      }
      var tree = Codec.tree(object);
      return others.stream().allMatch(each -> each.holds(field(tree, each.path())));
    };
  }

  private record FieldRequirement(List<String> path, String value, boolean equal) {
    boolean isOfName() {
      return path.equals(List.of("metadata", "name"));
    }

    boolean holds(String actual) {
      return actual.equals(value) == equal;
    }
  }

  private static void checkCount(SelectorScanner scanner, int count) {
    if (count >= MOST_REQUIREMENTS) {
      throw scanner.malformed("the end after %d requirements".formatted(MOST_REQUIREMENTS));
    }
  }

  /** The value of a field as a string. */
  private static String field(JsonNode object, List<String> path) {
    var at = object;
    for (int i = 0; i < path.size() && at.isContainerNode(); i++) {
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
