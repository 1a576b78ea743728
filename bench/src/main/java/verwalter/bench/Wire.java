package verwalter.bench;

import io.vertx.core.buffer.Buffer;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The messages between a simulated leader and its followers, which are two processes. Both run the
 * same span of virtual time, then exchange what they have sent, and run the next one.
 */
final class Wire {
  /** What a message belongs to. */
  enum Type {
    /**
     * A follower opens a connection for its objects; the answer is the same or {@code
     * CLOSE_MIRROR}.
     */
    OPEN_MIRROR,
    /** A message on such a connection. */
    MIRROR,
    /** The end of such a connection. */
    CLOSE_MIRROR,
    /** An observer opens a connection for the log; the answer is the same. */
    OPEN_FEED,
    /** A message on such a connection. */
    FEED,
    /** The end of such a connection. */
    CLOSE_FEED,
    /** Writes of an observer, and the answer. */
    WRITES,
    /** An order to the followers. */
    ORDER
  }

  /**
   * A message.
   *
   * @param channel number of the node, or of the request
   */
  record Frame(Type type, int channel, Buffer bytes) {}

  /** The number and the bytes of messages. */
  record Traffic(long messages, long bytes) {
    static final Traffic NONE = new Traffic(0, 0);

    Traffic plus(int more) {
      return new Traffic(messages + 1, bytes + more);
    }

    Traffic minus(Traffic other) {
      return new Traffic(messages - other.messages, bytes - other.bytes);
    }
  }

  private static final int BUFFER = 1 << 16;

  private final DataInputStream in;
  private final DataOutputStream out;
  private final Map<Type, Traffic> sent = new EnumMap<>(Type.class);
  private final Map<Type, Traffic> received = new EnumMap<>(Type.class);
  private List<Frame> batch = new ArrayList<>();

  Wire(InputStream in, OutputStream out) {
    this.in = new DataInputStream(new BufferedInputStream(in, BUFFER));
    this.out = new DataOutputStream(new BufferedOutputStream(out, BUFFER));
  }

  /** Adds a message to those that are sent next. */
  void send(Type type, int channel, Buffer bytes) {
    sent.merge(type, new Traffic(1, bytes.length()), (all, one) -> all.plus(bytes.length()));
    batch.add(new Frame(type, channel, bytes));
  }

  /** Sends what was added. */
  void flush() throws IOException {
    var now = batch;
    batch = new ArrayList<>();
    out.writeInt(now.size());
    for (var each : now) {
      out.writeUTF(each.type().name());
      out.writeInt(each.channel());
      out.writeInt(each.bytes().length());
      out.write(each.bytes().getBytes());
    }
    out.flush();
  }

  /** Receives what the other process has sent in the same span of time. */
  List<Frame> receive() throws IOException {
    var frames = new ArrayList<Frame>();
    for (int rest = in.readInt(); rest > 0; rest--) {
      var type = Type.valueOf(in.readUTF());
      int channel = in.readInt();
      var bytes = in.readNBytes(in.readInt());
      received.merge(type, new Traffic(1, bytes.length), (all, one) -> all.plus(bytes.length));
      frames.add(new Frame(type, channel, Buffer.buffer(bytes)));
    }
    return frames;
  }

  Traffic sent(Type type) {
    return sent.getOrDefault(type, Traffic.NONE);
  }

  Traffic received(Type type) {
    return received.getOrDefault(type, Traffic.NONE);
  }
}
