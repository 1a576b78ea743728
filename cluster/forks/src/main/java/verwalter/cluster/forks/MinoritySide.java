package verwalter.cluster.forks;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.cluster.View;
import verwalter.cluster.sides.ForkMerge.Overridden;
import verwalter.cluster.sides.MinorityPolicy;
import verwalter.cluster.sides.SideElection;
import verwalter.cluster.sides.SideOptions;
import verwalter.cluster.sides.SidePosition;
import verwalter.cluster.sides.SideReport;
import verwalter.cluster.sides.SideState;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor;
import verwalter.concurrent.Watch;
import verwalter.model.NodeSchedule;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.engine.Snapshot;

/**
 * What a node does while the log has no leader. It takes part in the election of a leader of its
 * side ({@link SideElection}), gives the node a fork of the cluster's objects, which it leads or
 * copies from the leader, and merges what it has led when the log has a leader again. For each
 * role, {@link MinorityPolicy} says what the node runs.
 *
 * <p>All state belongs to the loop. {@link #share}, {@link #isMinority}, {@link #guarded} and
 * {@link #receive} are thread-safe.
 */
public final class MinoritySide {
  private static final Logger LOG = LoggerFactory.getLogger(MinoritySide.class);

  /** How often a leader checks that this process was not paused. */
  private static final Duration CHECK = Duration.ofSeconds(1);

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
   * @param electors the machine ids of the nodes that vote
   * @param members the nodes that this node reaches
   * @param peers exchanges messages with them
   * @param mayLead whether this node can write what it has led to the log afterwards
   */
  public record Cluster(
      String self,
      LongSupplier nanos,
      Leadership leadership,
      EpochStore log,
      Supplier<Snapshot> snapshot,
      Supplier<Set<String>> electors,
      SideMembers members,
      SidePeers peers,
      boolean mayLead) {}

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
  private final SideOptions options;
  private final Loop loop;
  private final SideFork fork;
  private final RolePolicies policies;
  private final StoppedRoles stopped;
  private final EarlierLoss earlier;
  private final SideReports reports = new SideReports();
  private final SideDispatch dispatch;
  private final SideConduct conduct;
  private final List<Watch> watches = new ArrayList<>();

  /** Since when the log has no leader, or since when it has one. */
  private Optional<Duration> lost;

  private Duration since;

  /** The next deadline, and its timer. */
  private @Nullable Duration due;

  private TimedExecutor.Timer timer = () -> {};

  /** Empty while this node takes part in no election. */
  private Optional<Side> side = Optional.empty();

  private Optional<Term> led = Optional.empty();

  private boolean closed;

  /** The last view that was logged. */
  private View seenView = new View(0, new TreeSet<>());

  private String said = "";

  private MinoritySide(
      Cluster cluster, Effects effects, ForkFiles files, SideOptions options, Loop loop)
      throws IOException {
    this.cluster = cluster;
    this.options = options;
    this.loop = loop;
    this.fork = new SideFork(cluster, effects, files, loop, this::update);
    this.policies = new RolePolicies(cluster.log(), loop, this::update);
    this.stopped = new StoppedRoles(files, loop, this::update);
    this.earlier = new EarlierLoss(files, loop);
    this.dispatch =
        new SideDispatch(cluster.self(), cluster.peers(), this::receive, loop, this::update);
    this.since = now();
    this.lost = isLed() ? Optional.empty() : Optional.of(since);
    this.conduct = new SideConduct(cluster.log(), options, fork, policies, stopped, loop, lost);
  }

  /**
   * Begins to observe the log. A fork that is not merged is followed at once, so that what runs
   * does not change.
   *
   * @throws IOException if the disk fails. A fork that cannot be read is set aside
   */
  public static MinoritySide start(
      Cluster cluster, Effects effects, ForkFiles files, SideOptions options, Loop loop)
      throws IOException {
    var side = new MinoritySide(cluster, effects, files, options, loop);
    side.fork.resume();
    side.conduct.read(side.lost);
    cluster.peers().serve(side::receive);
    loop.execute(side::observe);
    return side;
  }

