package verwalter.client.transport;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** A connection over TCP, with or without TLS. */
final class TcpConnection implements Connection {
  private static final int BUFFER = 16 << 10;

  /**
   * The TCP socket, which is closed without the TLS layer, because that would wait for a server
   * that does not read.
   */
  private final Closeable base;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final @Nullable SSLContext context;

  private TcpConnection(Closeable base, Socket socket, @Nullable SSLContext context)
      throws IOException {
    this.base = base;
    this.socket = socket;
    this.context = context;
    this.in = new BufferedInputStream(socket.getInputStream(), BUFFER);
    this.out = socket.getOutputStream();
  }

  /** Connects to the first address of the host that answers. */
  record Opening(Endpoint endpoint, @Nullable Tls tls, Duration timeout) implements Opener {
    @Override
    public Connection open(Exchange owner) throws IOException {
      var context = context();
      IOException last = new UnknownHostException(endpoint.host());
      for (var address : InetAddress.getAllByName(endpoint.address())) {
        var plain = new Socket();
        owner.holds(plain);
        try {
          plain.connect(
              new InetSocketAddress(address, endpoint.port()), Math.toIntExact(timeout.toMillis()));
          plain.setTcpNoDelay(true);
          var socket = context == null ? plain : secured(plain, context);
          return new TcpConnection(plain, socket, context);
        } catch (IOException e) {
          plain.close();
          last = e;
        }
      }
      throw last;
    }

    @Override
    public boolean isCurrent(Connection connection) throws IOException {
      return tls == null || ((TcpConnection) connection).context == tls.context();
    }

    private @Nullable SSLContext context() throws TlsFailure {
      try {
        return tls == null ? null : tls.context();
      } catch (IOException e) {
        throw TlsFailure.ofFiles(e);
      }
    }

    private Socket secured(Socket plain, SSLContext context) throws IOException {
      var secure =
          (SSLSocket)
              context
                  .getSocketFactory()
                  .createSocket(plain, endpoint.address(), endpoint.port(), true);
      var parameters = secure.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      secure.setSSLParameters(parameters);
      secure.setSoTimeout(Math.toIntExact(timeout.toMillis()));
      secure.startHandshake();
      secure.setSoTimeout(0);
      return secure;
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
      socket.setSoTimeout(1);
      in.read(); // the end, or unexpected bytes: the connection is not usable in both cases
      return false;
    } catch (SocketTimeoutException quiet) {
      return reset();
    } catch (IOException dead) {
      return false;
    }
  }

  private boolean reset() {
    try {
      socket.setSoTimeout(0);
      return true;
    } catch (IOException closed) {
      return false;
    }
  }

  @Override
  public void close() {
    try {
      base.close();
    } catch (IOException closedAnyway) {
      return;
    }
  }
}
