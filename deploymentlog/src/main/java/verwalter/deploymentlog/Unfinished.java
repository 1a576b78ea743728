package verwalter.deploymentlog;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Which deployments of an index have no row that ends them. Pure. */
final class Unfinished {
  /**
   * How a row begins: with a time, unlike the lists within a row, one of which may stand first
   * where only the end of an index is read. A crash may have cut a row off anywhere after that.
   */
  private static final Pattern BEGINNING =
      Pattern.compile("\\[\"[-\\d]+T[:\\d]+Z\",\"([^\"\\\\]+)\",.*");

  /** How a row ends that ends its deployment. */
  private static final List<String> ENDS =
      List.of(ending(Marker.DEPLOYMENT_FINISH), ending(Marker.DEPLOYMENT_ERROR));

  private static String ending(Marker marker) {
    return "," + marker.json() + "]";
  }

  /**
   * Their ids, in the order of the rows.
   *
   * @param rows lines of the index, the oldest first; those that are none are passed over
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
