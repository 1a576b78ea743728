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
 * Claims the name of this machine. Machines are identified by their ids: a renamed machine is the
 * same node and keeps everything that runs on it. A name that belongs to another machine is not
 * claimed. No controller of a node may act before the name is claimed, because another machine
 * might act under the same name. Confined to its loop.
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

  /** Moves the files that are stored under the name of a role instance. */
  @FunctionalInterface
  public interface Relocation {
    /**
     * Moves the files from one name to another. Does nothing if there are none, or if there are
     * files under the new name. Blocks on disk I/O.
     */
    void move(String from, String to) throws Exception;
  }

  /** Creates the identity of this machine. {@code loop} owns its state. */
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

  /** Starts to claim the name. The future completes on the loop once the name is claimed. */
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
                    "node={} cannot move the files of its roles: {}",
                    machine.name(),
                    failure.toString()))
        .onComplete(done -> claimed.tryComplete());
  }

  /** Writes the machine's id into its Node. If two machines do so at once, one of them fails. */
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
    LOG.info("node={} cannot claim the name yet: {}", machine.name(), failure.getMessage());
    loop.after(delay, this::attempt);
  }

  /** Schedules another attempt, since the other machine may be renamed or removed. */
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
