package verwalter.cli;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import verwalter.cli.print.TextTable;
import verwalter.client.ApiClient;
import verwalter.client.Item;
import verwalter.client.QueryParameters;
import verwalter.client.json.PlainJson;
import verwalter.model.ConditionType;
import verwalter.model.Reason;
import verwalter.model.RoleInstance;

/**
 * {@code vw files status}: waits until the files of a role are written and its processes run, on
 * each node that has the role by the schedule or reports files of it. A node that does not report
 * is not done.
 */
final class FilesStatus {
  private static final String PREPARING = RoleInstance.State.PREPARING.name();
  private static final String WAITING = RoleInstance.State.WAITING.name();

  private final Session session;
  private final String role;
  private final Optional<String> only;
  private final Map<String, String> reported = new HashMap<>();

  /** The nodes that are not done, with their progress. */
  private final Map<String, String> waiting = new LinkedHashMap<>();

  private boolean rendering = true;

  /**
   * Creates it.
   *
   * @param only the node to wait for; empty for all
   */
  FilesStatus(Session session, String role, Optional<String> only) {
    this.session = session;
    this.role = role;
    this.only = only;
  }

  /** The progress of one node; without an exit code while the rollout is under way. */
  private record Progress(Optional<Exit> exit, boolean rendering, String text) {
    static Progress rendering(String text) {
      return new Progress(Optional.empty(), true, text);
    }

    static Progress starting(String text) {
      return new Progress(Optional.empty(), false, text);
    }

    static Progress ended(Exit exit, String text) {
      return new Progress(Optional.of(exit), false, text);
    }
  }

  Exit await(Duration timeout) throws IOException {
    if (outputs().isEmpty() && scheduled().isEmpty()) {
      throw RoleOutputs.none(role, only);
    }
    var deadline = session.now().plus(timeout);
    do {
      if (!follow(rendering, deadline)) {
        round(); // the other kind may have changed
        if (!waiting.isEmpty()) {
          throw late(timeout);
        }
      }
    } while (!waiting.isEmpty());
    return Exit.OK;
  }

  /**
   * Follows the template outputs while some are being rendered, then the role instances. Returns
   * false at the deadline.
   */
  private boolean follow(boolean ofOutputs, Instant deadline) throws IOException {
    return GoalWatch.await(
        session.type(ofOutputs ? "templateoutput" : "roleinstance"),
        QueryParameters.NONE.field("spec.role", role),
        deadline,
        changed -> {
          round();
          return waiting.isEmpty() || rendering != ofOutputs;
        },
        session);
  }

  private Failure late(Duration timeout) {
    var first = waiting.entrySet().iterator().next();
    boolean broken = first.getValue().startsWith("broken: ");
    return Failure.waiting(
        broken ? Exit.FAILED : Exit.TIMEOUT,
        "%s is not done after %d s: %s"
            .formatted(first.getKey(), timeout.toSeconds(), first.getValue()),
        "vw describe ri/" + first.getKey());
  }

  /** Reads the state of every node. */
  private void round() throws IOException {
    waiting.clear();
    rendering = false;
    var instances = instances();
    var silent = scheduled();
    for (var output : outputs()) {
      silent.remove(output.node());
      var instance = instances.getOrDefault(output.name(), Map.of());
      var progress = progress(output.object(), instance);
      report(output.name(), progress.text());
      if (progress.exit().isEmpty()) {
        waiting.put(output.name(), progress.text());
        rendering |= progress.rendering();
      } else if (progress.exit().get() != Exit.OK) {
        throw Failure.waiting(
            progress.exit().get(),
            output.name() + ": " + progress.text(),
            progress.exit().get() == Exit.HELD
                ? "vw files allow %s --node %s".formatted(role, output.node())
                : "vw describe to/" + output.name());
      }
    }
    for (var node : silent) {
      var name = RoleInstance.name(role, node);
      var instance = instances.getOrDefault(name, Map.of());
      var state = PlainJson.text(instance, "status", "state");
      boolean known = state.equals(PREPARING) || state.equals(WAITING);
      var text = known ? explained(state, instance) : "the node does not report the role";
      report(name, text);
      waiting.put(name, text);
      rendering |= !known;
    }
  }

  private void report(String name, String text) {
    if (!text.equals(reported.put(name, text))) {
      session.println(name + ": " + TextTable.clean(text));
    }
  }

  private List<RoleOutputs.Output> outputs() throws IOException {
    return RoleOutputs.list(session, session.type("templateoutput"), role, only);
  }

  /** The nodes that have the role by the schedule. */
  private SortedSet<String> scheduled() throws IOException {
    var nodes = new TreeSet<String>();
    var type = session.type("nodeschedule");
    for (var item :
        Item.of(session.api().list(type, ApiClient.Shape.OBJECTS, QueryParameters.NONE))) {
      if (PlainJson.map(item.content(), "spec", "roles").containsKey(role)
          && only.map(item.name()::equals).orElse(true)) {
        nodes.add(item.name());
      }
    }
    return nodes;
  }

  /** The instances of the role by name. */
  private Map<String, Map<String, Object>> instances() throws IOException {
    var query = QueryParameters.NONE.field("spec.role", role);
    var type = session.type("roleinstance");
    var instances = new HashMap<String, Map<String, Object>>();
    Item.of(session.api().list(type, ApiClient.Shape.OBJECTS, query))
        .forEach(item -> instances.put(item.name(), item.object()));
    return instances;
  }

  private static Progress progress(Map<String, Object> output, Map<String, Object> instance) {
    if (!observed(output)) {
      return Progress.rendering("rendering");
    }
    var rendered = condition(output);
    if (PlainJson.text(rendered, "status").equals("False")) {
      var message = PlainJson.text(rendered, "message");
      if (because(rendered, Reason.HELD)) {
        return Progress.ended(Exit.HELD, message);
      }
      return because(rendered, Reason.WAITING)
          ? Progress.rendering(message)
          : Progress.ended(Exit.FAILED, message);
    }
    var state = PlainJson.text(instance, "status", "state");
    if (!observed(instance) || state.isEmpty()) {
      return Progress.starting("starting");
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
      case "PREPARING", "WAITING", "BROKEN" -> Progress.starting(explained(state, instance));
      default -> Progress.starting("%s processes run".formatted(running));
    };
  }

  private static String explained(String state, Map<String, Object> instance) {
    return state.toLowerCase(Locale.ROOT) + ": " + PlainJson.text(instance, "status", "reason");
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
