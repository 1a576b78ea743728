package verwalter.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;
import verwalter.cli.print.TextTable;
import verwalter.cli.yaml.Yaml;
import verwalter.client.json.PlainJson;
import verwalter.model.DecisionRecord;
import verwalter.scheduler.compare.Placements;
import verwalter.scheduler.record.CodeText;
import verwalter.scheduler.record.RecordText;

/** {@code vw schedule show}: prints one decision, for people or as a document. */
final class DecisionPrinter {
  private final Session session;
  private final Archive archive;
  private final String form;
  private final String part;

  DecisionPrinter(ParseResult args, Session session) {
    this.session = session;
    this.archive = new Archive(session);
    this.form = DecisionCommands.form(args, "json", "yaml");
    this.part = args.matchedOptionValue("--part", "");
    if (!part.isEmpty() && !DecisionCommands.PARTS.contains(part)) {
      throw Failure.usage(
          "--part must be one of %s, not \"%s\""
              .formatted(String.join(", ", DecisionCommands.PARTS), part),
          "");
    }
  }

  Exit print(String reference) throws IOException {
    var record = archive.read(reference);
    if (part.isEmpty() && form.isEmpty()) {
      people(record);
    } else if (part.equals("log") && form.isEmpty()) {
      session.print(record.log().endsWith("\n") ? record.log() : record.log() + "\n");
    } else {
      document(
          switch (part) {
            case "input" -> record.input();
            case "output" ->
                record
                    .output()
                    .orElseThrow(() -> Failure.error("this run failed: " + record.problem(), ""));
            case "log" -> record.log();
            case "code" -> CodeText.tree(archive.code(record.id()));
            case "reasons" -> RecordText.head(record).get("reasons");
            default -> tree(record);
          });
    }
    return Exit.OK;
  }

  private void document(@Nullable Object value) {
    session.print(form.equals("yaml") ? Yaml.text(value) : PlainJson.pretty(value) + "\n");
  }

  private static Map<String, Object> tree(DecisionRecord record) {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("id", record.id());
    tree.put("schedule", record.schedule());
    tree.putAll(RecordText.head(record));
    tree.put("input", record.input());
    record.output().ifPresent(output -> tree.put("output", output));
    tree.put("log", record.log());
    return tree;
  }

  private void people(DecisionRecord record) {
    line("Record", record.id());
    line("Made", "%s (%s ago)".formatted(record.at(), archive.age(record.at())));
    line("Code", record.code().isEmpty() ? "unknown" : record.code());
    if (record.output().isPresent()) {
      line("Schedule", record.schedule());
      line(
          "Cost",
          "%d instructions, %s ms".formatted(record.instructions(), record.took().toMillis()));
    } else {
      line("Problem", record.problem());
    }
    record.setAside().forEach(each -> line("Set aside", each));
    record.output().ifPresent(this::places);
    if (!record.reasons().isEmpty()) {
      session.println("\nReasons:");
      record
          .reasons()
          .forEach(
              each ->
                  session.println(
                      "  %s%s: %s"
                          .formatted(
                              each.role(),
                              each.node().map(node -> "@" + node).orElse(""),
                              TextTable.clean(each.text()))));
    }
    if (!record.log().isBlank()) {
      session.println("\nLog:");
      record.log().lines().forEach(each -> session.println("  " + TextTable.clean(each)));
    }
  }

  private void line(String name, String text) {
    session.println("%-12s%s".formatted(name + ":", TextTable.clean(text)));
  }

  private void places(Map<String, Object> output) {
    var rows = new ArrayList<List<String>>();
    Placements.of(output)
        .roles()
        .forEach(
            (role, places) ->
                places.forEach(
                    (node, place) ->
                        rows.add(
                            List.of(
                                role,
                                node,
                                place.version().isEmpty() ? "<none>" : place.version(),
                                "" + place.count()))));
    if (!rows.isEmpty()) {
      session.println("");
      var table = new TextTable(List.of("ROLE", "NODE", "VERSION", "COUNT"), session.paint());
      session.print(table.lines(rows, true));
    }
  }
}
