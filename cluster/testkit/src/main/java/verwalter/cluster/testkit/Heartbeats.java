package verwalter.cluster.testkit;

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
import java.util.function.Consumer;
import verwalter.cluster.Leases;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.concurrent.testkit.VirtualWorld;

/** The leases of any number of machines in one virtual world. A test can disconnect machines. */
public final class Heartbeats {
  private static final Duration DELAY = Duration.ofMillis(20);

  private final VirtualWorld world;
  private final Loop line;
  private final Map<String, Node> nodes = new TreeMap<>();
  private final Set<String> isolated = new HashSet<>();

  /** Creates leases without any renewal. */
  public Heartbeats(VirtualWorld world) {
    this.world = world;
    this.line = world.loop("heartbeats");
  }

  /** The leases as seen by the machine. */
  public Leases leases(String machine) {
    return nodes.computeIfAbsent(machine, Node::new);
  }

  /** Renews the lease of a machine that receives no renewals, which is cheaper than a full one. */
  public void renew(String machine) {
    line.after(
        DELAY,
        () ->
            nodes.forEach(
                (name, node) -> {
                  if (connected(machine, name)) {
                    node.receive(machine);
                  }
                }));
  }

  /** Disconnects a machine from all others. */
  public void isolate(String machine) {
    isolated.add(machine);
  }

  /** Reconnects a machine. */
  public void rejoin(String machine) {
    isolated.remove(machine);
  }

  private boolean connected(String from, String to) {
    return from.equals(to) || !(isolated.contains(from) || isolated.contains(to));
  }

  private final class Node implements Leases {
    private final String machine;
    private final Map<String, Instant> renewals = new HashMap<>();
    private final List<Listening> watchers = new ArrayList<>();

    private record Listening(Loop loop, Consumer<String> watcher) {}

    private Node(String machine) {
      this.machine = machine;
    }

    @Override
    public void renew() {
      Heartbeats.this.renew(machine);
    }

    private void receive(String from) {
      renewals.put(from, world.now());
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
    public Optional<Instant> lastRenewal(String from) {
      return Optional.ofNullable(renewals.get(from));
    }

    @Override
    public Watch watch(Loop loop, Consumer<String> watcher) {
      var listening = new Listening(loop, watcher);
      watchers.add(listening);
      return () -> watchers.remove(listening);
    }
  }
}
