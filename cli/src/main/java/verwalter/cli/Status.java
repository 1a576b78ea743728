package verwalter.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.cli.print.Age;
import verwalter.cli.print.Paint;
import verwalter.cli.print.Paint.Tone;
import verwalter.cli.print.TextTable;
import verwalter.client.ApiClient;
import verwalter.client.Item;
import verwalter.client.QueryParameters;
import verwalter.client.json.PlainJson;

/** {@code vw status}: prints the state of the cluster on one screen, with its problems. */
final class Status implements Verb {
  private static final int MOST_PROBLEMS = 10;
  private static final int MOST_LINES = 12;
  private static final List<String> STATES = List.of("Status", "State");

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw status [flags]",
        "The state of the cluster, with the ten heaviest problems",
        "vw status",
        "All problems",
        "vw status --all");
    spec.addOption(Flags.flag("Print all problems.", "--all"));
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    new Screen(session, args.matchedOptionValue("--all", false))
        .print(session.api().read("/v1/status"));
    return Exit.OK;
  }

  /** One screen. */
  private static final class Screen {
    private final Session session;
    private final Paint paint;
    private final boolean all;

    Screen(Session session, boolean all) {
      this.session = session;
      this.all = all;
      this.paint = session.paint();
    }

    void print(Map<String, Object> status) throws IOException {
      leader(status);
      schedule(status);
      states(status, "nodes", "Node").ifPresent(counts -> line("Nodes", text(counts)));
      states(status, "instances", "RoleInstance")
          .ifPresent(counts -> line("Instances", text(counts)));
      problems(status);
    }

    private void leader(Map<String, Object> status) {
      var own = PlainJson.text(status, "name");
      var sent = PlainJson.text(status, "asked");
      var asked = sent.isEmpty() ? own : sent;
      var leader = PlainJson.text(status, "leader", "name");
      line(
          "Leader",
          leader.isEmpty()
              ? paint.sign(Tone.BAD, "none") + "; asked " + asked
              : paint.sign(Tone.GOOD, leader) + (leader.equals(asked) ? "" : "; asked " + asked));
      view(PlainJson.text(status, "view"), own);
      line("Version", PlainJson.text(status, "version"));
    }

    /** What the answer shows, in a cluster. */
    private void view(String view, String node) {
      if (view.isEmpty()) {
        return;
      }
      var parts = List.of(view.split(", ", -1));
      var shown =
          parts.stream()
              .filter(part -> part.startsWith("side=") || part.startsWith("epoch="))
              .map(part -> part.replace("=", " "))
              .collect(Collectors.joining(", "));
      var age =
          parts.stream()
              .filter(part -> part.startsWith("age="))
              .map(part -> "; oldest report " + part.substring("age=".length()) + " s ago")
              .findFirst()
              .orElse("");
      line(
          "View",
          parts.contains("partial")
              ? paint.sign(Tone.BUSY, "only what runs on " + node)
                  + "; states of other nodes are those of before ("
                  + shown
                  + ")"
              : shown + age);
    }

    private void schedule(Map<String, Object> status) {
      var hash = PlainJson.text(status, "schedule_id");
      var how = PlainJson.text(status, "schedule_status");
      var short12 = hash.substring(0, Math.min(12, hash.length()));
      line(
          "Schedule",
          hash.isEmpty()
              ? paint.sign(Tone.BUSY, "none yet")
              : paint.sign(Paint.tone(how), how.isEmpty() ? "unknown" : how) + "  " + short12);
    }

    private Optional<Map<String, Object>> table(String kind) throws IOException {
      var type = session.api().types().kind(kind);
      return type.isEmpty()
          ? Optional.empty()
          : Optional.of(
              session.api().list(type.get(), ApiClient.Shape.TABLE, QueryParameters.NONE));
    }

    /**
     * The number of objects in each state. It is part of the same answer as the problems, since the
     * objects of another answer may be newer or older.
     */
    private Optional<Map<String, Integer>> states(
        Map<String, Object> status, String field, String kind) throws IOException {
      if (!status.containsKey(field)) {
        return table(kind).map(Screen::counts); // a server before 0.2
      }
      var counts = new TreeMap<String, Integer>();
      PlainJson.map(status, field)
          .forEach((state, count) -> counts.put(state, ((Number) count).intValue()));
      return Optional.of(counts);
    }

    /** The number of rows in each state. */
    private static Map<String, Integer> counts(Map<String, Object> table) {
      var counts = new TreeMap<String, Integer>();
      rows(table, any -> true).forEach(row -> counts.merge(state(table, row), 1, Integer::sum));
      return counts;
    }

    /** The number of objects in each state, each with its sign. */
    private String text(Map<String, Integer> counts) {
      var parts = new ArrayList<String>();
      counts.forEach(
          (state, count) -> parts.add(paint.sign(Paint.tone(state), count + " " + state)));
      return parts.isEmpty() ? paint.sign(Tone.PLAIN, "none") : String.join("  ", parts);
    }

    /** The problems as the server computes them, the heaviest first. */
    private void problems(Map<String, Object> status) {
      if (!status.containsKey("problems")) {
        return; // a server before 0.2
      }
      var problems = PlainJson.list(status, "problems");
      line("Problems", severities(problems));
      problems.stream().limit(all ? problems.size() : MOST_PROBLEMS).forEach(this::problem);
      if (!all && problems.size() > MOST_PROBLEMS) {
        session.println("");
        session.println("... and " + (problems.size() - MOST_PROBLEMS) + " more: vw status --all");
      }
    }

    private String severities(List<Object> problems) {
      var counts = new LinkedHashMap<String, Integer>();
      problems.forEach(each -> counts.merge(PlainJson.text(each, "severity"), 1, Integer::sum));
      var parts = new ArrayList<String>();
      counts.forEach(
          (severity, count) -> parts.add(paint.sign(tone(severity), counted(count, severity))));
      return parts.isEmpty() ? paint.sign(Tone.GOOD, "none") : String.join("  ", parts);
    }

    private static String counted(int count, String severity) {
      boolean plural = count > 1 && !severity.equals("critical");
      return count + " " + severity + (plural ? "s" : "");
    }

    private void problem(Object problem) {
      var since = PlainJson.text(problem, "since");
      session.println("");
      session.println(
          "%s %s%s"
              .formatted(
                  paint.sign(
                      tone(PlainJson.text(problem, "severity")),
                      PlainJson.text(problem, "kind")
                          + "/"
                          + PlainJson.text(problem, "name")
                          + ":"),
                  TextTable.clean(PlainJson.text(problem, "what")),
                  since.isEmpty() ? "" : " (for " + Age.since(since, session.now()) + ")"));
      PlainJson.text(problem, "why")
          .lines()
          .limit(MOST_LINES)
          .forEach(line -> session.println("    " + TextTable.clean(line)));
      session.println("    next: " + paint.bold(TextTable.clean(PlainJson.text(problem, "next"))));
    }

    private static Tone tone(String severity) {
      return severity.equals("warning") ? Tone.BUSY : Tone.BAD;
    }

    private static List<Item> rows(Map<String, Object> table, Predicate<Item> wanted) {
      return Item.of(table).stream().filter(wanted).toList();
    }

    /** The cell of the state; {@code Unknown} if the table has none. */
    private static String state(Map<String, Object> table, Item row) {
      var columns = PlainJson.list(table, "columnDefinitions");
      var cells = PlainJson.list(row.content(), "cells");
      for (int i = 0; i < columns.size() && i < cells.size(); i++) {
        if (STATES.contains(PlainJson.text(columns.get(i), "name"))) {
          return String.valueOf(cells.get(i));
        }
      }
      return "Unknown";
    }

    private void line(String name, String value) {
      session.println(paint.bold(name + ":") + " ".repeat(Math.max(1, 12 - name.length())) + value);
    }
  }
}
