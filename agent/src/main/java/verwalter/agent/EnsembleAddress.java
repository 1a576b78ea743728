package verwalter.agent;

import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * An external ensemble, and the path below which a cluster keeps its log.
 *
 * @param servers {@code host:port,host:port}
 * @param root the path, such as {@code /verwalter}
 */
record EnsembleAddress(String servers, String root) {
  private static final Pattern SERVER =
      Pattern.compile("(?:\\[[0-9A-Fa-f:.]+]|[^:,/\\[\\]]+):\\d+");
  private static final Pattern LOOPBACK =
      Pattern.compile("(?:localhost|127\\.\\d+\\.\\d+\\.\\d+|\\[::1]):\\d+");
  private static final Pattern TEXT =
      Pattern.compile("zookeeper://(?<servers>[^/]+)(?<root>(?:/[\\w.-]*\\w[\\w.-]*)+)");

  /**
   * Reads {@code zookeeper://HOST:PORT,HOST:PORT/PATH}.
   *
   * @throws IllegalArgumentException if it is something else
   */
  static EnsembleAddress of(String text) {
    var parts = TEXT.matcher(text);
    if (!parts.matches()
        || !Arrays.stream(parts.group("servers").split(",", -1))
            .allMatch(server -> SERVER.matcher(server).matches())) {
      throw new IllegalArgumentException(
          "\"%s\" is not zookeeper://HOST:PORT,HOST:PORT/PATH".formatted(text));
    }
    return new EnsembleAddress(parts.group("servers"), parts.group("root"));
  }

  /** Whether all servers are on this machine. */
  boolean isLoopback() {
    return Arrays.stream(servers.split(",", -1)).allMatch(LOOPBACK.asMatchPredicate());
  }

  @Override
  public String toString() {
    return "zookeeper://" + servers + root;
  }
}
