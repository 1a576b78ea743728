package verwalter.agent;

import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.cluster.joining.ClusterClient;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.joining.Refused;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor.Timer;

/**
 * Reports to the leader that this node receives the log, while it does not vote. From the answers
 * it learns whether it was removed from the cluster. Confined to its loop.
 */
final class ReadyReports implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReadyReports.class);
  private static final Duration SHORTEST = Duration.ofSeconds(2);

  /** The leader receives at most four reports in a second. */
  private static final Duration EACH = Duration.ofMillis(250);

  private final Loop loop;
  private final ClusterClient client;
  private final ElectorRole elector;
  private final CurrentLeader leader;
  private final Supplier<? extends Collection<String>> others;
  private final IntSupplier nodes;
  private final Runnable removed;
  private Timer timer = () -> {};
  private String reported = "";
  private boolean over;

  private ReadyReports(
      Loop loop,
      ClusterClient client,
      ElectorRole elector,
      CurrentLeader leader,
      Supplier<? extends Collection<String>> others,
      IntSupplier nodes,
      Runnable removed) {
    this.loop = loop;
    this.client = client;
    this.elector = elector;
    this.leader = leader;
    this.others = others;
    this.nodes = nodes;
    this.removed = removed;
  }

  /**
   * Starts to report.
   *
   * @param client is closed at the end
   * @param others the cluster addresses of other members, {@code host:port}, which are asked while
   *     the leader is unknown
   * @param nodes the number of nodes that may report: those with a place
   * @param removed called if a member says that this node was removed
   */
  static ReadyReports start(
      Loop loop,
      ClusterClient client,
      ElectorRole elector,
      CurrentLeader leader,
      Supplier<? extends Collection<String>> others,
      IntSupplier nodes,
      Runnable removed) {
    var reports = new ReadyReports(loop, client, elector, leader, others, nodes, removed);
    loop.execute(reports::report);
    return reports;
  }

  private void report() {
    if (over) {
      return;
    }
    if (elector.votes() && elector.follows()) {
      later();
      return;
    }
    var addresses = new LinkedHashSet<String>();
    leader.addressElsewhere().ifPresent(addresses::add);
    if (addresses.isEmpty()) {
      addresses.addAll(others.get());
    }
    var message = new ElectorSlots.Ready(elector.place().id(), elector.follows());
    var attempt = Future.<ElectorSlots.Added>failedFuture("no other member is known");
    for (var address : addresses) {
      attempt =
          attempt.recover(
              failure ->
                  isRemoval(failure)
                      ? Future.failedFuture(failure)
                      : client.send(
                          Address.of(address),
                          ElectorSlots.READY,
                          message,
                          ElectorSlots.Added.class));
    }
    attempt.onComplete(done -> loop.execute(() -> answered(done)));
  }

  private static boolean isRemoval(Throwable failure) {
    return failure instanceof Refused refused && refused.reason() == Refused.Reason.REMOVED;
  }

  private void answered(AsyncResult<ElectorSlots.Added> answer) {
    if (over) {
      return;
    }
    if (answer.failed()) {
      log(String.valueOf(answer.cause().getMessage()));
      if (isRemoval(answer.cause())) {
        removed.run();
      }
    } else {
      log("");
    }
    later();
  }

  private void later() {
    timer = loop.after(period(nodes.getAsInt()), this::report);
  }

  /** The time between two reports of a node, if so many nodes may report. */
  static Duration period(int nodes) {
    var fair = EACH.multipliedBy(nodes);
    return fair.compareTo(SHORTEST) > 0 ? fair : SHORTEST;
  }

  /** Logs a reason once. */
  private void log(String why) {
    if (!why.equals(reported)) {
      reported = why;
      LOG.info(
          "this node {}",
          why.isEmpty() ? "receives the log without a vote" : "could not report: " + why);
    }
  }

  @Override
  public void close() {
    loop.execute(
        () -> {
          if (!over) {
            over = true;
            timer.cancel();
            client.close();
          }
        });
  }
}
