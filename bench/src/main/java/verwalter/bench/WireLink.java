package verwalter.bench;

import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;
import verwalter.cluster.mirror.MirrorLink;
import verwalter.concurrent.Loop;

/** One end of a connection over a {@link Wire}. Belongs to the thread of the simulation. */
final class WireLink implements MirrorLink {
  private final Wire wire;
  private final Wire.Type type;
  private final Wire.Type closing;
  private final int channel;
  private final Loop loop;
  private @Nullable Receiver receiver;
  private boolean over;

  /**
   * Creates an end without a receiver.
   *
   * @param type of its messages
   * @param closing of the message that ends it
   * @param loop the loop of its receiver
   */
  WireLink(Wire wire, Wire.Type type, Wire.Type closing, int channel, Loop loop) {
    this.wire = wire;
    this.type = type;
    this.closing = closing;
    this.channel = channel;
    this.loop = loop;
  }

  void use(Receiver receiver) {
    this.receiver = receiver;
  }

  /** A message has arrived. */
  void arrived(Buffer message) {
    loop.execute(
        () -> {
          if (!over && receiver != null) {
            receiver.received(message);
          }
        });
  }

  /** The other end has closed the connection. */
  void ended() {
    if (!over) {
      over = true;
      closed();
    }
  }

  private void closed() {
    loop.execute(
        () -> {
          var last = receiver;
          receiver = null; // so that what it holds can be collected
          if (last != null) {
            last.closed();
          }
        });
  }

  @Override
  public void send(Buffer message) {
    if (!over) {
      wire.send(type, channel, message);
    }
  }

  @Override
  public boolean isFull() {
    return false;
  }

  @Override
  public void close() {
    if (!over) {
      over = true;
      wire.send(closing, channel, Buffer.buffer());
      closed();
    }
  }
}
