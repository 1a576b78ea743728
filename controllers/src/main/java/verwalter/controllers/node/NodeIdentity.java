package verwalter.controllers.node;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.controllers.runtime.Events;
import verwalter.model.Event;
import verwalter.model.Node;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Selection;
import verwalter.stores.api.Write;

/**
 * Claims the name of this machine. Machines are told apart by their ids: a machine that comes with
 * another name than before is the same node and brings along everything that runs on it; a name
 * that another machine has is not taken from it. Until its name is claimed, nothing may be done on
 * a machine, because it might be done twice. Confined to its loop.
 */
public final class NodeIdentity implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeIdentity.class);
  private static final String NAME = "node";
  private static final Duration AGAIN = Duration.ofSeconds(10);
  private static final Backoff RETRY =
      Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(10));

  private final ObjectStore store;
  private final Loop loop;
  private final Events events;
  private final NodeReconciler.Machine machine;
  private final Relocation relocation;
  private final Promise<Void> claimed = Promise.promise();
  private Optional<String> refusal = Optional.empty();
  private int failures;
  private boolean closed;

  /** Moves what is kept on disk under the name of a role instance. */
  @FunctionalInterface
  public interface Relocation {
    /**
     * Moves it from one name to another; does nothing if there is none, or if there is some under
     * the new name. May take as long as the disk does.
     */
    void move(String from, String to) throws Exception;
  }

  /** The identity of this machine; {@code loop} is where its state belongs. */
  public NodeIdentity(
      ObjectStore store,
      Loop loop,
      Events events,
      NodeReconciler.Machine machine,
      Relocation relocation) {
    this.store = store;
    this.loop = loop;
    this.events = events;
    this.machine = machine;
    this.relocation = relocation;
  }

  /** Begins to claim the name; completes on the loop once it is this machine's. */
  public Future<Void> claim() {
    loop.execute(this::attempt);
    return claimed.future();
  }

  @Override
  public void close() {
    loop.execute(() -> closed = true);
  }

  private void attempt() {
    if (closed) {
      return;
    }
    var present = store.get(Node.KIND, machine.name());
    var id = present.flatMap(Node::machineId);
    if (id.filter(other -> !other.equals(machine.id())).isPresent()) {
      refuse(machine.refusal(id.get()));
      return;
    }
    var writes = Renaming.step(store, machine);
    if (writes.isEmpty() && id.isPresent()) {
      relocate(present.map(Node::formerNames).orElseGet(List::of));
      return;
    }
    store
        .commit(writes.isEmpty() ? List.of(claim(present)) : writes)
        .onComplete(
            written ->
                loop.execute(
                    () -> {
                      if (written.succeeded()) {
                        failures = 0;
                        attempt();
                      } else {
                        retry(written.cause());
                      }
                    }));
  }

  private void relocate(List<String> former) {
    if (former.isEmpty()) {
      claimed.tryComplete();
      return;
    }
    var roles =
        store.list(RoleInstance.KIND, new Selection.Node(machine.name())).stream()
            .map(each -> each.spec().role())
            .toList();
    loop.offload(
            () -> {
              for (var role : roles) {
                for (var name : former) {
                  relocation.move(
                      RoleInstance.name(role, name), RoleInstance.name(role, machine.name()));
                }
              }
              return roles;
            })
        .onFailure(
            failure ->
                LOG.warn(
                    "node={} what is kept of its roles was not moved: {}",
                    machine.name(),
                    failure.toString()))
        .onComplete(done -> claimed.tryComplete());
  }

  /** Puts the machine's id into its Node. Of two machines that do so at once, one is refused. */
  private Write claim(Optional<Resource<Node.Spec, Node.Status>> present) {
    return present
        .<Write>map(node -> new Write.PutStatus(node.withStatus(machine.status())))
        .orElseGet(
            () ->
                new Write.Put(
                    Resource.of(Node.KIND, machine.name(), new Node.Spec(false))
                        .withStatus(machine.status())));
  }

  private void retry(Throwable failure) {
    var delay = RETRY.delay(++failures);
    LOG.info("node={} not claimed yet: {}", machine.name(), failure.getMessage());
    loop.after(delay, this::attempt);
  }

  /** The other machine may be renamed or removed, so the name is asked for again. */
  private void refuse(String why) {
    if (refusal.filter(why::equals).isEmpty()) {
      refusal = Optional.of(why);
      LOG.error("{}", why);
      events.report(
          NAME, Node.KIND.key(machine.name()), Event.Type.WARNING, Reason.NAME_TAKEN, why);
    }
    loop.after(AGAIN, this::attempt);
  }
}
