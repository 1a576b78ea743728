package verwalter.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.cli.print.TextTable;
import verwalter.client.ApiClient;
import verwalter.client.ApiException;
import verwalter.client.Item;
import verwalter.client.QueryParameters;
import verwalter.client.ResourceType;
import verwalter.client.json.PlainJson;
import verwalter.model.ConditionType;
import verwalter.model.DeploymentRef;
import verwalter.model.Names;

/**
 * {@code vw verify}: lets nodes compare the files of releases with the lists of their archives. All
 * are requested first; each node compares one after the other.
 */
final class VerifyCommand implements Verb {
  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw verify ROLE... | ROLE@NODE... | --all [flags]",
        "Compare the files of all releases of a role with what was unpacked",
        "vw verify web",
        "Compare them on one node",
        "vw verify web@n1",
        "Compare all releases of all nodes",
        "vw verify --all");
    Flags.arguments(spec);
    spec.addOption(Flags.flag("Compare all releases of all nodes", "--all"));
    spec.addOption(
        Flags.text("TIME", "How long to wait for each release (default 10m)", "--timeout"));
    spec.addOption(
        Flags.text("BOOL", "false: only request it, and do not wait (default true)", "--wait"));
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    boolean all = args.hasMatchedOption("--all");
    if (words.isEmpty() != all) {
      throw Failure.usage(
          all ? "--all takes no names" : "which role? give its name, or --all",
          "list the releases: vw get dr");
    }
    var wait = args.matchedOptionValue("--wait", "true");
    if (!List.of("true", "false").contains(wait)) {
      throw Failure.usage("--wait must be true or false, not \"" + wait + "\"", "");
    }
    var timeout = Session.duration("--timeout", args.matchedOptionValue("--timeout", "10m"));
    var type = session.type(DeploymentRef.KIND.plural());
    var requested = new LinkedHashMap<String, Long>();
    for (var name : named(words, type, session)) {
      long counter = request(name, type, session);
      requested.put(name, counter);
      if (wait.equals("false")) {
        session.say("dr/%s verification %d requested".formatted(name, counter));
      }
    }
    return wait.equals("false") ? Exit.OK : followed(requested, type, timeout, session);
  }

  private static Exit followed(
      Map<String, Long> requested, ResourceType type, Duration timeout, Session session)
      throws IOException {
    var exit = Exit.OK;
    for (var each : requested.entrySet()) {
      var verified = await(each.getKey(), each.getValue(), type, timeout, session);
      if (!verified) {
        exit = Exit.ERROR;
      }
    }
    return exit;
  }

  /** The refs that words name, or all, by name. All words are checked first. */
  private static List<String> named(List<String> words, ResourceType type, Session session)
      throws IOException {
    var all = Item.of(session.api().list(type, ApiClient.Shape.OBJECTS, QueryParameters.NONE));
    if (words.isEmpty()) {
      return all.stream().map(Item::name).sorted().toList();
    }
    var found = new ArrayList<String>();
    for (var word : words) {
      Predicate<Item> matches =
          it -> word.equals(role(it)) || word.equals(role(it) + "@" + node(it));
      var matching = all.stream().filter(matches).map(Item::name).sorted().toList();
      if (matching.isEmpty()) {
        var known = all.stream().map(VerifyCommand::role).distinct().toList();
        throw Failure.error(
            "no node has a release of \"%s\"".formatted(word),
            Names.nearest(word, known)
                .map(near -> "did you mean \"" + near + "\"? list them: vw get dr")
                .orElse("list them: vw get dr"));
      }
      found.addAll(matching);
    }
    return found.stream().distinct().toList();
  }

  private static String role(Item ref) {
    return PlainJson.text(ref.object(), "spec", "role");
  }

  private static String node(Item ref) {
    return PlainJson.text(ref.object(), "spec", "node");
  }

  /** Raises the counter, and returns it. */
  private static long request(String name, ResourceType type, Session session) throws IOException {
    var present = session.api().find(type, name).orElse(Map.of());
    long counter = 1 + Math.max(counter(present, "spec"), counter(present, "status"));
    try {
      session
          .api()
          .patch(
              type,
              name,
              Map.of("spec", Map.of(DeploymentRef.VERIFY_COUNTER, counter)),
              QueryParameters.NONE);
    } catch (ApiException refused) {
      if (refused.code() == 404) {
        throw Failure.error("dr/" + name + " does not exist any more", "list them: vw get dr");
      }
      throw refused;
    }
    return counter;
  }

  private static long counter(Map<String, Object> ref, String part) {
    return PlainJson.at(ref, part, DeploymentRef.VERIFY_COUNTER) instanceof Number number
        ? number.longValue()
        : 0;
  }

  /** Returns whether nothing differs. */
  private static boolean await(
      String name, long counter, ResourceType type, Duration timeout, Session session)
      throws IOException {
    var reasons = new ArrayList<String>(List.of(""));
    var result = new ArrayList<Map<String, Object>>();
    boolean done =
        GoalWatch.await(
            type,
            GoalWatch.named(name),
            session.now().plus(timeout),
            now -> isDone(name, counter, now, reasons, result, session),
            session);
    if (!done) {
      var last = reasons.get(reasons.size() - 1);
      throw Failure.waiting(
          Exit.TIMEOUT,
          "dr/%s is not verified after %d s%s"
              .formatted(name, timeout.toSeconds(), last.isEmpty() ? "" : ": " + last),
          "vw describe dr/" + name);
    }
    return shown(name, result.get(0), session);
  }

  private static boolean isDone(
      String name,
      long counter,
      Collection<Map<String, Object>> found,
      List<String> reasons,
      List<Map<String, Object>> result,
      Session session) {
    if (found.isEmpty()) {
      throw Failure.error("dr/" + name + " was removed", "list the releases: vw get dr");
    }
    var ref = found.iterator().next();
    if (counter(ref, "status") >= counter) {
      result.add(ref);
      return true;
    }
    var reason = TextTable.clean(PlainJson.text(ref, "status", "reason"));
    if (!reason.isEmpty() && !reason.equals(reasons.get(reasons.size() - 1))) {
      reasons.add(reason);
      session.say("  %s: %s".formatted(name, reason));
    }
    return false;
  }

  private static boolean shown(String name, Map<String, Object> ref, Session session) {
    var verified = verified(ref);
    var truth = PlainJson.text(verified, "status");
    var message = PlainJson.text(verified, "message");
    switch (truth) {
      case "True" -> session.say("dr/%s is as it was unpacked".formatted(name));
      case "False" -> session.say("dr/%s differs:".formatted(name));
      default -> session.say("dr/%s cannot be verified:".formatted(name));
    }
    message.lines().forEach(line -> session.say("  " + TextTable.clean(line)));
    return truth.equals("True");
  }

  /** The condition; empty if there is none. */
  private static Object verified(Map<String, Object> ref) {
    return PlainJson.list(ref, "status", "conditions").stream()
        .filter(it -> PlainJson.text(it, "type").equals(ConditionType.VERIFIED.title()))
        .findFirst()
        .orElse(Map.of());
  }
}
