package verwalter.controllers.schedule;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import verwalter.cluster.sides.ForkMerge;
import verwalter.concurrent.Loop;
import verwalter.controllers.runtime.Controller;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.runtime.Reconciler;
import verwalter.controllers.runtime.Result;
import verwalter.controllers.runtime.Writes;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Event;
import verwalter.model.NodeSchedule;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.Schedule;
import verwalter.model.Scheduler;
import verwalter.model.json.Json;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;

/**
 * Maintains the schedule in force. Runs the scheduler when its input changes, and every few seconds
 * if it depends on the time.
 */
public final class ScheduleReconciler implements Reconciler {
  private static final ResourceKey KEY = Schedule.KIND.key(Schedule.CURRENT);

  /** The pause between two runs without a change, and after a failed run, as in verwalter 0.13. */
  private static final Duration IDLE = Duration.ofSeconds(5);

  private static final Duration RETRY = Duration.ofSeconds(1);

  /** Changes within this time are gathered into one decision. */
  private static final Duration COALESCING = Duration.ofMillis(100);

  private static final int LOG_LIMIT = 20_000;
  private static final String NAME = "schedule";

  private final ObjectStore store;
  private final Loop loop;
  private final LoadedScheduler loaded;
  private final DecisionLog decisions;
  private final MetricsSource metrics;
  private final Events events;
  private final String host;
  private final String id;
  private final Quarantine setAside = new Quarantine();
  private final ObservedCluster cluster;
  private Optional<LastRun> last = Optional.empty();
  private Optional<NodeSchedules> shares = Optional.empty();

  /** The nodes that the scheduler knew when it last gave a decision. */
  private Set<String> decidedFor = Set.of();

  /**
   * Creates a reconciler for the node {@code host} with machine id {@code id}. {@code loop} is the
   * loop it is started on.
   */
  public ScheduleReconciler(
      ObjectStore store,
      Loop loop,
      LoadedScheduler loaded,
      DecisionLog decisions,
      MetricsSource metrics,
      Events events,
      String host,
      String id) {
    this.store = store;
    this.loop = loop;
    this.loaded = loaded;
    this.decisions = decisions;
    this.metrics = metrics;
    this.events = events;
    this.host = host;
    this.id = id;
    this.cluster = new ObservedCluster(store, KEY);
  }

  /** Builds the controller that runs this reconciler. */
  public Controller.Builder controller() {
    return controller(UnaryOperator.identity());
  }

  /** Builds the controller that runs {@code watched} applied to this reconciler. */
  public Controller.Builder controller(UnaryOperator<Reconciler> watched) {
    return Controller.named(NAME, watched.apply(this))
        .from(cluster)
        .watching(store, Schedule.KIND, any -> Stream.of(KEY))
        .coalescing(COALESCING)
        .from(
            (on, keys) -> {
              loaded.onLoad(() -> keys.accept(KEY));
              return () -> {};
            });
  }

  @Override
  public Future<Result> reconcile(ResourceKey key) {
    if (!cluster.complete()) {
      return Result.done();
    }
    if (loaded.scheduler().isEmpty()) {
      return loaded.tried()
          ? current().compose(now -> report(now, Optional.empty())).map(Result.DONE)
          : Result.done();
    }
    return current()
        .compose(
            now -> // another scheduler may have been loaded meanwhile
            loaded.scheduler().map(scheduler -> decide(now, scheduler)).orElseGet(Result::done));
  }

  /** Returns the schedule object. Creates it without a decision if it does not exist. */
  private Future<Resource<Schedule.Spec, Schedule.Status>> current() {
    return store
        .get(Schedule.KIND, Schedule.CURRENT)
        .map(Future::succeededFuture)
        .orElseGet(
            () -> store.put(Resource.of(Schedule.KIND, Schedule.CURRENT, Schedule.Spec.NONE)));
  }

  private Future<Result> decide(
      Resource<Schedule.Spec, Schedule.Status> current, Scheduler scheduler) {
    setAside.by(scheduler);
    var all =
        new Situation(
            loop.now(),
            host,
            id,
            cluster.nodes(),
            cluster.roles(),
            cluster.instances(),
            cluster.actions(),
            parents(current).stream().map(Resource::spec).toList(),
            metrics.metrics(questions(current.spec().data())));
    var situation = all.without(setAside.among(all.roles()));
    if (last.filter(run -> run.covers(scheduler, situation)).isPresent()) {
      return share(current, all)
          .compose(shared -> report(shared, Optional.empty()))
          .map(done -> pause());
    }
    last = Optional.empty();
    return loaded
        .run(() -> recorded(scheduler, situation))
        .compose(
            outcome -> {
              setAside.add(all.roles(), outcome.setAside());
              return write(current, all, outcome)
                  .transform(
                      written ->
                          written.succeeded()
                              ? report(written.result(), Optional.of(outcome))
                                  .map(reported -> next(scheduler, situation, outcome))
                              : unpublished(current, scheduler, outcome, written.cause()));
            });
  }

