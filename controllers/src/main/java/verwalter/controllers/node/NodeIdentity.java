package verwalter.controllers.node;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.controllers.runtime.Events;
import verwalter.model.Event;
import verwalter.model.Node;
import verwalter.model.ProcessGroup;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.TemplateOutput;
import verwalter.model.Writer;
import verwalter.stores.api.Author;
import verwalter.stores.api.AuthoredStore;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Selection;
import verwalter.stores.api.Write;

/**
 * Claims the name of this machine. Machines are identified by their ids: a renamed machine is the
 * same node and keeps everything that runs on it. A name that belongs to another machine is not
 * claimed.
 *
 * <p>The Node belongs to the cluster, so a claim may have to wait for a leader. The objects of the
 * node's own store need none: {@link #nameOfObjects} gives the name that they have. Their
 * controllers must be stopped while the objects are renamed, and when the name turns out to belong
 * to another machine, because that machine acts under the same name. Confined to its loop.
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
  private final Supplier<Future<Void>> rest;
  private final BooleanSupplier creates;
  private final Promise<Void> claimed = Promise.promise();

  /** Why the name is not claimed, as reported last. */
  private Optional<String> reported = Optional.empty();

  private int failures;
  private boolean closed;

  /** Moves the files that are stored under the name of a role instance. */
  @FunctionalInterface
  public interface Relocation {
    /**
     * Moves the files from one name to another. Does nothing if there are none, or if there are
     * files under the new name. Blocks on disk I/O. A move that failed is repeated until it
     * succeeds; nothing is written under the new name before.
     */
    void move(String from, String to) throws Exception;
  }

  /**
   * Creates the identity of this machine.
   *
   * @param store the store without restrictions; each write states its author
   * @param loop owns the state
   * @param rest stops the controllers of the node's objects until the name is claimed; completes
   *     when no reconcile is under way. Called on the loop, possibly several times
   * @param creates whether a machine without a Node creates one; if not, the claim waits for it
   */
  public NodeIdentity(
      ObjectStore store,
      Loop loop,
      Events events,
      NodeReconciler.Machine machine,
      Relocation relocation,
      Supplier<Future<Void>> rest,
      BooleanSupplier creates) {
    this.store = store;
    this.loop = loop;
    this.events = events;
    this.machine = machine;
    this.relocation = relocation;
    this.rest = rest;
    this.creates = creates;
  }

  /**
   * The name of the node that the objects in the node's own store belong to: the machine's name, or
   * its former name as long as they are not renamed. Empty if there are no objects, or if the store
   * shows that the name belongs to another machine. Empty too for a renamed machine, whose claim
   * needs no leader and first moves the files that are still stored under former names.
   */
  public static Optional<String> nameOfObjects(ObjectStore store, NodeReconciler.Machine machine) {
    if (isAnothers(store, machine.name(), machine)) {
      return Optional.empty();
    }
    // The leader has copies of the role instances of other nodes, but not of their children.
    var names = new TreeSet<String>();
    store.list(TemplateOutput.KIND).forEach(each -> names.add(each.spec().node()));
    store.list(ProcessGroup.KIND).forEach(each -> names.add(each.spec().node()));
    names.removeIf(name -> isAnothers(store, name, machine));
    if (names.contains(machine.name())) {
      return Optional.of(machine.name())
          .filter(
              name ->
                  store
                      .get(Node.KIND, name)
                      .map(Node::formerNames)
                      .filter(former -> !former.isEmpty())
                      .isEmpty());
    }
    return names.size() == 1 ? Optional.of(names.first()) : Optional.empty();
  }

  private static boolean isAnothers(
      ObjectStore store, String name, NodeReconciler.Machine machine) {
    return store
        .get(Node.KIND, name)
        .flatMap(Node::machineId)
        .filter(id -> !id.equals(machine.id()))
        .isPresent();
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
    var renaming = Renaming.ofNode(store, machine);
    if (present.isEmpty() && renaming.isEmpty() && !creates.getAsBoolean()) {
      retry(new IOException("the cluster has no Node of this machine"));
      return;
    }
    var left = id.flatMap(known -> nameOfOrphans(present.orElseThrow()));
    if (renaming.isEmpty() && left.isPresent()) {
      commit(
          Author.ofNode(Writer.NODE, machine.name()),
          List.of(Renaming.formerly(left.get(), present.orElseThrow())));
    } else if (renaming.isPresent() || id.isEmpty()) {
      commit(
          Author.ofNode(Writer.NODE, machine.name()),
          List.of(renaming.orElseGet(() -> claim(present))));
    } else {
      rename(present.map(Node::formerNames).orElseGet(List::of));
    }
  }

  /**
   * The name of objects of a machine that was removed from its cluster and joined again under
   * another name: its Node does not list the name, and there is no Node of that name.
   */
  private Optional<String> nameOfOrphans(Resource<Node.Spec, Node.Status> node) {
    return nameOfObjects(store, machine)
        .filter(name -> !name.equals(machine.name()))
        .filter(name -> !Node.formerNames(node).contains(name))
        .filter(name -> store.get(Node.KIND, name).isEmpty());
  }

  /** Gives the node's objects the name that its Node has. */
  private void rename(List<String> former) {
    if (Renaming.ofObjects(store, machine).isEmpty()) {
      relocate(former);
      return;
    }
    rest.get()
        .onComplete(
            resting ->
                loop.execute(
                    () -> {
                      var writes = Renaming.ofObjects(store, machine);
                      if (!closed && !writes.isEmpty()) {
                        commit(Author.ofRenamed(machine.name(), Set.copyOf(former)), writes);
                      } else {
                        attempt();
                      }
                    }));
  }

  private void commit(Author author, List<Write> writes) {
    AuthoredStore.of(store, author)
        .commit(writes)
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
    rest.get().onComplete(resting -> loop.execute(() -> move(former)));
  }

  private void move(List<String> former) {
    if (closed) {
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
        .onSuccess(moved -> claimed.tryComplete())
        .onFailure(this::notMoved);
  }

  /**
   * Schedules another attempt. Files that are written before would keep the old ones from moving.
   */
  private void notMoved(Throwable failure) {
    report(
        Reason.FILES_NOT_MOVED,
        "cannot move the files of its roles to the name %s: %s"
            .formatted(machine.name(), failure.getMessage()));
    retry(failure);
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
    if (report(Reason.NAME_TAKEN, why)) {
      var unused = rest.get();
    }
    loop.after(AGAIN, this::attempt);
  }

  /** Reports why the name is not claimed. Returns false if that was the last report already. */
  private boolean report(Reason reason, String why) {
    if (reported.filter(why::equals).isPresent()) {
      return false;
    }
    reported = Optional.of(why);
    LOG.error("{}", why);
    events.report(NAME, Node.KIND.key(machine.name()), Event.Type.WARNING, reason, why);
    return true;
  }
}
