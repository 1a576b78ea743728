package verwalter.ui.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import verwalter.model.Codec;
import verwalter.model.Kind;
import verwalter.model.Names;
import verwalter.model.Resource;
import verwalter.stores.api.Selectors;
import verwalter.ui.http.Problem;

/** Which objects somebody means: label and field selectors, as Kubernetes writes them. */
final class Selector {
  /** Selects everything. */
  static final Predicate<Resource<?, ?>> ALL = any -> true;

  private static final Pattern EQUAL =
      Pattern.compile("([^\\s!=()]+)\\s*(==|=|!=)\\s*([^\\s!=()]*)");

  /** Parses both selectors; null and blank select everything, and then it is {@link #ALL}. */
  static Predicate<Resource<?, ?>> of(
      Kind<?, ?> kind, @Nullable String labels, @Nullable String fields) {
    var all = labels(labels);
    for (var term : terms(fields)) {
      all = and(all, field(kind, term));
    }
    return all;
  }

  private static Predicate<Resource<?, ?>> and(
      Predicate<Resource<?, ?>> all, Predicate<Resource<?, ?>> next) {
    return all.equals(ALL) ? next : all.and(next);
  }

  /** Cuts at the commas outside of parentheses. */
  private static List<String> terms(@Nullable String selector) {
    var terms = new ArrayList<String>();
    if (selector == null || selector.isBlank()) {
      return terms;
    }
    int depth = 0;
    int begin = 0;
    for (int i = 0; i < selector.length(); i++) {
      char c = selector.charAt(i);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c == ',' && depth == 0) {
        terms.add(selector.substring(begin, i).strip());
        begin = i + 1;
      }
    }
    terms.add(selector.substring(begin).strip());
    return terms;
  }

  private static Predicate<Resource<?, ?>> labels(@Nullable String selector) {
    if (selector == null || selector.isBlank()) {
      return ALL;
    }
    try {
      return Selectors.labels(selector);
    } catch (Selectors.Malformed mistake) {
      throw Problem.badRequest(String.valueOf(mistake.getMessage()));
    }
  }

  private static Predicate<Resource<?, ?>> field(Kind<?, ?> kind, String term) {
    var equal = EQUAL.matcher(term);
    if (!equal.matches()) {
      throw Problem.badRequest(
          "unable to parse fieldSelector at '%s': write path=value or path!=value".formatted(term));
    }
    boolean wanted = !equal.group(2).equals("!=");
    var value = equal.group(3);
    if (equal.group(1).equals("metadata.name")) {
      return resource -> resource.name().equals(value) == wanted;
    }
    var path = checked(kind, equal.group(1));
    return resource -> at(Codec.tree(resource), path).equals(value) == wanted;
  }

  private static String[] checked(Kind<?, ?> kind, String field) {
    var path = field.split("\\.", -1);
    if (path.length < 2 || !knows(kind, path)) {
      var known = known(kind);
      throw Problem.badRequest(
          "field label not supported: %s%s"
              .formatted(
                  field,
                  Names.nearest(field, known)
                      .map(near -> "; did you mean " + near + "?")
                      .orElse("; known are " + String.join(", ", known))));
    }
    return path;
  }

  private static boolean knows(Kind<?, ?> kind, String[] path) {
    return known(kind).contains(path[0] + "." + path[1]);
  }

  private static List<String> known(Kind<?, ?> kind) {
    var known = new ArrayList<>(List.of("metadata.name", "metadata.uid", "metadata.generation"));
    known.add("metadata.resourceVersion");
    components(kind.spec()).forEach(each -> known.add("spec." + each));
    components(kind.status()).forEach(each -> known.add("status." + each));
    return known;
  }

  private static List<String> components(Class<?> type) {
    return type.isRecord()
        ? Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName).toList()
        : List.of();
  }

  private static String at(JsonNode tree, String[] path) {
    var node = tree;
    for (var step : path) {
      node = node.path(step);
    }
    return node.asText("");
  }

  private Selector() {}
}