  private void observe() {
    if (closed) {
      return;
    }
    watches.add(cluster.leadership().watch(loop, term -> update()));
    watches.add(cluster.members().watch(this::update));
    policies.watch();
    update();
  }

  /** Calls the listener now, and when what the node is to run may have changed, on the loop. */
  public void listen(Runnable listener) {
    conduct.listen(listener);
  }

  /** Whether this node knows no leader of the log, or has a fork that is not merged yet. */
  public boolean isMinority() {
    return conduct.isMinority();
  }

  /** The store for people, which refuses what a fork does not merge. */
  public ObjectStore guarded(ObjectStore everything) {
    return new SideGuard(everything, conduct::isFork);
  }

  /** What the node runs of its share. */
  public NodeSchedule.Spec share(String node, NodeSchedule.Spec share) {
    return conduct.share(node, share);
  }

  private Duration now() {
    return Duration.ofNanos(cluster.nanos().getAsLong());
  }

  private boolean isLed() {
    return cluster.leadership().term().isPresent();
  }

  /** Decides again. Called after each event and at each deadline. */
  private void update() {
    if (closed) {
      return;
    }
    var now = now();
    var late = due == null || now.compareTo(due) < 0 ? Duration.ZERO : now.minus(due);
    if (isLed()) {
      since = lost.isPresent() ? now : since;
      lost = Optional.empty();
      earlier.forget();
    } else if (lost.isEmpty() || late.compareTo(options.latest()) > 0) {
      lost = Optional.of(now); // after a pause the leader may be back soon
      earlier.forget();
    }
    cluster.members().want(electsAfter().isPresent());
    fork.repair(now);
    if (lost.isEmpty()) {
      leave();
      comeBack(now);
    } else {
      takePart(now, late);
    }
    earlier.update(policies.all().values(), lost, now);
    stopped.update(policies.all(), this::lost, now);
    conduct.update(lost);
    schedule(now);
  }

  /** Since when there is no leader, for a policy. */
  private Optional<Duration> lost(MinorityPolicy policy) {
    return lost.map(from -> earlier.begin(policy, from));
  }

  private Optional<Duration> electsAfter() {
    return options.electsAfter(policies.all().values());
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
    deadlines.add(fork.paused());
    if (led.isPresent()) {
      deadlines.add(now.plus(CHECK));
    }
    if (lost.isEmpty() && fork.isCopy()) {
      deadlines.add(since.plus(SideFork.COPY_KEPT));
    }
    lost.ifPresent(
        from -> {
          electsAfter().map(from::plus).ifPresent(deadlines::add);
          policies.stops(policy -> earlier.begin(policy, from)).forEach(deadlines::add);
          earlier.next().ifPresent(deadlines::add);
        });
    return deadlines.stream().filter(each -> each.compareTo(now) > 0).min(Duration::compareTo);
  }

  /** Takes part in the election of a leader of this side, and does what it says. */
  private void takePart(Duration now, Duration late) {
    var reached = view();
    var view = reached.orElseGet(() -> alone(0));
    if (reached.isPresent() && electsAfter().isPresent() && !view.equals(seenView)) {
      seenView = view;
      LOG.info("side: this node reaches {} in view {}", view.members(), view.number());
    }
    var electors = cluster.electors().get();
    var eligible =
        cluster.mayLead() || view.members().size() > 1
            ? SideElection.eligible(view, electors)
            : Collections.<String>emptySortedSet();
    var among = new TreeSet<>(eligible);
    among.add(cluster.self());
    var promise = fork.promise();
    boolean mayLead = eligible.contains(cluster.self());
    var decided =
        SideElection.state(
            new SidePosition(
                cluster.self(),
                new View(view.number(), among),
                reached.isPresent() ? Duration.ZERO : options.oldestView().plusMillis(1),
                late,
                electors,
                now.minus(lost.orElse(now)),
                electsAfter(),
                Optional.empty(),
                fork.isOwn() && !mayLead ? promise.retired() : promise,
                dispatch.acknowledged()),
            options);
    side =
        takesPart(decided) && !eligible.isEmpty()
            ? Optional.of(new Side(view, eligible))
            : Optional.empty();
    if (decided instanceof SideState.Leaderless leaderless && electsAfter().isPresent()) {
      say(
          "side: no leader: "
              + (eligible.isEmpty() ? "none of its nodes votes" : leaderless.why()));
    }
    seat(decided);
    if (side.isEmpty()) {
      leave();
    } else if (!fork.isBusy()) {
      send(side.get(), mayLead);
      report(side.get(), electors);
    }
  }

