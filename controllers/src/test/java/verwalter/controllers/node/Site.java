package verwalter.controllers.node;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.controllers.runtime.Events;
import verwalter.model.Event;
import verwalter.model.Kind;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.Write;
import verwalter.stores.engine.MemoryStore;
import verwalter.stores.testkit.CountingStore;
import verwalter.stores.testkit.Faults;
import verwalter.stores.testkit.FaultyStore;

/** A store with the machines that the tests of this package know. */
final class Site {
  final VirtualWorld world = new VirtualWorld(1);
  final MemoryStore memory = new MemoryStore(world.clock(), world.uids());
  final FaultyStore faulty = new FaultyStore(memory, world, Faults.NONE);
  final CountingStore store = new CountingStore(faulty);
  final Events events = new Events(memory, world.loop("events"), "n1");

  /** The machine {@code id} under the name {@code name}. */
  static NodeReconciler.Machine machine(String name, String id) {
    return new NodeReconciler.Machine(
        name,
        List.of(name + ":8379"),
        Map.of(Node.MACHINE_ID, id, "hostname", name),
        new Node.Capacity(4, 1 << 30));
  }

  /** A Node that the machine has claimed, with these former names. */
  static Resource<Node.Spec, Node.Status> claimed(String name, String id, String... former) {
    var node =
        Resource.of(Node.KIND, name, new Node.Spec(false))
            .withStatus(
                new Node.Status(
                    1,
                    List.of(),
                    Map.of(Node.MACHINE_ID, id),
                    new Node.Capacity(1, 1),
                    Optional.empty(),
                    new Node.Roles(0, 0, 0),
                    List.of()));
    return former.length == 0
        ? node
        : node.withMeta(
            node.meta().withAnnotations(Map.of(Node.FORMER_NAMES, String.join(",", former))));
  }

  <S, T> Resource<S, T> put(Resource<S, T> resource) {
    return world.await(memory.put(resource));
  }

  void commit(List<Write> writes) {
    world.await(memory.commit(writes));
  }

  <S, T> void remove(Kind<S, T> kind, String name) {
    world.await(memory.remove(memory.get(kind, name).orElseThrow()));
  }

  <S, T> List<String> names(Kind<S, T> kind) {
    return memory.list(kind).stream().map(Resource::name).toList();
  }

  Resource<Node.Spec, Node.Status> node(String name) {
    return memory.get(Node.KIND, name).orElseThrow();
  }

  List<Event.Spec> written() {
    return memory.list(Event.KIND).stream().map(Resource::spec).toList();
  }

  void pass(Duration time) {
    world.runFor(time);
  }
}
