package verwalter.controllers.lease;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import verwalter.cluster.Leases;
import verwalter.concurrent.Loop;
import verwalter.controllers.runtime.Controller;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.runtime.Reconciler;
import verwalter.controllers.runtime.Result;
import verwalter.controllers.runtime.Writes;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Node;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.stores.api.ObjectStore;

/**
 * Maintains the condition Ready of every node. Renewals are kept in memory; the store is written
 * only when a node becomes ready or unknown. Confined to its loop.
 */
public final class LeaseReconciler implements Reconciler {
  private static final String NAME = "lease";

  /** An evaluation that is later than this shows that this process was paused. */
  private static final Duration LATE = Duration.ofSeconds(5);

  private final ObjectStore store;
  private final Loop loop;
  private final Leases leases;
  private final Events events;
  private final Map<String, Instant> steady = new HashMap<>();
  private final Map<String, Instant> last = new HashMap<>();
  private final Map<String, Integer> losses = new HashMap<>();
  private final Map<String, ResourceKey> nodes = new HashMap<>();
  private final Map<ResourceKey, Instant> due = new HashMap<>();

  /** The machine ids of nodes whose condition does not change while renewals arrive. */
  private final Map<ResourceKey, String> settled = new HashMap<>();

  private Instant listening;

  /**
   * Creates a reconciler that counts renewals from now on. {@code loop} is the loop it is started
   * on.
   */
  public LeaseReconciler(ObjectStore store, Loop loop, Leases leases, Events events) {
    this.store = store;
    this.loop = loop;
    this.leases = leases;
    this.events = events;
    this.listening = loop.now();
  }

  /** Builds the controller that runs this reconciler. */
  public Controller.Builder controller() {
    return Controller.named(NAME, this)
        .watching(store, Node.KIND, node -> Stream.of(changed(node)))
        .from((on, keys) -> leases.watch(on, machine -> renewed(machine, keys)));
  }

  /** Caches the state of a Node, so that renewals need not read it. */
  private ResourceKey changed(Resource<Node.Spec, Node.Status> node) {
    var key = named(node);
    settled.remove(key);
    Node.machineId(node)
        .filter(id -> key.equals(nodes.get(id)))
        .filter(id -> isSettled(node))
        .ifPresent(id -> settled.put(key, id));
    return key;
  }

  private static boolean isSettled(Resource<Node.Spec, Node.Status> node) {
    return ready(node)
        .filter(Condition::isTrue)
        .filter(it -> it.reason().equals(Reason.AGENT_RUNNING.title()))
        .filter(it -> it.observedGeneration() == node.meta().generation())
        .isPresent();
  }

  /** Records which Node belongs to a machine. A renamed machine has two for a while. */
  private ResourceKey named(Resource<Node.Spec, Node.Status> node) {
    var key = node.key();
    Node.machineId(node)
        .ifPresent(
            id -> {
              var other =
                  Optional.ofNullable(nodes.get(id))
                      .filter(known -> !known.equals(key))
                      .flatMap(known -> store.get(Node.KIND, known.name()));
              if (store.get(Node.KIND, key.name()).isEmpty()) {
                nodes.remove(id, key);
              } else if (other.filter(newer -> Node.replaces(newer, node)).isEmpty()) {
                nodes.put(id, key);
              }
            });
    return key;
  }

  /** Records a renewal. Only a node whose condition may have to change is evaluated. */
  private void renewed(String machine, Consumer<ResourceKey> keys) {
    var now = loop.now();
    var before = last.put(machine, now);
    boolean gap = before != null && Duration.between(before, now).compareTo(Presence.TERM) >= 0;
    if (gap && before != null && before.isAfter(listening)) {
      losses.merge(machine, 1, Integer::sum);
    }
    var since = before == null || gap ? now : steady.getOrDefault(machine, now);
    steady.put(machine, since);
    if (Duration.between(since, now).compareTo(Presence.FORGOTTEN) >= 0) {
      losses.remove(machine);
    }
    var key = nodes.get(machine);
    if (key != null && !settled.containsKey(key)) {
      keys.accept(key);
    }
  }

  private static Optional<Condition> ready(Resource<Node.Spec, Node.Status> node) {
    return node.status()
        .flatMap(status -> Condition.find(status.conditions(), ConditionType.READY));
  }

  @Override
  public Future<Result> reconcile(ResourceKey key) {
    var now = loop.now();
    noticePause(key, now);
    var rest = rest(key, now);
    if (rest.isPresent()) {
      due.put(key, now.plus(rest.get()));
      return Future.succeededFuture(Result.again(rest.get()));
    }
    var found = store.get(Node.KIND, key.name());
    var id = found.flatMap(Node::machineId);
    if (id.isEmpty()) {
      due.remove(key);
      return Result.done();
    }
    var node = found.orElseThrow();
    var renewals =
        new Presence.Renewals(
            listening,
            Optional.ofNullable(steady.get(id.get())),
            Optional.ofNullable(last.get(id.get())).or(() -> leases.lastRenewal(id.get())),
            losses.getOrDefault(id.get(), 0));
    var presence = Presence.of(ready(node), renewals, node.meta().generation(), now);
    due.put(key, now.plus(presence.again()));
    return presence
        .condition()
        .map(condition -> write(node, condition))
        .orElseGet(Future::succeededFuture)
        .map(Result.again(presence.again()));
  }

  /**
   * How long a settled node keeps its condition without another renewal; empty if it must be
   * evaluated.
   */
  private Optional<Duration> rest(ResourceKey key, Instant now) {
    return Optional.ofNullable(settled.get(key))
        .flatMap(id -> Optional.ofNullable(last.get(id)))
        .map(renewals -> Presence.TERM.minus(Duration.between(renewals, now)))
        .filter(left -> left.compareTo(Duration.ZERO) > 0);
  }

  /**
   * Starts counting anew after a pause of this process, since it received no renewals during the
   * pause, and after the clock was set back, since renewals are in its future then.
   */
  private void noticePause(ResourceKey key, Instant now) {
    var expected = due.get(key);
    if (expected == null) {
      return;
    }
    boolean back = now.isBefore(expected.minus(Presence.TERM));
    if (back || now.isAfter(expected.plus(LATE))) {
      listening = now;
    }
    if (back) {
      last.replaceAll((machine, at) -> at.isAfter(now) ? now : at);
      steady.replaceAll((machine, at) -> at.isAfter(now) ? now : at);
    }
  }

  private Future<?> write(Resource<Node.Spec, Node.Status> node, Condition condition) {
    var status = node.status().orElseThrow();
    var before = ready(node);
    var next =
        new Node.Status(
            status.observedGeneration(),
            status.addresses(),
            status.facts(),
            status.capacity(),
            status.schedule(),
            status.roles(),
            Condition.put(status.conditions(), condition));
    return Writes.status(store, node, next)
        .onSuccess(
            written -> {
              if (!condition.isTrue()
                  && before.filter(it -> it.status() == condition.status()).isEmpty()) {
                events.report(NAME, node.key(), condition);
              }
            });
  }
}
