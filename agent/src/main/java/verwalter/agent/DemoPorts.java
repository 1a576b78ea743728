package verwalter.agent;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Chooses free ports for a demo and its processes, so that several demos can run on one machine.
 *
 * <p>The processes of a demo use a block of ports. A demo listens on the first port of its block,
 * which claims the block before any process runs. The ports are in a file of the example, {@link
 * Example#portsFile}.
 */
final class DemoPorts implements AutoCloseable {
  static final int BLOCK_SIZE = 20;
  private static final int FIRST_BLOCK = 10_080;
  private static final int END = 11_000;
  private static final int DEFAULT_HTTP = 8379;
  private static final int OTHER_HTTP = 8400;
  private static final int SPARE_HTTP = 8450;
  private static final int SPARE_HTTP_END = 8500;

  private final int first;
  private final Optional<ServerSocket> claim;

  private DemoPorts(int first, Optional<ServerSocket> claim) {
    this.first = first;
    this.claim = claim;
  }

  /**
   * Claims ports for a copy of the example. The ports of the last time are kept if they are free,
   * or if processes of this copy still run. A list of ports that was edited stays.
   *
   * @param config the copy
   * @throws SetupFailed if no ports are free
   */
  static DemoPorts claim(Example example, Path config) throws IOException, SetupFailed {
    var file = example.portsFile(config);
    var text = Files.exists(file) ? Files.readString(file) : "";
    var last = example.range().matcher(text);
    if (!last.find()) {
      return new DemoPorts(FIRST_BLOCK, Optional.empty());
    }
    int before = Integer.parseInt(last.group(1)) - 1;
    if (!isBlock(before, Integer.parseInt(last.group(2)))) {
      return new DemoPorts(before, Optional.empty());
    }
    if (!processesBelow(example.programs(config)).isEmpty()) {
      return new DemoPorts(before, listen(before));
    }
    for (int block : IntStream.concat(IntStream.of(before), blocks()).toArray()) {
      var claim = claimed(block);
      if (claim.isPresent()) {
        DemoFile.replace(
            file, last.replaceFirst("%d-%d".formatted(block + 1, block + BLOCK_SIZE - 1)));
        return new DemoPorts(block, claim);
      }
    }
    throw none();
  }

  /** The first ports of all blocks. */
  static IntStream blocks() {
    return IntStream.iterate(FIRST_BLOCK, block -> block < END, block -> block + BLOCK_SIZE);
  }

  /** The failure if no block is free. */
  static SetupFailed none() {
    return new SetupFailed(
        ExitCode.SETUP,
        "no %d ports in a row are free from %d to %d; stop another demo"
            .formatted(BLOCK_SIZE, FIRST_BLOCK, END - 1));
  }

  /**
   * The port of the page: 8379 with the first block, and another one for each other block, so that
   * demos that start at the same time do not choose the same. If it is taken, the lowest free one
   * from 8450 to 8499; 0 if there is none.
   */
  int http() throws IOException {
    return http(first);
  }

  /** The port of the page of an agent whose processes use a block. */
  static int http(int first) throws IOException {
    int preferred =
        first > FIRST_BLOCK && first < END
            ? OTHER_HTTP + (first - FIRST_BLOCK) / BLOCK_SIZE
            : DEFAULT_HTTP;
    if (isFree(preferred)) {
      return preferred;
    }
    for (int port = SPARE_HTTP; port < SPARE_HTTP_END; port++) {
      if (isFree(port)) {
        return port;
      }
    }
    return 0;
  }

  private static boolean isBlock(int first, int last) {
    return first >= FIRST_BLOCK
        && last < END
        && (first - FIRST_BLOCK) % BLOCK_SIZE == 0
        && last == first + BLOCK_SIZE - 1;
  }

  /** The port of the first web server. */
  int web() {
    return first + 1;
  }

  static Optional<ServerSocket> claimed(int block) throws IOException {
    var claim = listen(block);
    for (int port = block + 1; claim.isPresent() && port < block + BLOCK_SIZE; port++) {
      if (!isFree(port)) {
        claim.get().close();
        return Optional.empty();
      }
    }
    return claim;
  }

  static boolean isFree(int port) throws IOException {
    var socket = listen(port);
    if (socket.isPresent()) {
      socket.get().close();
    }
    return socket.isPresent();
  }

  static Optional<ServerSocket> listen(int port) throws IOException {
    var socket = new ServerSocket();
    try {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return Optional.of(socket);
    } catch (IOException taken) {
      socket.close();
      return Optional.empty();
    }
  }

  /** The processes that have a working directory below a directory. */
  static List<ProcessHandle> processesBelow(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return List.of();
    }
    var root = directory.toRealPath();
    return ProcessHandle.allProcesses().filter(process -> worksBelow(process.pid(), root)).toList();
  }

  private static boolean worksBelow(long pid, Path directory) {
    try {
      return Files.readSymbolicLink(Path.of("/proc", "" + pid, "cwd")).startsWith(directory);
    } catch (IOException unreadable) { // of another user, or gone
      return false;
    }
  }

  /** Gives up the claim. */
  @Override
  public void close() throws IOException {
    if (claim.isPresent()) {
      claim.get().close();
    }
  }
}
