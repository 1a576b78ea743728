package verwalter.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.model.Names;

/** {@code vw rollout}: follows the rollout of a role over all nodes, and changes it. */
final class RolloutCommand implements Verb {
  static final List<String> WORDS =
      List.of("status", "history", "undo", "pause", "resume", "restart");

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw rollout status | history | undo | pause | resume | restart ROLE [flags]",
        "Follow the newest rollout of a role until its end",
        "vw rollout status web",
        "Wait for the rollout of a version, also if it has not begun yet",
        "vw rollout status web --to v7",
        "The versions of a role, who rolled them out, and how it ended",
        "vw rollout history web",
        "What a version contains, and what it changed",
        "vw rollout history web --revision 7",
        "Go back to the version before, and hold it",
        "vw rollout undo web",
        "Go to a version, and hold it until the files change",
        "vw rollout undo web --to 5",
        "Stop an update where it is, and begin no other one",
        "vw rollout pause web",
        "End a pause and an undo, and let an update go on that waits for an operator",
        "vw rollout resume web",
        "Roll out the present content of a service again",
        "vw rollout restart docs");
    spec.addOption(Flags.text("VERSION", "status, undo: this version", "--to"));
    spec.addOption(Flags.text("VERSION", "history: what this version contains", "--revision"));
    spec.addOption(Flags.text("VERSION", "history: what this version changed", "--diff"));
    spec.addOption(
        Flags.text("BOOL", "status: false: do not wait for the end (default true)", "--wait"));
    spec.addOption(Flags.text("TIME", "status: how long to wait (default 10m)", "--timeout"));
    Flags.arguments(spec);
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    if (words.isEmpty() || !WORDS.contains(words.get(0))) {
      throw unknown(words);
    }
    var word = words.get(0);
    if (words.size() != 2) {
      throw Failure.usage("rollout " + word + " takes one role", "vw rollout " + word + " ROLE");
    }
    var role = words.get(1).replaceFirst("^(role|rcfg|roleconfig)/", "");
    if (word.equals("history")) {
      return history(args, new RolloutHistory(session, RoleIntents.of(session, role)));
    }
    var to =
        Optional.ofNullable(args.matchedOptionValue("--to", (String) null))
            .map(RolloutCommand::version);
    if (RolloutCommands.WORDS.contains(word)) {
      var commands = new RolloutCommands(session, RoleIntents.of(session, role));
      return switch (word) {
        case "pause" -> commands.pause();
        case "resume" -> commands.resume();
        case "restart" -> commands.restart();
        default -> commands.undo(to);
      };
    }
    var wait = args.matchedOptionValue("--wait", "true");
    if (!List.of("true", "false").contains(wait)) {
      throw Failure.usage("--wait must be true or false, not \"" + wait + "\"", "");
    }
    var timeout = Session.duration("--timeout", args.matchedOptionValue("--timeout", "10m"));
    return new RolloutStatus(session, RoleIntents.of(session, role), to)
        .follow(wait.equals("true") ? Optional.of(timeout) : Optional.<Duration>empty());
  }

  private static Exit history(ParseResult args, RolloutHistory history) throws IOException {
    var shown = args.matchedOptionValue("--revision", "");
    var compared = args.matchedOptionValue("--diff", "");
    if (!shown.isEmpty() && !compared.isEmpty()) {
      throw Failure.usage("--revision and --diff exclude each other", "vw help rollout");
    }
    if (!shown.isEmpty()) {
      return history.show(version(shown));
    }
    return compared.isEmpty() ? history.list() : history.difference(version(compared));
  }

  /** A version; its number alone is accepted too. */
  static String version(String text) {
    return text.matches("[0-9].*") ? "v" + text : text;
  }

  private static Failure unknown(List<String> words) {
    if (words.isEmpty()) {
      return Failure.usage(
          "rollout takes a command: " + String.join(", ", WORDS), "vw help rollout");
    }
    var word = words.get(0);
    return Failure.usage(
        "unknown command \"rollout " + word + "\"",
        FilesCommand.WORDS.contains(word)
            ? "about the files of a role: vw files " + word
            : Names.nearest(word, WORDS)
                .map(near -> "did you mean vw rollout " + near + "?")
                .orElse("vw help rollout"));
  }
}
