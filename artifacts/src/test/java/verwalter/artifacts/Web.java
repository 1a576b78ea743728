package verwalter.artifacts;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A server of raw sockets: an answer decides about every byte and about the end of a connection.
 */
final class Web implements AutoCloseable {
  /** Threads of the clients, which end when they are idle. */
  static final ExecutorService THREADS =
      Executors.newCachedThreadPool(
          task -> {
            var thread = new Thread(task, "client");
            thread.setDaemon(true);
            return thread;
          });

  /** Answers one request; the connection ends afterwards. */
  @FunctionalInterface
  interface Answer {
    void to(String request, OutputStream out, Socket connection) throws Exception;
  }

  /** Time that stands still until it is moved; sleeping moves it. */
  static final class VirtualTicks implements Ticks {
    private final AtomicLong nanos = new AtomicLong();
    private volatile Duration step = Duration.ZERO;

    @Override
    public long nanos() {
      return nanos.addAndGet(step.toNanos());
    }

    @Override
    public void sleep(long duration) {
      nanos.addAndGet(duration);
    }

    /** From now on so much time passes between two looks at the clock. */
    void run(Duration each) {
      step = each;
    }
  }

  final List<String> requests = new CopyOnWriteArrayList<>();
  private final ServerSocket socket;
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private volatile Answer answer;

  Web(Answer answer) throws IOException {
    this.answer = answer;
    this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    THREADS.execute(this::accept);
  }

  void answers(Answer next) {
    answer = next;
  }

  int port() {
    return socket.getLocalPort();
  }

  String url(String path) {
    return "http://127.0.0.1:" + port() + path;
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        var connection = socket.accept();
        open.add(connection);
        THREADS.execute(() -> serve(connection));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      var in =
          new BufferedReader(
              new InputStreamReader(connection.getInputStream(), StandardCharsets.ISO_8859_1));
      var request = new StringBuilder();
      for (var line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
        request.append(line).append('\n');
      }
      if (request.length() > 0) {
        requests.add(request.toString());
        answer.to(request.toString(), connection.getOutputStream(), connection);
      }
    } catch (Exception ended) {
      // The client sees the end of the connection.
    }
  }

  static void head(OutputStream out, String... lines) throws IOException {
    out.write((String.join("\r\n", lines) + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
  }

  /** The value of a header, or an empty text. */
  static String header(String request, String name) {
    return request
        .lines()
        .filter(it -> it.regionMatches(true, 0, name + ": ", 0, name.length() + 2))
        .map(it -> it.substring(name.length() + 2))
        .findFirst()
        .orElse("");
  }

  /** Serves content with an ETag and ranges, as web servers do. */
  static Answer file(byte[] content, String etag) {
    return (request, out, connection) -> {
      var range = header(request, "Range");
      if (!range.isEmpty() && header(request, "If-Range").equals(etag)) {
        int from = Integer.parseInt(range.replaceAll("bytes=(\\d+)-", "$1"));
        if (from >= content.length) {
          head(
              out,
              "HTTP/1.1 416 No",
              "ETag: " + etag,
              "Content-Range: bytes */" + content.length,
              "Content-Length: 0",
              "Connection: close");
          return;
        }
        head(
            out,
            "HTTP/1.1 206 Part",
            "ETag: " + etag,
            "Content-Range: bytes " + from + "-" + (content.length - 1) + "/" + content.length,
            "Content-Length: " + (content.length - from),
            "Connection: close");
        out.write(content, from, content.length - from);
      } else {
        head(
            out,
            "HTTP/1.1 200 OK",
            "ETag: " + etag,
            "Content-Length: " + content.length,
            "Connection: close");
        out.write(content);
      }
      out.flush();
    };
  }

  /** Serves content by its digest with ranges, as other machines do. */
  static Answer peer(byte[] content) {
    return (request, out, connection) -> {
      var range = header(request, "Range");
      int from = range.isEmpty() ? 0 : Integer.parseInt(range.replaceAll("bytes=(\\d+)-", "$1"));
      if (from >= content.length) {
        head(
            out,
            "HTTP/1.1 416 No",
            "Content-Range: bytes */" + content.length,
            "Content-Length: 0");
      } else {
        ending(content, content.length).to(request, out, connection);
      }
    };
  }

  /** Serves content with ranges, but ends the connection after so many bytes of it. */
  static Answer ending(byte[] content, int end) {
    return (request, out, connection) -> {
      var range = header(request, "Range");
      int from = range.isEmpty() ? 0 : Integer.parseInt(range.replaceAll("bytes=(\\d+)-", "$1"));
      head(
          out,
          "HTTP/1.1 " + (range.isEmpty() ? "200 OK" : "206 Part"),
          "Content-Range: bytes " + from + "-" + (content.length - 1) + "/" + content.length,
          "Content-Length: " + (content.length - from),
          "Connection: close");
      out.write(content, from, end - from);
      out.flush();
    };
  }

  /** Serves the head and the first bytes, and then does what is given. */
  static Answer half(byte[] content, int bytes, String validator, Answer then) {
    return (request, out, connection) -> {
      head(out, "HTTP/1.1 200 OK", validator, "Content-Length: " + content.length);
      out.write(content, 0, bytes);
      out.flush();
      then.to(request, out, connection);
    };
  }

  static Answer status(int status, String... headers) {
    return (request, out, connection) ->
        head(
            out,
            "HTTP/1.1 " + status + " Status",
            headers.length == 0 ? "A: b" : headers[0],
            "Content-Length: 0",
            "Connection: close");
  }

  static BlobStore blobs(Path directory) throws ArtifactException {
    return blobs(directory, new VirtualTicks(), DiskSteps.NONE);
  }

  static BlobStore blobs(Path directory, Ticks ticks, DiskSteps steps) throws ArtifactException {
    return new BlobStore(directory, around(ticks, Map.of(), 0, Machine.PLENTY, "boot 1"), steps);
  }

  static BlobStore.Surroundings around(
      Ticks ticks, Map<String, String> proxies, long bandwidth, FreeSpace space, String boot)
      throws ArtifactException {
    return around(ticks, proxies, bandwidth, BlobStore.Others.NONE, space, boot);
  }

  static BlobStore.Surroundings around(
      Ticks ticks,
      Map<String, String> proxies,
      long bandwidth,
      BlobStore.Others others,
      FreeSpace space,
      String boot)
      throws ArtifactException {
    return new BlobStore.Surroundings(
        new FetchLimits(10 << 20, Duration.ofSeconds(600), Duration.ofSeconds(5), 10, 1000),
        new Bandwidth(bandwidth, ticks),
        ProxyTable.of(proxies),
        Optional.empty(),
        others,
        space,
        ticks,
        THREADS,
        boot);
  }

  @Override
  public void close() throws IOException {
    socket.close();
    for (var it : open) {
      it.close();
    }
  }
}
