package verwalter.ui.port;

import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import verwalter.cluster.ClusterView;

/**
 * How the server of a node in a cluster forwards requests to the leader, and those for files of
 * another node to that node. Everything is called on event loops and must not block.
 *
 * @param client opens connections to other nodes; its certificate names this node. Connecting
 *     should take a few seconds at most
 * @param address where a leader takes forwarded requests, {@code host:port}
 * @param node where the node with a name takes forwarded requests, {@code host:port}; empty if
 *     there is no such node in the cluster
 * @param hasCluster whether this node has the objects of the cluster itself
 * @param view what answers of this node show
 * @param sender which node of the cluster sends a request, by its certificate; empty if none
 */
public record Forwarding(
    HttpClient client,
    Function<ClusterView.Member, Optional<String>> address,
    Function<String, Optional<String>> node,
    BooleanSupplier hasCluster,
    Supplier<View> view,
    Function<HttpServerRequest, Optional<Sender>> sender) {

  /** The header of each answer: side, leader, epoch and age. */
  public static final String VIEW = "Verwalter-View";

  /** The header of a forwarded request: the name of the node that forwards it. */
  public static final String HOP = "Verwalter-Forwarded-By";

  /** The header of a forwarded request without a token: who made it, as the node says. */
  public static final String CALLER = "Verwalter-Caller";

  /** The header of an answer of a node that was thought to lead. */
  public static final String NOT_LEADING = "Verwalter-Not-Leading";

  /**
   * What the answers of a node show.
   *
   * @param side the side of a split on which the node is, such as {@code majority}
   * @param age the age of the oldest part; empty if it is not known
   */
  public record View(String side, Optional<Duration> age) {}

  /**
   * A node that sends a request, as its certificate says.
   *
   * @param elector whether it may hold the key of the authority
   */
  public record Sender(String node, boolean elector) {}

  /**
   * Who made a request, as the node says that forwards it.
   *
   * @param caller the text of the caller; empty if the node does not say
   */
  public record Claim(Optional<String> caller, Sender sender) {}

  /** Whether a node has forwarded this request. Headers of other clients are not believed. */
  public boolean isForwarded(HttpServerRequest request) {
    return claim(request).isPresent();
  }

  /** What the node says that has forwarded a request; empty if it was not forwarded. */
  public Optional<Claim> claim(HttpServerRequest request) {
    return request.getHeader(HOP) == null
        ? Optional.empty()
        : sender
            .apply(request)
            .map(it -> new Claim(Optional.ofNullable(request.getHeader(CALLER)), it));
  }
}
