package verwalter.cli.print;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import verwalter.client.json.PlainJson;

/**
 * The selected columns of a server's table.
 *
 * @param places indexes of the cells in a row
 * @param labels labels that have a column of their own
 * @param prefix prefix of each name, such as {@code node/}; may be empty
 */
public record SelectedColumns(
    List<String> headings, List<Place> places, List<String> labels, boolean all, String prefix) {

  /**
   * One cell of a row.
   *
   * @param name whether it is the name of the object
   * @param date whether it is a time that is printed as an age
   */
  public record Place(int index, boolean name, boolean date) {}

  /**
   * The columns of a table.
   *
   * @param wide whether to show the ones of low priority too
   * @param labels labels to show in a column each
   * @param all whether to show all labels in a last column
   */
  public static SelectedColumns of(
      Map<String, Object> table, boolean wide, List<String> labels, boolean all, String prefix) {
    var headings = new ArrayList<String>();
    var places = new ArrayList<Place>();
    var definitions = PlainJson.list(table, "columnDefinitions");
    for (int i = 0; i < definitions.size(); i++) {
      var column = definitions.get(i);
      if (wide
          || !(PlainJson.at(column, "priority") instanceof Number low)
          || low.intValue() == 0) {
        headings.add(PlainJson.text(column, "name").replace(' ', '-'));
        boolean date =
            PlainJson.text(column, "type").equals("date")
                || PlainJson.text(column, "format").startsWith("date");
        places.add(new Place(i, PlainJson.text(column, "format").equals("name"), date));
      }
    }
    labels.forEach(label -> headings.add(label.substring(label.lastIndexOf('/') + 1)));
    if (all) {
      headings.add("LABELS");
    }
    return new SelectedColumns(headings, places, labels, all, prefix);
  }

  /** The cells of one row. */
  public List<String> cells(Map<String, Object> row, Instant now) {
    var values = PlainJson.list(row, "cells");
    var cells = new ArrayList<String>();
    for (var place : places) {
      var value = place.index < values.size() ? values.get(place.index) : null;
      var text = value == null || value.equals("") ? "<none>" : value.toString();
      cells.add(place.name ? prefix + text : place.date ? Age.since(text, now) : text);
    }
    var own = PlainJson.map(row, "object", "metadata", "labels");
    labels.forEach(label -> cells.add(own.containsKey(label) ? "" + own.get(label) : "<none>"));
    if (all) {
      cells.add(labels(own));
    }
    return cells;
  }

  /** Labels as one text; {@code <none>} if there are none. */
  public static String labels(Map<String, Object> labels) {
    return labels.isEmpty()
        ? "<none>"
        : labels.entrySet().stream()
            .map(label -> label.getKey() + "=" + label.getValue())
            .sorted()
            .collect(Collectors.joining(","));
  }
}
