package verwalter.cluster.mirror;

import io.vertx.core.buffer.Buffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import verwalter.concurrent.Loop;

/** A connection within one process, for the node of the leader. */
final class DirectLink implements MirrorLink {
  private final Loop destination;
  private final AtomicBoolean open;

  /** Receives what this end sends. Belongs to the loop of the other end. */
  private @Nullable Receiver destinationReceiver;

  private @Nullable DirectLink opposite;

  private DirectLink(Loop destination, AtomicBoolean open) {
    this.destination = destination;
    this.open = open;
  }

  /**
   * Connects two ends. Each function is called with its end on the loop of this end, and returns
   * its receiver.
   */
  static void connect(
      Loop one,
      Function<MirrorLink, Receiver> ofOne,
      Loop other,
      Function<MirrorLink, Receiver> ofOther) {
    var open = new AtomicBoolean(true);
    var first = new DirectLink(other, open);
    var second = new DirectLink(one, open);
    first.opposite = second;
    second.opposite = first;
    other.execute(
        () -> {
          first.destinationReceiver = ofOther.apply(second);
          one.execute(() -> second.destinationReceiver = ofOne.apply(first));
        });
  }

  @Override
  public void send(Buffer message) {
    destination.execute(
        () -> {
          if (open.get() && destinationReceiver != null) {
            destinationReceiver.received(message);
          }
        });
  }

  @Override
  public boolean isFull() {
    return false;
  }

  @Override
  public void close() {
    if (open.compareAndSet(true, false)) {
      tell();
      if (opposite != null) {
        opposite.tell();
      }
    }
  }

  private void tell() {
    destination.execute(
        () -> {
          if (destinationReceiver != null) {
            destinationReceiver.closed();
          }
        });
  }
}
