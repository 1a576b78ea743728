package verwalter.cli.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** An HTTP server that answers as a test says, also in ways no good server does. */
public final class ScriptedServer implements AutoCloseable {
  private final ServerSocket socket;
  private final Thread accepting;
  private final Function<Call, Answer> script;
  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  /** A request as it came in. */
  public record Call(String method, String path, String head, String body) {
    /** {@code GET /path}, the query left out. */
    public String line() {
      return method + " " + (path.indexOf('?') < 0 ? path : path.substring(0, path.indexOf('?')));
    }

    public boolean wantsTable() {
      return head.contains("as=Table");
    }
  }

  /** What happens after the last byte. */
  public enum End {
    KEEP,
    /** Says that it will, then closes. */
    CLOSE,
    /** Closes without a word about it. */
    GONE,
    /** Closes in the middle. */
    CUT,
    /** Leaves a chunked body open until the server ends. */
    HANG
  }

  /** An answer; {@code chunks} is null for one with a length. */
  public record Answer(int status, String type, String body, List<String> chunks, End end) {
    public static Answer json(String body) {
      return json(200, body);
    }

    public static Answer json(int status, String body) {
      return new Answer(status, "application/json", body, null, End.KEEP);
    }

    public static Answer chunks(End end, String... chunks) {
      return new Answer(200, "application/json", "", List.of(chunks), end);
    }

    public Answer ending(End end) {
      return new Answer(status, type, body, chunks, end);
    }
  }

  public ScriptedServer(Function<Call, Answer> script) {
    try {
      this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.script = script;
    this.accepting = daemon(this::accept);
  }

  public String url() {
    return "http://127.0.0.1:" + socket.getLocalPort();
  }

  /** All requests so far. */
  public List<Call> calls() {
    return calls;
  }

  /** How many connections there have been. */
  public int connections() {
    return open.size();
  }

  /** Waits until the last connection is closed from here. */
  public void awaitClosed() {
    while (!open.get(open.size() - 1).isClosed()) {
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
      accepting.join(); // until then the kernel may still take connections
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
        var next = socket.accept();
        next.setTcpNoDelay(true);
        open.add(next);
        daemon(() -> serve(next));
      }
    } catch (IOException closed) {
      // the test is over
    }
  }

  private void serve(Socket client) {
    try {
      var in = new BufferedInputStream(client.getInputStream());
      var call = read(in);
      while (call != null) {
        calls.add(call);
        var answer = script.apply(call);
        write(answer, client.getOutputStream());
        if (answer.end == End.CUT || answer.end == End.CLOSE || answer.end == End.GONE) {
          client.close();
          return;
        }
        if (answer.end == End.HANG) {
          return;
        }
        call = read(in);
      }
    } catch (IOException gone) {
      // so is the client
    }
  }

  private static Call read(InputStream in) throws IOException {
    var head = new StringBuilder();
    while (!head.toString().endsWith("\r\n\r\n")) {
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
    return new Call(first[0], first[1], head.toString(), new String(in.readNBytes(length), UTF_8));
  }

  private static void write(Answer answer, OutputStream out) throws IOException {
    var head = "HTTP/1.1 " + answer.status + " X\r\nContent-Type: " + answer.type + "\r\n";
    head += answer.end == End.CLOSE ? "Connection: close\r\n" : "";
    if (answer.chunks == null) {
      var bytes = answer.body.getBytes(UTF_8);
      int more = answer.end == End.CUT ? 10 : 0;
      out.write((head + "Content-Length: " + (bytes.length + more) + "\r\n\r\n").getBytes(UTF_8));
      out.write(bytes);
      return;
    }
    out.write((head + "Transfer-Encoding: chunked\r\n\r\n").getBytes(UTF_8));
    for (var chunk : answer.chunks) {
      var bytes = chunk.getBytes(UTF_8);
      out.write((Integer.toHexString(bytes.length) + ";x=y\r\n").getBytes(UTF_8));
      out.write(bytes);
      out.write("\r\n".getBytes(UTF_8));
      out.flush();
    }
    if (answer.end == End.KEEP || answer.end == End.CLOSE) {
      out.write("0\r\nTrailer: x\r\n\r\n".getBytes(UTF_8));
    }
  }

  private static Thread daemon(Runnable work) {
    var thread = new Thread(work, "scripted-server");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
