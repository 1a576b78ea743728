package verwalter.e2e;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

/** A web server with archives, which it sends whole, in part or slowly, as a test says. */
final class ArchiveServer implements AutoCloseable {
  private static final int BLOCK = 512;

  /** Pieces in which a slow archive is sent for each second. */
  private static final int PIECES = 20;

  private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-");

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<String, Archive> archives = new ConcurrentHashMap<>();

  /** What is known of one path. */
  private static final class Archive {
    private volatile Optional<byte[]> bytes = Optional.empty();
    private volatile CountDownLatch half = new CountDownLatch(0);
    private volatile int bytesPerSecond = Integer.MAX_VALUE;
    private final AtomicInteger cuts = new AtomicInteger();
    private final AtomicInteger sending = new AtomicInteger();
    private final AtomicLong sent = new AtomicLong();
    private final List<Integer> starts = new CopyOnWriteArrayList<>();
  }

  ArchiveServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  /** Serves an archive with these files, and returns its digest. Scripts are executable. */
  String add(String name, Map<String, String> files) throws IOException {
    var archive = tarGz(files);
    of(name).bytes = Optional.of(archive);
    return sha256(archive);
  }

  void remove(String name) {
    of(name).bytes = Optional.empty();
  }

  /** Sends only half of the archive until {@link #release}. */
  void hold(String name) {
    of(name).half = new CountDownLatch(1);
  }

  void release(String name) {
    of(name).half.countDown();
  }

  /** Closes the connection of the next requests after half of what they ask for. */
  void cut(String name, int requests) {
    of(name).cuts.set(requests);
  }

  /** Sends the archive slowly. */
  void throttle(String name, int bytesPerSecond) {
    of(name).bytesPerSecond = bytesPerSecond;
  }

  int requests(String name) {
    return starts(name).size();
  }

  /** The first byte that each request asked for. */
  List<Integer> starts(String name) {
    return List.copyOf(of(name).starts);
  }

  /** The number of requests that are being answered. */
  int sending(String name) {
    return of(name).sending.get();
  }

  /** The number of bytes that were sent in all answers. */
  long sent(String name) {
    return of(name).sent.get();
  }

  int size(String name) {
    return of(name).bytes.orElseThrow().length;
  }

  String url(String name) {
    return "http://127.0.0.1:%d/%s".formatted(server.getAddress().getPort(), name);
  }

  private Archive of(String name) {
    return archives.computeIfAbsent("/" + name, any -> new Archive());
  }

  private void answer(HttpExchange exchange) throws IOException {
    var archive = of(exchange.getRequestURI().getPath().substring(1));
    var bytes = archive.bytes;
    archive.sending.incrementAndGet();
    try (exchange) {
      if (bytes.isEmpty()) {
        archive.starts.add(0);
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      int start = start(exchange, bytes.get());
      archive.starts.add(start);
      send(exchange, archive, bytes.get(), start);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    } finally {
      archive.sending.decrementAndGet();
    }
  }

  /** The first byte of the answer: not 0 if the client continues the same content. */
  private static int start(HttpExchange exchange, byte[] bytes) {
    var range = RANGE.matcher(String.valueOf(exchange.getRequestHeaders().getFirst("Range")));
    boolean same = etag(bytes).equals(exchange.getRequestHeaders().getFirst("If-Range"));
    return same && range.matches() ? Integer.parseInt(range.group(1)) : 0;
  }

  private static void send(HttpExchange exchange, Archive archive, byte[] bytes, int start)
      throws IOException, InterruptedException {
    var headers = exchange.getResponseHeaders();
    headers.set("ETag", etag(bytes));
    int length = bytes.length - start;
    if (start > 0) {
      headers.set(
          "Content-Range", "bytes %d-%d/%d".formatted(start, bytes.length - 1, bytes.length));
    }
    exchange.sendResponseHeaders(start > 0 ? 206 : 200, length);
    var body = exchange.getResponseBody();
    int half = start + length / 2;
    write(body, archive, bytes, start, half);
    if (archive.cuts.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      return;
    }
    archive.half.await();
    write(body, archive, bytes, half, bytes.length);
  }

  private static void write(OutputStream body, Archive archive, byte[] bytes, int from, int to)
      throws IOException {
    for (int at = from; at < to; ) {
      int rate = archive.bytesPerSecond;
      boolean slow = rate < Integer.MAX_VALUE;
      int n = Math.min(to - at, slow ? Math.max(1, rate / PIECES) : to - at);
      body.write(bytes, at, n);
      body.flush();
      archive.sent.addAndGet(n);
      at += n;
      if (slow) {
        LockSupport.parkNanos(1_000_000_000L / PIECES);
      }
    }
  }

  private static String etag(byte[] bytes) {
    return "\"" + sha256(bytes) + "\"";
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException impossible) { // every JDK has it
      throw new IllegalStateException(impossible);
    }
  }

  /** A tar.gz archive of regular files, in the format of POSIX.1-1988. */
  private static byte[] tarGz(Map<String, String> files) throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(packed)) {
      for (var file : files.entrySet()) {
        var content = file.getValue().getBytes(StandardCharsets.UTF_8);
        out.write(header(file.getKey(), content.length, file.getValue().startsWith("#!")));
        out.write(content);
        out.write(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
      }
      out.write(new byte[2 * BLOCK]);
    }
    return packed.toByteArray();
  }

  private static byte[] header(String name, int size, boolean executable) {
    var header = new byte[BLOCK];
    put(header, 0, name);
    put(header, 100, executable ? "0000755\0" : "0000644\0");
    put(header, 108, "0000000\0");
    put(header, 116, "0000000\0");
    put(header, 124, "%011o\0".formatted(size));
    put(header, 136, "00000000000\0");
    put(header, 148, "        ");
    put(header, 156, "0");
    put(header, 257, "ustar\00000");
    int sum = 0;
    for (byte each : header) {
      sum += each & 0xff;
    }
    put(header, 148, "%06o\0 ".formatted(sum));
    return header;
  }

  private static void put(byte[] header, int at, String text) {
    var bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }

  @Override
  public void close() {
    archives.values().forEach(archive -> archive.half.countDown());
    server.stop(0);
    threads.shutdownNow();
  }
}
