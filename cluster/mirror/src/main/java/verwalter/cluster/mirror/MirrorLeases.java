package verwalter.cluster.mirror;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import verwalter.cluster.Leases;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;

/**
 * Leases whose renewals are the heartbeats on the connections to the leader. They arrive at the
 * node itself and at the leader. Thread-safe.
 */
public final class MirrorLeases implements Leases {
  private final String machine;
  private final InstantSource clock;
  private final Runnable beat;
  private final Map<String, Instant> renewals = new ConcurrentHashMap<>();
  private final List<Listening> watchers = new CopyOnWriteArrayList<>();

  /**
   * Creates leases without any renewal.
   *
   * @param machine id of this machine
   * @param beat sends a heartbeat to the leader; must not block
   */
  public MirrorLeases(String machine, InstantSource clock, Runnable beat) {
    this.machine = machine;
    this.clock = clock;
    this.beat = beat;
  }

  private record Listening(Loop loop, Consumer<String> watcher) {}

  @Override
  public void renew() {
    arrived(machine);
    beat.run();
  }

  /** Notes the heartbeat of another machine, for {@link Mirrors#onBeat}. */
  public void received(String from) {
    if (!from.equals(machine)) {
      arrived(from);
    }
  }

  private void arrived(String from) {
    renewals.put(from, clock.instant());
    for (var each : watchers) {
      each.loop()
          .execute(
              () -> {
                if (watchers.contains(each)) {
                  each.watcher().accept(from);
                }
              });
    }
  }

  @Override
  public Optional<Instant> lastRenewal(String machine) {
    return Optional.ofNullable(renewals.get(machine));
  }

  @Override
  public Watch watch(Loop loop, Consumer<String> watcher) {
    var listening = new Listening(loop, watcher);
    watchers.add(listening);
    return () -> watchers.remove(listening);
  }
}