  private static boolean takesPart(SideState decided) {
    return decided instanceof SideState.Leading
        || decided instanceof SideState.Following
        || (decided instanceof SideState.Leaderless leaderless && leaderless.electing());
  }

  private Optional<View> view() {
    return options.forceLeader() ? Optional.of(alone(1)) : cluster.members().view();
  }

  private View alone(long number) {
    return new View(number, new TreeSet<>(Set.of(cluster.self())));
  }

  /** Makes this node lead or follow. */
  private void seat(SideState decided) {
    if (decided instanceof SideState.Leading leading) {
      if (!fork.isBusy() && led.isEmpty()) {
        LOG.info(
            "side: this node leads a side without a majority, epoch={}", leading.term().epoch());
        led = Optional.of(leading.term());
        fork.lead(leading.term());
      }
      return;
    }
    if (led.isPresent()) {
      LOG.info("side: this node does not lead its side any more");
      led = Optional.empty();
    }
    fork.follow(
        decided instanceof SideState.Following following
            ? Optional.of(following.term())
            : Optional.empty());
  }

  /** Sends the fork of this node to the others, or stops it. */
  private void send(Side at, boolean mayLead) {
    var term = fork.term().filter(open -> fork.isOwn() && mayLead);
    if (term.isPresent()) {
      dispatch.copies(at, term.get(), fork.base(), fork.store().orElseThrow());
    } else {
      dispatch.stopCopies();
    }
  }

  /** Reports to the node that appoints the leader, and appoints one if that is this node. */
  private void report(Side at, Set<String> electors) {
    dispatch.report(
        at,
        new SideReport(
            cluster.self(),
            at.view(),
            seen(),
            fork.promise(),
            cluster.log().revision(),
            electors.contains(cluster.self())));
    if (at.appointer().equals(cluster.self())) {
      reports.appoint(at.view(), at.eligible()).ifPresent(dispatch::appoint);
    }
  }

  /** The largest epoch that this node has seen. */
  private long seen() {
    return Math.max(cluster.log().epoch(), fork.promise().epoch());
  }

  /** Takes no part in elections. */
  private void leave() {
    side = Optional.empty();
    dispatch.clear();
  }

  /** Answers another node, or this one. */
  Future<SideAnswer> receive(String from, SideMessage message) {
    var answer = Promise.<SideAnswer>promise();
    loop.execute(
        () ->
            (closed ? Future.succeededFuture(SideAnswer.LATER) : answered(from, message))
                .onComplete(answer));
    return answer.future();
  }

  private Future<SideAnswer> answered(String from, SideMessage message) {
    try {
      return answer(from, message);
    } catch (RuntimeException failure) {
      LOG.error("side: a message of {} cannot be answered", from, failure);
      return Future.failedFuture(failure);
    }
  }

  private Future<SideAnswer> answer(String from, SideMessage message) {
    if (message instanceof SideMessage.Report reported) {
      return Future.succeededFuture(reported(from, reported.report()));
    }
    if (message instanceof SideMessage.Appointment appointed) {
      return appointed(from, appointed.term());
    }
    if (message instanceof SideMessage.Copy copy) {
      return copied(from, copy);
    }
    return Future.succeededFuture(ended(from, ((SideMessage.Ended) message).term()));
  }

