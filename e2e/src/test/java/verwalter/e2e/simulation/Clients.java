package verwalter.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import verwalter.model.Action;
import verwalter.model.Node;
import verwalter.model.Resource;

/** Clients that write objects of the cluster, and know which writes were acknowledged. */
final class Clients {
  private final ElectedCluster cluster;
  private final Set<String> sentActions = new TreeSet<>();
  private final Set<String> actions = new TreeSet<>();
  private final Set<String> sentLabels = new TreeSet<>();
  private final Map<String, String> labels = new LinkedHashMap<>();
  private int writes;

  Clients(ElectedCluster cluster) {
    this.cluster = cluster;
  }

  /** Sends an action to a node, which passes it on to the leader of its side. */
  void act(SimulatedNode node) {
    var target = target(node);
    if (target.isEmpty()) {
      return;
    }
    var id = String.valueOf(++writes);
    sentActions.add(id);
    var spec = new Action.Spec(Map.of("button", id), cluster.world.now());
    cluster
        .of(target.get())
        .client()
        .put(Resource.of(Action.KIND, id, spec))
        .onSuccess(done -> actions.add(id));
  }

  /** The node that writes for a client; empty if the client gets an error at once. */
  private Optional<SimulatedNode> target(SimulatedNode node) {
    var parts = cluster.of(node);
    if (!node.hasAgent()) {
      return Optional.empty();
    }
    if (parts.leads()) {
      return Optional.of(node);
    }
    return parts
        .term()
        .flatMap(
            term ->
                cluster.running().stream()
                    .filter(each -> each.machineId.equals(term.leader()))
                    .findFirst())
        .filter(each -> cluster.links.connects(node.machineId, each.machineId))
        .filter(each -> cluster.of(each).leads());
  }

  /** Adds a label to the Node of some machine, based on what the node has read. */
  void label(SimulatedNode node, SimulatedNode of) {
    var target = target(node);
    if (target.isEmpty()) {
      return;
    }
    var client = cluster.of(target.get()).client();
    var present = client.get(Node.KIND, of.name);
    if (present.isEmpty()) {
      return;
    }
    var key = "w" + ++writes;
    var all = new LinkedHashMap<>(present.get().meta().labels());
    all.put(key, "");
    sentLabels.add(key);
    client
        .put(present.get().withMeta(present.get().meta().withLabels(all)))
        .onSuccess(done -> labels.put(key, of.name));
  }

  /** Checks that every acknowledged write is there, once, and nothing that was never sent. */
  void check() {
    var handled = cluster.handledActions();
    assertThat(handled.keySet()).as("handled actions").containsAll(actions);
    assertThat(sentActions).containsAll(handled.keySet());
    assertThat(handled.values())
        .as("the decisions that handled each action: %s", handled)
        .allMatch(decisions -> ((List<?>) decisions).size() == 1);
    var found = cluster.truth().list(Action.KIND).stream().map(Resource::name).toList();
    assertThat(found).as("actions").containsAll(actions);
    assertThat(cluster.truth().list(Action.KIND)).noneMatch(Action::pending);
    labels.forEach(
        (key, name) ->
            assertThat(cluster.truth().get(Node.KIND, name).orElseThrow().meta().labels())
                .as("labels of %s", name)
                .containsKey(key));
  }

  /** The number of acknowledged writes. */
  int acknowledged() {
    return actions.size() + labels.size();
  }
}
