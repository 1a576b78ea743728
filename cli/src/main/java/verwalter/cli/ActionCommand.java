package verwalter.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import verwalter.client.json.PlainJson;

/** {@code vw action}: sends an action to the scheduler. */
final class ActionCommand implements Verb {
  /** The exit codes of refusals, by the field {@code refused} of the scheduler's answer. */
  private static final Map<String, Exit> REFUSALS =
      Map.of(
          "Refused", Exit.REFUSED,
          "UnknownRole", Exit.UNKNOWN_ROLE,
          "UnknownAction", Exit.UNKNOWN_ACTION);

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw action ROLE ACTION [--data JSON] [--set NAME=VALUE] [--wait] [flags]",
        "Ask for one more worker, if the scheduler supports the action",
        "vw action web scale --data '{\"daemon\": \"worker\", \"by\": 1}'",
        "An action with further fields; wait until the scheduler has processed it",
        "vw action web quick_switch --set version=v2 --wait",
        "List all actions and their results",
        "vw get act");
    spec.addOption(Flags.text("JSON", "The data of the action", "--data"));
    spec.addOption(
        Flags.texts("NAME=VALUE", "Another field of the action; VALUE is JSON or text", "--set"));
    spec.addOption(Flags.flag("Wait until the scheduler has processed the action", "--wait"));
    spec.addOption(Flags.text("TIME", "How long to wait (default 60s)", "--timeout"));
    spec.addOption(Flags.text("FORM", "json or name", "-o", "--output"));
    Flags.arguments(spec);
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    if (words.size() != 2) {
      throw Failure.usage(
          "action takes a role and the name of an action", "vw action web scale --help");
    }
    var form = DecisionCommands.form(args, "json", "name");
    var timeout = Session.duration("--timeout", args.matchedOptionValue("--timeout", "60s"));
    var button = button(words, args);
    var answer = session.api().post("/v1/action", Map.of("button", button));
    var id = PlainJson.text(answer, "registered");
    if (args.matchedOptionValue("--wait", false)) {
      return await(id, timeout, form, session);
    }
    switch (form) {
      case "json" -> session.print(PlainJson.pretty(answer) + "\n");
      case "name" -> session.println("action/" + id);
      default -> session.println("action/" + id + " registered");
    }
    return Exit.OK;
  }

  private static Map<String, Object> button(List<String> words, ParseResult args) {
    var button = new LinkedHashMap<String, Object>();
    var data = args.matchedOptionValue("--data", "");
    if (!data.isEmpty()) {
      try {
        button.put("data", PlainJson.read(data.getBytes(StandardCharsets.UTF_8)));
      } catch (IOException e) {
        throw Failure.usage("--data is not JSON: " + firstLine(e), "--data '{\"by\": 1}'");
      }
    }
    List<String> fields = args.matchedOptionValue("--set", List.of());
    for (var field : fields) {
      int equals = field.indexOf('=');
      if (equals < 1) {
        throw Failure.usage("--set takes NAME=VALUE, not \"" + field + "\"", "--set version=v2");
      }
      button.put(field.substring(0, equals), value(field.substring(equals + 1)));
    }
    button.put("role", words.get(0));
    button.put("action", words.get(1));
    return button;
  }

  private static Object value(String text) {
    try {
      var value = PlainJson.read(text.getBytes(StandardCharsets.UTF_8));
      return value == null ? text : value;
    } catch (IOException noJson) {
      return text;
    }
  }

  private static String firstLine(IOException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  private static Exit await(String id, Duration timeout, String form, Session session)
      throws IOException {
    var ended = new ArrayList<Map<String, Object>>();
    var seen = new AtomicBoolean(); // the server may be behind the node that registered it
    boolean inTime =
        GoalWatch.await(
            session.type("action"),
            GoalWatch.named(id),
            session.now().plus(timeout),
            actions -> {
              if (actions.isEmpty() && seen.get()) {
                throw Failure.error("action/" + id + " was dropped", "vw get act");
              }
              seen.compareAndSet(false, !actions.isEmpty());
              actions.stream().filter(each -> !state(each).isEmpty()).forEach(ended::add);
              return !ended.isEmpty();
            },
            session);
    if (!inTime) {
      throw Failure.error(
          "action/%s is still pending after %d s".formatted(id, timeout.toSeconds()),
          "see the state of the scheduler: vw describe sch current");
    }
    return ended(id, ended.get(0), form, session);
  }

  private static String state(Map<String, Object> action) {
    return PlainJson.text(action, "status", "state");
  }

  private static Exit ended(String id, Map<String, Object> action, String form, Session session)
      throws IOException {
    var refusal = refusal(id, action, session);
    if (form.equals("json")) {
      session.print(PlainJson.pretty(action) + "\n");
    }
    if (refusal.isPresent()) {
      throw refusal.get();
    }
    var answer = PlainJson.at(action, "status", "answer");
    if (form.equals("name")) {
      session.println("action/" + id);
    } else if (!form.equals("json")) {
      session.println(
          "action/%s done, schedule %s%s"
              .formatted(
                  id,
                  Archive.shortly(PlainJson.text(action, "status", "schedule")),
                  answer == null ? "" : ": " + PlainJson.line(answer)));
    }
    return Exit.OK;
  }

  /**
   * Why the action had no effect. A refusal is an answer with the fields {@code refused} and {@code
   * error}. A scheduler that gives no answers processes an action for an unknown role silently.
   */
  private static Optional<Failure> refusal(String id, Map<String, Object> action, Session session)
      throws IOException {
    if (!state(action).equals("Done")) {
      return Optional.of(
          Failure.waiting(
              Exit.REFUSED,
              "action/%s was set aside: %s"
                  .formatted(id, PlainJson.text(action, "status", "reason")),
              "vw describe act/" + id));
    }
    var role = PlainJson.text(action, "spec", "request", "button", "role");
    var exit = REFUSALS.get(PlainJson.text(action, "status", "answer", "refused"));
    var error = PlainJson.text(action, "status", "answer", "error");
    if (PlainJson.at(action, "status", "answer") == null
        && session.api().find(session.type("roleconfig"), role).isEmpty()) {
      exit = Exit.UNKNOWN_ROLE;
      error = "there is no role " + role;
    }
    return exit == null
        ? Optional.empty()
        : Optional.of(
            Failure.waiting(
                exit,
                "action/%s was refused: %s".formatted(id, error),
                exit == Exit.UNKNOWN_ROLE ? "vw get roleconfigs" : "vw why " + role));
  }
}
