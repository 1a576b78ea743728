package verwalter.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import verwalter.client.ApiClient;
import verwalter.client.QueryParameters;
import verwalter.client.json.PlainJson;
import verwalter.model.Names;

/**
 * The process that {@code vw exec} runs a command beside.
 *
 * @param index the number of the instance
 */
record ExecTarget(String group, String process, int index, String node) {
  private static final Pattern PLACE =
      Pattern.compile("([A-Za-z0-9_-]+)(?:/([A-Za-z0-9_-]+)(?:\\.(\\d{1,4}))?)?");

  /** The words of the operator: {@code NAME[/PROCESS[.NUMBER]]}. */
  record Wanted(String name, Optional<String> process, int index) {
    static Wanted of(String text) {
      var place = PLACE.matcher(text);
      if (!place.matches()) {
        throw Failure.usage(
            "\"%s\" is not NAME, NAME/PROCESS or NAME/PROCESS.NUMBER".formatted(text),
            "vw help exec");
      }
      return new Wanted(
          place.group(1),
          Optional.ofNullable(place.group(2)),
          Optional.ofNullable(place.group(3)).map(Integer::valueOf).orElse(0));
    }

    /** Whether it selects a process; {@code web} also selects {@code web-0}, as in vw logs. */
    boolean selects(String name) {
      return process.isEmpty()
          || name.equals(process.get())
          || name.matches(Pattern.quote(process.get()) + "-\\d+");
    }
  }

  /**
   * Finds the process on the first node, by name, that has it.
   *
   * @param node only this node
   * @throws Failure if there is none
   */
  static ExecTarget find(Session session, Wanted wanted, Optional<String> node) throws IOException {
    var found = new ArrayList<ExecTarget>();
    var others = new TreeSet<String>();
    var processes = new TreeSet<String>();
    var list =
        session
            .api()
            .list(session.type("processgroups"), ApiClient.Shape.OBJECTS, QueryParameters.NONE);
    for (var each : PlainJson.list(list, "items")) {
      var group = PlainJson.text(each, "spec", "sandbox");
      var role = PlainJson.text(each, "spec", "role");
      var its = PlainJson.text(each, "spec", "node");
      if (!wanted.name().equals(group) && !wanted.name().equals(role)) {
        others.add(role);
      } else if (node.filter(it -> !it.equals(its)).isEmpty()) {
        var specs = PlainJson.map(each, "spec", "processes");
        var names = new TreeSet<>(specs.keySet());
        // A name alone means the process that runs, not a command beside it.
        names.removeIf(
            name ->
                wanted.process().isEmpty()
                    && PlainJson.text(specs, name, "kind").equals("Command"));
        processes.addAll(names);
        names.stream()
            .filter(wanted::selects)
            .forEach(name -> found.add(new ExecTarget(group, name, wanted.index(), its)));
      }
    }
    if (found.isEmpty()) {
      throw missing(wanted, node, others, processes);
    }
    if (wanted.process().isEmpty()
        && found.stream().map(ExecTarget::process).distinct().count() > 1) {
      throw Failure.usage(
          "%s has several processes: %s".formatted(wanted.name(), String.join(", ", processes)),
          "choose one: vw exec %s/%s".formatted(wanted.name(), processes.first()));
    }
    found.sort(Comparator.comparing(ExecTarget::node).thenComparing(ExecTarget::process));
    return found.get(0);
  }

  private static Failure missing(
      Wanted wanted, Optional<String> node, TreeSet<String> others, TreeSet<String> processes) {
    var there = node.map(it -> " on node " + it).orElse("");
    if (!processes.isEmpty()) {
      return Failure.error(
          "%s has no process \"%s\"%s".formatted(wanted.name(), wanted.process().orElse(""), there),
          "it has: " + String.join(", ", processes));
    }
    return Failure.error(
        "there are no processes of \"%s\"%s".formatted(wanted.name(), there),
        Names.nearest(wanted.name(), List.copyOf(others))
            .map(near -> "did you mean \"" + near + "\"?")
            .orElse("see what runs: vw get pg"));
  }

  /** The path of the WebSocket. */
  String path() {
    return "/v1/exec/%s/%s.%d".formatted(group, process, index)
        + QueryParameters.NONE.with("node", node);
  }
}
