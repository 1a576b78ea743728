package verwalter.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.cli.print.TextTable;
import verwalter.cli.yaml.Yaml;
import verwalter.client.json.PlainJson;

/**
 * {@code vw top}: prints the processor time and memory of nodes and processes, the busiest first.
 */
final class Top implements Verb {
  private static final List<String> NODES = List.of("nodes", "node", "no");
  private static final List<String> PROCESSES = List.of("processes", "process");
  private static final double MEBI = 1 << 20;

  /** A column: its heading and the function that makes its cells. */
  private record Column(String heading, Function<Map<String, Object>, String> cell) {}

  private static final List<Column> OF_NODES =
      List.of(
          new Column("name", row -> PlainJson.text(row, "name")),
          new Column("cpu%", row -> percent(row.get("cpu_percent"))),
          new Column("cpus", row -> PlainJson.text(row, "cpus")),
          new Column(
              "load", row -> String.format(Locale.ROOT, "%.2f", number(row, "load_avg_1min"))),
          new Column("memory", row -> mebi(row, "memory_used_bytes")),
          new Column("memory%", row -> share(row, "memory_used_bytes", "memory_bytes")),
          new Column("disk%", row -> share(row, "disk_used_bytes", "disk_bytes")));

  private static final List<Column> OF_PROCESSES =
      List.of(
          new Column("name", row -> PlainJson.text(row, "name")),
          new Column("node", row -> PlainJson.text(row, "node")),
          new Column("pid", row -> PlainJson.text(row, "pid")),
          new Column("cpu%", row -> percent(row.get("cpu_percent"))),
          new Column("memory", row -> mebi(row, "memory_bytes")),
          new Column("restarts", row -> PlainJson.text(row, "restarts")));

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw top nodes|processes [flags]",
        "Nodes, in percent of all their processors",
        "vw top nodes",
        "Processes, in percent of one processor",
        "vw top processes");
    Flags.arguments(spec);
    spec.addOption(Flags.text("FORM", "yaml or json", "-o", "--output"));
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    var what = words.size() == 1 ? words.get(0) : "";
    boolean nodes = NODES.contains(what);
    if (!nodes && !PROCESSES.contains(what)) {
      throw Failure.usage(
          what.isEmpty()
              ? "top takes nodes or processes"
              : "top takes nodes or processes, not " + what,
          "vw top nodes, vw top processes");
    }
    var rows = rows(session.api().read("/v1/metrics"), nodes ? "nodes" : "processes");
    var form = Form.of(args.matchedOptionValue("--output", ""));
    if (form instanceof Form.Json) {
      session.println(PlainJson.pretty(rows));
    } else if (form instanceof Form.Yaml) {
      session.print(Yaml.text(rows));
    } else {
      print(rows, nodes ? OF_NODES : OF_PROCESSES, session);
    }
    return Exit.OK;
  }

  private static List<Map<String, Object>> rows(Map<String, Object> measured, String of) {
    var rows = new ArrayList<Map<String, Object>>();
    PlainJson.list(measured, of).forEach(row -> rows.add(PlainJson.map(row)));
    rows.sort(
        Comparator.comparing((Map<String, Object> row) -> -number(row, "cpu_percent"))
            .thenComparing(row -> PlainJson.text(row, "name")));
    return rows;
  }

  private static void print(List<Map<String, Object>> rows, List<Column> columns, Session session) {
    var cells =
        rows.stream()
            .map(row -> columns.stream().map(column -> column.cell().apply(row)).toList())
            .toList();
    var headings = columns.stream().map(Column::heading).toList();
    session.print(new TextTable(headings, session.paint()).lines(cells, true));
  }

  private static double number(Map<String, Object> row, String field) {
    return row.get(field) instanceof Number number ? number.doubleValue() : 0;
  }

  private static String percent(@Nullable Object value) {
    return value instanceof Number number
        ? String.format(Locale.ROOT, "%.1f%%", number.doubleValue())
        : "-";
  }

  private static String mebi(Map<String, Object> row, String field) {
    return String.format(Locale.ROOT, "%.1fMi", number(row, field) / MEBI);
  }

  private static String share(Map<String, Object> row, String part, String whole) {
    double all = number(row, whole);
    return all > 0 ? String.format(Locale.ROOT, "%.0f%%", 100 * number(row, part) / all) : "-";
  }
}
