package verwalter.cli;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.cli.print.TextTable;
import verwalter.client.ApiClient;
import verwalter.client.ApiException;
import verwalter.client.QueryParameters;

/** {@code vw wait}: waits until objects have become what {@code --for} says. */
final class Wait implements Verb {
  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw wait TYPE NAME... | TYPE/NAME... | TYPE -l SELECTOR | TYPE --all --for=GOAL [flags]",
        "Wait until a role runs on a node",
        "vw wait ri/web@n1 --for=condition=Ready",
        "Wait until all instances of a role run",
        "vw wait ri -l role=web --for=jsonpath='{.status.state}'=RUNNING --timeout 2m",
        "Wait until a node is gone",
        "vw wait node/n3 --for=delete");
    Flags.arguments(spec);
    spec.addOption(Flags.text("GOAL", "What to wait for: " + WaitGoal.FORMS, "--for"));
    spec.addOption(Flags.selector());
    spec.addOption(Flags.fieldSelector());
    spec.addOption(Flags.flag("Wait for all objects of the type", "--all"));
    spec.addOption(Flags.text("TIME", "How long to wait (default 30s)", "--timeout"));
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    String text = args.matchedOptionValue("--for", "");
    if (text.isEmpty()) {
      throw Failure.usage("--for is missing", "--for=GOAL, which is " + WaitGoal.FORMS);
    }
    var goal = WaitGoal.parse(text);
    var timeout = Session.duration("--timeout", args.matchedOptionValue("--timeout", "30s"));
    var deadline = session.now().plus(timeout);
    var objects = ObjectReference.named(args, "wait", session);
    if (objects.isEmpty() && !(goal instanceof WaitGoal.Deleted)) {
      throw Failure.error("no object matches", "vw get TYPE --show-labels");
    }
    for (var each : objects) {
      await(each, goal, timeout, deadline, session);
      session.say(each + " condition met");
    }
    return Exit.OK;
  }

  private static void await(
      ObjectReference object, WaitGoal goal, Duration timeout, Instant deadline, Session session)
      throws IOException {
    if (!goal.allowsAbsence()) {
      present(object, session);
    }
    var last = new ArrayList<Map<String, Object>>();
    boolean reached =
        GoalWatch.await(
            object.type(),
            GoalWatch.named(object.name()),
            deadline,
            now -> {
              last.clear();
              last.addAll(now);
              if (now.isEmpty() && !goal.allowsAbsence()) {
                throw Failure.error(object + " was deleted", "");
              }
              return goal.isReached(now.stream().findFirst());
            },
            session);
    if (!reached) {
      var why = last.isEmpty() ? "it does not exist" : goal.missing(last.get(0));
      throw Failure.waiting(
          Exit.TIMEOUT,
          "%s: %s after %d s".formatted(object, TextTable.clean(why), timeout.toSeconds()),
          "vw describe " + object);
    }
  }

  private static void present(ObjectReference object, Session session) throws IOException {
    var api = session.api();
    try {
      api.get(object.type(), object.name(), ApiClient.Shape.OBJECTS, QueryParameters.NONE);
    } catch (ApiException refused) {
      if (refused.code() != 404) {
        throw refused;
      }
      var report = SimilarNames.report(refused, api, object.type(), object.name());
      throw Failure.error(object + " does not exist", report.next());
    }
  }
}
