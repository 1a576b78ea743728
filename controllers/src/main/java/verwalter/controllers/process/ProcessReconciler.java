package verwalter.controllers.process;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.controllers.runtime.Controller;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.runtime.FinalizingReconciler;
import verwalter.controllers.runtime.Result;
import verwalter.controllers.runtime.Writes;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Event;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessGroup.State;
import verwalter.model.ProcessSpec;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Selection;
import verwalter.supervisor.Supervisor;

/** Keeps the process groups of one node. */
public final class ProcessReconciler
    implements FinalizingReconciler<ProcessGroup.Spec, ProcessGroup.Status> {
  /** The number of process ids in the message of a condition. */
  private static final int MOST_PIDS = 10;

  private static final String NAME = "process";

  /** Time after which a refused request is repeated: the files that it needs may be back. */
  static final Duration REFUSED = Duration.ofSeconds(30);

  private final ObjectStore store;
  private final Loop loop;
  private final Supervisor supervisor;
  private final Events events;
  private final String node;
  private final Optional<String> boot;
  private final Map<String, Request> acceptedRequests = new HashMap<>();
  private final HealthMonitor health;
  private Consumer<ResourceKey> keys = key -> {};
  private long epoch;

  /**
   * The last request that the supervisor accepted. While it is current, events of the supervisor
   * only update the status.
   *
   * @param epoch the number of changes of the supervisor's configuration before the request
   */
  private record Request(String uid, long generation, long epoch) {}

  /** Requests whose entries were refused when they were to be started, and when that was seen. */
  private final Map<String, Instant> refusedLater = new HashMap<>();

  /**
   * Creates a reconciler for the node.
   *
   * @param boot a text that differs after each start of the machine, if one is known
   * @param prober makes the attempts of probes
   */
  public ProcessReconciler(
      ObjectStore store,
      Loop loop,
      Supervisor supervisor,
      Events events,
      String node,
      Optional<String> boot,
      Prober prober) {
    this.store = store;
    this.loop = loop;
    this.supervisor = supervisor;
    this.events = events;
    this.node = node;
    this.boot = boot;
    this.health = new HealthMonitor(loop, prober);
  }

  public Controller.Builder controller() {
    return Controller.named(
            NAME, FinalizingReconciler.over(store, ProcessGroup.KIND, ProcessGroup.FINALIZER, this))
        .watching(store, ProcessGroup.KIND, new Selection.Node(node))
        .from(
            (on, keys) ->
                supervisor.watch(
                    on,
                    sandbox ->
                        keys.accept(ProcessGroup.KIND.key(ProcessGroup.name(sandbox, node)))))
        .from(
            (on, report) -> {
              keys = report;
              return health::close;
            })
        .retrying(Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(30)))
        .concurrency(8);
  }

  @Override
  public boolean concerns(Resource<ProcessGroup.Spec, ProcessGroup.Status> group) {
    return group.spec().node().equals(node);
  }

  /**
   * Repeats all requests after the supervisor's own configuration changed, since it may accept
   * requests that it refused before.
   */
  public void configurationChanged() {
    epoch++;
    store
        .list(ProcessGroup.KIND, new Selection.Node(node))
        .forEach(group -> keys.accept(group.key()));
  }

  @Override
  public Future<Result> reconcile(Resource<ProcessGroup.Spec, ProcessGroup.Status> group) {
    return request(group)
        .compose(accepted -> report(group, accepted).map(done -> next(group, accepted)));
  }

  /** Refused entries are checked again after some time, since nothing reports that they changed. */
  private Result next(Resource<ProcessGroup.Spec, ProcessGroup.Status> group, Condition accepted) {
    boolean refusedSlot =
        supervisor.processes(group.spec().sandbox()).stream()
            .flatMap(List::stream)
            .anyMatch(slot -> slot.state() == State.REFUSED);
    if (!refusedSlot) {
      refusedLater.remove(group.name());
    } else {
      refusedLater.putIfAbsent(group.name(), loop.now());
    }
    return refusedSlot || accepted.isFalse() ? Result.again(REFUSED) : Result.DONE;
  }

  /** Whether the entries of an accepted request have been refused for so long. */
  private boolean isToBeRepeated(String group) {
    var since = refusedLater.get(group);
    if (since == null || Duration.between(since, loop.now()).abs().compareTo(REFUSED) < 0) {
      return false;
    }
    refusedLater.remove(group);
    return true;
  }

  /** Sends the request unless it was sent already, and returns the condition Accepted. */
  private Future<Condition> request(Resource<ProcessGroup.Spec, ProcessGroup.Status> group) {
    var spec = group.spec();
    var now = new Request(group.meta().uid(), generation(group), epoch);
    var taken =
        Condition.ofTrue(
            ConditionType.ACCEPTED, Reason.ACCEPTED, "", generation(group), loop.now());
    if (now.equals(acceptedRequests.get(group.name())) && !isToBeRepeated(group.name())) {
      return Future.succeededFuture(taken);
    }
    return supervisor
        .run(spec.sandbox(), spec.processes())
        .map(
            done -> {
              acceptedRequests.put(group.name(), now);
              return taken;
            })
        .recover(
            failure ->
                failure instanceof Supervisor.Refused
                    ? Future.succeededFuture(refused(group, String.valueOf(failure.getMessage())))
                    : Future.failedFuture(failure));
  }

  @Override
  public Future<Boolean> cleanUp(Resource<ProcessGroup.Spec, ProcessGroup.Status> group) {
    acceptedRequests.remove(group.name());
    refusedLater.remove(group.name());
    health.forget(group.name());
    return supervisor.remove(group.spec().sandbox()).map(true);
  }

  private Condition refused(Resource<ProcessGroup.Spec, ProcessGroup.Status> group, String why) {
    var before =
        group.status().flatMap(last -> Condition.find(last.conditions(), ConditionType.ACCEPTED));
    if (before.filter(last -> last.isFalse() && last.message().equals(why)).isEmpty()) {
      events.report(NAME, group.key(), Event.Type.WARNING, Reason.REFUSED, why);
    }
    return Condition.ofFalse(
        ConditionType.ACCEPTED, Reason.REFUSED, why, generation(group), loop.now());
  }

  /**
   * Reports the state of the group. While the supervisor cannot tell the state, the last reported
   * one is kept.
   */
  private Future<?> report(
      Resource<ProcessGroup.Spec, ProcessGroup.Status> group, Condition accepted) {
    var known = supervisor.processes(group.spec().sandbox());
    if (known.isEmpty()) {
      return Future.succeededFuture();
    }
    var commands = known.get().stream().filter(slot -> slot.cron().isPresent()).toList();
    var slots = probed(group, known.get().stream().filter(slot -> slot.cron().isEmpty()).toList());
    reportEnds(group, commands);
    return Writes.status(
        store,
        group,
        new ProcessGroup.Status(
            generation(group),
            group.spec().processes().values().stream().mapToInt(ProcessSpec::daemons).sum(),
            (int) slots.stream().filter(slot -> slot.state() == State.RUNNING).count(),
            slots,
            limited(
                contained(
                    Condition.put(
                        group.status().map(ProcessGroup.Status::conditions).orElse(List.of()),
                        accepted),
                    known.get(),
                    generation(group)),
                known.get(),
                generation(group)),
            boot,
            commands));
  }

  /** Reports runs of commands by time that have ended since the last report. */
  private void reportEnds(
      Resource<ProcessGroup.Spec, ProcessGroup.Status> group, List<ProcessGroup.Slot> commands) {
    var reported = new HashMap<String, Instant>();
    // Until its last process has ended, a run has not written its last line.
    group.status().map(ProcessGroup.Status::commands).orElse(List.of()).stream()
        .filter(slot -> slot.state() != State.STOPPING)
        .forEach(slot -> slot.lastExit().ifPresent(exit -> reported.put(slot.name(), exit.at())));
    for (var slot : commands) {
      slot.lastExit()
          .filter(exit -> slot.state() != State.STOPPING)
          .filter(exit -> !exit.at().equals(reported.get(slot.name())))
          .ifPresent(
              exit ->
                  events.report(
                      NAME,
                      group.key(),
                      exit.failure() ? Event.Type.WARNING : Event.Type.NORMAL,
                      exit.failure() ? Reason.COMMAND_FAILED : Reason.COMMAND_ENDED,
                      "%s %s".formatted(slot.name(), exit.message().orElse("ended"))));
    }
  }

  private List<ProcessGroup.Slot> probed(
      Resource<ProcessGroup.Spec, ProcessGroup.Status> group, List<ProcessGroup.Slot> slots) {
    return health.look(
        group.name(),
        group.spec().processes(),
        slots,
        group.status().map(ProcessGroup.Status::processes).orElse(List.of()),
        new ProbedProcess.Events() {
          @Override
          public void changed() {
            keys.accept(group.key());
          }

          @Override
          public void failed(ProcessGroup.Slot slot, ProcessSpec.Purpose purpose, String reason) {
            restart(group, slot, "its %s probe failed: %s".formatted(purpose.word(), reason));
          }
        });
  }

  /** Restarts a process that has failed its probe. */
  private void restart(
      Resource<ProcessGroup.Spec, ProcessGroup.Status> group, ProcessGroup.Slot slot, String why) {
    supervisor
        .restart(group.spec().sandbox(), slot, why)
        .onSuccess(
            restarted -> {
              if (restarted) {
                events.report(
                    NAME,
                    group.key(),
                    Event.Type.WARNING,
                    Reason.UNHEALTHY,
                    "%s is restarted: %s".formatted(slot.name(), why));
              }
            });
  }

  private List<Condition> limited(
      List<Condition> conditions, List<ProcessGroup.Slot> slots, long generation) {
    var unenforced = new TreeMap<String, List<String>>();
    slots.forEach(
        slot ->
            slot.unenforced()
                .ifPresent(
                    why ->
                        unenforced
                            .computeIfAbsent(why, its -> new ArrayList<>())
                            .add(slot.name())));
    if (!unenforced.isEmpty()) {
      var message =
          unenforced.entrySet().stream()
              .map(
                  each ->
                      each.getValue().stream().limit(MOST_PIDS).collect(Collectors.joining(", "))
                          + ": "
                          + each.getKey())
              .collect(Collectors.joining("; "));
      return Condition.put(
          conditions,
          Condition.ofFalse(
              ConditionType.LIMITED, Reason.LIMITS_NOT_ENFORCED, message, generation, loop.now()));
    }
    return Condition.find(conditions, ConditionType.LIMITED).isEmpty()
        ? conditions
        : Condition.put(
            conditions,
            Condition.ofTrue(ConditionType.LIMITED, Reason.LIMITED, "", generation, loop.now()));
  }

  private List<Condition> contained(
      List<Condition> conditions, List<ProcessGroup.Slot> slots, long generation) {
    var detached =
        slots.stream()
            .filter(slot -> !slot.detached().isEmpty())
            .map(slot -> slot.name() + ": " + pids(slot.detached()))
            .toList();
    if (!detached.isEmpty()) {
      var message =
          "processes that left their session, and are killed when their program ends: "
              + String.join("; ", detached);
      return Condition.put(
          conditions,
          Condition.ofFalse(
              ConditionType.CONTAINED, Reason.DETACHED, message, generation, loop.now()));
    }
    return Condition.find(conditions, ConditionType.CONTAINED).isEmpty()
        ? conditions
        : Condition.put(
            conditions,
            Condition.ofTrue(
                ConditionType.CONTAINED, Reason.CONTAINED, "", generation, loop.now()));
  }

  private static String pids(List<Long> all) {
    var first = all.stream().limit(MOST_PIDS).map(String::valueOf).toList();
    return String.join(", ", first)
        + (all.size() > MOST_PIDS ? " and %d more".formatted(all.size() - MOST_PIDS) : "");
  }

  private static long generation(Resource<?, ?> group) {
    return group.meta().generation();
  }
}
