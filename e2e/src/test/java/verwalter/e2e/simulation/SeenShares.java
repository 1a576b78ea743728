package verwalter.e2e.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.NodeSchedule;
import verwalter.stores.api.ObjectStore;
import verwalter.supervisor.testkit.FakeMachine.FakeProcess;

/** The shares of the schedule that a node has seen, and what else may make it stop a process. */
final class SeenShares {
  /**
   * How long a share may take to be carried out, in time in which the agent runs: a process that
   * begins within it may be stopped again because of a share that was seen before it began.
   */
  private static final Duration UNDER_WAY = Duration.ofSeconds(8);

  /** A share, and from when to when it was the newest; slots with their images. */
  private record Seen(Instant from, Instant to, Map<String, String> slots) {}

  /** An object of a role whose removal was requested. */
  private record Loss(Instant at, String role) {}

  /** A run of the agent. */
  private record Run(Instant from, Instant to) {}

  private final VirtualWorld world;
  private final List<Seen> shares = new ArrayList<>();
  private final List<Loss> losses = new ArrayList<>();
  private final Map<String, Long> restarts = new HashMap<>();
  private final List<Run> runs = new ArrayList<>();
  private Optional<ObjectStore> store = Optional.empty();
  private UnaryOperator<NodeSchedule.Spec> followed = UnaryOperator.identity();
  private LongSupplier moment = () -> -1;
  private long looked = -1;
  private String node = "";
  private Optional<NodeSchedule.Spec> newest = Optional.empty();

  SeenShares(VirtualWorld world) {
    this.world = world;
  }

  /**
   * An agent begins to run, and sees this store.
   *
   * @param applied what it applies of its share
   * @param changes changes whenever that may change; negative if it may have changed
   */
  void begin(
      ObjectStore seen,
      String name,
      UnaryOperator<NodeSchedule.Spec> applied,
      LongSupplier changes) {
    moment = changes;
    looked = -1;
    store = Optional.of(seen);
    followed = applied;
    node = name;
    newest = Optional.empty();
    runs.add(new Run(world.now(), Instant.MAX));
  }

  /** The agent is gone. */
  void end() {
    store = Optional.empty();
    var last = runs.size() - 1;
    runs.set(last, new Run(runs.get(last).from(), world.now()));
  }

  /** The removal of an object of that role was requested. */
  void lost(String role) {
    losses.add(new Loss(world.now(), role));
  }

  /** A restart of the role is requested, with this counter. */
  void restart(String role, long counter) {
    restarts.put(role, counter);
  }

  /** Notes the share that the agent sees now, if it is another than before. */
  void look() {
    long now = moment.getAsLong();
    if (now >= 0 && now == looked) {
      return;
    }
    looked = now;
    var share =
        store.flatMap(it -> it.get(NodeSchedule.KIND, node)).map(it -> followed.apply(it.spec()));
    if (share.isEmpty() || newest.equals(share)) {
      return;
    }
    newest = share;
    int last = shares.size() - 1;
    if (last >= 0) {
      shares.set(last, new Seen(shares.get(last).from(), world.now(), shares.get(last).slots()));
    }
    shares.add(new Seen(world.now(), Instant.MAX, slots(share.get())));
  }

  private static Map<String, String> slots(NodeSchedule.Spec share) {
    var slots = new TreeMap<String, String>();
    share
        .roles()
        .forEach(
            (role, variables) -> {
              for (int i = 0; i < (Long) variables.get("count"); i++) {
                slots.put(role + "/worker." + i, role + "-" + variables.get("version"));
              }
            });
    return slots;
  }

  /** Whether there is a reason to stop the process. */
  boolean justify(FakeProcess process) {
    var role = process.slot().substring(0, process.slot().indexOf('/'));
    return shares.stream()
            .filter(share -> isRecent(share.to(), process))
            .anyMatch(share -> !process.image().equals(share.slots().get(process.slot())))
        || losses.stream()
            .anyMatch(loss -> loss.role().equals(role) && isRecent(loss.at(), process))
        || process.spec().restartCounter().orElse(-1L) < restarts.getOrDefault(role, -1L);
  }

  /** Whether that was after the process began, or shortly before. */
  private boolean isRecent(Instant when, FakeProcess process) {
    var began = process.started();
    return when.isAfter(began) || running(when, began).compareTo(UNDER_WAY) <= 0;
  }

  private Duration running(Instant from, Instant to) {
    var sum = Duration.ZERO;
    for (var run : runs) {
      var begin = run.from().isAfter(from) ? run.from() : from;
      var end = run.to().isBefore(to) ? run.to() : to;
      if (begin.isBefore(end)) {
        sum = sum.plus(Duration.between(begin, end));
      }
    }
    return sum;
  }

  @Override
  public String toString() {
    return shares + ", runs " + runs + ", lost " + losses + ", restarts " + restarts;
  }
}
