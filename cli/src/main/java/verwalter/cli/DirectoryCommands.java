package verwalter.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import verwalter.cli.print.TextTable;
import verwalter.client.ApiClient.Shape;
import verwalter.client.QueryParameters;
import verwalter.client.ResourceType;
import verwalter.client.json.PlainJson;
import verwalter.model.ConfigHashes;
import verwalter.model.Configuration;

/**
 * {@code vw config diff} and {@code vw config accept}: the configuration directories of the nodes
 * of a cluster.
 */
final class DirectoryCommands {
  private final Session session;

  DirectoryCommands(Session session) {
    this.session = session;
  }

  Exit run(List<String> words) throws IOException {
    if (words.get(0).equals("diff")) {
      if (words.size() > 2) {
        throw Failure.usage("diff takes the name of a node, or nothing", "vw help config");
      }
      return diff(words.subList(1, words.size()));
    }
    if (words.size() != 2) {
      throw Failure.usage("accept takes the name of a node", "vw config diff");
    }
    accept(words.get(1));
    return Exit.OK;
  }

  private Map<String, Object> configuration() throws IOException {
    return session
        .api()
        .find(type(), Configuration.CURRENT)
        .orElseThrow(
            () ->
                Failure.error(
                    "there is no configuration in force: the agent belongs to no cluster, and"
                        + " follows its own directory",
                    "vw help cluster"));
  }

  private ResourceType type() throws IOException {
    return session.type("configuration");
  }

  private Map<String, Map<String, Object>> nodes() throws IOException {
    var nodes = new TreeMap<String, Map<String, Object>>();
    var list = session.api().list(session.type("node"), Shape.OBJECTS, QueryParameters.NONE);
    for (var node : PlainJson.list(list, "items")) {
      nodes.put(PlainJson.text(node, "metadata", "name"), PlainJson.map(node));
    }
    return nodes;
  }

  private Map<String, Object> node(Map<String, Map<String, Object>> nodes, String name) {
    var node = nodes.get(name);
    if (node == null) {
      throw Failure.error("there is no node \"" + name + "\"", "list them: vw get nodes");
    }
    if (PlainJson.text(node, "status", "config", "settings").isEmpty()) {
      throw Failure.error(
          "node %s has not reported its configuration directory".formatted(name),
          "vw describe node/" + name);
    }
    return node;
  }

  private String leader() throws IOException {
    return PlainJson.text(session.api().read("/v1/status"), "leader", "hostname");
  }

  /** Lists the parts that differ; as diff does, exits with 1 if there are any. */
  private Exit diff(List<String> only) throws IOException {
    var configuration = configuration();
    var nodes = nodes();
    var leader = leader();
    only.forEach(name -> node(nodes, name));
    var inForce = PlainJson.map(configuration, "status", "parts");
    var ofLeader = PlainJson.map(nodes.get(leader), "status", "config", "parts");
    var rows = new ArrayList<List<String>>();
    nodes.forEach(
        (name, node) -> {
          if (only.isEmpty() || only.contains(name)) {
            var own = PlainJson.map(node, "status", "config", "parts");
            if (PlainJson.text(node, "status", "config", "settings").isEmpty()) {
              rows.add(List.of(name, "<unknown>", "has not reported its directory"));
            } else {
              var settings = PlainJson.text(configuration, "status", "node");
              rows(name, own, inForce, true, "the settings in force, of " + settings, rows);
              rows(name, own, ofLeader, false, "the leader " + leader, rows);
            }
          }
        });
    if (rows.isEmpty()) {
      session.say(
          "no differences from the settings in force, which were read from "
              + PlainJson.text(configuration, "status", "node"));
      return Exit.OK;
    }
    session.print(
        new TextTable(List.of("Node", "Part", "Difference"), session.paint()).lines(rows, true));
    return Exit.ERROR;
  }

  private static void rows(
      String node,
      Map<String, Object> own,
      Map<String, Object> other,
      boolean settings,
      String whose,
      List<List<String>> rows) {
    var parts = new TreeSet<>(own.keySet());
    parts.addAll(other.keySet());
    for (var part : parts) {
      if (ConfigHashes.isSettings(part) == settings
          && !Objects.equals(own.get(part), other.get(part))) {
        var how =
            !own.containsKey(part)
                ? "is missing, unlike in "
                : other.containsKey(part) ? "differs from " : "is not in ";
        rows.add(List.of(node, part, how + whose));
      }
    }
  }

  private void accept(String name) throws IOException {
    var configuration = configuration();
    var settings = PlainJson.text(node(nodes(), name), "status", "config", "settings");
    var present = PlainJson.text(configuration, "status", "settings");
    if (settings.equals(present)) {
      session.say("the settings of %s are in force already".formatted(name));
      return;
    }
    var accepted = new LinkedHashMap<String, Object>();
    accepted.put("node", name);
    accepted.put("settings", settings);
    accepted.put("instead", present);
    session
        .api()
        .patch(
            type(),
            Configuration.CURRENT,
            Map.of("spec", Map.of("accepted", accepted)),
            QueryParameters.NONE);
    var leader = leader();
    session.say(
        leader.equals(name)
            ? "the settings of %s are accepted; it leads, and takes them now".formatted(name)
            : "the settings of %s are accepted; a leader takes them if its directory has them, but"
                    .formatted(name)
                + " %s leads".formatted(leader.isEmpty() ? "nobody" : leader));
  }
}
