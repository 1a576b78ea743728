package verwalter.client.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import verwalter.client.testkit.ScriptedAnswer.End;
import verwalter.client.testkit.ScriptedAnswer.Framing;

/** An HTTP server whose answers a test defines. */
public final class ScriptedServer implements AutoCloseable {
  private final ServerPort door;
  private final Thread accepting;
  private final Function<ReceivedRequest, ScriptedAnswer> script;
  private final List<ReceivedRequest> requests = new CopyOnWriteArrayList<>();
  private final List<Closeable> open = new CopyOnWriteArrayList<>();
  private final AtomicInteger closed = new AtomicInteger();

  /** Starts a server on a free TCP port of this machine. */
  public ScriptedServer(Function<ReceivedRequest, ScriptedAnswer> script) {
    this(script, ServerPort::tcp);
  }

  /** Starts a server with TLS. With {@code clientsToo}, clients must have a trusted certificate. */
  public static ScriptedServer tls(
      Function<ReceivedRequest, ScriptedAnswer> script, SSLContext context, boolean clientsToo) {
    return new ScriptedServer(script, () -> ServerPort.tls(context, clientsToo));
  }

  /** Starts a server on a unix socket. */
  public static ScriptedServer unix(Function<ReceivedRequest, ScriptedAnswer> script, Path file) {
    return new ScriptedServer(script, () -> ServerPort.unix(file));
  }

  private interface Opening {
    ServerPort open() throws IOException;
  }

  private ScriptedServer(Function<ReceivedRequest, ScriptedAnswer> script, Opening opening) {
    try {
      this.door = opening.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.script = script;
    this.accepting = daemon(this::accept);
  }

  /** The server's address in the form of {@code vw --server}. */
  public String url() {
    return door.url();
  }

  /** All requests so far. */
  public List<ReceivedRequest> calls() {
    return requests;
  }

  /** The number of all connections so far. */
  public int connections() {
    return open.size();
  }

  /** The number of closed connections. */
  public int ended() {
    return closed.get();
  }

  /** Waits until every connection has ended. */
  public void awaitClosed() {
    while (closed.get() < open.size()) {
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    try {
      door.close();
      accepting.join(); // until then the kernel may accept connections
      for (var each : open) {
        each.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void accept() {
    try {
      while (true) {
        var next = door.accept();
        open.add(next.socket());
        daemon(() -> serve(next));
      }
    } catch (IOException testIsOver) {
      return;
    }
  }

  private void serve(ServerPort.Peer client) {
    try {
      var in = new BufferedInputStream(client.in());
      var end = End.KEEP;
      while (end == End.KEEP) {
        var request = read(in);
        if (request == null) {
          return;
        }
        requests.add(request);
        var answer = script.apply(request);
        write(answer, client.out());
        end = answer.end();
      }
      if (end == End.HANG) {
        while (in.read() >= 0) {
          // until the client closes
        }
      }
    } catch (IOException clientIsGone) {
      return;
    } finally {
      end(client.socket());
      closed.incrementAndGet();
    }
  }

  private static void end(Closeable socket) {
    try {
      socket.close();
    } catch (IOException endedAnyway) {
      return;
    }
  }

  private static @Nullable ReceivedRequest read(InputStream in) throws IOException {
    var head = new StringBuilder();
    while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        return null;
      }
      head.append((char) next);
    }
    var first = head.substring(0, head.indexOf("\r\n")).split(" ", -1);
    int at = head.indexOf("Content-Length: ");
    int length =
        at < 0 ? 0 : Integer.parseInt(head.substring(at + 16, head.indexOf("\r\n", at)).strip());
    var body = new String(in.readNBytes(length), UTF_8);
    return new ReceivedRequest(first[0], first[1], head.toString(), body);
  }

  private static void write(ScriptedAnswer answer, OutputStream out) throws IOException {
    var framing = answer.framing();
    if (framing != Framing.RAW) {
      out.write(head(answer).getBytes(UTF_8));
    }
    for (var piece : answer.pieces()) {
      if (framing == Framing.CHUNKED) {
        out.write((Integer.toHexString(piece.length) + ";x=y\r\n").getBytes(UTF_8));
      }
      out.write(piece);
      if (framing == Framing.CHUNKED) {
        out.write("\r\n".getBytes(UTF_8));
      }
      out.flush();
    }
    if (framing == Framing.CHUNKED && answer.end() != End.CUT && answer.end() != End.HANG) {
      out.write("0\r\nTrailer: x\r\n\r\n".getBytes(UTF_8));
    }
    out.flush();
  }

  private static String head(ScriptedAnswer answer) {
    var head = "HTTP/1.1 " + answer.status() + " X\r\nContent-Type: " + answer.type() + "\r\n";
    head += answer.end() == End.CLOSE ? "Connection: close\r\n" : "";
    return switch (answer.framing()) {
      case CHUNKED -> head + "Transfer-Encoding: chunked\r\n\r\n";
      case LENGTH -> {
        int length = answer.end() == End.CUT || answer.end() == End.HANG ? 10 : 0;
        for (var piece : answer.pieces()) {
          length += piece.length;
        }
        yield head + "Content-Length: " + length + "\r\n\r\n";
      }
      case UNTIL_CLOSED, RAW -> head + "\r\n";
    };
  }

  private static Thread daemon(Runnable work) {
    var thread = new Thread(work, "scripted-server");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
