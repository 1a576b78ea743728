package verwalter.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.model.Names;

/** {@code vw rollout}: follows the rollout of a role over all nodes. */
final class Rollout implements Verb {
  static final List<String> WORDS = List.of("status");

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw rollout status ROLE [flags]",
        "Follow the newest rollout of a role until its end",
        "vw rollout status web",
        "Wait for the rollout of a version, also if it has not begun yet",
        "vw rollout status web --to v7",
        "All rollouts of a role that are kept",
        "vw get rollouts --field-selector spec.role=web");
    spec.addOption(Flags.text("VERSION", "status: the rollout of this version", "--to"));
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
    var to =
        Optional.ofNullable(args.matchedOptionValue("--to", (String) null)).map(Rollout::version);
    var wait = args.matchedOptionValue("--wait", "true");
    if (!List.of("true", "false").contains(wait)) {
      throw Failure.usage("--wait must be true or false, not \"" + wait + "\"", "");
    }
    var timeout = Session.duration("--timeout", args.matchedOptionValue("--timeout", "10m"));
    return new RolloutStatus(session, role, to)
        .follow(wait.equals("true") ? Optional.of(timeout) : Optional.<Duration>empty());
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
