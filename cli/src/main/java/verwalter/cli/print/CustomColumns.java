package verwalter.cli.print;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import verwalter.cli.json.JsonPath;
import verwalter.client.json.PlainJson;

/** SelectedColumns that an operator defines: {@code NAME:.metadata.name,STATE:.status.state}. */
public record CustomColumns(List<String> headings, List<JsonPath> paths) {
  /**
   * Parses a definition of columns.
   *
   * @throws IllegalArgumentException with one sentence for the operator
   */
  public static CustomColumns of(String text) {
    var headings = new ArrayList<String>();
    var paths = new ArrayList<JsonPath>();
    for (var column : text.split(",(?=[^\\]]*(\\[|$))", -1)) {
      int colon = column.indexOf(':');
      if (colon < 1 || colon == column.length() - 1) {
        throw new IllegalArgumentException(
            "custom-columns takes HEADING:PATH,HEADING:PATH..., not \"%s\"".formatted(column));
      }
      headings.add(column.substring(0, colon));
      paths.add(JsonPath.path(column.substring(colon + 1)));
    }
    return new CustomColumns(headings, paths);
  }

  /** The cells of one object; several values of one path are joined. */
  public List<String> cells(Map<String, Object> object) {
    return paths.stream()
        .map(
            path ->
                path.find(object).stream()
                    .map(value -> value instanceof String text ? text : PlainJson.line(value))
                    .map(text -> text.equals("null") ? "<none>" : text)
                    .collect(Collectors.joining(",")))
        .map(cell -> cell.isEmpty() ? "<none>" : cell)
        .toList();
  }
}
