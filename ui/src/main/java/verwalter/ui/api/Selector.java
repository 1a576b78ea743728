package verwalter.ui.api;

import io.vertx.core.http.HttpServerRequest;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import verwalter.model.Kind;
import verwalter.model.Names;
import verwalter.model.Resource;
import verwalter.stores.api.Query;
import verwalter.stores.api.Selectors;
import verwalter.ui.http.RequestProblem;

/** The label and field selectors of a request. The kind defines the field names. */
final class Selector {
  /** Selects everything. */
  static final Predicate<Resource<?, ?>> ALL = Query.ALL.filter();

  /** The selectors of a request; {@link #ALL} if it has none. */
  static Predicate<Resource<?, ?>> of(Kind<?, ?> kind, HttpServerRequest request) {
    return of(kind, request.getParam("labelSelector"), request.getParam("fieldSelector"));
  }

  /** Parses both selectors; null and blank select everything and give {@link #ALL}. */
  static Predicate<Resource<?, ?>> of(
      Kind<?, ?> kind, @Nullable String labels, @Nullable String fields) {
    try {
      var labelled = Selectors.labels(labels == null ? "" : labels);
      var having = Selectors.fields(fields == null ? "" : fields, path -> check(kind, path));
      return labelled.equals(ALL) ? having : having.equals(ALL) ? labelled : labelled.and(having);
    } catch (Selectors.Malformed mistake) {
      throw RequestProblem.badRequest(String.valueOf(mistake.getMessage()));
    }
  }

  private static void check(Kind<?, ?> kind, List<String> path) {
    var known = known(kind);
    if (path.size() < 2 || !known.contains(path.get(0) + "." + path.get(1))) {
      var field = String.join(".", path);
      throw RequestProblem.badRequest(
          "field label not supported: %s%s"
              .formatted(
                  field,
                  Names.nearest(field, known)
                      .map(near -> "; did you mean " + near + "?")
                      .orElse("; the fields are " + String.join(", ", known))));
    }
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

  private Selector() {}
}