  /** Whether a message is not what it says, or has an epoch that cannot be true. */
  private boolean isFalse(String from, String author, long epoch) {
    if (!from.equals(author) || SideReports.isTooLarge(epoch, seen())) {
      LOG.warn("side: a message of {} about {} and epoch {} is refused", from, author, epoch);
      return true;
    }
    return false;
  }

  private SideAnswer reported(String from, SideReport its) {
    boolean votes = from.equals(cluster.self()) || cluster.electors().get().contains(from);
    long epoch = Math.max(its.epoch(), its.promise().epoch());
    if (isFalse(from, its.member(), epoch + SideReports.margin(votes))) {
      return SideAnswer.REFUSED;
    }
    reports.add(its);
    update();
    // Without the same view the report is not kept, so that it must come again.
    return side.filter(at -> at.view().equals(its.view())).isPresent()
        ? SideAnswer.DONE
        : SideAnswer.LATER;
  }

  private Future<SideAnswer> appointed(String from, Term term) {
    if (isFalse(cluster.self(), term.leader(), term.epoch())) {
      return Future.succeededFuture(SideAnswer.REFUSED);
    }
    if (fork.promise().admits(term)) {
      return Future.succeededFuture(SideAnswer.DONE);
    }
    if (term.epoch() <= seen()) {
      return Future.succeededFuture(SideAnswer.REFUSED);
    }
    return side.filter(at -> at.appointer().equals(from)).isPresent()
        ? accept(term, Long.MAX_VALUE)
        : Future.succeededFuture(SideAnswer.LATER);
  }

  private Future<SideAnswer> copied(String from, SideMessage.Copy copy) {
    var term = copy.term();
    if (isFalse(from, term.leader(), term.epoch())) {
      return Future.succeededFuture(SideAnswer.REFUSED);
    }
    if (fork.promise().admits(term)) {
      return copy(copy);
    }
    if (term.epoch() <= seen()) {
      return Future.succeededFuture(SideAnswer.REFUSED);
    }
    return accept(term, copy.base())
        .compose(
            done ->
                done == SideAnswer.DONE ? copy(copy) : Future.succeededFuture(SideAnswer.LATER));
  }

  /** Stores a copy of the present term, unless the log has a leader meanwhile. */
  private Future<SideAnswer> copy(SideMessage.Copy copy) {
    return closed || lost.isEmpty() || !fork.term().equals(Optional.of(copy.term()))
        ? Future.succeededFuture(SideAnswer.LATER)
        : fork.copy(copy, () -> lost.isPresent());
  }

  /**
   * Accepts a term if this node takes part in an election now, and can follow its leader.
   *
   * @param base the version of the log's state below the fork of the leader
   */
  private Future<SideAnswer> accept(Term term, long base) {
    boolean possible =
        side.filter(
                at ->
                    at.eligible().contains(term.leader())
                        && SideElection.accepts(fork.promise(), seen(), at.view(), term))
            .isPresent();
    if (!possible || fork.isBusy()) {
      return Future.succeededFuture(SideAnswer.LATER);
    }
    led = Optional.empty();
    return fork.accept(term, base).map(SideAnswer.DONE).otherwise(SideAnswer.LATER);
  }

  private SideAnswer ended(String from, Term term) {
    if (from.equals(term.leader())) {
      fork.merged(term);
      update();
    }
    return SideAnswer.DONE;
  }

  /** The log has a leader: ends the fork, and merges what this node has led. */
  private void comeBack(Duration now) {
    if (led.isPresent()) {
      LOG.info("side: this node does not lead its side any more");
      led = Optional.empty();
    }
    fork.comeBack(since, now);
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
    var stopping = Promise.<Void>promise();
    loop.execute(
        () -> {
          closed = true;
          timer.cancel();
          leave();
          policies.close();
          watches.forEach(Watch::close);
          cluster.members().want(false);
          fork.close();
          stopping.complete();
        });
    return stopping.future();
  }
}
