package verwalter.cli;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.client.ApiClient;
import verwalter.client.ApiException;
import verwalter.client.Item;
import verwalter.client.QueryParameters;
import verwalter.client.ResourceType;
import verwalter.client.json.PlainJson;

/**
 * {@code vw delete}: lists the objects, asks for confirmation, deletes them, and waits until their
 * finalizers are done.
 */
final class Delete implements Verb {
  private static final String AGAIN = ", which start again if the schedule still wants them";

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw delete TYPE NAME... | TYPE/NAME... | TYPE -l SELECTOR | TYPE --all | -f FILE [flags]",
        "Delete one role; asks for confirmation",
        "vw delete rcfg old",
        "Delete the objects of a file without confirmation",
        "vw delete -f web.yaml --yes");
    Flags.arguments(spec);
    spec.addOption(Flags.files());
    spec.addOption(Flags.selector());
    spec.addOption(Flags.fieldSelector());
    spec.addOption(Flags.dryRun());
    spec.addOption(Flags.flag("Delete all objects of the type", "--all"));
    spec.addOption(Flags.flag("Do not ask for confirmation", "-y", "--yes"));
    spec.addOption(Flags.flag("Ignore objects that do not exist", "--ignore-not-found"));
    spec.addOption(
        Flags.text(
            "TIME",
            "How long to wait until the objects are gone (default 30s; 0: do not wait)",
            "--timeout"));
    spec.addOption(Flags.text("BOOL", "false: do not wait (default true)", "--wait"));
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    var query = Apply.writing(args);
    boolean dry = !query.equals(QueryParameters.NONE);
    var objects = objects(args, session);
    if (objects.isEmpty()) {
      session.say("No resources found");
      return Exit.OK;
    }
    if (!dry && !args.matchedOptionValue("--yes", false)) {
      ask(objects, session);
    }
    boolean lenient = args.matchedOptionValue("--ignore-not-found", false);
    var held = new ArrayList<ObjectReference>();
    boolean failed = false;
    for (var each : objects) {
      try {
        var answer = session.api().delete(each.type(), each.name(), query);
        session.say(
            "%s \"%s\" deleted%s"
                .formatted(each.type().prefix(), each.name(), dry ? " (server dry run)" : ""));
        if (!PlainJson.text(answer, "metadata", "deletionTimestamp").isEmpty()) {
          held.add(each);
        }
      } catch (ApiException refused) {
        if (refused.code() != 404 || !lenient) {
          ErrorReport.of(refused).to(session.environment().err());
          failed = true;
        }
      }
    }
    if (!dry) {
      await(held, timeout(args), session);
    }
    return failed ? Exit.ERROR : Exit.OK;
  }

  private static Duration timeout(ParseResult args) {
    return args.matchedOptionValue("--wait", "true").equals("false")
        ? Duration.ZERO
        : Session.duration("--timeout", args.matchedOptionValue("--timeout", "30s"));
  }

  private static List<ObjectReference> objects(ParseResult args, Session session)
      throws IOException {
    List<String> files = args.matchedOptionValue("--filename", List.of());
    if (files.isEmpty()) {
      return ObjectReference.named(args, "delete", session);
    }
    List<String> words = args.matchedPositionalValue(0, List.of());
    if (!words.isEmpty() || ObjectReference.selection(args).isPresent()) {
      throw Failure.usage(
          "with -f, no types, names, -l, --field-selector or --all may be given", "");
    }
    var objects = new ArrayList<ObjectReference>();
    for (var manifest : InputFiles.read(files, session.environment())) {
      var type = session.type(manifest.text("kind"));
      objects.add(new ObjectReference(type, manifest.text("metadata", "name")));
    }
    return objects;
  }

  private static void ask(List<ObjectReference> objects, Session session) throws IOException {
    var environment = session.environment();
    environment.err().println("This deletes:");
    for (var each : objects) {
      environment.err().println("  " + each + consequence(each, session));
    }
    Confirmation.ask(
        "deleting",
        objects.size() == 1 ? "Delete it?" : "Delete all of them?",
        "nothing was deleted",
        session);
  }

  /** What happens to the processes of the object. */
  private static String consequence(ObjectReference object, Session session) throws IOException {
    var selector = selector(object);
    var groups = session.api().types().kind("ProcessGroup");
    if (selector.isEmpty() || groups.isEmpty()) {
      return "";
    }
    long running;
    try {
      running = running(groups.get(), selector.get(), session);
    } catch (ApiException refused) {
      return ": it is unknown what runs because of it (" + refused.getMessage() + ")";
    }
    if (running == 0) {
      return "";
    }
    var processes = running + (running == 1 ? " running process" : " running processes");
    return object.type().kind().equals("Node")
        ? ": " + processes + " of it " + (running == 1 ? "runs" : "run") + " on"
        : ": stops " + processes + AGAIN;
  }

  private static long running(ResourceType groups, QueryParameters selector, Session session)
      throws IOException {
    return Item.of(session.api().list(groups, ApiClient.Shape.OBJECTS, selector)).stream()
        .map(group -> PlainJson.at(group.object(), "status", "running"))
        .mapToLong(count -> count instanceof Number number ? number.longValue() : 0)
        .sum();
  }

  /** Selects the process groups that belong to an object which operators may delete. */
  private static Optional<QueryParameters> selector(ObjectReference object) {
    return switch (object.type().kind()) {
      case "Node" -> Optional.of(labels("node=" + object.name()));
      case "RoleConfig" -> Optional.of(labels("role=" + object.name()));
      default -> Optional.empty();
    };
  }

  private static QueryParameters labels(String selector) {
    return QueryParameters.NONE.with("labelSelector", selector);
  }

  private static void await(List<ObjectReference> held, Duration timeout, Session session)
      throws IOException {
    var deadline = session.now().plus(timeout);
    for (var each : held) {
      if (!session.now().isBefore(deadline) || !isGone(each, deadline, session)) {
        session.say(
            "%s is still being cleaned up; this continues without vw. Watch it: vw get %s -w"
                .formatted(each, each));
      }
    }
  }

  /** Whether an object is gone in time. One without a deletion time is new, of the same name. */
  private static boolean isGone(ObjectReference object, Instant deadline, Session session)
      throws IOException {
    return GoalWatch.await(
        object.type(),
        GoalWatch.named(object.name()),
        deadline,
        now ->
            now.stream()
                .allMatch(each -> PlainJson.text(each, "metadata", "deletionTimestamp").isEmpty()),
        session);
  }
}
