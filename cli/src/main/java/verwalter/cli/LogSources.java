package verwalter.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import verwalter.client.ApiClient;
import verwalter.client.QueryParameters;
import verwalter.client.json.PlainJson;
import verwalter.model.Names;

/** Finds the nodes that have the logs of a role or of a process group. */
record LogSources(Session session, String name, Optional<String> node, boolean all) {

  /** A process group on a node. */
  record Source(String group, String node) {}

  /**
   * The places in order.
   *
   * @throws Failure if there are none
   */
  List<Source> find() throws IOException {
    var found = new ArrayList<Source>();
    var others = new TreeSet<String>();
    for (var each : objects("processgroups")) {
      var group = PlainJson.text(each, "spec", "sandbox");
      var role = PlainJson.text(each, "spec", "role");
      var its = PlainJson.text(each, "spec", "node");
      if (!name.equals(group) && !name.equals(role)) {
        others.add(role);
      } else if (node.filter(it -> !it.equals(its)).isEmpty()) {
        found.add(new Source(group, its));
      }
    }
    if (all) {
      for (var each : objects("nodes")) {
        var place = new Source(name, PlainJson.text(each, "metadata", "name"));
        if (!found.contains(place) && node.filter(it -> !it.equals(place.node())).isEmpty()) {
          found.add(place);
        }
      }
    }
    if (found.isEmpty()) {
      throw Failure.error(
          "there are no processes of \"%s\"%s"
              .formatted(name, node.map(it -> " on node " + it).orElse("")),
          Names.nearest(name, List.copyOf(others))
              .map(near -> "did you mean \"" + near + "\"?")
              .orElse(
                  "see what runs: vw get pg; logs of removed processes: vw logs --all " + name));
    }
    return found;
  }

  private List<Object> objects(String type) throws IOException {
    var list =
        session.api().list(session.type(type), ApiClient.Shape.OBJECTS, QueryParameters.NONE);
    return PlainJson.list(list, "items");
  }
}
