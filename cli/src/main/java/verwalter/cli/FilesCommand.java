package verwalter.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.model.Names;

/**
 * {@code vw files}: shows the files that were made for a role on its nodes, and manages the former
 * ones.
 */
final class FilesCommand implements Verb {
  static final List<String> WORDS = List.of("status", "logs", "history", "undo", "resume", "allow");

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw files status | logs | history | undo | resume | allow ROLE [--node NODE] [flags]",
        "Wait until the newest files of a role are written and its processes run",
        "vw files status web",
        "The output of its last deployment on the node of the server",
        "vw files logs web",
        "The output of the deployment before",
        "vw files logs web --previous",
        "The releases that a node can roll back to",
        "vw files history web --node n1",
        "Roll back to the previous release and pin it",
        "vw files undo web --node n1",
        "Roll back to a given release",
        "vw files undo web --node n1 --to Ubgr3xzQe7k1dL0cNf2mPqTw",
        "Roll back on every node that has the role",
        "vw files undo web --all-nodes",
        "Unpin: follow the schedule and the templates again",
        "vw files resume web --all-nodes",
        "Allow once what a guard holds",
        "vw files allow web --node n1");
    spec.addOption(Flags.text("NODE", "Only this node", "--node"));
    spec.addOption(
        Flags.flag("undo, resume, allow: on every node that has the role", "--all-nodes"));
    spec.addOption(
        Flags.text("DEPLOYMENT", "undo: the release, or the beginning of its name", "--to"));
    spec.addOption(Flags.flag("logs: the deployment before the last", "-p", "--previous"));
    spec.addOption(
        Flags.text(
            "DEPLOYMENT",
            "logs: this deployment, as in status.deployment of a template output",
            "--deployment"));
    spec.addOption(Flags.text("TIME", "status: how long to wait (default 5m)", "--timeout"));
    spec.addOption(Flags.text("FORM", "history: json, yaml or name", "-o", "--output"));
    Flags.arguments(spec);
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    if (words.isEmpty() || !WORDS.contains(words.get(0))) {
      throw Failure.usage(
          words.isEmpty()
              ? "files takes a command: " + String.join(", ", WORDS)
              : "unknown command \"files " + words.get(0) + "\"",
          words.isEmpty()
              ? "vw help files"
              : Names.nearest(words.get(0), WORDS)
                  .map(near -> "did you mean vw files " + near + "?")
                  .orElse("vw help files"));
    }
    if (words.size() != 2) {
      throw Failure.usage(
          "files " + words.get(0) + " takes one role", "vw files " + words.get(0) + " ROLE");
    }
    var role = words.get(1).replaceFirst("^role/", "");
    var node = Optional.ofNullable(args.matchedOptionValue("--node", (String) null));
    if (words.get(0).equals("logs")) {
      return logs(args, new FilesLogs(session, role));
    }
    if (words.get(0).equals("status")) {
      return new FilesStatus(session, role, node).await(timeout(args));
    }
    var outputs = RoleOutputs.of(role, node, session);
    return switch (words.get(0)) {
      case "history" -> {
        outputs.history(DecisionCommands.form(args, "json", "yaml", "name"));
        yield Exit.OK;
      }
      case "undo" ->
          outputs
              .chosen("undo", args.matchedOptionValue("--all-nodes", false))
              .undo(args.matchedOptionValue("--to", ""));
      case "resume" ->
          outputs.chosen("resume", args.matchedOptionValue("--all-nodes", false)).resume();
      default -> outputs.chosen("allow", args.matchedOptionValue("--all-nodes", false)).allow();
    };
  }

  private static Exit logs(ParseResult args, FilesLogs logs) throws IOException {
    if (args.hasMatchedOption("--node")) {
      throw Failure.usage(
          "logs shows the node of the server and takes no --node",
          "ask the node itself: vw files logs ROLE --server http://NODE:8379");
    }
    boolean previous = args.matchedOptionValue("--previous", false);
    var deployment = args.matchedOptionValue("--deployment", "");
    if (previous && !deployment.isEmpty()) {
      throw Failure.usage("--previous and --deployment exclude each other", "vw help files");
    }
    return deployment.isEmpty() ? logs.newest(previous) : logs.of(deployment);
  }

  private static Duration timeout(ParseResult args) {
    return Session.duration("--timeout", args.matchedOptionValue("--timeout", "5m"));
  }
}
