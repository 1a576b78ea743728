package verwalter.deploymentlog;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Finds the deployments of an index without an end. Pure. */
final class Unfinished {
  /**
   * The beginning of a row, which contains a time. If only the end of an index is read, the first
   * line may be a fragment of a row that begins with a list. After a crash, the last row may be
   * incomplete.
   */
  private static final Pattern BEGINNING =
      Pattern.compile("\\[\"[-\\d]+T[:\\d]+Z\",\"([^\"\\\\]+)\",.*");

  /** The ends of rows that end a deployment. */
  private static final List<String> ENDS =
      List.of(ending(Marker.DEPLOYMENT_FINISH), ending(Marker.DEPLOYMENT_ERROR));

  private static String ending(Marker marker) {
    return "," + marker.json() + "]";
  }

  /**
   * The ids of unfinished deployments, in the order of the rows.
   *
   * @param rows lines of the index, the oldest first; invalid lines are skipped
   */
  static Set<String> among(List<String> rows) {
    var unfinished = new LinkedHashSet<String>();
    for (var row : rows) {
      var begins = BEGINNING.matcher(row);
      if (begins.matches()) {
        var id = begins.group(1);
        if (ENDS.stream().anyMatch(row::endsWith)) {
          unfinished.remove(id);
        } else {
          unfinished.add(id);
        }
      }
    }
    return unfinished;
  }

  private Unfinished() {}
}
