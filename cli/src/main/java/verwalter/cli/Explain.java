package verwalter.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.cli.print.TextTable;
import verwalter.client.json.PlainJson;
import verwalter.model.codec.VariableOrigins;
import verwalter.model.codec.VariableOrigins.Origin;

/** {@code vw explain vars}: shows which layer of the schedule sets each variable of a role. */
final class Explain implements Verb {
  /** The layer of a value that a query program on the node returned. */
  private static final String ANSWERED = "query";

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw explain vars ROLE [--node NODE] [flags]",
        "The variables of a role's templates, and the layer of the schedule that sets each",
        "vw explain vars web",
        "The same with the values that other layers hide",
        "vw explain vars web --node n1 -o wide");
    spec.addOption(Flags.text("NODE", "Only on this node", "--node"));
    spec.addOption(Flags.text("FORM", "wide or json", "-o", "--output"));
    Flags.arguments(spec);
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    if (words.size() != 2 || !words.get(0).equals("vars")) {
      throw Failure.usage("explain vars takes one role", "vw explain vars ROLE");
    }
    var form = DecisionCommands.form(args, "wide", "json");
    var role = words.get(1).replaceFirst("^role/", "");
    var only = Optional.ofNullable(args.matchedOptionValue("--node", (String) null));
    var schedule =
        session
            .api()
            .find(session.type("schedule"), "current")
            .orElseThrow(() -> Failure.error("there is no schedule yet", "vw status"));
    var data = PlainJson.map(schedule, "spec", "data");
    var nodes =
        VariableOrigins.nodes(data, role).stream()
            .filter(node -> only.isEmpty() || only.get().equals(node))
            .toList();
    if (nodes.isEmpty()) {
      throw Failure.error(
          "the schedule does not put role \"%s\" on %s"
              .formatted(role, only.map(node -> "node " + node).orElse("any node")),
          "vw why " + role);
    }
    var explained = new LinkedHashMap<String, List<Row>>();
    for (var node : nodes) {
      explained.put(node, rows(schedule, node, role, session));
    }
    if (form.equals("json")) {
      session.print(PlainJson.pretty(tree(explained)) + "\n");
    } else {
      table(explained, form.equals("wide"), session);
    }
    return Exit.OK;
  }

  /** One row: a variable, its layer, and the values that it hides. */
  private record Row(String name, @Nullable Object value, String layer, List<Hidden> hidden) {}

  private record Hidden(String layer, @Nullable Object value) {}

  private static List<Row> rows(
      Map<String, Object> schedule, String node, String role, Session session) throws IOException {
    var rows = new ArrayList<Row>();
    for (var origin : VariableOrigins.of(PlainJson.map(schedule, "spec", "data"), node, role)) {
      rows.add(row(origin));
    }
    var share = session.api().find(session.type("nodeschedule"), node).orElse(Map.of());
    if (!PlainJson.text(share, "status", "applied")
        .equals(PlainJson.text(schedule, "spec", "hash"))) {
      session
          .environment()
          .err()
          .println("node %s has not applied this schedule yet".formatted(node));
      return rows;
    }
    // A query program on the node may return other values; templates see these.
    session
        .api()
        .find(session.type("roleinstance"), role + "@" + node)
        .ifPresent(instance -> answered(PlainJson.map(instance, "spec", "variables"), rows));
    return rows;
  }

  private static Row row(Origin origin) {
    return new Row(
        origin.name(),
        origin.set().value(),
        origin.set().layer().words(),
        origin.hidden().stream().map(set -> new Hidden(set.layer().words(), set.value())).toList());
  }

  private static void answered(Map<String, Object> seen, List<Row> rows) {
    for (int i = 0; i < rows.size(); i++) {
      var row = rows.get(i);
      var found = value(seen, row.name());
      boolean object = found instanceof Map<?, ?>;
      if (!object && !Objects.equals(text(found), text(row.value()))) {
        var hidden = new ArrayList<Hidden>();
        hidden.add(new Hidden(row.layer(), row.value()));
        hidden.addAll(row.hidden());
        rows.set(i, new Row(row.name(), found, ANSWERED, hidden));
      }
    }
    seen.forEach(
        (name, value) -> {
          if (rows.stream()
              .noneMatch(row -> row.name().equals(name) || row.name().startsWith(name + "."))) {
            rows.add(new Row(name, value, ANSWERED, List.of()));
          }
        });
  }

  private static @Nullable Object value(Map<String, Object> seen, String name) {
    int dot = name.indexOf('.');
    return seen.containsKey(name) || dot < 0
        ? seen.get(name)
        : PlainJson.map(seen, name.substring(0, dot)).get(name.substring(dot + 1));
  }

  private static String text(@Nullable Object value) {
    return value instanceof String text ? text : PlainJson.line(value);
  }

  private static void table(Map<String, List<Row>> explained, boolean wide, Session session) {
    var headings = new ArrayList<>(List.of("NAME", "LAYER", "VALUE"));
    if (wide) {
      headings.add("HIDDEN");
    }
    if (explained.size() > 1) {
      headings.add(0, "NODE");
    }
    var cells = new ArrayList<List<String>>();
    explained.forEach(
        (node, rows) -> {
          for (var row : rows) {
            var line = new ArrayList<>(List.of(row.name(), row.layer(), text(row.value())));
            if (wide) {
              line.add(
                  row.hidden().stream()
                      .map(each -> each.layer() + ": " + text(each.value()))
                      .collect(Collectors.joining("; ")));
            }
            if (explained.size() > 1) {
              line.add(0, node);
            }
            cells.add(line);
          }
        });
    session.print(new TextTable(headings, session.paint()).lines(cells, true));
  }

  private static Map<String, Object> tree(Map<String, List<Row>> explained) {
    var items = new ArrayList<Object>();
    explained.forEach(
        (node, rows) -> {
          for (var row : rows) {
            var item = new LinkedHashMap<String, Object>();
            item.put("node", node);
            item.put("name", row.name());
            item.put("value", row.value());
            item.put("layer", row.layer());
            item.put("hidden", row.hidden().stream().map(Explain::tree).toList());
            items.add(item);
          }
        });
    return Map.of("items", items);
  }

  private static Map<String, Object> tree(Hidden hidden) {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("layer", hidden.layer());
    tree.put("value", hidden.value());
    return tree;
  }
}
