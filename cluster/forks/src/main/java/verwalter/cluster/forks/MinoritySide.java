package verwalter.cluster.forks;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.cluster.View;
import verwalter.cluster.forks.ForkState.Phase;
import verwalter.cluster.sides.ForkMerge.Overridden;
import verwalter.cluster.sides.MinorityPolicy;
import verwalter.cluster.sides.MinorityPolicy.Conduct;
import verwalter.cluster.sides.MinorityPolicy.Mode;
import verwalter.cluster.sides.SideElection;
import verwalter.cluster.sides.SideOptions;
import verwalter.cluster.sides.SidePosition;
import verwalter.cluster.sides.SideReport;
import verwalter.cluster.sides.SideState;
import verwalter.concurrent.Loop;
import verwalter.model.Action;
import verwalter.model.NodeSchedule;
import verwalter.model.RoleConfig;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Write;
import verwalter.stores.engine.Snapshot;
import verwalter.stores.local.LocalStore;

/**
 * What a node does while the log has no leader. It decides with {@link SideElection} who leads the
 * side, gives the node a fork of the cluster's objects while it leads, and merges the fork when the
 * log has a leader again. For each role, {@link MinorityPolicy} says what the node runs.
 *
 * <p>Only a node that reaches no other one elects a leader: itself. Nodes of a larger side keep
 * what they run.
 *
 * <p>All state belongs to the loop. {@link #share}, {@link #isMinority} and {@link #guarded} are
 * thread-safe.
 */
public final class MinoritySide {
  private static final Logger LOG = LoggerFactory.getLogger(MinoritySide.class);
  private static final Duration INTERVAL = Duration.ofMillis(500);

  /**
   * The node and its cluster.
   *
   * @param self machine id
   * @param nanos a monotonic clock, in nanoseconds
   * @param leadership of the log
   * @param log the objects of the cluster in the log
   * @param snapshot all objects of {@code log}
   * @param electors the machine ids of the electors
   */
  public record Cluster(
      String self,
      LongSupplier nanos,
      Leadership leadership,
      EpochStore log,
      Supplier<Snapshot> snapshot,
      Supplier<Set<String>> electors,
      SideMembers members) {}

  /**
   * What the side changes.
   *
   * @param seat the leadership of this node
   * @param exchange uses another store for the objects of the cluster
   * @param overridden receives the writes that lost when sides met
   */
  public record Effects(
      SideLeadership seat, Consumer<EpochStore> exchange, Consumer<List<Overridden>> overridden) {}

  private final Cluster cluster;
  private final Effects effects;
  private final ForkFiles files;
  private final SideOptions options;
  private final Loop loop;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private Optional<ForkState> state = Optional.empty();
  private Map<String, MinorityPolicy> policies = Map.of();
  private long policiesOf = -1;
  private Optional<Duration> lost = Optional.empty();
  private @Nullable Duration due;
  private @Nullable LocalStore store;
  private Optional<Term> led = Optional.empty();
  private boolean busy;
  private boolean closed;
  private String said = "";
  private Object announced = "";
  private volatile Moment moment = new Moment(Optional.empty(), Optional.empty(), false, Map.of());

  /**
   * What other threads may know.
   *
   * @param lost since when there is no leader of the log
   * @param fork the store of the fork, also until it is merged
   * @param isFork whether the node uses the fork
   */
  private record Moment(
      Optional<Duration> lost,
      Optional<ObjectStore> fork,
      boolean isFork,
      Map<String, MinorityPolicy> policies) {}

  private MinoritySide(
      Cluster cluster, Effects effects, ForkFiles files, SideOptions options, Loop loop) {
    this.cluster = cluster;
    this.effects = effects;
    this.files = files;
    this.options = options;
    this.loop = loop;
  }

  /**
   * Begins to observe the log.
   *
   * @throws IOException if the file of an earlier fork cannot be read
   */
  public static MinoritySide start(
      Cluster cluster, Effects effects, ForkFiles files, SideOptions options, Loop loop)
      throws IOException {
    var side = new MinoritySide(cluster, effects, files, options, loop);
    side.state = files.state();
    loop.execute(side::tick);
    return side;
  }

  /** Calls the listener when what the node is to run may have changed, on the loop. */
  public void listen(Runnable listener) {
    listeners.add(listener);
  }

  /** Whether this node knows no leader of the log, or its fork is not merged yet. */
  public boolean isMinority() {
    var now = moment;
    return now.lost().isPresent() || now.fork().isPresent();
  }

  /** The store for people, which refuses what a fork does not merge. */
  public ObjectStore guarded(ObjectStore everything) {
    return new SideGuard(everything, () -> moment.isFork());
  }

