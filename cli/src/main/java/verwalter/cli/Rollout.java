package verwalter.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.model.Names;

/** {@code vw rollout}: what becomes of a role's files and processes, and releases of the past. */
final class Rollout implements Verb {
  static final List<String> WORDS = List.of("status", "logs", "history", "undo", "resume", "allow");

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw rollout status | logs | history | undo | resume | allow ROLE [--node NODE] [flags]",
        "Wait until the newest files of a role are in place and its processes run",
        "vw rollout status web",
        "What its last deployment printed, on the node that answers",
        "vw rollout logs web",
        "And the one before",
        "vw rollout logs web --previous",
        "What can be brought back on a node",
        "vw rollout history web --node n1",
        "Bring the release before this one back, and hold it",
        "vw rollout undo web --node n1",
        "The same for a certain release",
        "vw rollout undo web --node n1 --to Ubgr3xzQe7k1dL0cNf2mPqTw",
        "The release before on every node that has the role",
        "vw rollout undo web --all-nodes",
        "Follow the schedule and the templates again",
        "vw rollout resume web --all-nodes",
        "Let a list through that a guard holds back, once",
        "vw rollout allow web --node n1");
    spec.addOption(Flags.text("NODE", "Only what is on this node", "--node"));
    spec.addOption(
        Flags.flag("Of undo, resume and allow: on every node that has it", "--all-nodes"));
    spec.addOption(
        Flags.text("DEPLOYMENT", "Of undo: the release, or the beginning of its name", "--to"));
    spec.addOption(Flags.flag("Of logs: the deployment before the last", "-p", "--previous"));
    spec.addOption(
        Flags.text(
            "DEPLOYMENT",
            "Of logs: this one, as status.deployment of a template output names it",
            "--deployment"));
    spec.addOption(Flags.text("TIME", "Of status: how long to wait (default 5m)", "--timeout"));
    spec.addOption(Flags.text("FORM", "Of history: json, yaml or name", "-o", "--output"));
    Flags.arguments(spec);
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    if (words.isEmpty() || !WORDS.contains(words.get(0))) {
      throw Failure.usage(
          words.isEmpty()
              ? "what about a rollout? " + String.join(", ", WORDS)
              : "rollout has no \"" + words.get(0) + "\"",
          words.isEmpty()
              ? "vw help rollout"
              : Names.nearest(words.get(0), WORDS)
                  .map(near -> "did you mean vw rollout " + near + "?")
                  .orElse("vw help rollout"));
    }
    if (words.size() != 2) {
      throw Failure.usage(
          "rollout " + words.get(0) + " is about one role", "vw rollout " + words.get(0) + " ROLE");
    }
    var role = words.get(1).replaceFirst("^role/", "");
    var node = Optional.ofNullable(args.matchedOptionValue("--node", (String) null));
    if (words.get(0).equals("logs")) {
      return logs(args, new RolloutLogs(session, role));
    }
    var outputs = Outputs.of(role, node, session);
    return switch (words.get(0)) {
      case "history" -> {
        outputs.history(Decisions.form(args, "json", "yaml", "name"));
        yield Exit.OK;
      }
      case "status" -> new RolloutStatus(session, outputs).await(patience(args));
      case "undo" ->
          outputs
              .chosen("undo", args.matchedOptionValue("--all-nodes", false))
              .undo(args.matchedOptionValue("--to", ""));
      case "resume" ->
          outputs.chosen("resume", args.matchedOptionValue("--all-nodes", false)).resume();
      default -> outputs.chosen("allow", args.matchedOptionValue("--all-nodes", false)).allow();
    };
  }

  private static Exit logs(ParseResult args, RolloutLogs logs) throws IOException {
    if (args.hasMatchedOption("--node")) {
      throw Failure.usage(
          "logs are those of the node that answers",
          "ask the other: vw rollout logs ROLE --server http://NODE:8379");
    }
    boolean previous = args.matchedOptionValue("--previous", false);
    var deployment = args.matchedOptionValue("--deployment", "");
    if (previous && !deployment.isEmpty()) {
      throw Failure.usage("--previous and --deployment are two different ones", "vw help rollout");
    }
    return deployment.isEmpty() ? logs.newest(previous) : logs.of(deployment);
  }

  private static Duration patience(ParseResult args) {
    return Session.duration("--timeout", args.matchedOptionValue("--timeout", "5m"));
  }
}
