package verwalter.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ParseResult;
import verwalter.cli.print.TerminalText;
import verwalter.cli.print.TextTable;
import verwalter.client.ApiException;
import verwalter.model.DecisionRecord;
import verwalter.model.Scheduler;
import verwalter.model.json.Json;
import verwalter.scheduler.compare.Difference;
import verwalter.scheduler.compare.Placements;
import verwalter.scheduler.lua.Code;

/** {@code vw schedule shadow}: runs another scheduler with the recorded inputs and compares. */
final class Shadow {
  private static final int SHOWN = 5;

  private final Session session;
  private final Archive archive;
  private final int last;
  private int same;
  private int different;
  private int failed;
  private int skipped;
  private long moves;

  Shadow(ParseResult args, Session session) {
    this.session = session;
    this.archive = new Archive(session);
    this.last = DecisionCommands.number(args, "--last", 10);
    DecisionCommands.form(args);
  }

  Exit run(List<String> words) throws IOException {
    if (words.size() != 1) {
      throw Failure.usage(
          "shadow takes the directory of another scheduler", "vw schedule shadow ./scheduler/v1");
    }
    try (var scheduler = Interpreter.load(code(words.get(0)))) {
      for (var row : archive.newest(last)) {
        if (!row.decided()) {
          skipped++;
          continue;
        }
        try {
          compare(archive.read(row.id()), scheduler);
        } catch (ApiException broken) {
          skipped++;
          session.println(
              Archive.shortly(row.id())
                  + ": skipped: "
                  + TerminalText.of(String.valueOf(broken.getMessage()), false));
        }
      }
    }
    session.println(
        "%d identical, %d different, %d failed, %d skipped; %d instances would move"
            .formatted(same, different, failed, skipped, moves));
    return different + failed == 0 ? Exit.OK : Exit.ERROR;
  }

  /** The files of a scheduler in a directory. */
  static Code code(String directory) {
    var path = Path.of(directory);
    if (!Files.isDirectory(path)) {
      throw Failure.error("no such directory: " + directory, "");
    }
    return Code.read(path);
  }

  private void compare(DecisionRecord record, Scheduler scheduler) {
    var name = "%s (%s ago)".formatted(Archive.shortly(record.id()), archive.age(record.at()));
    Map<String, Object> output = record.output().orElse(Map.of());
    try {
      var other = scheduler.decide(record.input()).data();
      if (Json.canonical(output).equals(Json.canonical(other))) {
        same++;
        session.say(name + ": identical");
        return;
      }
      different++;
      tell(name, output, other);
    } catch (Scheduler.Failed problem) {
      failed++;
      session.println(
          name + ": it fails: " + TerminalText.of(String.valueOf(problem.getMessage()), false));
    }
  }

  private void tell(String name, Map<String, Object> output, Map<String, Object> other) {
    var was = Placements.of(output);
    var is = Placements.of(other);
    long moved = was.moved(is);
    moves += moved;
    var differences = Difference.between(output, other);
    session.println(
        "%s: %d differences, %d places changed, %d instances moved"
            .formatted(name, differences.size(), was.changes(is).size(), moved));
    differences.stream()
        .limit(SHOWN)
        .forEach(each -> session.println("  " + TextTable.clean(DecisionDiff.text(each))));
    if (differences.size() > SHOWN) {
      session.println("  ... and %d more".formatted(differences.size() - SHOWN));
    }
  }
}
