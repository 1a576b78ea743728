package verwalter.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import verwalter.cli.print.Table;
import verwalter.client.ResourceType;
import verwalter.client.json.PlainJson;
import verwalter.model.ConditionType;
import verwalter.model.Reason;

/**
 * {@code vw rollout status}: waits until the files of a role are in place and its processes run.
 */
final class RolloutStatus {
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Session session;
  private final Outputs outputs;
  private final Map<String, String> told = new LinkedHashMap<>();

  RolloutStatus(Session session, Outputs outputs) {
    this.session = session;
    this.outputs = outputs;
  }

  /** Where one node stands; what is not done has no exit yet. */
  private record Stand(Optional<Exit> exit, String text) {
    static Stand not(String text) {
      return new Stand(Optional.empty(), text);
    }

    static Stand ended(Exit exit, String text) {
      return new Stand(Optional.of(exit), text);
    }
  }

  Exit await(Duration patience) throws IOException {
    var instances = session.type("roleinstance");
    var deadline = session.now().plus(patience);
    while (true) {
      var waiting = round(instances);
      if (waiting.isEmpty()) {
        return Exit.OK;
      }
      if (!session.now().isBefore(deadline)) {
        var first = waiting.entrySet().iterator().next();
        boolean broken = first.getValue().startsWith("broken: ");
        throw Failure.waiting(
            broken ? Exit.FAILED : Exit.TIMEOUT,
            "%s is not done after %d s: %s"
                .formatted(first.getKey(), patience.toSeconds(), first.getValue()),
            "vw describe ri/" + first.getKey());
      }
      session.world().pause().pause(PAUSE);
    }
  }

  /** Looks at every node once; gives what is still to come. */
  private Map<String, String> round(ResourceType instances) throws IOException {
    var waiting = new LinkedHashMap<String, String>();
    for (var output : outputs.now()) {
      var instance = session.api().find(instances, output.name()).orElse(Map.of());
      var stand = stand(output.object(), instance);
      if (!stand.text().equals(told.put(output.name(), stand.text()))) {
        session.println(output.name() + ": " + Table.clean(stand.text()));
      }
      if (stand.exit().isEmpty()) {
        waiting.put(output.name(), stand.text());
      } else if (stand.exit().get() != Exit.OK) {
        throw Failure.waiting(
            stand.exit().get(),
            output.name() + ": " + stand.text(),
            stand.exit().get() == Exit.HELD
                ? "vw rollout allow %s --node %s".formatted(outputs.role(), output.node())
                : "vw describe to/" + output.name());
      }
    }
    return waiting;
  }

  private static Stand stand(Map<String, Object> output, Map<String, Object> instance) {
    if (!observed(output)) {
      return Stand.not("rendering");
    }
    var rendered = condition(output);
    if (PlainJson.text(rendered, "status").equals("False")) {
      var message = PlainJson.text(rendered, "message");
      if (because(rendered, Reason.HELD)) {
        return Stand.ended(Exit.HELD, message);
      }
      return because(rendered, Reason.WAITING)
          ? Stand.not(message)
          : Stand.ended(Exit.FAILED, message);
    }
    var state = PlainJson.text(instance, "status", "state");
    if (!observed(instance) || state.isEmpty()) {
      return Stand.not("starting");
    }
    var running =
        PlainJson.text(instance, "status", "running")
            + "/"
            + PlainJson.text(instance, "status", "desired");
    return switch (state) {
      case "RUNNING", "HALTED" ->
          Stand.ended(
              Exit.OK,
              "%s, %s processes run"
                  .formatted(
                      because(rendered, Reason.ROLLED_BACK) ? "rolled back" : "up to date",
                      running));
      case "BROKEN" -> Stand.not("broken: " + PlainJson.text(instance, "status", "reason"));
      default -> Stand.not("%s processes run".formatted(running));
    };
  }

  /** Whether the status is about the newest spec. */
  private static boolean observed(Map<String, Object> object) {
    return PlainJson.text(object, "status", "observedGeneration")
        .equals(PlainJson.text(object, "metadata", "generation"));
  }

  private static boolean because(Object condition, Reason reason) {
    return PlainJson.text(condition, "reason").equals(reason.title());
  }

  private static Object condition(Map<String, Object> output) {
    return PlainJson.list(output, "status", "conditions").stream()
        .filter(each -> PlainJson.text(each, "type").equals(ConditionType.RENDERED.title()))
        .findFirst()
        .orElse(Map.of());
  }
}
