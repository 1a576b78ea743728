package verwalter.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
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
import verwalter.model.NodeSchedule;
import verwalter.model.RoleInstance;
import verwalter.model.service.ScheduledServices;

/**
 * {@code vw restart} and {@code vw purge}: raise a counter of role instances. The next instance
 * follows when the one before runs again.
 */
final class CounterCommand implements Verb {
  private final String verb;
  private final String doing;
  private final String done;
  private final String field;
  private final String timeout;

  private CounterCommand(String verb, String doing, String done, String field, String timeout) {
    this.verb = verb;
    this.doing = doing;
    this.done = done;
    this.field = field;
    this.timeout = timeout;
  }

  /** Restarts the processes of role instances. */
  static CounterCommand restart() {
    return new CounterCommand(
        "restart", "restarting", "restarted", RoleInstance.RESTART_COUNTER, "5m");
  }

  /** Unpacks the releases of role instances anew, and restarts their processes. */
  static CounterCommand purge() {
    return new CounterCommand("purge", "purging", "purged", RoleInstance.PURGE_COUNTER, "30m");
  }

  @Override
  public void describe(CommandSpec spec) {
    var title = Character.toUpperCase(verb.charAt(0)) + verb.substring(1);
    Flags.help(
        spec,
        "vw %s ROLE... | ROLE@NODE... [flags]".formatted(verb),
        title + " a role on all of its nodes, one node after the other",
        "vw %s web".formatted(verb),
        title + " it on one node",
        "vw %s web@n1".formatted(verb),
        title + " all at once, and do not wait",
        "vw %s web --wait=false".formatted(verb));
    Flags.arguments(spec);
    spec.addOption(
        Flags.text(
            "TIME",
            "How long to wait for each instance (default %s)".formatted(timeout),
            "--timeout"));
    spec.addOption(
        Flags.text(
            "BOOL",
            "false: %s all at once, and do not wait (default true)".formatted(verb),
            "--wait"));
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
    var limit = Session.duration("--timeout", args.matchedOptionValue("--timeout", timeout));
    var type = session.type(RoleInstance.KIND.plural());
    var instances = named(words, type, session);
    var silent = silent(words, instances, session);
    for (int index = 0; index < instances.size(); index++) {
      var name = instances.get(index);
      long counter = request(name, type, session);
      if (wait.equals("true")) {
        session.say("ri/%s %s".formatted(name, doing));
        await(name, counter, type, limit, instances.size() - index - 1, session);
        session.say("ri/%s %s".formatted(name, done));
      } else {
        session.say("ri/%s %s %d requested".formatted(name, verb, counter));
      }
    }
    if (!silent.isEmpty()) {
      throw Failure.error(
          "%s %s not %s: %s"
              .formatted(
                  String.join(", ", silent),
                  silent.size() == 1 ? "was" : "were",
                  done,
                  silent.size() == 1
                      ? "its node does not report the role"
                      : "their nodes do not report the role"),
          "vw status");
    }
    return Exit.OK;
  }

