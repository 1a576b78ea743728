package verwalter.cluster.forks;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
import verwalter.concurrent.TimedExecutor;
import verwalter.concurrent.Watch;
import verwalter.model.Action;
import verwalter.model.NodeSchedule;
import verwalter.model.RoleConfig;
import verwalter.stores.api.Change;
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

  /** How often a leader checks that this process was not paused. */
  private static final Duration CHECK = Duration.ofSeconds(1);

  private static final Duration RETRY = Duration.ofSeconds(1);

  /** Timers are exact to the millisecond. */
  private static final Duration ROUNDING = Duration.ofMillis(1);

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
  private final List<Watch> watches = new ArrayList<>();
  private Optional<ForkState> state = Optional.empty();
  private Map<String, MinorityPolicy> policies = Map.of();
  private Watch roles = () -> {};
  private boolean rolesChanged;
  private Optional<Duration> lost = Optional.empty();

  /** The roles that were stopped since there is no leader, durably. */
  private Set<String> stopped = Set.of();

  private boolean storing;

  /** The next deadline, and its timer. */
  private @Nullable Duration due;

  private TimedExecutor.Timer timer = () -> {};

  /** What failed is not tried again before this time. */
  private Duration pause = Duration.ZERO;

  private @Nullable LocalStore store;
  private boolean used;
  private Optional<Term> led = Optional.empty();
  private boolean busy;
  private boolean closed;
  private String said = "";
  private Object announced = "";
  private volatile Moment moment;

  /**
   * What other threads may know.
   *
   * @param lost whether there is no leader of the log
   * @param fork the store of the fork, also until it is merged
   * @param isFork whether the node uses the fork
   * @param conducts what the node does for each role with a policy
   * @param others what it does for other roles
   */
  private record Moment(
      boolean lost,
      Optional<ObjectStore> fork,
      boolean isFork,
      Map<String, Conduct> conducts,
      Conduct others) {
    /** Whether the node does what the log says. */
    boolean isPlain() {
      return !lost
          && fork.isEmpty()
          && conducts.values().stream().allMatch(Conduct.FOLLOW_LOG::equals);
    }

    Conduct conduct(String role) {
      return conducts.getOrDefault(role, others);
    }
  }

  private MinoritySide(
      Cluster cluster, Effects effects, ForkFiles files, SideOptions options, Loop loop)
      throws IOException {
    this.cluster = cluster;
    this.effects = effects;
    this.files = files;
    this.options = options;
    this.loop = loop;
    this.state = files.state();
    this.stopped = files.stopped();
    this.lost = cluster.leadership().term().isPresent() ? Optional.empty() : Optional.of(now());
    readPolicies();
    if (is(Phase.OPEN) || is(Phase.CLOSED)) {
      store = files.open();
    }
    moment = moment();
  }

  /**
   * Begins to observe the log. A fork that is not merged is followed at once, so that what runs
   * does not change.
   *
   * @throws IOException if an earlier fork cannot be read
   */
  public static MinoritySide start(
      Cluster cluster, Effects effects, ForkFiles files, SideOptions options, Loop loop)
      throws IOException {
    var side = new MinoritySide(cluster, effects, files, options, loop);
    side.resume();
    loop.execute(side::observe);
    return side;
  }

  /** Uses a fork that was open when the agent ended. It has no leader at first. */
  private void resume() {
    var present = store;
    if (present != null && is(Phase.OPEN)) {
      used = true;
      moment = moment();
      effects.exchange().accept(present);
      loop.execute(effects.seat()::enter);
    }
  }

  private boolean is(Phase phase) {
    return state.filter(it -> it.phase() == phase).isPresent();
  }

  private void observe() {
    if (closed) {
      return;
    }
    watches.add(cluster.leadership().watch(loop, term -> update()));
    watches.add(cluster.members().watch(this::update));
    watchRoles();
    update();
  }

  /** Follows the policies, and the epoch of the log: each epoch is reported by a bookmark. */
  private void watchRoles() {
    roles =
        cluster
            .log()
            .watch(
                RoleConfig.KIND,
                loop,
                change -> {
                  if (change instanceof Change.Ended) {
                    watchRoles();
                  } else if (!rolesChanged) {
                    rolesChanged = true;
                    loop.execute(this::rolesChanged);
                  }
                });
  }

  private void rolesChanged() {
    rolesChanged = false;
    readPolicies();
    update();
  }

  /** Calls the listener now, and when what the node is to run may have changed, on the loop. */
  public void listen(Runnable listener) {
    listeners.add(listener);
    loop.execute(listener);
  }

  /** Whether this node knows no leader of the log, or its fork is not merged yet. */
  public boolean isMinority() {
    var now = moment;
    return now.lost() || now.fork().isPresent();
  }

  /** The store for people, which refuses what a fork does not merge. */
  public ObjectStore guarded(ObjectStore everything) {
    return new SideGuard(everything, () -> moment.isFork());
  }

  /** What the node runs of its share. */
  public NodeSchedule.Spec share(String node, NodeSchedule.Spec share) {
    var now = moment;
    if (now.isPlain()) {
      return share;
    }
    var log = roles(cluster.log(), node);
    var fork = now.fork().map(it -> roles(it, node)).orElse(log);
    return new NodeSchedule.Spec(share.schedule(), SideRoles.of(log, fork, now::conduct));
  }

  private static Map<String, Map<String, Object>> roles(ObjectStore store, String node) {
    return store.get(NodeSchedule.KIND, node).map(it -> it.spec().roles()).orElse(Map.of());
  }

  private Duration now() {
    return Duration.ofNanos(cluster.nanos().getAsLong());
  }

  /** Decides again. Called after each event and at each deadline. */
  private void update() {
    if (closed) {
      return;
    }
    var now = now();
    var late = due == null || now.compareTo(due) < 0 ? Duration.ZERO : now.minus(due);
    if (cluster.leadership().term().isPresent()) {
      lost = Optional.empty();
    } else if (lost.isEmpty() || late.compareTo(options.latest()) > 0) {
      lost = Optional.of(now); // after a pause the leader may be back soon
    }
    cluster.members().want(options.electsAfter(policies.values()).isPresent());
    evaluate(now, late);
    stopRoles(now);
    announce();
    schedule(now);
  }

  /** Sets the timer for the next deadline. Without one, nothing happens until the next event. */
  private void schedule(Duration now) {
    timer.cancel();
    due = deadline(now).orElse(null);
    if (due != null) {
      timer = loop.after(due.minus(now).plus(ROUNDING), this::update);
    }
  }

  private Optional<Duration> deadline(Duration now) {
    var deadlines = new ArrayList<Duration>();
    deadlines.add(pause);
    if (led.isPresent()) {
      deadlines.add(now.plus(CHECK));
    }
    lost.ifPresent(
        since -> {
          options.electsAfter(policies.values()).map(since::plus).ifPresent(deadlines::add);
          policies.values().stream()
              .filter(policy -> policy.mode() == Mode.STOP_AFTER)
              .map(policy -> since.plus(policy.after()))
              .forEach(deadlines::add);
        });
    return deadlines.stream().filter(each -> each.compareTo(now) > 0).min(Duration::compareTo);
  }

  private void retry() {
    pause = now().plus(RETRY);
  }

  private void readPolicies() {
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

  /**
   * Stops roles whose time is over, until there is a leader. This is durable first, so that they do
   * not start again with the agent.
   */
  private void stopRoles(Duration now) {
    var next =
        policies.entrySet().stream()
            .filter(each -> isStopped(each.getKey(), each.getValue(), now))
            .map(Map.Entry::getKey)
            .collect(Collectors.toUnmodifiableSet());
    if (storing || next.equals(stopped)) {
      return;
    }
    storing = true;
    loop.offload(
            () -> {
              files.writeStopped(next);
              return next;
            })
        .onComplete(
            done -> {
              if (done.failed()) {
                LOG.warn("side: {}", done.cause().toString());
              }
              storing = false;
              stopped = next;
              update();
            });
  }

  private boolean isStopped(String role, MinorityPolicy policy, Duration now) {
    return lost.isPresent()
        && policy.mode() == Mode.STOP_AFTER
        && (stopped.contains(role) || policy.conduct(lost, now, false) == Conduct.STOP);
  }

  private void evaluate(Duration now, Duration late) {
    if (lost.isEmpty()) {
      if (!busy && isDue(now) && (is(Phase.OPEN) || is(Phase.CLOSED))) {
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

  private boolean isDue(Duration now) {
    return now.compareTo(pause) >= 0;
  }

  private Optional<View> view() {
    return options.forceLeader() ? Optional.of(alone(1)) : cluster.members().view();
  }

  private View alone(long number) {
    return new View(number, new TreeSet<>(Set.of(cluster.self())));
  }

  private void apply(SideState decided, View view) {
    if (decided instanceof SideState.Leading leading) {
      if (!busy && led.isEmpty()) {
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
      if (leaderless.electing() && !busy && isDue(now())) {
        elect(view);
      }
    }
  }

  private void elect(View view) {
    if (view.members().size() > 1) {
      say("side: %d nodes without a majority keep what they run".formatted(view.members().size()));
      return;
    }
    if (store != null) {
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
                        retry();
                      }
                      update();
                    }));
  }

  private record Opened(LocalStore store, Optional<ForkState> state) {}

  private void use(Opened opened, Term term) {
    LOG.info("side: this node leads a side without a majority, epoch={}", term.epoch());
    state = opened.state();
    store = opened.store();
    used = true;
    announce();
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
    var open = Objects.requireNonNull(store);
    LOG.info("side: the majority is back; epoch={} is merged", ending.term().epoch());
    led = Optional.empty();
    effects
        .seat()
        .enter()
        .compose(stopped -> loop.offload(() -> closed(ending, open)))
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
                        retry();
                        update();
                      }
                    }));
  }

  /** Marks the term as closed. */
  private LocalStore closed(ForkState ending, LocalStore open) throws IOException {
    files.write(ending.in(Phase.CLOSED));
    return open;
  }

  private void merge(ForkState ending, LocalStore fork) {
    used = false;
    effects.exchange().accept(cluster.log());
    announce();
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
                      update();
                    }));
  }

  private Moment moment() {
    var fork = Optional.<ObjectStore>ofNullable(store);
    var conducts = new TreeMap<String, Conduct>();
    policies.forEach(
        (role, policy) ->
            conducts.put(
                role, lost.isPresent() && stopped.contains(role) ? Conduct.STOP : conduct(policy)));
    return new Moment(
        lost.isPresent(),
        fork,
        used,
        Map.copyOf(conducts),
        conduct(options.policy(Optional.empty())));
  }

  private Conduct conduct(MinorityPolicy policy) {
    if (policy.mode() == Mode.SCHEDULE && store != null) {
      return Conduct.FOLLOW_FORK;
    }
    // Roles are stopped when that is stored.
    return lost.isEmpty() ? Conduct.FOLLOW_LOG : policy.conduct(lost, lost.get(), false);
  }

  /** Calls the listeners if something has changed for them. */
  private void announce() {
    var next = moment();
    moment = next;
    var announcement =
        List.of(
            next.lost(),
            next.fork().isPresent(),
            next.conducts(),
            next.others(),
            cluster.log().epoch());
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
          timer.cancel();
          roles.close();
          watches.forEach(Watch::close);
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
