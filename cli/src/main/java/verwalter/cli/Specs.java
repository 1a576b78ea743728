package verwalter.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.model.Scheduler.Failed;
import verwalter.scheduler.lua.Budget;
import verwalter.scheduler.lua.Code;
import verwalter.scheduler.lua.spec.SpecFile;

/** {@code vw scheduler test}: runs the specs of a scheduler, without a server. */
final class Specs implements Verb {
  private static final Path USUAL = Path.of("scheduler", "v1");

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw scheduler test [DIR] [flags]",
        "Run spec/**/*_spec.lua below ./scheduler/v1, or else below the current directory",
        "vw scheduler test",
        "The specs of another directory whose names contain a word",
        "vw scheduler test /etc/verwalter/scheduler/v1 --filter ports");
    spec.addOption(Flags.text("TEXT", "Only specs whose full name contains this text", "--filter"));
    spec.addOption(Flags.text("FORM", "json", "-o", "--output"));
    Flags.arguments(spec);
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    if (words.isEmpty() || !words.get(0).equals("test") || words.size() > 2) {
      throw Failure.usage(
          words.isEmpty()
              ? "scheduler takes a command: test"
              : "scheduler test takes one directory",
          "run its specs: vw scheduler test");
    }
    var output = args.matchedOptionValue("--output", "");
    if (!output.isEmpty() && !output.equals("json")) {
      throw Failure.usage("scheduler test -o must be json, not \"" + output + "\"", "");
    }
    var directory = directory(words);
    var code = Code.read(directory);
    var paths = SpecFile.paths(code);
    if (paths.isEmpty()) {
      throw Failure.error(
          "no spec/**/*_spec.lua below " + directory, "write one: docs/guide/scheduler-library.md");
    }
    var report = output.isEmpty() ? new SpecReport(session) : new JsonSpecReport(session);
    for (var path : paths) {
      runFile(code, path, args.matchedOptionValue("--filter", ""), report);
    }
    return report.end() ? Exit.OK : Exit.ERROR;
  }

  private static Path directory(List<String> words) {
    if (words.size() > 1) {
      var given = Path.of(words.get(1));
      if (!Files.isDirectory(given)) {
        throw Failure.error("no such directory: " + given, "");
      }
      return given;
    }
    return Files.isDirectory(USUAL) ? USUAL : Path.of("");
  }

  private static void runFile(Code code, String path, String filter, SpecReport report) {
    try (var file = SpecFile.read(code, path, Budget.DEFAULT, Specs::thread)) {
      for (var spec : file.specs()) {
        if (!spec.name().contains(filter)) {
          continue;
        }
        if (spec.pending()) {
          report.pending(spec);
        } else {
          report.ran(spec, file.run(spec));
        }
      }
    } catch (Failed failed) {
      report.unreadable(path, String.valueOf(failed.getMessage()), failed.log());
    }
  }

  private static Thread thread(Runnable task, String name, long stack) {
    var thread = new Thread(null, task, name, stack);
    thread.setDaemon(true);
    return thread;
  }
}
