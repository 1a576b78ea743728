package verwalter.cli;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.cli.print.TextTable;
import verwalter.model.DecisionRecord;
import verwalter.model.Names;
import verwalter.model.json.Json;
import verwalter.scheduler.compare.Difference;
import verwalter.scheduler.compare.InputChanges;
import verwalter.scheduler.compare.Placements;

/**
 * {@code vw why}: prints the scheduler's reasons for a role, and the changes of the input that came
 * before the last change of the role's part of the schedule.
 */
final class Why implements Verb {
  /** The number of decisions that are searched for a change. */
  private static final int MOST = 500;

  private static final int SHOWN = 30;

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw why ROLE [--node NODE] [flags]",
        "Why a role runs where it does",
        "vw why web",
        "Only one node",
        "vw why web --node n1");
    spec.addOption(Flags.text("NODE", "Only this node", "--node"));
    Flags.arguments(spec);
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    if (words.size() != 1) {
      throw Failure.usage("why takes one role", "vw why ROLE");
    }
    var node = Optional.ofNullable(args.matchedOptionValue("--node", (String) null));
    return new Explanation(session, words.get(0).replaceFirst("^role/", ""), node).print();
  }

  /** One explanation. */
  private static final class Explanation {
    private final Session session;
    private final Archive archive;
    private final String role;
    private final Optional<String> node;

    Explanation(Session session, String role, Optional<String> node) {
      this.session = session;
      this.archive = new Archive(session);
      this.role = role;
      this.node = node;
    }

    Exit print() throws IOException {
      var rows = archive.newest(MOST);
      if (rows.isEmpty()) {
        throw Failure.error("no decision is recorded yet", "vw get schedules");
      }
      var newest = archive.read(rows.get(0).id());
      if (newest.output().isEmpty()) {
        failed(newest);
      }
      var decided = rows.stream().filter(Archive.Row::decided).toList();
      if (decided.isEmpty()) {
        return Exit.ERROR;
      }
      var now = newest.output().isPresent() ? newest : archive.read(decided.get(0).id());
      present(now);
      reasons(now);
      change(decided, now);
      return Exit.OK;
    }

    private void failed(DecisionRecord run) {
      session.println(
          "The last run failed %s ago: %s"
              .formatted(archive.age(run.at()), TextTable.clean(run.problem())));
      if (run.problem().contains(" budget of ")) {
        session.println("It exceeded a limit of the sandbox; see the guide on writing schedulers.");
      }
      session.println("The decision before remains in force:");
    }

    private void present(DecisionRecord run) {
      var places = new TreeMap<>(Placements.of(run.output().orElse(Map.of())).of(role));
      node.ifPresent(only -> places.keySet().retainAll(List.of(only)));
      boolean known = Json.object(run.input().get("runtime")).containsKey(role);
      run.setAside().stream()
          .filter(each -> each.startsWith("RoleConfig/" + role + ":"))
          .forEach(each -> session.println("Set aside: " + TextTable.clean(each)));
      if (places.isEmpty() && !known && part(run).isEmpty()) {
        throw Failure.error(
            "neither the input nor the schedule has a role \"%s\"".formatted(role),
            Names.nearest(role, List.copyOf(Json.object(run.input().get("runtime")).keySet()))
                .map(near -> "did you mean \"" + near + "\"?")
                .orElse("vw get roleconfigs"));
      }
      session.println(
          "%s, decided %s ago (record %s, schedule %s)%s"
              .formatted(
                  role,
                  archive.age(run.at()),
                  Archive.shortly(run.id()),
                  Archive.shortly(run.schedule()),
                  places.isEmpty()
                      ? ": runs nowhere" + node.map(it -> " on " + it).orElse("")
                      : ""));
      places.forEach(
          (name, place) ->
              session.println(
                  "  %s: %s%s"
                      .formatted(
                          TextTable.clean(name),
                          place.version().isEmpty() ? "" : TextTable.clean(place.version()) + ", ",
                          place.count() == 1 ? "1 instance" : place.count() + " instances")));
    }

    private void reasons(DecisionRecord run) {
      var reasons =
          run.reasons().stream()
              .filter(each -> each.role().equals(role))
              .filter(each -> node.isEmpty() || each.node().isEmpty() || each.node().equals(node))
              .toList();
      if (reasons.isEmpty()) {
        session.println("\nThe scheduler gave no reason.");
        return;
      }
      session.println("\nThe scheduler says:");
      reasons.forEach(
          each ->
              session.println(
                  "  "
                      + TextTable.clean(
                          each.node().map(name -> name + ": ").orElse("") + each.text())));
    }

    /** Finds the decision that last changed the role's part of the schedule. */
    private void change(List<Archive.Row> decided, DecisionRecord newest) throws IOException {
      var since = newest;
      for (int i = 1; i < decided.size(); i++) {
        if (decided.get(i).schedule().equals(since.schedule())) {
          continue;
        }
        var before = archive.read(decided.get(i).id());
        if (!part(before).equals(part(since))) {
          printChange(before, since);
          return;
        }
        since = before;
      }
      session.println("\nUnchanged in all %d recorded decisions.".formatted(decided.size()));
    }

    /** The part of a schedule for the role, on one node if one was named. */
    private Map<String, Object> part(DecisionRecord run) {
      var part = new TreeMap<String, Object>();
      var output = run.output().orElse(Map.of());
      Json.object(output.get("nodes"))
          .forEach(
              (name, its) -> {
                var here = Json.object(Json.object(its).get("roles")).get(role);
                if (here != null && (node.isEmpty() || node.get().equals(name))) {
                  part.put(name, here);
                }
              });
      return part;
    }

    private void printChange(DecisionRecord before, DecisionRecord after) {
      session.println(
          "\nUnchanged for %s (record %s). Changes of the input since the decision before (%s):"
              .formatted(
                  archive.age(after.at()),
                  Archive.shortly(after.id()),
                  Archive.shortly(before.id())));
      var changes = InputChanges.between(before.input(), after.input());
      changes.stream().limit(SHOWN).forEach(each -> session.println("  " + TextTable.clean(each)));
      if (changes.size() > SHOWN) {
        session.println("  ... and %d more".formatted(changes.size() - SHOWN));
      }
      if (!before.code().equals(after.code())) {
        session.println("  another scheduler: " + Archive.shortly(after.code()));
      }
      if (changes.isEmpty() && before.code().equals(after.code())) {
        session.println("  only the time and the previous schedule");
      }
      session.println("Changes of the schedule:");
      var differences = Difference.between(part(before), part(after));
      differences.stream()
          .limit(SHOWN)
          .forEach(each -> session.println("  " + TextTable.clean(DecisionDiff.text(each))));
      if (differences.size() > SHOWN) {
        session.println("  ... and %d more".formatted(differences.size() - SHOWN));
      }
    }
  }
}
