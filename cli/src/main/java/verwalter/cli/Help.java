package verwalter.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.model.Names;

/** {@code vw help}: describes the verbs, their options, and the exit codes. */
final class Help implements Verb {
  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw help [VERB | exit-codes]",
        "How to list objects",
        "vw help get",
        "Exit codes",
        "vw help exit-codes");
    Flags.arguments(spec);
  }

  @Override
  public Exit run(ParseResult args, Session session) {
    List<String> words = args.matchedPositionalValue(0, List.of());
    if (words.isEmpty()) {
      session.print(overview());
    } else if (words.get(0).equals("exit-codes")) {
      session.print(Exit.table());
    } else {
      var verb = Verbs.named(words.get(0)).orElseThrow(() -> unknown(words.get(0)));
      session.print(of(verb.spec(verb.verb())));
    }
    return Exit.OK;
  }

  /** The help of one verb. */
  static String of(CommandSpec spec) {
    return new CommandLine(spec).getUsageMessage(CommandLine.Help.Ansi.OFF);
  }

  /** All verbs, with one line each. */
  static String overview() {
    var text = new StringBuilder("vw shows and changes a Verwalter cluster.\n\nExamples:\n");
    text.append("  # The state of the cluster\n  vw status\n");
    text.append("  # All nodes, and why one of them is not ready\n");
    text.append("  vw get nodes\n  vw describe node web-1\n");
    text.append("  # Change a role\n  vw edit roleconfig web\n\nVerbs:\n");
    for (var verb : Verbs.values()) {
      text.append("  ").append(verb.word()).append(" ".repeat(16 - verb.word().length()));
      text.append(verb.summary()).append('\n');
    }
    return text.append("\nMore: vw help VERB, vw help exit-codes\n").toString();
  }

  static Failure unknown(String word) {
    return Failure.usage(
        "unknown verb \"" + word + "\"",
        Names.nearest(word, Verbs.words())
            .map(near -> "did you mean \"vw " + near + "\"? list the verbs: vw help")
            .orElse("list the verbs: vw help"));
  }
}
