package verwalter.e2e.simulation;

import io.vertx.core.Future;
import java.util.List;
import verwalter.model.Event;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.Scope;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.Fence;
import verwalter.stores.api.ForwardingEpochStore;
import verwalter.stores.api.Write;
import verwalter.stores.api.WriteRules;

/**
 * The store that the controllers of an agent use. Whatever they write must be the agent's to write,
 * and a transaction must belong to one master, or the run fails; {@link WriteRules} are not asked.
 */
final class MasterStore extends ForwardingEpochStore<EpochStore> {
  private final SimulatedNode machine;

  MasterStore(SimulatedNode machine, EpochStore real) {
    super(real);
    this.machine = machine;
  }

  @Override
  public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
    if (writes.stream().map(MasterStore::scope).distinct().count() > 1) {
      machine.cluster.invariants.violated("a transaction over two masters: " + writes);
    }
    for (var write : writes) {
      if (!mayWrite(write, fence)) {
        machine.cluster.invariants.violated(
            "%s writes %s, whose master is elsewhere"
                .formatted(machine.name, write.resource().key()));
      }
    }
    return real.commit(writes, fence);
  }

  private static Scope scope(Write write) {
    return write.resource().type().scope();
  }

  /** Whether the agent is the master of the object, or reports to its master about its own node. */
  private boolean mayWrite(Write write, Fence fence) {
    var object = write.resource();
    if (scope(write) == Scope.NODE) {
      return isOwn(object) || object.type().equals(Event.KIND);
    }
    boolean reports =
        isOwn(object)
            && ((object.type().equals(Node.KIND) && !(write instanceof Write.Remove))
                || (object.type().equals(NodeSchedule.KIND) && write instanceof Write.PutStatus));
    return reports || fence.epoch().isPresent(); // only a leader has an epoch
  }

  private <S, T> boolean isOwn(Resource<S, T> object) {
    return object.type().node(object).filter(machine.names::contains).isPresent();
  }
}
