package verwalter.cli;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.model.Names;

/** {@code vw schedule}: lists, shows, compares and replays recorded decisions. */
final class DecisionCommands implements Verb {
  static final List<String> PARTS = List.of("input", "output", "log", "code", "reasons");
  private static final List<String> WORDS = List.of("history", "show", "diff", "replay", "shadow");

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw schedule history | show [REF] | diff [REF REF] | replay REF|--all | shadow DIR [flags]",
        "The last decisions; REF is latest, previous, or the beginning of a record or schedule",
        "vw schedule history",
        "One decision",
        "vw schedule show latest",
        "One part of it",
        "vw schedule show 1f2e3d4c --part input",
        "What changed between two schedules (default: the last two that differ)",
        "vw schedule diff previous latest",
        "Check that the same code with the same input gives the same schedule again",
        "vw schedule replay latest",
        "The same for all decisions",
        "vw schedule replay --all",
        "What another scheduler would have decided for the last 20 inputs",
        "vw schedule shadow ./scheduler/v1 --last 20");
    spec.addOption(
        Flags.text("FORM", "json or yaml; history also takes wide and name", "-o", "--output"));
    spec.addOption(Flags.text("NUMBER", "history: the number of rows (default 20)", "--limit"));
    spec.addOption(Flags.text("PART", "show: input, output, log, code or reasons", "--part"));
    spec.addOption(Flags.flag("replay: all recorded decisions", "--all"));
    spec.addOption(
        Flags.text(
            "NUMBER", "shadow, replay --all: only the newest (shadow: default 10)", "--last"));
    Flags.arguments(spec);
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    if (words.isEmpty()) {
      throw Failure.usage(
          "schedule takes a command: " + String.join(", ", WORDS), "vw help schedule");
    }
    var rest = words.subList(1, words.size());
    return switch (words.get(0)) {
      case "history" -> new DecisionHistory(args, session).print(none(rest));
      case "show" -> new DecisionPrinter(args, session).print(reference(rest, "latest"));
      case "diff" -> new DecisionDiff(args, session).print(two(rest));
      case "replay" -> new DecisionReplay(args, session).run(rest);
      case "shadow" -> new Shadow(args, session).run(rest);
      default ->
          throw Failure.usage(
              "unknown command \"schedule " + words.get(0) + "\"",
              Names.nearest(words.get(0), WORDS)
                  .map(near -> "did you mean vw schedule " + near + "?")
                  .orElse("vw help schedule"));
    };
  }

  private static List<String> none(List<String> words) {
    if (!words.isEmpty()) {
      throw Failure.usage("unexpected argument: " + words.get(0), "vw schedule history");
    }
    return words;
  }

  private static String reference(List<String> words, String otherwise) {
    if (words.size() > 1) {
      throw Failure.usage("show takes one decision", "vw schedule show latest");
    }
    return words.isEmpty() ? otherwise : words.get(0);
  }

  private static List<String> two(List<String> words) {
    if (!words.isEmpty() && words.size() != 2) {
      throw Failure.usage("diff compares two decisions", "vw schedule diff previous latest");
    }
    return words.isEmpty() ? List.of("previous", "latest") : words;
  }

  /** The value of an option that must be a positive number. */
  static int number(ParseResult args, String option, int otherwise) {
    var text = args.matchedOptionValue(option, "");
    try {
      int number = text.isEmpty() ? otherwise : Integer.parseInt(text);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException noNumber) {
      // The error below covers this case.
    }
    throw Failure.usage(option + " must be a whole number above zero, not \"" + text + "\"", "");
  }

  /** The output format that an option names, one of those allowed. */
  static String form(ParseResult args, String... known) {
    var form = args.matchedOptionValue("--output", "");
    if (!form.isEmpty() && !List.of(known).contains(form)) {
      throw Failure.usage("-o is " + String.join(" or ", known) + ", not \"" + form + "\"", "");
    }
    return form;
  }

  /** The arguments that may follow, for completion. */
  static Stream<String> completions(List<String> arguments, String files) {
    if (arguments.isEmpty()) {
      return WORDS.stream();
    }
    return switch (arguments.get(0)) {
      case "shadow" -> Stream.of(files);
      case "history" -> Stream.of();
      default -> Stream.of("latest", "previous");
    };
  }
}
