package verwalter.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.cli.print.Paint;
import verwalter.cli.print.Paint.Tone;
import verwalter.cli.print.SelectedColumns;
import verwalter.cli.print.TextTable;
import verwalter.client.ApiClient;
import verwalter.client.Item;
import verwalter.client.QueryParameters;
import verwalter.client.json.PlainJson;

/**
 * {@code vw status}: prints the state of the cluster on one screen, objects with problems first.
 */
final class Status implements Verb {
  private static final int MOST_ROWS = 10;
  private static final List<String> STATES = List.of("Status", "State");

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(spec, "vw status [flags]", "The state of the cluster", "vw status");
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    new Screen(session).print(session.api().read("/v1/status"));
    return Exit.OK;
  }

  /** One screen. */
  private static final class Screen {
    private final Session session;
    private final Paint paint;
    private final List<String> next = new ArrayList<>();

    Screen(Session session) {
      this.session = session;
      this.paint = session.paint();
    }

    void print(Map<String, Object> status) throws IOException {
      leader(status);
      schedule(status);
      var nodes = table("Node");
      var instances = table("RoleInstance");
      nodes.ifPresent(table -> line("Nodes", counts(table)));
      instances.ifPresent(table -> line("Instances", counts(table)));
      errors(status);
      nodes.ifPresent(table -> troubles("no", table));
      instances.ifPresent(table -> troubles("ri", table));
      if (!next.isEmpty()) {
        session.println("");
        session.println("Next: " + next.get(0));
      }
    }

    private void leader(Map<String, Object> status) {
      var own = PlainJson.text(status, "name");
      var leader = PlainJson.text(status, "leader", "name");
      line(
          "Leader",
          leader.isEmpty()
              ? paint.sign(Tone.BAD, "none") + "; asked " + own
              : paint.sign(Tone.GOOD, leader) + (leader.equals(own) ? "" : "; asked " + own));
      line("Version", PlainJson.text(status, "version"));
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

    private void errors(Map<String, Object> status) {
      var failed =
          PlainJson.list(status, "failed_roles").stream().map(String::valueOf).sorted().toList();
      if (!failed.isEmpty()) {
        line("Failed", paint.sign(Tone.BAD, String.join(", ", failed)));
        next.add("vw describe roleconfig " + failed.get(0));
      }
      PlainJson.map(status, "errors")
          .forEach((domain, text) -> line("Error", paint.sign(Tone.BAD, domain + ": " + text)));
    }

    private Optional<Map<String, Object>> table(String kind) throws IOException {
      var type = session.api().types().kind(kind);
      return type.isEmpty()
          ? Optional.empty()
          : Optional.of(
              session.api().list(type.get(), ApiClient.Shape.TABLE, QueryParameters.NONE));
    }

    /** The number of rows in each state, each with its sign. */
    private String counts(Map<String, Object> table) {
      var counts = new TreeMap<String, Integer>();
      rows(table, any -> true).forEach(row -> counts.merge(state(table, row), 1, Integer::sum));
      var parts = new ArrayList<String>();
      counts.forEach(
          (state, count) -> parts.add(paint.sign(Paint.tone(state), count + " " + state)));
      return parts.isEmpty() ? paint.sign(Tone.PLAIN, "none") : String.join("  ", parts);
    }

    /** The rows with problems, and the commands that show more. */
    private void troubles(String type, Map<String, Object> table) {
      var ill =
          rows(table, row -> List.of(Tone.BAD, Tone.BUSY).contains(tone(table, row))).stream()
              .sorted(Comparator.comparing(row -> tone(table, row) != Tone.BAD))
              .toList();
      if (ill.isEmpty()) {
        return;
      }
      var columns = SelectedColumns.of(table, false, List.of(), false, type + "/");
      var cells =
          ill.stream()
              .limit(MOST_ROWS)
              .map(row -> columns.cells(row.content(), session.now()))
              .toList();
      session.println("");
      session.print(new TextTable(columns.headings(), paint).lines(cells, true));
      if (ill.size() > MOST_ROWS) {
        session.println("... and " + (ill.size() - MOST_ROWS) + " more: vw get " + type);
      }
      next.add("vw describe " + type + "/" + ill.get(0).name());
    }

    private static List<Item> rows(Map<String, Object> table, Predicate<Item> wanted) {
      return Item.of(table).stream().filter(wanted).toList();
    }

    private static Tone tone(Map<String, Object> table, Item row) {
      return Paint.tone(state(table, row));
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
