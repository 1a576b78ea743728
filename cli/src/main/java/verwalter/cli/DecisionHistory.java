package verwalter.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ParseResult;
import verwalter.cli.print.TextTable;
import verwalter.cli.yaml.Yaml;
import verwalter.client.json.PlainJson;

/** {@code vw schedule history}: prints a row for each decision, newest first. */
final class DecisionHistory {
  private final Session session;
  private final int limit;
  private final String form;

  DecisionHistory(ParseResult args, Session session) {
    this.session = session;
    this.limit = DecisionCommands.number(args, "--limit", 20);
    this.form = DecisionCommands.form(args, "wide", "name", "json", "yaml");
  }

  Exit print(List<String> nothing) throws IOException {
    var archive = new Archive(session);
    var rows = archive.newest(limit);
    if (form.equals("json") || form.equals("yaml")) {
      Map<String, Object> list = new LinkedHashMap<>();
      list.put("items", rows.stream().map(DecisionHistory::tree).toList());
      session.print(form.equals("json") ? PlainJson.pretty(list) + "\n" : Yaml.text(list));
    } else if (form.equals("name")) {
      rows.forEach(row -> session.println(row.id()));
    } else if (rows.isEmpty()) {
      session.environment().err().println("No decision is recorded yet");
    } else {
      table(rows, archive, form.equals("wide"));
    }
    return Exit.OK;
  }

  private void table(List<Archive.Row> rows, Archive archive, boolean wide) {
    var headings = new ArrayList<>(List.of("RECORD", "STATUS", "SCHEDULE", "CODE", "AGE"));
    if (wide) {
      headings.addAll(List.of("MADE", "BYTES"));
    }
    var cells = new ArrayList<List<String>>();
    for (var row : rows) {
      var line = new ArrayList<String>();
      line.add(wide ? row.id() : Archive.shortly(row.id()));
      line.add(row.decided() ? "Decided" : "Failed");
      line.add(wide && row.decided() ? row.schedule() : Archive.shortly(row.schedule()));
      line.add(Archive.shortly(row.code()));
      line.add(archive.age(row.at()));
      if (wide) {
        line.addAll(List.of(row.at().toString(), "" + row.bytes()));
      }
      cells.add(line);
    }
    session.print(new TextTable(headings, session.paint()).lines(cells, true));
  }

  private static Map<String, Object> tree(Archive.Row row) {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("id", row.id());
    tree.put("at", row.at().toString());
    tree.put("schedule", row.schedule());
    tree.put("code", row.code());
    tree.put("bytes", row.bytes());
    return tree;
  }
}
