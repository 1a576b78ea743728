package verwalter.controllers.node;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import verwalter.controllers.runtime.Controller;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.runtime.Reconciler;
import verwalter.controllers.runtime.Result;
import verwalter.controllers.runtime.Source;
import verwalter.controllers.runtime.Writes;
import verwalter.model.ConfigHashes;
import verwalter.model.Event;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.State;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Selection;

/**
 * Describes this machine and the state of its roles in its Node. It does not write the condition
 * Ready, which the leader derives from leases. It does not write a Node that another machine has
 * claimed.
 */
public final class NodeReconciler implements Reconciler {
  private static final String NAME = "node";

  /**
   * The states of instances that change within this time are counted together: each count reads all
   * instances.
   */
  private static final Duration GATHERING = Duration.ofMillis(100);

  /** How often a name that belongs to another machine is checked again. */
  private static final Duration AGAIN = Duration.ofSeconds(30);

  private final ObjectStore store;
  private final Events events;
  private final Machine machine;
  private final BooleanSupplier creates;
  private Consumer<ResourceKey> keys = key -> {};
  private Optional<ConfigHashes> config = Optional.empty();

  /**
   * Creates a reconciler for the Node with the machine's name.
   *
   * @param creates whether a missing Node is created; if not, the machine was removed or has yet to
   *     join
   */
  public NodeReconciler(
      ObjectStore store, Events events, Machine machine, BooleanSupplier creates) {
    this.store = store;
    this.events = events;
    this.machine = machine;
    this.creates = creates;
  }

  /** Reports new hashes of the configuration directory. Call on the loop of the controller. */
  public void configured(ConfigHashes hashes) {
    config = Optional.of(hashes);
    keys.accept(Node.KIND.key(machine.name()));
  }

  /** Builds the controller that runs this reconciler. */
  public Controller.Builder controller() {
    var key = Node.KIND.key(machine.name());
    var here = new Selection.Node(machine.name());
    return Controller.named(NAME, this)
        .from(Source.once(key))
        .from(
            (on, report) -> {
              keys = report;
              return () -> {};
            })
        .watching(store, Node.KIND, here)
        .gathering(GATHERING, Source.of(store, RoleInstance.KIND, here, instance -> Stream.of(key)))
        .watching(store, NodeSchedule.KIND, here, share -> Stream.of(key));
  }

  @Override
  public Future<Result> reconcile(ResourceKey key) {
    var present = store.get(Node.KIND, machine.name());
    if (present.isEmpty()) {
      if (!creates.getAsBoolean()) {
        return Result.done();
      }
      var made = Resource.of(Node.KIND, machine.name(), new Node.Spec(false));
      return store.put(made.withStatus(status(made))).map(Result.DONE);
    }
    var node = present.get();
    var other = Node.machineId(node).filter(id -> !id.equals(machine.id()));
    if (other.isPresent()) {
      events.report(NAME, key, Event.Type.WARNING, Reason.NAME_TAKEN, machine.refusal(other.get()));
      return Future.succeededFuture(Result.again(AGAIN));
    }
    return Writes.status(store, node, status(node)).map(Result.DONE);
  }

  private Node.Status status(Resource<Node.Spec, Node.Status> node) {
    var states =
        store.list(RoleInstance.KIND, new Selection.Node(machine.name())).stream()
            .map(each -> each.status().map(RoleInstance.Status::state).orElse(State.INITIAL))
            .toList();
    return new Node.Status(
        Math.max(1, node.meta().generation()),
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
        node.status().flatMap(Node.Status::silentSeconds),
        node.status().map(Node.Status::conditions).orElse(List.of()),
        config.or(() -> node.status().flatMap(Node.Status::config)));
  }

  private static int count(List<State> states, State state) {
    return (int) states.stream().filter(each -> each == state).count();
  }

  /**
   * The machine as observed by its agent.
   *
   * @param name the name of its Node
   * @param facts see {@link Node.Status#facts}; {@link Node#MACHINE_ID} is among them
   */
  public record Machine(
      String name, List<String> addresses, Map<String, String> facts, Node.Capacity capacity) {
    public Machine {
      addresses = List.copyOf(addresses);
      facts = Map.copyOf(facts);
    }

    /** The machine id, which does not depend on its name. */
    public String id() {
      return Optional.ofNullable(facts.get(Node.MACHINE_ID)).orElse(name);
    }

    /** The status of a machine without roles. */
    Node.Status status() {
      return new Node.Status(
          1, addresses, facts, capacity, Optional.empty(), new Node.Roles(0, 0, 0), List.of());
    }

    /** Explains that its name belongs to the machine with the id {@code other}. */
    String refusal(String other) {
      return ("the name %s belongs to the machine %s; the machine %s, which has been started with"
              + " the same name, does nothing. Start it with another --hostname; or, if it"
              + " replaces the other one, remove that: vw delete node %s")
          .formatted(name, other, id(), name);
    }
  }
}
