package verwalter.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import verwalter.cli.print.SelectedColumns;
import verwalter.cli.print.TextTable;
import verwalter.cli.yaml.Yaml;
import verwalter.client.ApiClient;
import verwalter.client.Item;
import verwalter.client.ResourceType;
import verwalter.client.json.PlainJson;

/** Prints the items of one type, all at once or one by one, in the chosen format. */
final class Printing {
  private final Session session;
  private final Look look;
  private final ResourceType type;
  private @Nullable SelectedColumns columns;
  private @Nullable TextTable table;
  private boolean headed;
  private boolean begun;

  /**
   * The options of {@code get} that change the output.
   *
   * @param labels labels that get a column each
   * @param allLabels whether the last column holds all labels
   * @param prefixed whether names in tables begin with their type
   * @param events whether the first column holds the type of the change
   */
  record Look(
      Form form,
      boolean headings,
      List<String> labels,
      boolean allLabels,
      boolean prefixed,
      boolean events) {}

  Printing(Session session, Look look, ResourceType type) {
    this.session = session;
    this.look = look;
    this.type = type;
    this.headed = !look.headings;
  }

  /**
   * Prints items.
   *
   * @param answer the response that held them; its column definitions are used if it has any
   */
  void print(String event, Map<String, Object> answer, List<Item> items) {
    if (look.form instanceof Form.Rows rows) {
      rows(event, answer, items, rows.wide());
    } else if (look.form instanceof Form.Custom custom) {
      if (table == null) {
        table = new TextTable(headings(custom.columns().headings()), session.paint());
      }
      lines(
          table,
          items.stream().map(item -> row(event, custom.columns().cells(item.object()))).toList());
    } else {
      items.forEach(item -> document(text(look.form, typed(item.object(), type))));
    }
  }

  /** One object, or a list, in a format for programs. */
  String text(Form form, Map<String, Object> object) {
    if (form instanceof Form.NameLines) {
      return Form.name(type.prefix(), object) + "\n";
    }
    if (form instanceof Form.Json) {
      return PlainJson.pretty(object) + "\n";
    }
    return form instanceof Form.Template template
        ? template.path().print(object)
        : Yaml.text(object);
  }

  private void document(String text) {
    boolean next = look.form instanceof Form.Yaml && begun;
    session.print(next ? "---\n" + text : text);
    begun = true;
  }

  /** A list of objects in the form of Kubernetes. */
  static Map<String, Object> list(List<Map<String, Object>> objects) {
    var list = new LinkedHashMap<String, Object>();
    list.put("apiVersion", "v1");
    list.put("kind", "List");
    list.put("metadata", new LinkedHashMap<>(Map.of("resourceVersion", "")));
    list.put("items", new ArrayList<Object>(objects));
    return list;
  }

  /** The object with its type as first fields, which servers omit within lists. */
  static Map<String, Object> typed(Map<String, Object> object, ResourceType type) {
    if (object.containsKey("kind")) {
      return object;
    }
    var typed = new LinkedHashMap<String, Object>();
    typed.put("apiVersion", ApiClient.GROUP + "/" + ApiClient.VERSION);
    typed.put("kind", type.kind());
    typed.putAll(object);
    return typed;
  }

  private void rows(String event, Map<String, Object> answer, List<Item> items, boolean wide) {
    var cut = cut(answer, wide);
    if (table == null || !cut.equals(columns)) {
      table = new TextTable(headings(cut.headings()), session.paint());
      columns = cut;
    }
    var now = session.now();
    lines(table, items.stream().map(item -> row(event, cut.cells(item.content(), now))).toList());
  }

  /** The columns of a response; those of the previous one if it has none. */
  private SelectedColumns cut(Map<String, Object> answer, boolean wide) {
    var last = columns;
    if (last != null && PlainJson.list(answer, "columnDefinitions").isEmpty()) {
      return last;
    }
    var prefix = look.prefixed ? type.prefix() + "/" : "";
    return SelectedColumns.of(answer, wide, look.labels, look.allLabels, prefix);
  }

  private void lines(TextTable table, List<List<String>> rows) {
    if (!rows.isEmpty()) {
      session.print(table.lines(rows, !headed));
      headed = true;
    }
  }

  private List<String> headings(List<String> headings) {
    return look.events ? row("EVENT", headings) : headings;
  }

  private List<String> row(String event, List<String> cells) {
    if (!look.events) {
      return cells;
    }
    var row = new ArrayList<String>();
    row.add(event);
    row.addAll(cells);
    return row;
  }
}
