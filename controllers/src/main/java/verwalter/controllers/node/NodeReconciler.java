package verwalter.controllers.node;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import verwalter.concurrent.Loop;
import verwalter.controllers.runtime.Controller;
import verwalter.controllers.runtime.Reconciler;
import verwalter.controllers.runtime.Result;
import verwalter.controllers.runtime.Source;
import verwalter.controllers.runtime.Writes;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.State;
import verwalter.stores.api.ObjectStore;

/** Writes down what this machine is and how the roles it was given fare. */
public final class NodeReconciler implements Reconciler {
  private final ObjectStore store;
  private final Loop loop;
  private final Machine machine;

  public NodeReconciler(ObjectStore store, Loop loop, Machine machine) {
    this.store = store;
    this.loop = loop;
    this.machine = machine;
  }

  public Controller.Builder controller() {
    var key = Node.KIND.key(machine.name());
    return Controller.named("node", this)
        .from(Source.once(key))
        .watching(store, Node.KIND, node -> node.key().equals(key) ? Stream.of(key) : Stream.of())
        .watching(store, RoleInstance.KIND, any -> Stream.of(key))
        .watching(store, NodeSchedule.KIND, any -> Stream.of(key));
  }

  @Override
  public Future<Result> reconcile(ResourceKey key) {
    return store
        .get(Node.KIND, machine.name())
        .map(Future::succeededFuture)
        .orElseGet(() -> store.put(Resource.of(Node.KIND, machine.name(), new Node.Spec(false))))
        .compose(node -> Writes.status(store, node, status(node)))
        .map(Result.DONE);
  }

  private Node.Status status(Resource<Node.Spec, Node.Status> node) {
    var states =
        store.list(RoleInstance.KIND).stream()
            .filter(instance -> instance.spec().node().equals(machine.name()))
            .map(each -> each.status().map(RoleInstance.Status::state).orElse(State.INITIAL))
            .toList();
    var generation = node.meta().generation();
    return new Node.Status(
        generation,
        machine.addresses(),
        machine.facts(),
        machine.capacity(),
        store
            .get(NodeSchedule.KIND, machine.name())
            .flatMap(Resource::status)
            .flatMap(NodeSchedule.Status::applied),
        new Node.Roles(
            states.size(),
            count(states, State.RUNNING) + count(states, State.HALTED),
            count(states, State.BROKEN)),
        Condition.put(
            node.status().map(Node.Status::conditions).orElse(List.of()),
            Condition.yes(ConditionType.READY, Reason.AGENT_RUNNING, "", generation, loop.now())));
  }

  private static int count(List<State> states, State state) {
    return (int) states.stream().filter(each -> each == state).count();
  }

  /**
   * The machine as its agent found it.
   *
   * @param facts see {@link Node.Status#facts}
   */
  public record Machine(
      String name, List<String> addresses, Map<String, String> facts, Node.Capacity capacity) {
    public Machine {
      addresses = List.copyOf(addresses);
      facts = Map.copyOf(facts);
    }
  }
}