  /** What the node runs of its share. */
  public NodeSchedule.Spec share(String node, NodeSchedule.Spec share) {
    var now = moment;
    if (now.lost().isEmpty() && now.fork().isEmpty()) {
      return share;
    }
    var log = roles(cluster.log(), node);
    var fork = now.fork().map(it -> roles(it, node)).orElse(log);
    var time = now();
    return new NodeSchedule.Spec(
        share.schedule(), SideRoles.of(log, fork, role -> conduct(now, role, time)));
  }

  private static Map<String, Map<String, Object>> roles(ObjectStore store, String node) {
    return store.get(NodeSchedule.KIND, node).map(it -> it.spec().roles()).orElse(Map.of());
  }

  private Conduct conduct(Moment now, String role, Duration time) {
    var own = Optional.ofNullable(now.policies().get(role));
    var policy = options.policy(own);
    return policy.mode() == Mode.SCHEDULE && now.fork().isPresent()
        ? Conduct.FOLLOW_FORK
        : policy.conduct(now.lost(), time, false);
  }

  private Duration now() {
    return Duration.ofNanos(cluster.nanos().getAsLong());
  }

  private void tick() {
    if (closed) {
      return;
    }
    var now = now();
    var expected = due;
    var late = expected == null ? Duration.ZERO : now.minus(expected);
    due = now.plus(INTERVAL);
    loop.after(INTERVAL, this::tick);
    if (cluster.leadership().term().isPresent()) {
      lost = Optional.empty();
    } else if (lost.isEmpty() || late.compareTo(options.latest()) > 0) {
      lost = Optional.of(now); // after a pause the leader may be back soon
    }
    readPolicies();
    cluster.members().want(options.electsAfter(policies.values()).isPresent());
    evaluate(now, late);
    announce(now);
  }

  private void readPolicies() {
    long revision = cluster.log().revision();
    if (revision == policiesOf) {
      return;
    }
    policiesOf = revision;
    var next = new TreeMap<String, MinorityPolicy>();
    for (var role : cluster.log().list(RoleConfig.KIND)) {
      try {
        MinorityPolicy.of(role.spec()).ifPresent(policy -> next.put(role.name(), policy));
      } catch (MinorityPolicy.Invalid mistake) {
        next.put(role.name(), MinorityPolicy.FREEZE);
        say("role=%s %s".formatted(role.name(), mistake.getMessage()));
      }
    }
    policies = Map.copyOf(next);
  }

  private void evaluate(Duration now, Duration late) {
    if (lost.isEmpty()) {
      if (!busy && state.filter(it -> it.phase() != Phase.MERGED).isPresent()) {
        comeBack();
      }
      return;
    }
    var view = view();
    var known =
        new SidePosition(
            cluster.self(),
            view.orElseGet(() -> alone(0)),
            view.isPresent() ? Duration.ZERO : options.oldestView().plusMillis(1),
            late,
            cluster.electors().get(),
            now.minus(lost.get()),
            options.electsAfter(policies.values()),
            Optional.empty(),
            ForkState.promise(state),
            Set.of());
    apply(SideElection.state(known, options), known.view());
  }

  private Optional<View> view() {
    return options.forceLeader() ? Optional.of(alone(1)) : cluster.members().view();
  }

  private View alone(long number) {
    return new View(number, new TreeSet<>(Set.of(cluster.self())));
  }

  private void apply(SideState decided, View view) {
    if (decided instanceof SideState.Leading leading) {
      if (busy) {
        return;
      }
      if (store == null) {
        enter(leading.term(), files::open);
      } else if (led.isEmpty()) {
        lead(Optional.of(leading.term()));
      }
      return;
    }
    if (led.isPresent()) {
      lead(Optional.empty());
    }
    if (decided instanceof SideState.Leaderless leaderless) {
      if (options.electsAfter(policies.values()).isPresent()) {
        say("side: no leader: " + leaderless.why());
      }
      if (leaderless.electing() && !busy) {
        elect(view);
      }
    }
  }

  private void elect(View view) {
    if (view.members().size() > 1) {
      say("side: %d nodes without a majority keep what they run".formatted(view.members().size()));
      return;
    }
    if (state.filter(it -> it.phase() == Phase.CLOSED).isPresent()) {
      return; // an earlier fork must be merged first
    }
    var promise = ForkState.promise(state);
    long seen = Math.max(cluster.log().epoch(), promise.epoch());
    var own = new SideReport(cluster.self(), view, seen, promise, cluster.log().revision(), true);
    SideElection.appoint(view, List.of(own))
        .filter(term -> SideElection.accepts(promise, seen, view, term))
        .ifPresent(term -> enter(term, () -> files.begin(term, cluster.snapshot().get())));
  }

  /** Opens a fork, uses it, and leads. */
  private void enter(Term term, Callable<LocalStore> opening) {
    busy = true;
    loop.offload(opening)
        .compose(opened -> begin(opened, term))
        .compose(opened -> loop.offload(() -> new Opened(opened, files.state())))
        .onComplete(
            result ->
                loop.execute(
                    () -> {
                      busy = false;
                      if (result.succeeded()) {
                        use(result.result(), term);
                      } else {
                        say("side: the fork cannot be opened: " + result.cause());
                      }
                    }));
  }

