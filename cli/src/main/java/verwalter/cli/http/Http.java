package verwalter.cli.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** One connection to a server, opened when it is needed and kept between requests. */
public final class Http implements AutoCloseable {
  private static final Duration TO_CONNECT = Duration.ofSeconds(5);

  private final Endpoint endpoint;
  private final Duration patience;
  private final String agent;
  private @Nullable Socket socket;
  private @Nullable InputStream in;
  private boolean free;

  /**
   * @param patience how long the server may be silent
   * @param agent what the {@code User-Agent} header says
   */
  public Http(Endpoint endpoint, Duration patience, String agent) {
    this.endpoint = endpoint;
    this.patience = patience;
    this.agent = agent;
  }

  public Endpoint endpoint() {
    return endpoint;
  }

  /**
   * Sends a request and waits for the head of its answer. What is still unread of the last answer
   * is given up.
   *
   * @throws Unreachable when there is no answer
   */
  public Reply send(Request request) throws Unreachable {
    try {
      boolean kept = free && (request.safe() || alive());
      if (kept) {
        try {
          return exchange(request);
        } catch (SocketTimeoutException e) {
          throw e;
        } catch (IOException closedMeanwhile) {
          if (!request.safe()) {
            throw closedMeanwhile;
          }
        }
      }
      close();
      connect();
      return exchange(request);
    } catch (IOException e) {
      close();
      throw new Unreachable(endpoint, why(e), e);
    }
  }

  /** Ends the connection; the next request opens another. */
  @Override
  public void close() {
    free = false;
    var open = socket;
    socket = null;
    in = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException closedAnyway) {
        return;
      }
    }
  }

  private Reply exchange(Request request) throws IOException {
    var from = in;
    var to = socket;
    if (from == null || to == null) {
      throw new IOException("the connection is closed");
    }
    free = false;
    to.getOutputStream().write(bytes(request));
    var head = Head.read(from);
    boolean keep = !head.closes();
    var body = new Body(from, head.chunked(), head.length(), () -> free = keep && to == socket);
    return new Reply(head.status(), head.headers(), body);
  }

  private byte[] bytes(Request request) {
    var text = new StringBuilder(300);
    text.append(request.method()).append(' ').append(endpoint.base()).append(request.path());
    text.append(" HTTP/1.1\r\nHost: ").append(endpoint.authority());
    text.append("\r\nUser-Agent: ").append(agent);
    text.append("\r\nAccept: ").append(request.accept());
    if (request.body().isPresent()) {
      var body = request.body().get();
      text.append("\r\nContent-Type: ").append(body.type());
      text.append("\r\nContent-Length: ").append(body.text().getBytes(UTF_8).length);
      text.append("\r\n\r\n").append(body.text());
    } else {
      text.append("\r\n\r\n");
    }
    return text.toString().getBytes(UTF_8);
  }

  /** Tries the addresses of the host one after the other. */
  private void connect() throws IOException {
    IOException last = new UnknownHostException(endpoint.host());
    for (var address : InetAddress.getAllByName(endpoint.address())) {
      var next = new Socket();
      try {
        next.connect(
            new InetSocketAddress(address, endpoint.port()), Math.toIntExact(shorter().toMillis()));
        next.setTcpNoDelay(true);
        next.setSoTimeout(Math.toIntExact(patience.toMillis()));
        var ready = endpoint.secure() ? secured(next) : next;
        socket = ready;
        in = new BufferedInputStream(ready.getInputStream(), 16 << 10);
        return;
      } catch (IOException e) {
        next.close();
        last = e;
      }
    }
    throw last;
  }

  private Duration shorter() {
    return patience.compareTo(TO_CONNECT) < 0 && !patience.isZero() ? patience : TO_CONNECT;
  }

  private Socket secured(Socket plain) throws IOException {
    var factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
    var secure = (SSLSocket) factory.createSocket(plain, endpoint.address(), endpoint.port(), true);
    var parameters = secure.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    secure.setSSLParameters(parameters);
    secure.startHandshake();
    return secure;
  }

  /** Whether the server has not closed the connection while it lay idle. */
  private boolean alive() throws IOException {
    var from = in;
    var to = socket;
    if (from == null || to == null) {
      return false;
    }
    try {
      to.setSoTimeout(1);
      from.read(); // an end, or bytes nobody asked for: both make the connection useless
      return false;
    } catch (SocketTimeoutException quiet) {
      to.setSoTimeout(Math.toIntExact(patience.toMillis()));
      return true;
    } catch (IOException dead) {
      return false;
    }
  }

  private String why(IOException e) {
    if (e instanceof UnknownHostException) {
      return "no such host";
    }
    if (e instanceof SocketTimeoutException) {
      boolean connecting = String.valueOf(e.getMessage()).startsWith("Connect");
      return "no answer within " + (connecting ? shorter() : patience).toSeconds() + " s";
    }
    if (e instanceof SSLException) {
      return "TLS failed: " + e.getMessage();
    }
    if (e instanceof ConnectException && String.valueOf(e.getMessage()).contains("refused")) {
      return "connection refused";
    }
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }
}
