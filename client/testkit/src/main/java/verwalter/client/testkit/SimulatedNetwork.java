package verwalter.client.testkit;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import verwalter.client.transport.Transport;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;

/**
 * Hosts that send each other requests under virtual time. Everything it does to packets comes from
 * the world's seed.
 *
 * <p>A connection keeps the order of its packets, as TCP does. A cut drops the packets of one
 * direction: they wait for the cut to heal, and after {@link #PATIENCE} their sender gives the
 * connection up. The other side learns of that only if it sends something itself: a client that
 * waits for an answer behind a cut waits for ever, unless it has a deadline of its own.
 */
public final class SimulatedNetwork {
  /** How long a sender waits for a packet to arrive before it gives the connection up. */
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  /** The direction from one host to another. */
  private record Link(String from, String to) {}

  /** A server, with the loop it runs on. */
  record Listener(Loop loop, SimulatedServer server) {}

  private final VirtualWorld world;
  private final Loop loop;
  private final Map<String, Listener> listeners = new HashMap<>();
  private final Set<Link> cuts = new HashSet<>();
  private final List<SimulatedCall> calls = new ArrayList<>();
  private NetworkFaults faults;
  private long packets;

  public SimulatedNetwork(VirtualWorld world, NetworkFaults faults) {
    this.world = world;
    this.loop = world.loop("network");
    this.faults = faults;
  }

  /** Does this to packets from now on. */
  public void become(NetworkFaults other) {
    faults = other;
  }

  /** Lets a host answer requests on its loop. */
  public void listen(String host, Loop on, SimulatedServer server) {
    listeners.put(host, new Listener(on, server));
  }

  /** Ends the host's process: its server is gone, and each of its connections breaks. */
  public void stop(String host) {
    listeners.remove(host);
    List.copyOf(calls).stream()
        .filter(call -> call.involves(host))
        .forEach(call -> call.died(host));
  }

  /** A way from one host to another; receivers run on {@code on}. */
  public Transport transport(String from, Loop on, String to) {
    return (request, receiver) -> {
      var call = new SimulatedCall(this, from, to, on, request, receiver);
      calls.add(call);
      call.begin();
      return call;
    };
  }

  /** Drops every packet from one host to another; packets in the other direction arrive. */
  public void cut(String from, String to) {
    cuts.add(new Link(from, to));
  }

  /** Ends a cut. */
  public void heal(String from, String to) {
    cuts.remove(new Link(from, to));
    List.copyOf(calls).forEach(SimulatedCall::retry);
  }

  /** Cuts both directions between each host of one side and each of the other. */
  public void partition(Set<String> side, Set<String> other) {
    for (var one : side) {
      for (var two : other) {
        cut(one, two);
        cut(two, one);
      }
    }
  }

  /** Ends every cut. */
  public void healAll() {
    cuts.clear();
    List.copyOf(calls).forEach(SimulatedCall::retry);
  }

  /** How many packets have arrived. */
  public long packets() {
    return packets;
  }

  /** How many requests are under way. */
  public int underWay() {
    return calls.size();
  }

  boolean isCut(String from, String to) {
    return cuts.contains(new Link(from, to));
  }

  @Nullable Listener listener(String host) {
    return listeners.get(host);
  }

  Loop loop() {
    return loop;
  }

  void arrived() {
    packets++;
  }

  boolean breaks() {
    return faults.reset() > 0 && world.random().nextDouble() < faults.reset();
  }

  /** How long the next packet takes, with as many retransmissions as chance wants. */
  Duration delay() {
    long least = faults.least().toMillis();
    long span = faults.most().toMillis() - least;
    long time = least + (span == 0 ? 0 : world.random().nextLong(span + 1));
    while (faults.loss() > 0 && world.random().nextDouble() < faults.loss()) {
      time += NetworkFaults.RETRANSMISSION.toMillis();
    }
    return Duration.ofMillis(time);
  }

  void over(SimulatedCall call) {
    calls.remove(call);
  }

  static IOException broken(String from, String to, String why) {
    return new IOException("the connection from %s to %s broke: %s".formatted(from, to, why));
  }
}
