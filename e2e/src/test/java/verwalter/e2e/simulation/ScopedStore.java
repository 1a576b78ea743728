package verwalter.e2e.simulation;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Event;
import verwalter.model.Kind;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.Scope;
import verwalter.stores.api.Capability;
import verwalter.stores.api.Change;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.Fence;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Page;
import verwalter.stores.api.Query;
import verwalter.stores.api.Selection;
import verwalter.stores.api.Write;
import verwalter.stores.api.WriteRules;

/**
 * The store of an agent: cluster objects lie in one store, the node's objects in another, and a
 * transaction belongs to one of them. For an agent that is alone both are the same. Whatever the
 * agent writes must be the agent's to write, or the run fails; {@link WriteRules} are not asked.
 *
 * @param machine where the agent runs
 * @param leads whether it is the agent that leads
 */
record ScopedStore(SimulatedNode machine, EpochStore cluster, ObjectStore node, boolean leads)
    implements EpochStore {
  /** The store of an agent that is alone. */
  static ScopedStore ofOne(SimulatedNode machine) {
    return new ScopedStore(machine, machine.store, machine.store, true);
  }

  private boolean isAlone() {
    return cluster == node;
  }

  /** Whether the agent is the master of the object, or reports to its master about its own node. */
  private boolean mayWrite(Write write, Fence fence) {
    var object = write.resource();
    if (object.type().scope() == Scope.NODE) {
      return isOwn(object) || object.type().equals(Event.KIND);
    }
    boolean reports =
        isOwn(object)
            && ((object.type().equals(Node.KIND) && !(write instanceof Write.Remove))
                || (object.type().equals(NodeSchedule.KIND) && write instanceof Write.PutStatus));
    return reports || (leads && fence.epoch().isPresent());
  }

  private <S, T> boolean isOwn(Resource<S, T> object) {
    return object.type().node(object).filter(machine.names::contains).isPresent();
  }

  private ObjectStore of(Kind<?, ?> kind) {
    return kind.scope() == Scope.CLUSTER ? cluster : node;
  }

  @Override
  public <S, T> Optional<Resource<S, T>> get(Kind<S, T> kind, String name) {
    return of(kind).get(kind, name);
  }

  @Override
  public <S, T> Page<S, T> list(Kind<S, T> kind, Query query) {
    return of(kind).list(kind, query);
  }

  @Override
  public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
    var scopes = writes.stream().map(write -> write.resource().type().scope()).distinct().toList();
    if (scopes.size() > 1) {
      machine.cluster.invariants.violated("a transaction over two masters: " + writes);
    }
    for (var write : writes) {
      if (!mayWrite(write, fence)) {
        machine.cluster.invariants.violated(
            "%s writes %s, whose master is elsewhere"
                .formatted(machine.name, write.resource().key()));
      }
    }
    if (isAlone()) {
      return node.commit(writes, fence);
    }
    return scopes.equals(List.of(Scope.NODE))
        ? node.commit(writes, Fence.NONE)
        : cluster.commit(writes, fence);
  }

  @Override
  public <S, T> Watch watch(
      Kind<S, T> kind,
      Selection selection,
      OptionalLong after,
      Loop loop,
      Consumer<Change<S, T>> watcher) {
    return of(kind).watch(kind, selection, after, loop, watcher);
  }

  @Override
  public long revision() {
    return cluster.revision();
  }

  @Override
  public long epoch() {
    return cluster.epoch();
  }

  @Override
  public Future<Long> beginEpoch(long atLeast) {
    return cluster.beginEpoch(atLeast);
  }

  @Override
  public Set<Capability> capabilities() {
    return isAlone() ? node.capabilities() : Set.of();
  }
}
