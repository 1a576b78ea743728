package verwalter.controllers.instance;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor.Timer;
import verwalter.concurrent.Watch;
import verwalter.controllers.runtime.Source;
import verwalter.model.Condition;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.RoleInstance;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Selection;

/**
 * The instances of a node that may not start yet. Names their keys when they may, without polling:
 * at the end of a delay, when memory is given back, and when what ran before the machine was
 * started runs again. Confined to its loop.
 */
final class StartWaits implements Source {
  /** How long instances wait for what ran before the machine was started. */
  static final Duration HOLD = Duration.ofMinutes(5);

  /** How many instances a message names. */
  private static final int MOST_NAMED = 5;

  private final ObjectStore store;
  private final Loop loop;
  private final String node;
  private final StartLimits limits;

  /** Bytes that are being reserved: it is not known yet whether the store has them. */
  private final Map<String, Long> granting = new HashMap<>();

  private final Map<String, Delay> delays = new HashMap<>();
  private final Map<String, Seen> seen = new HashMap<>();
  private final Set<ResourceKey> waiting = new HashSet<>();
  private Consumer<ResourceKey> keys = key -> {};
  private boolean holdOver;

  /** What others may wait for. */
  private record Seen(long reserved, Optional<String> boot, boolean waits, boolean deleting) {}

  /** The delay of a version, which passes whatever the clock of the node shows. */
  private static final class Delay {
    private final String version;
    private @Nullable Timer timer;
    private boolean over;

    private Delay(String version) {
      this.version = version;
    }
  }

  StartWaits(ObjectStore store, Loop loop, String node, StartLimits limits) {
    this.store = store;
    this.loop = loop;
    this.node = node;
    this.limits = limits;
    holdOver = limits.boot().isEmpty();
  }

  @Override
  public Watch start(Loop on, Consumer<ResourceKey> report) {
    keys = report;
    var timer = on.after(HOLD, this::endHold);
    var changes =
        Source.of(store, RoleInstance.KIND, new Selection.Node(node), this::affected)
            .start(on, report);
    return () -> {
      timer.cancel();
      changes.close();
      delays.values().forEach(StartWaits::cancel);
    };
  }

  private static void cancel(Delay delay) {
    if (delay.timer != null) {
      delay.timer.cancel();
    }
  }

  private void endHold() {
    var before = ranBefore();
    holdOver = true;
    before.forEach(name -> keys.accept(RoleInstance.KIND.key(name)));
    List.copyOf(waiting).forEach(keys);
  }

  /** The instances that may start because this one has changed or is gone. */
  private Stream<ResourceKey> affected(Resource<RoleInstance.Spec, RoleInstance.Status> changed) {
    var present = store.get(RoleInstance.KIND, changed.name());
    var before = seen.get(changed.name());
    if (present.isEmpty()) {
      seen.remove(changed.name());
      granting.remove(changed.name());
      waiting.remove(changed.key());
      Optional.ofNullable(delays.remove(changed.name())).ifPresent(StartWaits::cancel);
    } else {
      seen.put(changed.name(), seen(present.get()));
    }
    return waiting.isEmpty() || (before != null && before.equals(seen.get(changed.name())))
        ? Stream.of()
        : List.copyOf(waiting).stream().filter(key -> !key.equals(changed.key()));
  }

  private static Seen seen(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    return new Seen(
        reserved(instance),
        StartGate.grant(instance).boot(),
        StartGate.isClosed(instance, Reason.MISSING_MEMORY),
        instance.meta().deleting());
  }

  /** The gate of an instance after this moment. */
  StartGate gate(Resource<RoleInstance.Spec, RoleInstance.Status> instance, Children children) {
    var gate = StartGate.of(instance, children, new Around(instance));
    if (gate.obstacle().filter(it -> it.reason() != Reason.START_DELAYED).isPresent()) {
      waiting.add(instance.key());
    } else {
      waiting.remove(instance.key());
    }
    if (!gate.isNews(instance)) {
      granting.remove(instance.name());
    }
    follow(instance);
    return gate;
  }

