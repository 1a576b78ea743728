package verwalter.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.client.QueryParameters;
import verwalter.client.json.PlainJson;
import verwalter.client.transport.Unreachable;
import verwalter.model.ConditionType;

/** {@code vw node}: which nodes are in the cluster, and how many vote. */
final class NodeCommand implements Verb {
  /** The commands. */
  static final List<String> WORDS = List.of("elect", "leave", "remove", "rename");

  /** The numbers of electors. */
  static final List<String> ELECTORS = List.of("1", "3", "5", "7");

  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final String CONFIG = "cluster";

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw node elect N | leave | remove NODE | rename NODE NAME [flags]",
        "Let five nodes vote; a lost one is replaced after 15 minutes",
        "vw node elect 5 --replace-after 15m",
        "Take this node out of the cluster; its processes keep running",
        "vw node leave",
        "The same, after its processes have moved to other nodes",
        "vw node leave --drain",
        "Remove a node that does not come back",
        "vw node remove n3",
        "Give a node another name; its processes keep running",
        "vw node rename n3 web-3");
    spec.addOption(
        Flags.text(
            "TIME",
            "elect: how long an elector is lost before it is replaced (default: the value in force,"
                + " initially 10m)",
            "--replace-after"));
    spec.addOption(Flags.flag("leave: move all processes to other nodes first", "--drain"));
    spec.addOption(Flags.flag("remove: also if the node is ready", "--force"));
    spec.addOption(Flags.flag("Do not ask for confirmation", "-y", "--yes"));
    spec.addOption(
        Flags.text(
            "TIME", "leave, remove: how long to wait until it is done (default 2m)", "--timeout"));
    Flags.arguments(spec);
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    var command = words.isEmpty() ? "" : words.get(0);
    int arguments = words.size() - 1;
    if (command.equals("elect") && arguments == 1) {
      return elect(words.get(1), args, session);
    }
    if (command.equals("leave") && arguments == 0) {
      return leave(args, session);
    }
    if (command.equals("remove") && arguments == 1) {
      return remove(words.get(1), args, session);
    }
    if (command.equals("rename") && arguments == 2) {
      return NodeRename.run(name(words.get(1)), words.get(2), timeout(args), session);
    }
    throw Failure.usage(
        "node takes a command: elect N, leave, remove NODE, rename NODE NAME", "vw help node");
  }

  private static Exit elect(String number, ParseResult args, Session session) throws IOException {
    if (!ELECTORS.contains(number)) {
      throw Failure.usage("the number of electors is 1, 3, 5 or 7, not " + number, "");
    }
    var type = session.type("clusterconfig");
    var before = session.api().find(type, CONFIG);
    var given = args.matchedOptionValue("--replace-after", "");
    long after =
        !given.isEmpty()
            ? Session.duration("--replace-after", given).toSeconds()
            : before
                .map(it -> PlainJson.text(it, "spec", "replaceElectorAfterSeconds"))
                .map(Long::parseLong)
                .orElse(600L);
    var spec =
        Map.<String, Object>of(
            "electors", Integer.parseInt(number), "replaceElectorAfterSeconds", after);
    if (before.isPresent()) {
      session.api().patch(type, CONFIG, Map.of("spec", spec), QueryParameters.NONE);
    } else {
      session
          .api()
          .create(
              type,
              Map.of(
                  "apiVersion",
                  "verwalter.io/v1",
                  "kind",
                  type.kind(),
                  "metadata",
                  Map.of("name", CONFIG),
                  "spec",
                  spec),
              QueryParameters.NONE);
    }
    session.say(
        "%s nodes vote if there are enough; a lost one is replaced after %d s"
            .formatted(number, after));
    session.say("see who votes: vw cluster status");
    return Exit.OK;
  }

  private static Exit leave(ParseResult args, Session session) throws IOException {
    var cluster = session.api().read("/v1/cluster");
    var node = PlainJson.text(cluster, "node");
    if (PlainJson.list(cluster, "members").size() < 2) {
      throw Failure.error(
          "%s cannot leave: it is the only node of its cluster".formatted(node),
          "to use it without a cluster, stop its agent and remove cluster/ in its storage directory");
    }
    confirm(
        args,
        "leaving",
        "This takes node %s out of the cluster and ends its agent.%s Leave?"
            .formatted(
                node,
                args.matchedOptionValue("--drain", false) ? "" : " Its processes keep running."),
        session);
    if (args.matchedOptionValue("--drain", false)) {
      session
          .api()
          .patch(
              session.type("node"),
              node,
              Map.of("spec", Map.of("cordoned", true, "draining", true)),
              QueryParameters.NONE);
      var drained = new DrainProgress(session, List.of(node)).await(timeout(args));
      if (drained != Exit.OK) {
        return drained;
      }
    }
    session.api().delete(session.type("node"), node, QueryParameters.NONE);
    var end = session.now().plus(timeout(args));
    // Polled, since the connection of a watch ends in the same way as the agent.
    while (isHere(node, session)) {
      if (!session.now().isBefore(end)) {
        throw Failure.waiting(
            Exit.TIMEOUT, node + " is still leaving; this goes on", "vw cluster status");
      }
      session.environment().pause().pause(PAUSE);
    }
    session.say(
        "node %s has left the cluster and its agent ends; to join again: verwalter join HOST --token T"
            .formatted(node));
    return Exit.OK;
  }

  /** Whether the node that is contacted, which leaves, still is a member. */
  private static boolean isHere(String node, Session session) throws IOException {
    try {
      return session.api().find(session.type("node"), node).isPresent();
    } catch (Unreachable ended) {
      return false;
    }
  }

  private static Exit remove(String word, ParseResult args, Session session) throws IOException {
    var name = name(word);
    var type = session.type("node");
    var node =
        session
            .api()
            .find(type, name)
            .orElseThrow(
                () ->
                    Failure.error("there is no node \"" + name + "\"", "list them: vw get nodes"));
    if (isReady(node) && !args.matchedOptionValue("--force", false)) {
      throw Failure.error(
          "node %s is ready, so it was not removed".formatted(name),
          "on that machine: vw node leave; or remove it anyway: vw node remove %s --force"
              .formatted(name));
    }
    confirm(
        args,
        "removing",
        "This takes node %s out of the cluster. It can join again with a new token. Remove it?"
            .formatted(name),
        session);
    session.api().delete(type, name, QueryParameters.NONE);
    var end = session.now().plus(timeout(args));
    if (!GoalWatch.await(type, GoalWatch.named(name), end, Collection::isEmpty, session)) {
      throw Failure.waiting(
          Exit.TIMEOUT,
          name + " is still being removed; this goes on",
          "vw cluster status; without a majority of electors nothing can be removed");
    }
    session.say("node/%s removed".formatted(name));
    return Exit.OK;
  }

  private static String name(String word) {
    return word.replaceFirst("^(node|nodes|no)/", "");
  }

  static boolean isReady(Map<String, Object> node) {
    for (var each : PlainJson.list(node, "status", "conditions")) {
      if (PlainJson.text(each, "type").equals(ConditionType.READY.title())) {
        return PlainJson.text(each, "status").equals("True");
      }
    }
    return false;
  }

  private static void confirm(ParseResult args, String gerund, String question, Session session)
      throws IOException {
    if (!args.matchedOptionValue("--yes", false)) {
      Confirmation.ask(gerund, question, "nothing was changed", session);
    }
  }

  private static Duration timeout(ParseResult args) {
    return Session.duration("--timeout", args.matchedOptionValue("--timeout", "2m"));
  }
}
