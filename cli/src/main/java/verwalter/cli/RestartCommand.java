package verwalter.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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
import verwalter.model.Names;
import verwalter.model.RoleInstance;

/**
 * {@code vw restart}: restarts the processes of role instances. The next instance is restarted when
 * the one before runs again.
 */
final class RestartCommand implements Verb {
  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw restart ROLE... | ROLE@NODE... [flags]",
        "Restart a role on all of its nodes, one node after the other",
        "vw restart web",
        "Restart it on one node",
        "vw restart web@n1",
        "Restart all at once, and do not wait",
        "vw restart web --wait=false");
    Flags.arguments(spec);
    spec.addOption(
        Flags.text("TIME", "How long to wait for each instance (default 5m)", "--timeout"));
    spec.addOption(
        Flags.text("BOOL", "false: restart all at once, and do not wait (default true)", "--wait"));
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    if (words.isEmpty()) {
      throw Failure.usage("which role? give its name", "list them: vw get ri");
    }
    var wait = args.matchedOptionValue("--wait", "true");
    if (!List.of("true", "false").contains(wait)) {
      throw Failure.usage("--wait must be true or false, not \"" + wait + "\"", "");
    }
    var timeout = Session.duration("--timeout", args.matchedOptionValue("--timeout", "5m"));
    var type = session.type(RoleInstance.KIND.plural());
    var instances = named(words, type, session);
    for (int index = 0; index < instances.size(); index++) {
      var name = instances.get(index);
      long counter = request(name, type, session);
      if (wait.equals("true")) {
        session.say("ri/%s restarting".formatted(name));
        await(name, counter, type, timeout, instances.size() - index - 1, session);
        session.say("ri/%s restarted".formatted(name));
      } else {
        session.say("ri/%s restart %d requested".formatted(name, counter));
      }
    }
    return Exit.OK;
  }

  /** The instances that words name, each once, in their order. All words are checked first. */
  private static List<String> named(List<String> words, ResourceType type, Session session)
      throws IOException {
    var all = Item.of(session.api().list(type, ApiClient.Shape.OBJECTS, QueryParameters.NONE));
    var found = new LinkedHashSet<String>();
    for (var word : words) {
      var name = word.replaceFirst("^(ri|roleinstance|roleinstances)/", "");
      boolean one = name.contains("@");
      var matching =
          all.stream()
              .filter(
                  it ->
                      one
                          ? it.name().equals(name)
                          : PlainJson.text(it.object(), "spec", "role").equals(name))
              .map(Item::name)
              .sorted()
              .toList();
      if (matching.isEmpty()) {
        var known =
            all.stream()
                .map(it -> one ? it.name() : PlainJson.text(it.object(), "spec", "role"))
                .distinct()
                .toList();
        throw Failure.error(
            (one ? "there is no instance \"%s\"" : "no node runs a role \"%s\"").formatted(name),
            Names.nearest(name, known)
                .map(near -> "did you mean \"" + near + "\"? list them: vw get ri")
                .orElse("list them: vw get ri"));
      }
      found.addAll(matching);
    }
    return List.copyOf(found);
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
              Map.of("spec", Map.of(RoleInstance.RESTART_COUNTER, counter)),
              QueryParameters.NONE);
    } catch (ApiException refused) {
      if (refused.code() == 404) {
        throw Failure.error("ri/" + name + " does not exist any more", "list them: vw get ri");
      }
      throw refused;
    }
    return counter;
  }

  private static long counter(Map<String, Object> instance, String part) {
    return PlainJson.at(instance, part, RoleInstance.RESTART_COUNTER) instanceof Number number
        ? number.longValue()
        : 0;
  }

  private static void await(
      String name, long counter, ResourceType type, Duration timeout, int left, Session session)
      throws IOException {
    var reasons = new ArrayList<String>(List.of(""));
    boolean done =
        GoalWatch.await(
            type,
            GoalWatch.named(name),
            session.now().plus(timeout),
            now -> isDone(name, counter, now, reasons, session),
            session);
    if (!done) {
      var last = reasons.get(reasons.size() - 1);
      throw Failure.waiting(
          Exit.TIMEOUT,
          "ri/%s is not ready after %d s%s%s"
              .formatted(
                  name,
                  timeout.toSeconds(),
                  last.isEmpty() ? "" : ": " + last,
                  left == 0 ? "" : "; %d more were not restarted".formatted(left)),
          "vw why %s; vw describe ri/%s".formatted(name.replaceFirst("@.*", ""), name));
    }
  }

  private static boolean isDone(
      String name,
      long counter,
      Collection<Map<String, Object>> found,
      List<String> reasons,
      Session session) {
    if (found.isEmpty()) {
      throw Failure.error("ri/" + name + " was removed from the schedule", "vw get ri");
    }
    var instance = found.iterator().next();
    boolean restarted = counter(instance, "status") >= counter;
    if (restarted
        && new WaitGoal.HasCondition(ConditionType.READY.title(), "True")
            .isReached(found.stream().findFirst())) {
      return true;
    }
    var reason = TextTable.clean(PlainJson.text(instance, "status", "reason"));
    if (!reason.isEmpty() && !reason.equals(reasons.get(reasons.size() - 1))) {
      reasons.add(reason);
      session.say("  %s: %s".formatted(name, reason));
    }
    return false;
  }
}