  /** Starts the timer of a delay that is stored. */
  private void follow(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    var version = instance.spec().version().orElse("");
    var grant = StartGate.grant(instance);
    if (!grant.delays(version) || delay(instance).isPresent()) {
      return;
    }
    Optional.ofNullable(delays.get(instance.name())).ifPresent(StartWaits::cancel);
    var delay = new Delay(version);
    delays.put(instance.name(), delay);
    var remaining = Duration.between(loop.now(), grant.until().orElseThrow());
    var most = PendingStart.delay(instance.spec());
    var time = remaining.compareTo(most) > 0 ? most : remaining;
    delay.timer =
        loop.after(
            time.isNegative() ? Duration.ZERO : time,
            () -> {
              delay.over = true;
              keys.accept(instance.key());
            });
  }

  private Optional<Delay> delay(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    return Optional.ofNullable(delays.get(instance.name()))
        .filter(it -> it.version.equals(instance.spec().version().orElse("")));
  }

  /**
   * A gate is about to be stored. What it grants is not granted to another instance, until a later
   * pass over the instance sees what was stored. A write that fails may have had an effect.
   */
  void granting(Resource<RoleInstance.Spec, RoleInstance.Status> instance, StartGate gate) {
    granting.put(instance.name(), gate.grant().reserved());
  }

  /** The instances that had processes before the machine was started, and do not run yet. */
  private List<String> ranBefore() {
    if (holdOver) {
      return List.of();
    }
    var names = new ArrayList<String>();
    for (var each : store.list(RoleInstance.KIND, new Selection.Node(node))) {
      if (!each.meta().deleting() && ranBefore(each)) {
        names.add(each.name());
      }
    }
    holdOver = names.isEmpty();
    return names;
  }

  private boolean ranBefore(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    return StartGate.grant(instance)
        .boot()
        .filter(boot -> !Optional.of(boot).equals(limits.boot()))
        .isPresent();
  }

  /** What is reserved, or used by processes of a version that begins to need memory. */
  private static long reserved(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    boolean runs = instance.status().filter(status -> status.desired() > 0).isPresent();
    return StartGate.grant(instance)
        .memory()
        .orElseGet(() -> runs ? PendingStart.memory(instance.spec()) : 0);
  }

  private MemoryClaim claim(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
    long reserved = Math.max(reserved(instance), granting.getOrDefault(instance.name(), 0L));
    var closed =
        StartGate.closing(instance)
            .filter(it -> it.hasReason(Reason.MISSING_MEMORY) && !instance.meta().deleting());
    return new MemoryClaim(
        instance.name(),
        reserved,
        closed.isPresent() ? PendingStart.memory(instance.spec()) : reserved,
        ranBefore(instance),
        closed.map(Condition::since).orElse(Instant.MAX));
  }

  /** What an instance cannot know by itself. */
  private final class Around implements StartGate.Surroundings {
    private final Resource<RoleInstance.Spec, RoleInstance.Status> instance;

    private Around(Resource<RoleInstance.Spec, RoleInstance.Status> instance) {
      this.instance = instance;
    }

    @Override
    public Instant now() {
      return loop.now();
    }

    @Override
    public Optional<String> boot() {
      return limits.boot();
    }

    @Override
    public Optional<String> hold() {
      var names = ranBefore();
      return names.isEmpty()
          ? Optional.empty()
          : Optional.of(
              "what ran before the machine was started is first: "
                  + names.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
                  + (names.size() > MOST_NAMED
                      ? " and %d more".formatted(names.size() - MOST_NAMED)
                      : ""));
    }

    @Override
    public boolean isHoldOver() {
      return holdOver;
    }

    @Override
    public Optional<String> refusal(long bytes) {
      if (limits.memory().isEmpty()) {
        return Optional.empty();
      }
      var claims = new ArrayList<MemoryClaim>();
      for (var each : store.list(RoleInstance.KIND, new Selection.Node(node))) {
        if (!each.name().equals(instance.name())) {
          claims.add(claim(each));
        }
      }
      var since =
          StartGate.closing(instance)
              .filter(it -> it.hasReason(Reason.MISSING_MEMORY))
              .map(Condition::since)
              .orElseGet(loop::now);
      claims.add(
          new MemoryClaim(
              instance.name(),
              StartGate.grant(instance).reserved(),
              bytes,
              ranBefore(instance),
              since));
      return new MemoryClaims(limits.memory(), claims).refusal(instance.name());
    }

    @Override
    public boolean isDelayOver() {
      return delay(instance).filter(it -> it.over).isPresent();
    }
  }
}
