package verwalter.ui.page;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import verwalter.ui.http.Html;
import verwalter.ui.table.Column;
import verwalter.ui.table.Column.Form;
import verwalter.ui.table.Health;
import verwalter.ui.table.Tables;

/**
 * One row of a table, by value: two equal rows look the same.
 *
 * @param id unique on the page
 * @param sort the key by which rows are ordered
 * @param cells in the order of the section's columns
 */
record Row(Section section, String id, String sort, List<Optional<Object>> cells) {
  Row {
    cells = List.copyOf(cells);
  }

  /** The row's markup. {@code now} affects only ages. */
  String html(Instant now) {
    var html = new StringBuilder("<tr id=\"").append(Html.escape(id));
    html.append("\" data-sort=\"").append(Html.escape(sort));
    html.append("\" data-v=\"").append(Integer.toHexString(cells.hashCode())).append("\">");
    for (int i = 0; i < cells.size(); i++) {
      cell(html, section.columns().get(i), cells.get(i), now);
    }
    return html.append("</tr>").toString();
  }

  /** The state of the row's object. */
  Optional<Health> health() {
    return cells.stream()
        .flatMap(Optional::stream)
        .filter(Health.class::isInstance)
        .map(Health.class::cast)
        .findFirst();
  }

  /** The cell under the first column of the form, as text. */
  Optional<String> text(Form form) {
    for (int i = 0; i < cells.size(); i++) {
      if (section.columns().get(i).form() == form && cells.get(i).isPresent()) {
        return Optional.of(cells.get(i).get().toString());
      }
    }
    return Optional.empty();
  }

  private void cell(StringBuilder html, Column<?> column, Optional<Object> value, Instant now) {
    var tag = column.form() == Form.NAME && !column.wide() ? "th scope=\"row\"" : "td";
    html.append('<').append(tag).append(" class=\"").append(style(column));
    html.append(value.isEmpty() ? " none" : "").append("\" data-label=\"");
    html.append(Html.escape(column.name())).append("\">");
    var text = value.map(it -> content(column.form(), it, now)).orElse("–");
    html.append(column.form() == Form.NAME ? linked(text) : text);
    html.append("</").append(tag, 0, 2).append('>');
  }

  /** The name of a process, as a link to the last lines of its log, which the browser follows. */
  private String linked(String text) {
    int node = id.lastIndexOf('@');
    int name = id.indexOf('/') + 1;
    if (section != Section.PROCESSES || node < name) {
      return text;
    }
    return "<a href=\"/v1/logs/%s?node=%s&amp;tailLines=200&amp;follow=true\">%s</a>"
        .formatted(Html.escape(id.substring(name, node)), encoded(id.substring(node + 1)), text);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** The CSS classes of a column's cells. */
  static String style(Column<?> column) {
    var form = column.form().name().toLowerCase(java.util.Locale.ROOT);
    return column.wide() && column.form() != Form.PROSE ? form + " wide" : form;
  }

  private static String content(Form form, Object value, Instant now) {
    if (value instanceof Health health) {
      return tone(health);
    }
    var text = Html.escape(Tables.text(value, form, now));
    if (value instanceof Instant past) {
      return time(past, text);
    }
    return form == Form.HASH ? "<code>" + text + "</code>" : text;
  }

  /** A state as symbol and word. */
  static String tone(Health health) {
    return "<span class=\"tone %s\"><span aria-hidden=\"true\">%s</span> %s</span>"
        .formatted(health.tone().style(), health.tone().symbol(), Html.escape(health.word()));
  }

  /** A point in time, shown as {@code text} until the browser updates it. */
  static String time(Instant at, String text) {
    var full = at.truncatedTo(ChronoUnit.SECONDS).toString();
    return "<time datetime=\"%s\" title=\"%s\">%s</time>"
        .formatted(at.truncatedTo(ChronoUnit.MILLIS), full.replace('T', ' '), text);
  }
}
