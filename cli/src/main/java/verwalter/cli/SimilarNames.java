package verwalter.cli;

import java.io.IOException;
import java.util.List;
import verwalter.client.ApiClient;
import verwalter.client.ApiException;
import verwalter.client.Item;
import verwalter.client.QueryParameters;
import verwalter.client.ResourceType;
import verwalter.model.Names;

/** Names of existing objects that a user may have meant by the name of a missing one. */
final class SimilarNames {
  private static final int MOST = 3;

  /**
   * The report of a missing object, with names that may be meant: those of the same role or node,
   * such as {@code web@n1} for {@code web}, or the one with the fewest different letters.
   */
  static ErrorReport report(ApiException missing, ApiClient api, ResourceType type, String name) {
    var report = ErrorReport.of(missing);
    try {
      var similar = similar(name, names(api, type));
      return similar.isEmpty()
          ? report
          : new ErrorReport(
              report.problem(),
              "did you mean " + String.join(" or ", similar) + "? " + report.next());
    } catch (IOException | ApiException notListed) { // the report of the missing object remains
      return report;
    }
  }

  private static List<String> names(ApiClient api, ResourceType type) throws IOException {
    return Item.of(api.list(type, ApiClient.Shape.TABLE, QueryParameters.NONE)).stream()
        .map(Item::name)
        .toList();
  }

  static List<String> similar(String name, List<String> existing) {
    var parts =
        existing.stream()
            .filter(each -> each.startsWith(name + "@") || each.endsWith("@" + name))
            .limit(MOST)
            .toList();
    return parts.isEmpty() ? Names.nearest(name, existing).stream().toList() : parts;
  }

  private SimilarNames() {}
}
