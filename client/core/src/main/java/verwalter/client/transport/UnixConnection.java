package verwalter.client.transport;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.InvalidPathException;

/** A connection over a unix socket. */
final class UnixConnection implements Connection {
  private static final int BUFFER = 16 << 10;

  private final SocketChannel channel;
  private final InputStream in;
  private final OutputStream out;

  private UnixConnection(SocketChannel channel) {
    this.channel = channel;
    this.in = new BufferedInputStream(new Input(channel), BUFFER);
    this.out = new Output(channel);
  }

  /** Connects to the socket file. */
  record Opening(String file) implements Opener {
    @Override
    public Connection open(Exchange owner) throws IOException {
      var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
      owner.holds(channel);
      try {
        channel.connect(UnixDomainSocketAddress.of(file));
        return new UnixConnection(channel);
      } catch (IOException e) {
        channel.close();
        throw e;
      } catch (InvalidPathException e) {
        channel.close();
        throw new IOException("not the path of a file: " + e.getMessage(), e);
      }
    }

    @Override
    public boolean isCurrent(Connection connection) {
      return true;
    }
  }

  /** Unlike that of {@code Channels}, it can be read while another thread writes. */
  private static final class Input extends InputStream {
    private final SocketChannel channel;

    Input(SocketChannel channel) {
      this.channel = channel;
    }

    @Override
    public int read() throws IOException {
      var one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return length == 0 ? 0 : channel.read(ByteBuffer.wrap(bytes, offset, length));
    }
  }

  /** Unlike that of {@code Channels}, it can be written while another thread reads. */
  private static final class Output extends OutputStream {
    private final SocketChannel channel;

    Output(SocketChannel channel) {
      this.channel = channel;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      var left = ByteBuffer.wrap(bytes, offset, length);
      while (left.hasRemaining()) {
        channel.write(left);
      }
    }
  }

  @Override
  public InputStream in() {
    return in;
  }

  @Override
  public OutputStream out() {
    return out;
  }

  @Override
  public boolean isIdle() {
    try {
      if (in.available() > 0) {
        return false;
      }
      channel.configureBlocking(false);
      try {
        return channel.read(ByteBuffer.allocate(1)) == 0;
      } finally {
        channel.configureBlocking(true);
      }
    } catch (IOException dead) {
      return false;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException closedAnyway) {
      return;
    }
  }
}