  /** The instances that words name, each once, in their order. All words are checked first. */
  private static List<String> named(List<String> words, ResourceType type, Session session)
      throws IOException {
    var all = Item.of(session.api().list(type, ApiClient.Shape.OBJECTS, QueryParameters.NONE));
    var found = new LinkedHashSet<String>();
    for (var word : words) {
      var name = name(word);
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

  /**
   * The instances that nodes should have by the schedule, and that are not reported, as by nodes
   * that cannot be reached.
   */
  private static List<String> silent(List<String> words, List<String> known, Session session)
      throws IOException {
    var type = session.type(NodeSchedule.KIND.plural());
    var shares = session.api().list(type, ApiClient.Shape.OBJECTS, QueryParameters.NONE);
    var silent = new TreeSet<String>();
    for (var share : Item.of(shares)) {
      PlainJson.map(share.content(), "spec", "roles").keySet().stream()
          .filter(role -> words.stream().map(CounterCommand::name).anyMatch(role::equals))
          .map(role -> RoleInstance.name(role, share.name()))
          .filter(name -> !known.contains(name))
          .forEach(silent::add);
    }
    return List.copyOf(silent);
  }

  /** The name without the type. */
  private static String name(String word) {
    return word.replaceFirst("^(ri|roleinstance|roleinstances)/", "");
  }

  /** Raises the counter, and returns it. */
  private long request(String name, ResourceType type, Session session) throws IOException {
    var present = session.api().find(type, name).orElse(Map.of());
    if (field.equals(RoleInstance.PURGE_COUNTER)
        && PlainJson.map(present, "spec", "release").isEmpty()
        && PlainJson.map(present, "spec", "variables", ScheduledServices.IMAGES).isEmpty()) {
      throw Failure.error(
          "ri/" + name + " has no release that could be unpacked anew: its version has no image",
          "restart its processes: vw restart " + name);
    }
    long counter = 1 + Math.max(counter(present, "spec"), counter(present, "status"));
    try {
      session.api().patch(type, name, Map.of("spec", Map.of(field, counter)), QueryParameters.NONE);
    } catch (ApiException refused) {
      if (refused.code() == 404) {
        throw Failure.error("ri/" + name + " does not exist any more", "list them: vw get ri");
      }
      throw refused;
    }
    return counter;
  }

  private long counter(Map<String, Object> instance, String part) {
    return PlainJson.at(instance, part, field) instanceof Number number ? number.longValue() : 0;
  }

  private void await(
      String name, long counter, ResourceType type, Duration limit, int left, Session session)
      throws IOException {
    var reasons = new ArrayList<String>(List.of(""));
    boolean reached =
        GoalWatch.await(
            type,
            GoalWatch.named(name),
            session.now().plus(limit),
            now -> isDone(name, counter, now, reasons, session),
            session);
    if (!reached) {
      var last = reasons.get(reasons.size() - 1);
      throw Failure.waiting(
          Exit.TIMEOUT,
          "ri/%s is not ready after %d s%s%s"
              .formatted(
                  name,
                  limit.toSeconds(),
                  last.isEmpty() ? "" : ": " + last,
                  left == 0 ? "" : "; %d more were not %s".formatted(left, done)),
          "vw why %s; vw describe ri/%s".formatted(name.replaceFirst("@.*", ""), name));
    }
  }

  private boolean isDone(
      String name,
      long counter,
      Collection<Map<String, Object>> found,
      List<String> reasons,
      Session session) {
    if (found.isEmpty()) {
      throw Failure.error("ri/" + name + " was removed from the schedule", "vw get ri");
    }
    var instance = found.iterator().next();
    boolean carriedOut = counter(instance, "status") >= counter;
    // A version that gives way to the former one if it fails may still be on trial.
    boolean replaced = PlainJson.map(instance, "status", "replacement").isEmpty();
    if (carriedOut
        && replaced
        && new WaitGoal.HasCondition(ConditionType.READY.title(), "True")
            .isReached(found.stream().findFirst())) {
      return true;
    }
    failIfReverted(name, instance);
    var reason = TextTable.clean(PlainJson.text(instance, "status", "reason"));
    if (!reason.isEmpty() && !reason.equals(reasons.get(reasons.size() - 1))) {
      reasons.add(reason);
      session.say("  %s: %s".formatted(name, reason));
    }
    return false;
  }

  /** Nothing more happens after a version has failed and the former one runs again. */
  private static void failIfReverted(String name, Map<String, Object> instance) {
    boolean seen =
        Objects.equals(
            PlainJson.at(instance, "metadata", "generation"),
            PlainJson.at(instance, "status", "observedGeneration"));
    if (seen
        && PlainJson.map(instance, "status", "replacement").isEmpty()
        && !PlainJson.map(instance, "status", "failed").isEmpty()) {
      throw Failure.error(
          "ri/%s: %s".formatted(name, PlainJson.text(instance, "status", "reason")),
          "vw describe ri/" + name);
    }
  }
}
