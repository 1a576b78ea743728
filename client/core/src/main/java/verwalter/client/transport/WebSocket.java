package verwalter.client.transport;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The client's end of a WebSocket with binary messages (RFC 6455). One thread reads; any thread
 * sends. Answers pings while it reads.
 *
 * <p>The masks of the messages are zero: they protect caches between browsers and servers from
 * scripts, and {@code vw} is none.
 */
public final class WebSocket implements Closeable {
  private static final int FINAL = 0x80;
  private static final int MASKED = 0x80;
  private static final int OPCODE = 0x0f;
  private static final int CONTINUATION = 0;
  private static final int TEXT = 1;
  private static final int BINARY = 2;
  private static final int CLOSE = 8;
  private static final int PING = 9;
  private static final int PONG = 10;
  private static final int MASK = 4;

  /** The length that says that a length of 16 bits follows. */
  private static final int SHORT = 126;

  /** The length that says that a length of 64 bits follows. */
  private static final int LONG = 127;

  /** The limit of a received message, in bytes. */
  private static final int MOST = 1 << 20;

  private final Connection connection;
  private final DataInputStream in;
  private final ReentrantLock sending = new ReentrantLock();

  WebSocket(Connection connection) {
    this.connection = connection;
    this.in = new DataInputStream(connection.in());
  }

  /** Sends a binary message of the first {@code length} bytes. */
  public void send(byte[] bytes, int length) throws IOException {
    sending.lock();
    try {
      write(BINARY, bytes, length);
    } finally {
      sending.unlock();
    }
  }

  /**
   * Answers a ping, unless another thread sends a message: that says as much, and waiting for a
   * server that does not read would keep this thread from reading.
   */
  private void answer(byte[] ping) throws IOException {
    if (sending.tryLock()) {
      try {
        write(PONG, ping, ping.length);
      } finally {
        sending.unlock();
      }
    }
  }

  private void write(int opcode, byte[] bytes, int length) throws IOException {
    boolean small = length < SHORT;
    boolean middle = length <= 0xffff;
    int head = 2 + (small ? 0 : middle ? 2 : 8);
    var frame = new byte[head + MASK + length];
    frame[0] = (byte) (FINAL | opcode);
    frame[1] = (byte) (MASKED | (small ? length : middle ? SHORT : LONG));
    for (int i = 2; i < head; i++) {
      frame[i] = (byte) ((long) length >>> (8 * (head - 1 - i)));
    }
    System.arraycopy(bytes, 0, frame, head + MASK, length);
    connection.out().write(frame);
    connection.out().flush();
  }

  /**
   * Waits for the next message; empty if the server has closed the WebSocket.
   *
   * @param heard runs after each frame, such as a ping
   */
  public Optional<byte[]> receive(Runnable heard) throws IOException {
    var message = new byte[0];
    while (true) {
      int first;
      try {
        first = in.readUnsignedByte();
      } catch (EOFException gone) {
        throw new EOFException("the connection was lost");
      }
      var bytes = payload(in.readUnsignedByte());
      heard.run();
      switch (first & OPCODE) {
        case CLOSE -> {
          return Optional.empty();
        }
        case PING -> answer(bytes);
        case PONG -> {}
        case CONTINUATION, TEXT, BINARY -> {
          message = joined(message, bytes);
          if ((first & FINAL) != 0) {
            return Optional.of(message);
          }
        }
        default -> throw new ProtocolException("the server sends an unknown frame");
      }
    }
  }

  private byte[] payload(int second) throws IOException {
    if ((second & MASKED) != 0) {
      throw new ProtocolException("the server sends a masked frame");
    }
    long length =
        switch (second) {
          case SHORT -> in.readUnsignedShort();
          case LONG -> in.readLong();
          default -> second;
        };
    if (length < 0 || length > MOST) {
      throw new ProtocolException("the server sends a message that is too large");
    }
    var bytes = new byte[(int) length];
    in.readFully(bytes);
    return bytes;
  }

  private static byte[] joined(byte[] first, byte[] second) throws ProtocolException {
    if (first.length + second.length > MOST) {
      throw new ProtocolException("the server sends a message that is too large");
    }
    var all = new byte[first.length + second.length];
    System.arraycopy(first, 0, all, 0, first.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }

  /** Closes the connection at once, even while another thread uses it. */
  @Override
  public void close() {
    connection.close();
  }
}
