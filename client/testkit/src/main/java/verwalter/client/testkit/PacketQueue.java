package verwalter.client.testkit;

import java.util.ArrayDeque;
import verwalter.concurrent.Loop;

/** One direction of a connection: packets arrive in order, one at a time. */
final class PacketQueue {
  private final SimulatedNetwork network;
  private final String from;
  private final String to;
  private final Runnable onReset;
  private final Runnable onPatienceLost;
  private final ArrayDeque<Runnable> packets = new ArrayDeque<>();
  private boolean moving;
  private boolean stalled;
  private boolean closed;

  /**
   * Creates a direction.
   *
   * @param onReset runs on the network's loop if a random reset breaks the connection
   * @param onPatienceLost runs on the network's loop if a cut delays a packet for too long
   */
  PacketQueue(
      SimulatedNetwork network, String from, String to, Runnable onReset, Runnable onPatienceLost) {
    this.network = network;
    this.from = from;
    this.to = to;
    this.onReset = onReset;
    this.onPatienceLost = onPatienceLost;
  }

  /** Sends a packet. {@code arrival} runs on {@code loop} when it arrives. */
  void send(Loop loop, Runnable arrival) {
    if (closed) {
      return;
    }
    packets.add(() -> loop.execute(arrival));
    move();
  }

  private void move() {
    if (moving || stalled || closed || packets.isEmpty()) {
      return;
    }
    moving = true;
    network
        .loop()
        .after(
            network.delay(),
            () -> {
              moving = false;
              arrive();
            });
  }

  private void arrive() {
    if (closed) {
      return;
    }
    if (network.isCut(from, to)) {
      stall();
    } else if (network.breaks()) {
      onReset.run();
    } else {
      network.arrived();
      packets.remove().run();
      move();
    }
  }

  private void stall() {
    stalled = true;
    var waiting = packets.peek();
    network
        .loop()
        .after(
            SimulatedNetwork.RETRANSMIT_LIMIT,
            () -> {
              if (!closed && stalled && packets.peek() == waiting) {
                onPatienceLost.run();
              }
            });
  }

  /** Resends packets that a cut has dropped. */
  void retry() {
    if (stalled && !network.isCut(from, to)) {
      stalled = false;
      move();
    }
  }

  /** Drops every packet that has not arrived. */
  void close() {
    closed = true;
    packets.clear();
  }
}
