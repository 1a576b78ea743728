package verwalter.client.transport;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
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
    this.in = new BufferedInputStream(Channels.newInputStream(channel), BUFFER);
    this.out = Channels.newOutputStream(channel);
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
