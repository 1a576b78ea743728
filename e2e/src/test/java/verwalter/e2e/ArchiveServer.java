package verwalter.e2e;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;

/** A web server with archives. It sends the second half of an archive when it is allowed to. */
final class ArchiveServer implements AutoCloseable {
  private static final int BLOCK = 512;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<String, byte[]> archives = new ConcurrentHashMap<>();
  private final Map<String, CountDownLatch> halves = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> requests = new ConcurrentHashMap<>();

  ArchiveServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  /** Serves an archive with these files, and returns its digest. */
  String add(String name, Map<String, String> files) throws IOException {
    var archive = tarGz(files);
    archives.put("/" + name, archive);
    return sha256(archive);
  }

  void remove(String name) {
    archives.remove("/" + name);
  }

  /** Sends only half of the archive until {@link #release}. */
  void hold(String name) {
    halves.put("/" + name, new CountDownLatch(1));
  }

  void release(String name) {
    halves.remove("/" + name).countDown();
  }

  int requests(String name) {
    return requests.getOrDefault("/" + name, new AtomicInteger()).get();
  }

  String url(String name) {
    return "http://127.0.0.1:%d/%s".formatted(server.getAddress().getPort(), name);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var path = exchange.getRequestURI().getPath();
      requests.computeIfAbsent(path, any -> new AtomicInteger()).incrementAndGet();
      var archive = archives.get(path);
      if (archive == null) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      exchange.sendResponseHeaders(200, archive.length);
      int half = archive.length / 2;
      exchange.getResponseBody().write(archive, 0, half);
      exchange.getResponseBody().flush();
      var held = halves.get(path);
      if (held != null) {
        held.await();
      }
      exchange.getResponseBody().write(archive, half, archive.length - half);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
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
        out.write(header(file.getKey(), content.length));
        out.write(content);
        out.write(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
      }
      out.write(new byte[2 * BLOCK]);
    }
    return packed.toByteArray();
  }

  private static byte[] header(String name, int size) {
    var header = new byte[BLOCK];
    put(header, 0, name);
    put(header, 100, "0000644\0");
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
    halves.values().forEach(CountDownLatch::countDown);
    server.stop(0);
    threads.shutdownNow();
  }
}