  /** The schedule in force, and those that lost against it when sides of a split met. */
  private List<Resource<Schedule.Spec, Schedule.Status>> parents(
      Resource<Schedule.Spec, Schedule.Status> current) {
    return Stream.concat(Stream.of(current), lost()).toList();
  }

  private Stream<Resource<Schedule.Spec, Schedule.Status>> lost() {
    return store.list(Schedule.KIND).stream().filter(each -> ForkMerge.isParent(each.name()));
  }

  /** Removes the schedules that a decision had as additional parents. */
  private List<Write> consumed(RunOutcome outcome) {
    var known = outcome.situation().parents().stream().map(Schedule.Spec::hash).toList();
    return outcome.failed()
        ? List.of()
        : lost()
            .filter(each -> known.contains(each.spec().hash()))
            .<Write>map(Write.Remove::new)
            .toList();
  }

  /**
   * Reports that the store refuses the decision, which does not change by a retry. The controller
   * retries after other failures.
   */
  private Future<Result> unpublished(
      Resource<Schedule.Spec, Schedule.Status> current,
      Scheduler scheduler,
      RunOutcome outcome,
      Throwable why) {
    if (!(why instanceof StoreException.Invalid || why instanceof StoreException.Full)) {
      return Future.failedFuture(why);
    }
    last = LastRun.of(scheduler, outcome, IDLE, false);
    var condition =
        Condition.ofFalse(
            ConditionType.DECIDED,
            Reason.PUBLISH_FAILED,
            "the schedule cannot be stored: %s (the previous schedule stays in force)"
                .formatted(why.getMessage()),
            current.meta().generation(),
            loop.now());
    return report(current, Optional.of(condition), Optional.of(outcome.log()))
        .map(reported -> Result.again(IDLE));
  }

  /** Computes when to run again. Only a run whose decision was written need not be repeated. */
  private Result next(Scheduler scheduler, Situation situation, RunOutcome outcome) {
    if (!outcome.covers(situation)) {
      return Result.again(RETRY);
    }
    last = LastRun.of(scheduler, outcome, outcome.failed() ? RETRY : IDLE, !measured(outcome));
    return pause();
  }

  /** Whether the scheduler reads metrics, which change without an event. */
  private static boolean measured(RunOutcome outcome) {
    return outcome
        .decision()
        .map(decision -> Json.object(questions(decision.data()).get("rules")))
        .filter(rules -> !rules.isEmpty())
        .isPresent();
  }

  /** Returns a result that repeats the run when it becomes invalid. */
  private Result pause() {
    return last.map(run -> run.pause(loop.now()).map(Result::again).orElse(Result.DONE))
        .orElse(Result.again(Duration.ZERO));
  }

  private static Map<String, Object> questions(Map<String, Object> schedule) {
    return Json.object(schedule.get("query_metrics"));
  }

  /** Runs the scheduler and records the run. */
  private RunOutcome recorded(Scheduler scheduler, Situation situation) {
    var began = loop.now();
    var outcome = Isolation.decide(scheduler, situation);
    decisions.add(outcome.record(scheduler.code(), Duration.between(began, loop.now())));
    return outcome;
  }

  /** Gives nodes that joined since the last decision their share of it. */
  private Future<Resource<Schedule.Spec, Schedule.Status>> share(
      Resource<Schedule.Spec, Schedule.Status> current, Situation situation) {
    var writes = shares(current.spec(), situation);
    writes.addAll(Reports.roles(situation.roles(), setAside, loop.now()));
    return writes.isEmpty()
        ? Future.succeededFuture(current)
        : store.commit(writes).map(done -> current);
  }

  private List<Write> shares(Schedule.Spec schedule, Situation situation) {
    var known = names(situation);
    var present = cluster.shares();
    var nodes = new TreeSet<>(known);
    nodes.retainAll(NodeSchedules.meant(schedule, decidedFor, present));
    shares = Optional.of(NodeSchedules.of(schedule, nodes, shares));
    return shares.get().writes(known, present);
  }

  private static Set<String> names(Situation situation) {
    return situation.nodes().stream().map(Resource::name).collect(Collectors.toSet());
  }

