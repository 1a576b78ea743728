package verwalter.controllers.lease;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import verwalter.cluster.Leases;
import verwalter.cluster.sides.LossPolicy;
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
import verwalter.model.RoleConfig;
import verwalter.stores.api.ObjectStore;

/**
 * Maintains the condition Ready of every node, and for how long a node has been silent. Renewals
 * are kept in memory; the store is written only when a node becomes ready or unknown, and when its
 * silence reaches a time after which some role reacts. Confined to its loop.
 */
public final class LeaseReconciler implements Reconciler {
  private static final String NAME = "lease";

  private final ObjectStore store;
  private final Leases leases;
  private final Events events;
  private final Loop loop;
  private final ObservedTime time;
  private final Map<String, Duration> steady = new HashMap<>();
  private final Map<String, Duration> last = new HashMap<>();
  private final Map<String, Integer> losses = new HashMap<>();
  private final Map<String, ResourceKey> nodes = new HashMap<>();

  /** The machine ids of nodes whose condition does not change while renewals arrive. */
  private final Map<ResourceKey, String> settled = new HashMap<>();

  /** After which silence each role reacts; without those that never do. */
  private final Map<String, Duration> reactions = new HashMap<>();

  private SortedSet<Duration> limits = new TreeSet<>(Set.of(Presence.TERM));

  /**
   * Creates a reconciler that counts renewals from now on. {@code loop} is the loop it is started
   * on.
   */
  public LeaseReconciler(ObjectStore store, Loop loop, Leases leases, Events events) {
    this.store = store;
    this.loop = loop;
    this.leases = leases;
    this.events = events;
    this.time = new ObservedTime(loop);
  }

  /** Builds the controller that runs this reconciler. */
  public Controller.Builder controller() {
    return Controller.named(NAME, this)
        .from((on, keys) -> time.start())
        .watching(store, RoleConfig.KIND, role -> policy(role.name()))
        .watching(store, Node.KIND, node -> Stream.of(changed(node)))
        .from((on, keys) -> leases.watch(on, machine -> renewed(machine, keys)));
  }

  /** Notes after which silence a role reacts, and names the nodes that must be evaluated. */
  private Stream<ResourceKey> policy(String role) {
    var after =
        store
            .get(RoleConfig.KIND, role)
            .map(Resource::spec)
            .map(LossPolicy::valid)
            .flatMap(LossPolicy::after);
    after.ifPresentOrElse(silence -> reactions.put(role, silence), () -> reactions.remove(role));
    var next = new TreeSet<>(reactions.values());
    next.add(Presence.TERM);
    if (next.equals(limits)) {
      return Stream.empty();
    }
    limits = next;
    return nodes.values().stream();
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
    var now = time.passed();
    var before = last.put(machine, now);
    boolean gap = before != null && now.minus(before).compareTo(limits.first()) >= 0;
    if (gap && before != null && now.minus(before).compareTo(time.uninterrupted()) < 0) {
      losses.merge(machine, 1, Integer::sum);
    }
    var since = before == null || gap ? now : steady.getOrDefault(machine, now);
    steady.put(machine, since);
    if (now.minus(since).compareTo(Presence.FORGOTTEN) >= 0) {
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
    var rest = rest(key);
    if (rest.isPresent()) {
      return Future.succeededFuture(Result.again(rest.get()));
    }
    var found = store.get(Node.KIND, key.name());
    var id = found.flatMap(Node::machineId);
    if (id.isEmpty()) {
      return Result.done();
    }
    var node = found.orElseThrow();
    var known =
        new Presence.Known(
            ready(node),
            node.status().flatMap(Node.Status::silentSeconds).map(Duration::ofSeconds),
            node.meta().generation());
    var presence = Presence.of(known, renewals(id.get()), limits, loop.now());
    return write(node, presence).map(Result.again(presence.again()));
  }

  private Presence.Renewals renewals(String machine) {
    var now = time.passed();
    return new Presence.Renewals(
        time.uninterrupted(),
        Optional.ofNullable(steady.get(machine)).map(now::minus),
        Optional.ofNullable(last.get(machine)).map(now::minus).or(() -> earlier(machine)),
        losses.getOrDefault(machine, 0));
  }

  /** The age of a renewal from shortly before this leader began; empty if there is none. */
  private Optional<Duration> earlier(String machine) {
    return leases
        .lastRenewal(machine)
        .map(at -> Duration.between(at, loop.now()))
        .filter(age -> !age.isNegative() && age.compareTo(Presence.TERM) < 0);
  }

  /**
   * How long a settled node keeps its condition without another renewal; empty if it must be
   * evaluated.
   */
  private Optional<Duration> rest(ResourceKey key) {
    return Optional.ofNullable(settled.get(key))
        .flatMap(id -> Optional.ofNullable(last.get(id)))
        .map(renewal -> limits.first().minus(time.passed().minus(renewal)))
        .filter(left -> left.compareTo(Duration.ZERO) > 0);
  }

  private Future<?> write(Resource<Node.Spec, Node.Status> node, Presence presence) {
    var status = node.status().orElseThrow();
    var before = ready(node);
    var next =
        presence
            .condition()
            .map(condition -> status.withConditions(Condition.put(status.conditions(), condition)))
            .orElse(status)
            .withSilence(presence.silence().map(Duration::toSeconds));
    return Writes.status(store, node, next)
        .onSuccess(
            written ->
                presence
                    .condition()
                    .filter(condition -> !condition.isTrue())
                    .filter(
                        condition ->
                            before.filter(it -> it.status() == condition.status()).isEmpty())
                    .ifPresent(condition -> events.report(NAME, node.key(), condition)));
  }
}
