package verwalter.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import verwalter.cli.print.TextTable;
import verwalter.client.ApiClient;
import verwalter.client.Item;
import verwalter.client.QueryParameters;
import verwalter.client.json.PlainJson;

/** {@code vw drain}: waits until the schedule gives nodes no roles and no process runs there. */
final class DrainProgress {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Session session;
  private final List<String> nodes;
  private final Map<String, String> reported = new TreeMap<>();

  DrainProgress(Session session, List<String> nodes) {
    this.session = session;
    this.nodes = nodes;
  }

  Exit await(Duration timeout) throws IOException {
    var deadline = session.now().plus(timeout);
    while (true) {
      var left = round();
      if (left.isEmpty()) {
        nodes.forEach(
            node -> session.say("node/%s drained; undo: vw uncordon %s".formatted(node, node)));
        return Exit.OK;
      }
      if (cancelled()) {
        throw Failure.error("the drain was undone with vw uncordon", "");
      }
      if (!session.now().isBefore(deadline)) {
        var first = left.get(0);
        throw Failure.waiting(
            Exit.TIMEOUT,
            "%s is not done after %d s: %s; the drain goes on"
                .formatted(first.instance(), timeout.toSeconds(), first.text()),
            "vw why %s; undo: vw uncordon %s".formatted(first.role(), first.node()));
      }
      session.environment().pause().pause(PAUSE);
    }
  }

  /** A role that still is on a node. */
  private record Left(String role, String node, String text) {
    String instance() {
      return role + "@" + node;
    }
  }

  /** Reads the state of each node once, and prints what changed. */
  private List<Left> round() throws IOException {
    var left = new ArrayList<Left>();
    for (var node : nodes) {
      var assigned = assigned(node);
      var running = running(node);
      var roles = new TreeMap<String, String>();
      assigned.forEach(
          role ->
              roles.put(
                  role,
                  "waits for processes elsewhere; %d run here"
                      .formatted(running.getOrDefault(role, 0L))));
      running.forEach(
          (role, count) -> roles.putIfAbsent(role, "stopping; %d run here".formatted(count)));
      roles.forEach((role, text) -> left.add(new Left(role, node, text)));
    }
    var now = new TreeMap<String, String>();
    left.forEach(each -> now.put(each.instance(), each.text()));
    reported.keySet().stream()
        .filter(each -> !now.containsKey(each))
        .forEach(each -> session.say(TextTable.clean(each) + ": moved"));
    now.forEach(
        (instance, text) -> {
          if (!text.equals(reported.get(instance))) {
            session.say(TextTable.clean(instance) + ": " + text);
          }
        });
    reported.clear();
    reported.putAll(now);
    return left;
  }

  /** The roles that the schedule gives the node. */
  private List<String> assigned(String node) throws IOException {
    var share = session.api().find(session.type("nodeschedule"), node).orElse(Map.of());
    return PlainJson.at(share, "spec", "roles") instanceof Map<?, ?> roles
        ? roles.keySet().stream().map(String::valueOf).sorted().toList()
        : List.of();
  }

  /** The number of running processes of each role on the node. */
  private Map<String, Long> running(String node) throws IOException {
    var counts = new TreeMap<String, Long>();
    var query = QueryParameters.NONE.field("spec.node", node);
    for (var item :
        Item.of(session.api().list(session.type("processgroup"), ApiClient.Shape.OBJECTS, query))) {
      if (PlainJson.at(item.object(), "status", "running") instanceof Number running
          && running.longValue() > 0) {
        counts.merge(PlainJson.text(item.object(), "spec", "role"), running.longValue(), Long::sum);
      }
    }
    return counts;
  }

  private boolean cancelled() throws IOException {
    for (var node : nodes) {
      var found = session.api().find(session.type("node"), node);
      if (found.isPresent() && !PlainJson.text(found.get(), "spec", "draining").equals("true")) {
        return true;
      }
    }
    return false;
  }
}
