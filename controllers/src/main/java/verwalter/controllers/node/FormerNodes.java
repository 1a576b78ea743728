package verwalter.controllers.node;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.stream.Stream;
import verwalter.controllers.runtime.Controller;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.runtime.Reconciler;
import verwalter.controllers.runtime.Result;
import verwalter.model.Event;
import verwalter.model.Node;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Write;

/**
 * Removes the old Nodes of renamed machines, once their agents run under the new names. Runs on the
 * leader.
 */
public final class FormerNodes implements Reconciler {
  private static final String NAME = "former-nodes";

  private final ObjectStore store;
  private final Events events;

  /** Creates a reconciler for the Nodes of the store. */
  public FormerNodes(ObjectStore store, Events events) {
    this.store = store;
    this.events = events;
  }

  /** Builds the controller that runs this reconciler. */
  public Controller.Builder controller() {
    return Controller.named(NAME, this)
        .watching(
            store,
            Node.KIND,
            node -> Node.formerNames(node).isEmpty() ? Stream.of() : Stream.of(node.key()));
  }

  /** Whether the agent of a renamed machine still runs under a former name. */
  private static boolean runsAs(Resource<Node.Spec, Node.Status> node, String former) {
    return node.status()
        .filter(status -> former.equals(status.facts().get(Node.HOSTNAME)))
        .isPresent();
  }

  @Override
  public Future<Result> reconcile(ResourceKey key) {
    var found = store.get(Node.KIND, key.name());
    if (found.isEmpty()) {
      return Result.done();
    }
    var node = found.get();
    var writes = new ArrayList<Write>();
    for (var name : Node.formerNames(node)) {
      store
          .get(Node.KIND, name)
          .filter(former -> Node.replaces(node, former))
          .filter(former -> !runsAs(node, former.name()))
          .filter(former -> !former.meta().deleting())
          .ifPresent(former -> writes.add(new Write.Remove(former)));
    }
    if (writes.isEmpty()) {
      return Result.done();
    }
    var old = writes.get(0).resource().meta().name();
    return store
        .commit(writes)
        .onSuccess(
            done ->
                events.report(
                    NAME,
                    key,
                    Event.Type.NORMAL,
                    Reason.RENAMED,
                    "the machine %s was renamed to %s".formatted(old, key.name())))
        .map(Result.DONE);
  }
}
