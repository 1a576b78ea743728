package verwalter.cluster.following;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import verwalter.cluster.mirror.WriteMessages;
import verwalter.model.Kind;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.Writer;
import verwalter.stores.api.Author;
import verwalter.stores.api.AuthoredStore;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;

/**
 * The writes of observers at the leader. An observer may write what the controllers of a node write
 * that does not lead: its own Node as the node controller does, and the status of its own
 * NodeSchedule. The rules are those of {@link verwalter.stores.api.WriteRules}; whose node it is
 * comes from its certificate.
 */
public final class ObserverWrites {
  /**
   * Commits writes of an observer, each transaction for one kind. Fails with a {@link
   * StoreException}, also if it is another node's object.
   *
   * @param store the objects of the cluster, without restrictions
   * @param node the name in the observer's certificate
   */
  public static Future<WriteMessages.Committed> commit(
      ObjectStore store, String node, List<Write> writes) {
    var kind = writes.get(0).resource().type();
    var writer = writer(kind);
    for (var write : writes) {
      var object = write.resource();
      if (writer.isEmpty() || !object.type().equals(kind) || !isOf(node, object)) {
        return Future.failedFuture(
            new StoreException.Invalid(
                object.key(),
                "node %s is an observer, and writes only its own Node and NodeSchedule"
                    .formatted(node)));
      }
      if (!hasSameMachine(store, node, object)) {
        return Future.failedFuture(
            new StoreException.Invalid(
                object.key(), "an observer neither creates its Node nor changes its machine"));
      }
    }
    return AuthoredStore.of(store, Author.ofNode(writer.get(), node))
        .commit(writes)
        .map(results -> new WriteMessages.Committed(store.revision(), results));
  }

  private static Optional<Writer> writer(Kind<?, ?> kind) {
    return kind.equals(Node.KIND)
        ? Optional.of(Writer.NODE)
        : kind.equals(NodeSchedule.KIND) ? Optional.of(Writer.NODE_SCHEDULE) : Optional.empty();
  }

  /**
   * Whether the write leaves the machine of the Node as the leader has noted it. Others take the
   * machine for the identity of a node.
   */
  private static boolean hasSameMachine(ObjectStore store, String node, Resource<?, ?> object) {
    if (!object.type().equals(Node.KIND)) {
      return true;
    }
    var noted = store.get(Node.KIND, node).flatMap(Node::machineId);
    return noted.isPresent() && noted.equals(machine(object));
  }

  private static Optional<String> machine(Resource<?, ?> object) {
    return object
        .status()
        .map(Node.Status.class::cast)
        .map(its -> its.facts().get(Node.MACHINE_ID));
  }

  private static <S, T> boolean isOf(String node, Resource<S, T> object) {
    return object.type().node(object).filter(node::equals).isPresent();
  }

  private ObserverWrites() {}
}
