package verwalter.cluster.single;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import verwalter.cluster.Leases;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;

/** The leases of a single node, which receives its own renewals. Thread-safe. */
public final class SingleLeases implements Leases {
  private final String machine;
  private final InstantSource clock;
  private final List<Listening> watchers = new CopyOnWriteArrayList<>();
  private volatile @Nullable Instant last;

  /** Creates the leases of the machine with this id. */
  public SingleLeases(String machine, InstantSource clock) {
    this.machine = machine;
    this.clock = clock;
  }

  private record Listening(Loop loop, Consumer<String> watcher) {}

  @Override
  public void renew() {
    last = clock.instant();
    for (var each : watchers) {
      each.loop()
          .execute(
              () -> {
                if (watchers.contains(each)) {
                  each.watcher().accept(machine);
                }
              });
    }
  }

  @Override
  public Optional<Instant> lastRenewal(String machine) {
    return machine.equals(this.machine) ? Optional.ofNullable(last) : Optional.empty();
  }

  @Override
  public Watch watch(Loop loop, Consumer<String> watcher) {
    var listening = new Listening(loop, watcher);
    watchers.add(listening);
    return () -> watchers.remove(listening);
  }
}
