package verwalter.cli;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.client.QueryParameters;
import verwalter.client.json.PlainJson;

/**
 * {@code vw cordon}, {@code vw uncordon} and {@code vw drain}: whether nodes get roles, and whether
 * they keep them.
 */
final class NodePlacement implements Verb {
  /** What an operator wants of nodes. */
  enum NodeChange {
    CORDON,
    UNCORDON,
    DRAIN
  }

  private final NodeChange wanted;

  NodePlacement(NodeChange wanted) {
    this.wanted = wanted;
  }

  @Override
  public void describe(CommandSpec spec) {
    switch (wanted) {
      case CORDON ->
          Flags.help(
              spec,
              "vw cordon NODE... [flags]",
              "Give a node no new processes; those that it has keep running",
              "vw cordon n1",
              "Undo it",
              "vw uncordon n1");
      case UNCORDON ->
          Flags.help(
              spec,
              "vw uncordon NODE... [flags]",
              "Give a node processes again, after vw cordon or vw drain",
              "vw uncordon n1");
      case DRAIN -> {
        Flags.help(
            spec,
            "vw drain NODE... [flags]",
            "Move all processes of a node to other nodes, and wait for it",
            "vw drain n1",
            "Wait for an hour",
            "vw drain n1 --timeout 1h",
            "Begin, and do not wait",
            "vw drain n1 --wait=false",
            "Undo it, also while it goes on",
            "vw uncordon n1");
        spec.addOption(
            Flags.text("TIME", "How long to wait until nothing runs (default 10m)", "--timeout"));
        spec.addOption(Flags.text("BOOL", "false: do not wait (default true)", "--wait"));
      }
    }
    Flags.arguments(spec);
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    if (words.isEmpty()) {
      throw Failure.usage("which node? give its name", "list them: vw get nodes");
    }
    var names =
        words.stream().map(name -> name.replaceFirst("^(node|nodes|no)/", "")).distinct().toList();
    var type = session.type("node");
    for (var name : names) { // look up all first, so that an error changes nothing
      if (session.api().find(type, name).isEmpty()) {
        throw Failure.error("there is no node \"" + name + "\"", "list them: vw get nodes");
      }
    }
    for (var name : names) {
      change(name, session);
    }
    if (wanted != NodeChange.DRAIN) {
      return Exit.OK;
    }
    if (args.matchedOptionValue("--wait", "true").equals("false")) {
      session.say("see what still runs: vw get pg -l node=" + names.get(0));
      return Exit.OK;
    }
    var timeout = Session.duration("--timeout", args.matchedOptionValue("--timeout", "10m"));
    return new DrainProgress(session, names).await(timeout);
  }

  private String state() {
    return switch (wanted) {
      case CORDON -> "cordoned";
      case UNCORDON -> "uncordoned";
      case DRAIN -> "draining";
    };
  }

  private void change(String name, Session session) throws IOException {
    var type = session.type("node");
    var before = session.api().find(type, name).orElse(Map.of());
    boolean cordoned = wanted != NodeChange.UNCORDON;
    boolean draining =
        wanted == NodeChange.DRAIN || (wanted == NodeChange.CORDON && isSet(before, "draining"));
    boolean same = isSet(before, "cordoned") == cordoned && isSet(before, "draining") == draining;
    if (!same) {
      session
          .api()
          .patch(
              type,
              name,
              Map.of("spec", Map.of("cordoned", cordoned, "draining", draining)),
              QueryParameters.NONE);
    }
    session.say("node/%s %s%s".formatted(name, same ? "already " : "", state()));
  }

  private static boolean isSet(Map<String, Object> node, String field) {
    return PlainJson.text(node, "spec", field).equals("true");
  }
}
