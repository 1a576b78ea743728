package verwalter.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;
import verwalter.cli.print.TextTable;
import verwalter.cli.yaml.Yaml;
import verwalter.client.json.PlainJson;
import verwalter.model.DecisionRecord;
import verwalter.scheduler.compare.Difference;
import verwalter.scheduler.compare.InputChanges;
import verwalter.scheduler.compare.Placements;
import verwalter.scheduler.compare.Placements.Change;
import verwalter.scheduler.compare.Placements.Place;

/** {@code vw schedule diff}: summarizes the changes of each role, then lists every difference. */
final class DecisionDiff {
  private final Session session;
  private final Archive archive;
  private final String form;

  DecisionDiff(ParseResult args, Session session) {
    this.session = session;
    this.archive = new Archive(session);
    this.form = DecisionCommands.form(args, "json", "yaml");
  }

  Exit print(List<String> references) throws IOException {
    var before = archive.read(references.get(0));
    var after = archive.read(references.get(1));
    var was = output(before);
    var is = output(after);
    var differences = Difference.between(was, is);
    if (form.isEmpty()) {
      people(before, after, differences);
    } else {
      var tree = tree(before, after, differences);
      session.print(form.equals("json") ? PlainJson.pretty(tree) + "\n" : Yaml.text(tree));
    }
    return differences.isEmpty() ? Exit.OK : Exit.ERROR;
  }

  private static Map<String, Object> output(DecisionRecord record) {
    return record
        .output()
        .orElseThrow(
            () ->
                Failure.error(
                    "record %s is a run that failed: %s"
                        .formatted(Archive.shortly(record.id()), record.problem()),
                    "list the decisions: vw schedule history"));
  }

  private void people(DecisionRecord before, DecisionRecord after, List<Difference> differences) {
    session.println(
        "Record:     %s -> %s (made %s and %s ago)"
            .formatted(
                Archive.shortly(before.id()),
                Archive.shortly(after.id()),
                archive.age(before.at()),
                archive.age(after.at())));
    session.println(
        "Schedule:   %s -> %s"
            .formatted(Archive.shortly(before.schedule()), Archive.shortly(after.schedule())));
    if (differences.isEmpty()) {
      session.println("No difference");
      return;
    }
    var was = Placements.of(output(before));
    var is = Placements.of(output(after));
    places(was.changes(is), session);
    moved(was, is)
        .forEach((role, count) -> session.println("Moved: %d of %s".formatted(count, role)));
    session.println("\nDifferences:");
    differences.forEach(each -> session.println("  " + TextTable.clean(text(each))));
  }

  /** The changes by role and node, as a table. */
  static void places(List<Change> changes, Session session) {
    if (changes.isEmpty()) {
      return;
    }
    session.println("");
    var rows =
        changes.stream()
            .map(
                change ->
                    List.of(
                        change.role(),
                        change.node(),
                        arrow(version(change.before()), version(change.after())),
                        arrow(count(change.before()), count(change.after()))))
            .toList();
    var table = new TextTable(List.of("ROLE", "NODE", "VERSION", "COUNT"), session.paint());
    session.print(table.lines(rows, true));
  }

  private static String version(@Nullable Place place) {
    return place == null ? "-" : place.version().isEmpty() ? "<none>" : place.version();
  }

  private static String count(@Nullable Place place) {
    return place == null ? "0" : "" + place.count();
  }

  private static String arrow(String before, String after) {
    return before.equals(after) ? before : before + "->" + after;
  }

  /** A difference as one line that begins with a sign for its type. */
  static String text(Difference difference) {
    if (difference.before().isEmpty()) {
      return "+ " + difference.place() + ": " + shortened(difference.after().orElse(""));
    }
    return difference.after().isEmpty()
        ? "- " + difference.place() + ": " + shortened(difference.before().orElse(""))
        : "~ " + difference.place() + ": " + InputChanges.arrow(difference);
  }

  private static String shortened(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "...";
  }

  private static Map<String, Long> moved(Placements was, Placements is) {
    var moved = new TreeMap<String, Long>();
    for (var role : was.roles().keySet()) {
      long count = was.moved(is, role);
      if (count > 0) {
        moved.put(role, count);
      }
    }
    return moved;
  }

  private static Map<String, Object> tree(
      DecisionRecord before, DecisionRecord after, List<Difference> differences) {
    var was = Placements.of(output(before));
    var is = Placements.of(output(after));
    var tree = new LinkedHashMap<String, Object>();
    tree.put("from", before.id());
    tree.put("to", after.id());
    tree.put("places", was.changes(is).stream().map(DecisionDiff::tree).toList());
    tree.put("moved", moved(was, is));
    var all = new ArrayList<Map<String, Object>>();
    for (var each : differences) {
      var one = new LinkedHashMap<String, Object>();
      one.put("path", each.path());
      each.before().ifPresent(text -> one.put("before", text));
      each.after().ifPresent(text -> one.put("after", text));
      all.add(one);
    }
    tree.put("differences", all);
    return tree;
  }

  private static Map<String, Object> tree(Change change) {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("role", change.role());
    tree.put("node", change.node());
    if (change.before() != null) {
      tree.put("before", tree(change.before()));
    }
    if (change.after() != null) {
      tree.put("after", tree(change.after()));
    }
    return tree;
  }

  private static Map<String, Object> tree(Place place) {
    return Map.of("version", place.version(), "count", place.count());
  }
}
