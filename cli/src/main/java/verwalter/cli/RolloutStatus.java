package verwalter.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import verwalter.cli.print.TextTable;
import verwalter.client.ResourceType;
import verwalter.client.json.PlainJson;
import verwalter.model.ConditionType;
import verwalter.model.Reason;

/** {@code vw rollout status}: waits until the files of a role are written and its processes run. */
final class RolloutStatus {
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Session session;
  private final RoleOutputs outputs;
  private final Map<String, String> reported = new LinkedHashMap<>();

  RolloutStatus(Session session, RoleOutputs outputs) {
    this.session = session;
    this.outputs = outputs;
  }

  /** The progress of one node; without an exit code while the rollout is under way. */
  private record Progress(Optional<Exit> exit, String text) {
    static Progress pending(String text) {
      return new Progress(Optional.empty(), text);
    }

    static Progress ended(Exit exit, String text) {
      return new Progress(Optional.of(exit), text);
    }
  }

  Exit await(Duration timeout) throws IOException {
    var instances = session.type("roleinstance");
    var deadline = session.now().plus(timeout);
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
                .formatted(first.getKey(), timeout.toSeconds(), first.getValue()),
            "vw describe ri/" + first.getKey());
      }
      session.environment().pause().pause(PAUSE);
    }
  }

  /** Reads the state of every node once; returns the nodes that are not done. */
  private Map<String, String> round(ResourceType instances) throws IOException {
    var waiting = new LinkedHashMap<String, String>();
    for (var output : outputs.now()) {
      var instance = session.api().find(instances, output.name()).orElse(Map.of());
      var progress = progress(output.object(), instance);
      if (!progress.text().equals(reported.put(output.name(), progress.text()))) {
        session.println(output.name() + ": " + TextTable.clean(progress.text()));
      }
      if (progress.exit().isEmpty()) {
        waiting.put(output.name(), progress.text());
      } else if (progress.exit().get() != Exit.OK) {
        throw Failure.waiting(
            progress.exit().get(),
            output.name() + ": " + progress.text(),
            progress.exit().get() == Exit.HELD
                ? "vw rollout allow %s --node %s".formatted(outputs.role(), output.node())
                : "vw describe to/" + output.name());
      }
    }
    return waiting;
  }

  private static Progress progress(Map<String, Object> output, Map<String, Object> instance) {
    if (!observed(output)) {
      return Progress.pending("rendering");
    }
    var rendered = condition(output);
    if (PlainJson.text(rendered, "status").equals("False")) {
      var message = PlainJson.text(rendered, "message");
      if (because(rendered, Reason.HELD)) {
        return Progress.ended(Exit.HELD, message);
      }
      return because(rendered, Reason.WAITING)
          ? Progress.pending(message)
          : Progress.ended(Exit.FAILED, message);
    }
    var state = PlainJson.text(instance, "status", "state");
    if (!observed(instance) || state.isEmpty()) {
      return Progress.pending("starting");
    }
    var running =
        PlainJson.text(instance, "status", "running")
            + "/"
            + PlainJson.text(instance, "status", "desired");
    return switch (state) {
      case "RUNNING", "HALTED" ->
          Progress.ended(
              Exit.OK,
              "%s, %s processes run"
                  .formatted(
                      because(rendered, Reason.ROLLED_BACK) ? "rolled back" : "up to date",
                      running));
      case "BROKEN" -> Progress.pending("broken: " + PlainJson.text(instance, "status", "reason"));
      default -> Progress.pending("%s processes run".formatted(running));
    };
  }

  /** Whether the status is of the newest spec. */
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