  private record Opened(LocalStore store, Optional<ForkState> state) {}

  private void use(Opened opened, Term term) {
    LOG.info("side: this node leads a side without a majority, epoch={}", term.epoch());
    state = opened.state();
    store = opened.store();
    announce(now());
    effects.exchange().accept(opened.store());
    effects.seat().enter();
    lead(Optional.of(term));
  }

  /** Begins the epoch of the term. Actions that the log has accepted wait for the majority. */
  private static Future<LocalStore> begin(LocalStore opened, Term term) {
    if (opened.epoch() >= term.epoch()) {
      return Future.succeededFuture(opened);
    }
    var waiting =
        opened.list(Action.KIND).stream()
            .filter(Action::pending)
            .<Write>map(Write.Remove::new)
            .toList();
    var removed =
        waiting.isEmpty() ? Future.succeededFuture() : opened.commit(waiting).<Object>map(it -> it);
    return removed
        .compose(done -> opened.beginEpoch(term.epoch()))
        .map(opened)
        .onFailure(failure -> opened.close());
  }

  private void lead(Optional<Term> term) {
    led = term;
    effects.seat().lead(term);
    if (term.isEmpty()) {
      LOG.info("side: this node does not lead its side any more");
    }
  }

  /** Ends the term, and merges what it wrote. */
  private void comeBack() {
    busy = true;
    var ending = state.orElseThrow();
    LOG.info("side: the majority is back; epoch={} is merged", ending.term().epoch());
    led = Optional.empty();
    effects
        .seat()
        .enter()
        .compose(stopped -> loop.offload(() -> closed(ending)))
        .onComplete(
            result ->
                loop.execute(
                    () -> {
                      if (result.succeeded()) {
                        state = Optional.of(ending.in(Phase.CLOSED));
                        merge(ending, result.result());
                      } else {
                        busy = false;
                        say("side: the fork cannot be merged: " + result.cause());
                      }
                    }));
  }

  /** Marks the term as closed. The store is open afterwards. */
  private LocalStore closed(ForkState ending) throws IOException {
    var open = store;
    var opened = open == null ? files.open() : open;
    files.write(ending.in(Phase.CLOSED));
    return opened;
  }

  private void merge(ForkState ending, LocalStore fork) {
    store = fork;
    effects.exchange().accept(cluster.log());
    announce(now());
    fork.close(); // nothing is written any more; reads remain possible
    var written =
        StoredFork.of(
            fork, ending.term(), ending.base(), key -> ForkReturn.read(cluster.log(), key));
    new ForkReturn(
            cluster.log(),
            loop,
            written,
            () -> cluster.leadership().term().isPresent(),
            overridden -> merged(ending, overridden))
        .run();
  }

  private void merged(ForkState ending, List<Overridden> overridden) {
    LOG.info("side: epoch={} is merged, {} writes lost", ending.term().epoch(), overridden.size());
    overridden.forEach(each -> LOG.info("side: {}: {}", each.key(), each.message()));
    effects.overridden().accept(overridden);
    var next = ending.in(Phase.MERGED);
    loop.offload(
            () -> {
              files.write(next);
              files.remove();
              return next;
            })
        .onComplete(
            done ->
                loop.execute(
                    () -> {
                      if (done.failed()) {
                        LOG.warn("side: {}", done.cause().toString());
                      }
                      state = Optional.of(next);
                      store = null;
                      busy = false;
                      effects.seat().leave();
                    }));
  }

  /** Calls the listeners if something has changed for them. */
  private void announce(Duration now) {
    Optional<ObjectStore> fork = Optional.ofNullable(store);
    var next = new Moment(lost, fork, fork.isPresent() && lost.isPresent() && !busy, policies);
    moment = next;
    var stopped =
        policies.keySet().stream()
            .filter(role -> conduct(next, role, now) == Conduct.STOP)
            .collect(Collectors.toSet());
    var announcement = List.of(lost.isPresent(), fork.isPresent(), stopped, cluster.log().epoch());
    if (!announcement.equals(announced)) {
      announced = announcement;
      listeners.forEach(Runnable::run);
    }
  }

  /** Logs a message unless it was the last one. */
  private void say(String message) {
    if (!message.equals(said)) {
      said = message;
      LOG.info(message);
    }
  }

  /** Stops observing, and closes the fork's store, which stays on disk. */
  public Future<Void> stop() {
    var stopped = Promise.<Void>promise();
    loop.execute(
        () -> {
          closed = true;
          cluster.members().want(false);
          var open = store;
          if (open != null) {
            open.close();
          }
          stopped.complete();
        });
    return stopped.future();
  }
}
