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
 * A network of hosts in virtual time. Delays and faults depend on the world's seed.
 *
 * <p>A connection keeps the order of its packets, as TCP does. A cut drops the packets of one
 * direction. They are resent when the cut is healed; after {@link #RETRANSMIT_LIMIT} their sender
 * closes the connection. The other side detects this only if it sends something: a client that
 * waits for an answer behind a cut waits without limit unless it has a timeout.
 */
public final class SimulatedNetwork {
  /** How long a sender waits for the arrival of a packet before it closes the connection. */
  public static final Duration RETRANSMIT_LIMIT = Duration.ofSeconds(30);

  /** The direction from one host to another. */
  private record Link(String from, String to) {}

  /** A server with its loop. */
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

  /** Changes the faults. */
  public void become(NetworkFaults other) {
    faults = other;
  }

  /** Starts a server on a host and its loop. */
  public void listen(String host, Loop on, SimulatedServer server) {
    listeners.put(host, new Listener(on, server));
  }

  /** Ends the process of a host: its server stops, and its connections break. */
  public void stop(String host) {
    listeners.remove(host);
    List.copyOf(calls).stream()
        .filter(call -> call.involves(host))
        .forEach(call -> call.died(host));
  }

  /** Creates a transport from one host to another. Receivers run on {@code on}. */
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

  /** The number of packets that have arrived. */
  public long packets() {
    return packets;
  }

  /** The number of requests in progress. */
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

  /** The delay of the next packet, including random retransmissions. */
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
