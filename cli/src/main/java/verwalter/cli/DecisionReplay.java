package verwalter.cli;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ParseResult;
import verwalter.cli.print.TerminalText;
import verwalter.client.ApiException;
import verwalter.model.DecisionRecord;
import verwalter.model.Scheduler;
import verwalter.model.json.Json;
import verwalter.scheduler.compare.Difference;

/**
 * {@code vw schedule replay}: checks that the same code with the same input gives the same bytes.
 */
final class DecisionReplay {
  private final Session session;
  private final Archive archive;
  private final boolean all;
  private final int last;

  DecisionReplay(ParseResult args, Session session) {
    this.session = session;
    this.archive = new Archive(session);
    this.all = args.matchedOptionValue("--all", false);
    this.last = DecisionCommands.number(args, "--last", Integer.MAX_VALUE);
    DecisionCommands.form(args);
  }

  /** The result of a replay. */
  private record Result(boolean different, String text) {}

  Exit run(List<String> references) throws IOException {
    if (all == !references.isEmpty() || references.size() > 1) {
      throw Failure.usage("replay takes one decision, or --all", "vw schedule replay latest");
    }
    return all ? everything() : one(references.get(0));
  }

  private Exit one(String reference) throws IOException {
    var record = archive.read(reference);
    try (var scheduler = Interpreter.load(archive.code(record.id()))) {
      var result = result(record, scheduler);
      session.println(Archive.shortly(record.id()) + ": " + TerminalText.of(result.text(), false));
      return result.different() ? Exit.ERROR : Exit.OK;
    }
  }

  private Exit everything() throws IOException {
    int identical = 0;
    int different = 0;
    int skipped = 0;
    var loaded = Optional.<Scheduler>empty();
    var code = "";
    try {
      for (var row : archive.newest(last)) {
        try {
          if (loaded.isEmpty() || !code.equals(row.code())) {
            loaded.ifPresent(Scheduler::close);
            loaded = Optional.empty();
            code = row.code();
            loaded = Optional.of(Interpreter.load(archive.code(row.id())));
          }
          var result = result(archive.read(row.id()), loaded.get());
          if (result.different()) {
            different++;
            session.println(
                Archive.shortly(row.id()) + ": " + TerminalText.of(result.text(), false));
          } else {
            identical++;
          }
        } catch (Failure | ApiException cannot) {
          skipped++;
          session.println(
              Archive.shortly(row.id())
                  + ": skipped: "
                  + TerminalText.of(String.valueOf(cannot.getMessage()), false));
        }
      }
    } finally {
      loaded.ifPresent(Scheduler::close);
    }
    session.println(
        "%d identical, %d different, %d skipped".formatted(identical, different, skipped));
    return different > 0 || skipped > 0 ? Exit.ERROR : Exit.OK;
  }

  private static Result result(DecisionRecord record, Scheduler scheduler) {
    try {
      var again = scheduler.decide(record.input());
      return record
          .output()
          .map(output -> compared(output, again))
          .orElseGet(
              () ->
                  new Result(
                      !Interpreter.dependsOnMachine(record.problem()),
                      "it succeeds now; it failed with: " + record.problem()));
    } catch (Scheduler.Failed failed) {
      var problem = String.valueOf(failed.getMessage());
      if (record.output().isPresent()) {
        return new Result(true, "it fails now: " + problem);
      }
      return problem.equals(record.problem()) || Interpreter.dependsOnMachine(record.problem())
          ? new Result(false, "identical, it fails with: " + problem)
          : new Result(
              true, "it fails now with: " + problem + "; it failed with: " + record.problem());
    }
  }

  private static Result compared(Object output, Scheduler.Decision again) {
    if (Json.canonical(output).equals(Json.canonical(again.data()))) {
      return new Result(
          false,
          "identical, schedule %s, %d instructions"
              .formatted(Archive.shortly(Json.hash(output)), again.instructions()));
    }
    var differences = Difference.between(output, again.data());
    return new Result(
        true,
        "%d differences, the first is%n  %s%nDoes the scheduler keep state in globals between"
                .formatted(differences.size(), DecisionDiff.text(differences.get(0)))
            + " runs, or does the agent have another version? vw version");
  }
}
