package verwalter.ui.port;

import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import verwalter.cluster.ClusterView;

/**
 * How the server of a node in a cluster forwards requests to the leader. Everything is called on
 * event loops and must not block.
 *
 * @param client opens connections to other nodes; its certificate names this node. Connecting
 *     should take a few seconds at most
 * @param address where a leader takes forwarded requests, {@code host:port}
 * @param hasCluster whether this node has the objects of the cluster itself
 * @param view what answers of this node show
 * @param fromNode whether a request comes from a node of the cluster, by its certificate
 * @param caller who made a request, in the form that {@link #callerOf} returns at the leader
 */
public record Forwarding(
    HttpClient client,
    Function<ClusterView.Member, Optional<String>> address,
    BooleanSupplier hasCluster,
    Supplier<View> view,
    Predicate<HttpServerRequest> fromNode,
    Function<HttpServerRequest, String> caller) {

  /** The header of each answer: side, leader, epoch and age. */
  public static final String VIEW = "Verwalter-View";

  /** The header of a forwarded request: the name of the node that forwards it. */
  public static final String HOP = "Verwalter-Forwarded-By";

  /** The header of a forwarded request: who made it. */
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

  /** Whether a node has forwarded this request. Headers of other clients are not believed. */
  public boolean isForwarded(HttpServerRequest request) {
    return request.getHeader(HOP) != null && fromNode.test(request);
  }

  /** Who made a request that a node has forwarded; empty if it was not forwarded. */
  public Optional<String> callerOf(HttpServerRequest request) {
    return isForwarded(request) ? Optional.ofNullable(request.getHeader(CALLER)) : Optional.empty();
  }

  /** The same with another way to find out who made a request. */
  public Forwarding calledBy(Function<HttpServerRequest, String> caller) {
    return new Forwarding(client, address, hasCluster, view, fromNode, caller);
  }
}
