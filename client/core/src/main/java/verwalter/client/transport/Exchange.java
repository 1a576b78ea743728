package verwalter.client.transport;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.ProtocolException;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A request and its answer, run by a separate thread. The thread owns the connection; {@link
 * #cancel} closes it from another thread.
 */
final class Exchange implements Runnable, Call {
  private final SocketTransport transport;
  private final Request request;
  private final Receiver receiver;
  private @Nullable Closeable held; // guarded by this
  private boolean cancelled; // guarded by this
  private long asked; // guarded by this: number of requested pieces

  Exchange(SocketTransport transport, Request request, Receiver receiver) {
    this.transport = transport;
    this.request = request;
    this.receiver = receiver;
  }

  @Override
  public void run() {
    try {
      deliver(begin());
    } catch (IOException e) {
      transport.ended(this);
      if (!isCancelled()) {
        receiver.failed(transport.why(e));
      }
    } finally {
      transport.ended(this);
      release();
    }
  }

  @Override
  public void cancel() {
    Closeable open;
    synchronized (this) {
      cancelled = true;
      open = held;
      held = null;
      notifyAll();
    }
    close(open);
  }

  /** Registers what {@link #cancel} closes. */
  void holds(Closeable opened) throws IOException {
    hold(opened);
  }

  private void hold(Closeable opened) throws IOException {
    synchronized (this) {
      if (!cancelled) {
        held = opened;
        return;
      }
    }
    close(opened);
    throw new IOException("cancelled");
  }

  /** A connection after the head of the answer was read. */
  private record Begun(Connection connection, AnswerHead head, AnswerBody body) {}

  private Begun begin() throws IOException {
    boolean repeatable = request.method().equals("GET");
    var kept = transport.takeKept(!repeatable);
    if (kept != null) {
      hold(kept);
      try {
        return begin(kept);
      } catch (ProtocolException e) {
        throw e;
      } catch (IOException closedMeanwhile) {
        release();
        if (!repeatable || isCancelled()) {
          throw closedMeanwhile;
        }
      }
    }
    var connection = transport.opener().open(this);
    hold(connection);
    return begin(connection);
  }

  private Begun begin(Connection connection) throws IOException {
    IOException unsent = null;
    try {
      connection.out().write(bytes());
      connection.out().flush();
    } catch (IOException e) {
      unsent = e; // the server may have answered and closed before it read the whole body
    }
    try {
      var head = AnswerHead.read(connection.in());
      return new Begun(connection, head, new AnswerBody(connection.in(), head));
    } catch (IOException e) {
      throw unsent == null || e instanceof SSLException ? e : unsent; // an alert says why
    }
  }

  /**
   * Sends the request on a new connection. Returns the connection if the server switches protocols.
   *
   * @param refused receives another answer
   */
  Optional<Connection> upgrade(RefusedSwitch refused) throws IOException {
    try {
      var connection = transport.opener().open(this);
      hold(connection);
      connection.out().write(bytes());
      connection.out().flush();
      var head = AnswerHead.readSwitch(connection.in());
      if (head.status() == 101) {
        take();
        return Optional.of(connection);
      }
      var all = new ByteArrayOutputStream();
      var body = new AnswerBody(connection.in(), head);
      for (var piece = body.next(); piece != null; piece = body.next()) {
        all.writeBytes(piece);
      }
      refused.answered(head.status(), head.headers(), all.toByteArray());
      return Optional.empty();
    } catch (IOException e) {
      throw transport.why(e);
    } finally {
      release();
    }
  }

  private byte[] bytes() {
    var text = new StringBuilder(300);
    var endpoint = transport.endpoint();
    text.append(request.method()).append(' ').append(endpoint.base()).append(request.target());
    text.append(" HTTP/1.1\r\nHost: ").append(endpoint.authority());
    for (var header : request.headers().entrySet()) {
      text.append("\r\n").append(header.getKey()).append(": ").append(header.getValue());
    }
    var body = request.body();
    if (body.length > 0) {
      text.append("\r\nContent-Length: ").append(body.length);
    }
    var head = text.append("\r\n\r\n").toString().getBytes(US_ASCII);
    var all = new byte[head.length + body.length];
    System.arraycopy(head, 0, all, 0, head.length);
    System.arraycopy(body, 0, all, head.length, body.length);
    return all;
  }

  private void deliver(Begun answer) throws IOException {
    if (isCancelled()) {
      return;
    }
    receiver.head(answer.head.status(), answer.head.headers());
    boolean delimited = answer.body.isDelimited() && !answer.head.closes();
    long pieces = 0;
    for (var piece = answer.body.next(); piece != null; piece = answer.body.next()) {
      if (isCancelled()) {
        return;
      }
      long due = ++pieces;
      receiver.data(piece, () -> ask(due));
      if (!awaitAsked(due)) {
        return;
      }
    }
    if (delimited && take()) {
      transport.keep(answer.connection);
    }
    transport.ended(this);
    if (!isCancelled()) {
      receiver.end();
    }
  }

  private synchronized void ask(long piece) {
    asked = Math.max(asked, piece);
    notifyAll();
  }

  /** Waits until the next piece is requested. Returns false if the request is cancelled. */
  private synchronized boolean awaitAsked(long piece) throws IOException {
    try {
      while (asked < piece && !cancelled) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return !cancelled;
  }

  private synchronized boolean isCancelled() {
    return cancelled;
  }

  /**
   * Takes the connection, so that {@link #cancel} does not close it. Returns false if it was
   * cancelled before.
   */
  private synchronized boolean take() {
    boolean mine = held != null;
    held = null;
    return mine;
  }

  private void release() {
    Closeable open;
    synchronized (this) {
      open = held;
      held = null;
    }
    close(open);
  }

  private static void close(@Nullable Closeable open) {
    try {
      if (open != null) {
        open.close();
      }
    } catch (IOException ignored) {
      // The connection is not used again, and its socket is released even if close() fails.
    }
  }
}