  /**
   * Writes the decision and all shares in one transaction. Objects without a difference are not
   * written.
   */
  private Future<Resource<Schedule.Spec, Schedule.Status>> write(
      Resource<Schedule.Spec, Schedule.Status> current, Situation situation, RunOutcome outcome) {
    var next = outcome.next(current.spec(), id, outcome.hidden(situation));
    if (!outcome.failed()) {
      decidedFor = names(outcome.situation());
    }
    var writes = new ArrayList<Write>();
    if (next.decided()) {
      writes.addAll(shares(next, situation));
    }
    writes.addAll(Reports.actions(situation.actions(), outcome, next.hash(), loop.now()));
    writes.addAll(Reports.forgotten(cluster.actions()));
    writes.addAll(consumed(outcome));
    writes.addAll(Reports.roles(situation.roles(), setAside, loop.now()));
    if (!writes.isEmpty() || !next.equals(current.spec())) {
      // Also if it is unchanged: the decision is void if another schedule is in force meanwhile.
      writes.add(0, new Write.Put(current.withSpec(next)));
    }
    var committed = writes.isEmpty() ? Future.succeededFuture() : store.commit(writes);
    return committed.map(
        done -> {
          announce(current, next, outcome);
          return store.get(Schedule.KIND, Schedule.CURRENT).orElse(current);
        });
  }

  /** Reports a committed decision as events. */
  private void announce(
      Resource<Schedule.Spec, Schedule.Status> before, Schedule.Spec next, RunOutcome outcome) {
    outcome
        .setAside()
        .forEach((key, why) -> events.report(NAME, key, Event.Type.WARNING, Reason.SET_ASIDE, why));
    if (!next.hash().equals(before.spec().hash())) {
      events.report(
          NAME,
          before.key(),
          Event.Type.NORMAL,
          Reason.SCHEDULED,
          "schedule %.8s is in force".formatted(next.hash()));
    }
  }

  private Future<Resource<Schedule.Spec, Schedule.Status>> report(
      Resource<Schedule.Spec, Schedule.Status> schedule, Optional<RunOutcome> outcome) {
    var generation = schedule.meta().generation();
    return report(
        schedule,
        outcome.map(each -> each.condition(generation, loop.now())),
        outcome.map(RunOutcome::log));
  }

  /**
   * Writes the status.
   *
   * @param decided the condition of the last run; empty to keep the present one
   * @param log the log of the last run; empty to keep the present one
   */
  private Future<Resource<Schedule.Spec, Schedule.Status>> report(
      Resource<Schedule.Spec, Schedule.Status> schedule,
      Optional<Condition> decided,
      Optional<String> log) {
    var conditions = schedule.status().map(Schedule.Status::conditions).orElse(List.of());
    var generation = schedule.meta().generation();
    var next = Condition.put(conditions, loadedCondition(generation));
    if (decided.isPresent()) {
      next = Condition.put(next, decided.get());
    }
    var nodes = cluster.nodes().stream().map(Resource::name).collect(Collectors.toSet());
    next = NodeSchedules.condition(schedule, nodes, next, loop.now());
    warn(schedule, conditions, next);
    var given = cluster.shares();
    var applied = given.stream().filter(ScheduleReconciler::applied).count();
    return Writes.status(
        store,
        schedule,
        new Schedule.Status(
            generation,
            given.size(),
            (int) applied,
            log.map(ScheduleReconciler::tail)
                .or(() -> schedule.status().map(Schedule.Status::log))
                .orElse(""),
            next));
  }

  /** Whether a node has carried out its newest share, which may be older than the schedule. */
  private static boolean applied(Resource<NodeSchedule.Spec, NodeSchedule.Status> share) {
    return share
        .status()
        .flatMap(NodeSchedule.Status::applied)
        .filter(share.spec().schedule()::equals)
        .isPresent();
  }

  private Condition loadedCondition(long generation) {
    return loaded
        .problem()
        .map(
            why ->
                Condition.ofFalse(
                    ConditionType.SCHEDULER_LOADED,
                    Reason.LOAD_FAILED,
                    why
                        + (loaded.scheduler().isPresent()
                            ? " (the previous scheduler stays in force)"
                            : ""),
                    generation,
                    loop.now()))
        .orElseGet(
            () ->
                Condition.ofTrue(
                    ConditionType.SCHEDULER_LOADED, Reason.LOADED, "", generation, loop.now()));
  }

  /** Reports each condition that has just become false. */
  private void warn(Resource<?, ?> schedule, List<Condition> before, List<Condition> after) {
    for (var each : after) {
      var last = before.stream().filter(was -> was.type().equals(each.type())).findFirst();
      if (each.isFalse()
          && last.filter(was -> was.isFalse() && was.message().equals(each.message())).isEmpty()) {
        events.report(NAME, schedule.key(), each);
      }
    }
  }

  private static String tail(String log) {
    int from = log.length() - LOG_LIMIT;
    return from <= 0 ? log : "...\n" + log.substring(log.indexOf('\n', from) + 1);
  }
}
