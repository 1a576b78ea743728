package verwalter.agent;

import static java.util.Objects.requireNonNull;

import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.certificates.CertificateAuthority;
import verwalter.cluster.sides.ElectorChange;
import verwalter.cluster.sides.ElectorNode;
import verwalter.cluster.sides.Electors;
import verwalter.cluster.sides.Electors.ElectorPlan;
import verwalter.cluster.zookeeper.Elector;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor;
import verwalter.concurrent.Watch;
import verwalter.model.ClusterConfig;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.LastingWatch;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Write;

/**
 * Adds and removes electors as {@link Electors} decides. If a Node is being deleted, it removes the
 * elector from the ensemble first, and then releases the Node. Acts while this node leads. Confined
 * to its loop.
 */
final class MembershipController implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MembershipController.class);

  /** The time until the next look while time alone may make a change due. */
  private static final Duration PERIOD = Duration.ofSeconds(2);

  /** The time until the next look while every node with a place is ready and none leaves. */
  static final Duration REST = Duration.ofSeconds(30);

  /** Changes of Nodes within this time cause one look, which reads all Nodes. */
  private static final Duration GATHERING = Duration.ofMillis(100);

  /** For how long a report of a node counts that it receives the log. */
  private static final Duration REPORT = Duration.ofSeconds(10);

  /** The number of reports of which one must arrive if they are rare. */
  private static final int REPORTS = 3;

  /** How long a node that runs may take to learn that it was removed. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final ObjectStore store;
  private final Optional<Ensemble> ensemble;
  private final BooleanSupplier leads;
  private final String machine;
  private final Loop loop;
  private final Map<String, Instant> reports = new HashMap<>();
  private Optional<Function<Resource<Node.Spec, Node.Status>, Future<?>>> promoting =
      Optional.empty();
  private boolean busy;
  private boolean requested;
  private boolean closed;
  private Watch nodes = () -> {};
  private Watch settings = () -> {};
  private TimedExecutor.Timer timer = () -> {};

  /** The members of the ensemble. Changes block. */
  interface Ensemble {
    /** The ids of the members that vote, as this node knows them; never blocks. */
    Set<Long> voters();

    /** Lets a member vote whose server receives the log. */
    void add(Elector elector) throws IOException, InterruptedException;

    /** Removes a member. */
    void remove(long id) throws IOException, InterruptedException;
  }

  /**
   * @param store the objects of the cluster, without restrictions
   * @param ensemble empty if others run the ensemble: then each node votes until it is removed
   * @param leads whether this node leads
   * @param machine machine id of this node
   */
  MembershipController(
      ObjectStore store,
      Optional<Ensemble> ensemble,
      BooleanSupplier leads,
      String machine,
      Loop loop) {
    this.store = store;
    this.ensemble = ensemble;
    this.leads = leads;
    this.machine = machine;
    this.loop = loop;
  }

  /**
   * Lets observers take the places of servers that were lost. Call it before {@link #start}.
   *
   * @param promote gives a place to a node
   */
  void promoting(Function<Resource<Node.Spec, Node.Status>, Future<?>> promote) {
    promoting = Optional.of(promote);
  }

  /** Begins to act. */
  void start() {
    nodes = LastingWatch.of(store, Node.KIND, loop, change -> request());
    settings = LastingWatch.of(store, ClusterConfig.KIND, loop, change -> request());
    loop.execute(this::run);
  }

  /** Receives the report of a node that it receives the log. Called on the loop. */
  void ready(String reporting) {
    boolean isNew =
        !reports.getOrDefault(reporting, Instant.MIN).isAfter(loop.now().minus(fresh()));
    reports.put(reporting, loop.now());
    if (isNew) {
      request();
    }
  }

  private void request() {
    if (!requested && !closed) {
      requested = true;
      loop.after(
          GATHERING,
          () -> {
            requested = false;
            run();
          });
    }
  }

  private void run() {
    if (busy || closed) {
      return;
    }
    timer.cancel();
    timer = loop.after(PERIOD, this::run);
    if (!leads.getAsBoolean()) {
      return;
    }
    var step = next();
    if (step.isPresent()) {
      busy = true;
      step.get()
          .onComplete(
              done ->
                  loop.execute(
                      () -> {
                        busy = false;
                        if (done.failed()) {
                          LOG.warn("membership: {}", done.cause().getMessage());
                        } else {
                          run();
                        }
                      }));
    } else if (isSettled()) {
      timer.cancel();
      timer = loop.after(REST, this::run);
    }
  }

  /** Whether nothing becomes due without a change of a Node, of the settings, or of the members. */
  private boolean isSettled() {
    var all = store.list(Node.KIND);
    var placed = all.stream().filter(it -> ElectorPlace.of(it).isPresent()).toList();
    var wanted = LogPlaces.wanted(store);
    return ensemble.isPresent()
        && ensemble.get().voters().size() == wanted.electors()
        && placed.size() >= wanted.servers()
        && all.stream().noneMatch(node -> node.meta().deleting())
        && placed.stream().allMatch(node -> ready(node).filter(Condition::isTrue).isPresent());
  }

  /** Begins the next change; empty if everything is as it should be. */
  private Optional<Future<?>> next() {
    var all = store.list(Node.KIND);
    var nodes = all.stream().filter(it -> ElectorPlace.of(it).isPresent()).toList();
    if (ensemble.isEmpty()) {
      var electors = ExternalElector.electors(all);
      Predicate<Resource<Node.Spec, Node.Status>> votes = node -> electors.contains(node.name());
      return mark(nodes, votes).or(() -> removal(all, votes));
    }
    var voters = ensemble.get().voters();
    if (voters.isEmpty()) {
      return Optional.empty();
    }
    Predicate<Resource<Node.Spec, Node.Status>> votes =
        node -> ElectorPlace.of(node).filter(it -> voters.contains(it.elector().id())).isPresent();
    return mark(nodes, votes)
        .or(() -> change(ensemble.get(), nodes, voters))
        .or(() -> removal(all, votes))
        .or(() -> promotion(all));
  }

  private Optional<Future<?>> promotion(List<Resource<Node.Spec, Node.Status>> all) {
    return promoting.flatMap(
        promote -> LogPlaces.promoted(all, LogPlaces.wanted(store), loop.now()).map(promote));
  }

  /** Notes who votes. */
  private Optional<Future<?>> mark(
      List<Resource<Node.Spec, Node.Status>> nodes,
      Predicate<Resource<Node.Spec, Node.Status>> voting) {
    for (var node : nodes) {
      var place = ElectorPlace.of(node).orElseThrow();
      boolean votes = voting.test(node);
      if (place.votes() != votes) {
        return Optional.of(store.put(place.voting(votes).in(node)));
      }
    }
    return Optional.empty();
  }

  private Optional<Future<?>> change(
      Ensemble ours, List<Resource<Node.Spec, Node.Status>> nodes, Set<Long> voters) {
    var places = new HashMap<String, Elector>();
    var members = new TreeMap<String, Long>();
    var unknown = new HashSet<>(voters);
    var described = new ArrayList<ElectorNode>();
    for (var node : nodes) {
      var elector = ElectorPlace.of(node).orElseThrow().elector();
      var id = Node.machineId(node).orElse(node.name());
      boolean votes = unknown.remove(elector.id());
      places.put(id, elector);
      if (votes) {
        members.put(id, elector.id());
      }
      described.add(described(node, id, votes));
    }
    unknown.forEach(id -> members.put("elector " + id, id));
    var next = new Electors(members, 0).next(described, plan(), Optional.of(machine));
    return next.map(it -> loop.offload(() -> apply(ours, it, places, members)));
  }

  private static boolean apply(
      Ensemble ensemble,
      ElectorChange change,
      Map<String, Elector> places,
      Map<String, Long> members)
      throws IOException, InterruptedException {
    LOG.info("membership: {}", change);
    if (change instanceof ElectorChange.Add) {
      ensemble.add(requireNonNull(places.get(change.machine())));
    } else {
      ensemble.remove(requireNonNull(members.get(change.machine())));
    }
    return true;
  }

  private ElectorNode described(Resource<Node.Spec, Node.Status> node, String id, boolean votes) {
    var now = loop.now();
    var ready = ready(node);
    boolean reachable =
        id.equals(machine)
            || (votes
                ? ready.filter(Condition::isTrue).isPresent()
                : reports.getOrDefault(id, Instant.MIN).isAfter(now.minus(fresh())));
    var since =
        votes
            ? ready.map(it -> Duration.between(it.since(), now)).orElse(Duration.ZERO)
            : Duration.ZERO;
    return new ElectorNode(
        id,
        node.meta().created().map(Instant::toEpochMilli).orElse(Long.MAX_VALUE),
        node.meta().labels().getOrDefault("zone", ""),
        reachable,
        since,
        node.meta().deleting());
  }

  private static Optional<Condition> ready(Resource<Node.Spec, Node.Status> node) {
    return node.status()
        .flatMap(status -> Condition.find(status.conditions(), ConditionType.READY));
  }

  /** For how long a report counts. */
  private Duration fresh() {
    var some = ReadyReports.period(ElectorSlots.names(store).size()).multipliedBy(REPORTS);
    return some.compareTo(REPORT) > 0 ? some : REPORT;
  }

  private ElectorPlan plan() {
    return plan(valid(config().map(Resource::spec).orElse(ClusterConfig.Spec.DEFAULT)));
  }

  /** The settings, or the default if they are not valid. */
  static ClusterConfig.Spec valid(ClusterConfig.Spec spec) {
    try {
      plan(spec);
      return spec;
    } catch (IllegalArgumentException invalid) {
      LOG.warn("membership: {}; the default is used", invalid.getMessage());
      return ClusterConfig.Spec.DEFAULT;
    }
  }

  private static ElectorPlan plan(ClusterConfig.Spec spec) {
    return new ElectorPlan(
        spec.electors(), Duration.ofSeconds(spec.replaceElectorAfterSeconds()), Duration.ZERO);
  }

  private Optional<Resource<ClusterConfig.Spec, ClusterConfig.Status>> config() {
    return store.get(ClusterConfig.KIND, ClusterConfig.NAME);
  }

  /** Removes a Node that is being deleted and does not vote. */
  private Optional<Future<?>> removal(
      List<Resource<Node.Spec, Node.Status>> nodes,
      Predicate<Resource<Node.Spec, Node.Status>> voting) {
    for (var node : nodes) {
      boolean votes = voting.test(node);
      var asked = node.meta().deleted();
      if (asked.isPresent()
          && node.meta().has(Node.MEMBER)
          && !votes
          && (!ready(node).filter(Condition::isTrue).isPresent()
              || asked.get().plus(GRACE).isBefore(loop.now()))) {
        LOG.info("node={} is removed from the cluster", node.name());
        return Optional.of(
            store.commit(
                List.of(
                    revocation(config(), List.of(removalOf(node, loop.now())), loop.now()),
                    released(node))));
      }
    }
    return Optional.empty();
  }

  /** The note that a node was removed. */
  static ClusterConfig.Removal removalOf(Resource<Node.Spec, Node.Status> node, Instant now) {
    return new ClusterConfig.Removal(node.name(), Optional.of(node.meta().uid()), now);
  }

  private static Write released(Resource<Node.Spec, Node.Status> node) {
    return new Write.Put(node.withMeta(node.meta().removing(Node.MEMBER)));
  }

  /** Adds removals to the settings of the cluster. */
  static Write revocation(
      Optional<Resource<ClusterConfig.Spec, ClusterConfig.Status>> config,
      List<ClusterConfig.Removal> removals,
      Instant now) {
    var all = new ArrayList<ClusterConfig.Removal>();
    config
        .flatMap(Resource::status)
        .ifPresent(
            status ->
                status.removed().stream()
                    .filter(each -> each.at().isAfter(now.minus(CertificateAuthority.NODE_LIFE)))
                    .forEach(all::add));
    all.addAll(removals);
    var status = new ClusterConfig.Status(config.map(it -> it.meta().generation()).orElse(1L), all);
    return config
        .<Write>map(present -> new Write.PutStatus(present.withStatus(status)))
        .orElseGet(
            () ->
                new Write.Put(
                    Resource.of(ClusterConfig.KIND, ClusterConfig.NAME, ClusterConfig.Spec.DEFAULT)
                        .withStatus(status)));
  }

  @Override
  public void close() {
    nodes.close();
    settings.close();
    loop.execute(
        () -> {
          closed = true;
          timer.cancel();
        });
  }
}
