package verwalter.agent;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.cluster.joining.ClusterClient;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor.Timer;

/**
 * Reports to other members that the server of this node runs, until one of them has added it to the
 * ensemble. Confined to its loop.
 */
final class ReadyReports implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReadyReports.class);

  private static final Backoff AGAIN =
      Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(30));

  private final Loop loop;
  private final ClusterClient client;
  private final long id;
  private final Supplier<? extends Collection<String>> others;
  private Timer timer = () -> {};
  private int reports;
  private String reported = "";
  private boolean over;

  private ReadyReports(
      Loop loop, ClusterClient client, long id, Supplier<? extends Collection<String>> others) {
    this.loop = loop;
    this.client = client;
    this.id = id;
    this.others = others;
  }

  /**
   * Starts to report.
   *
   * @param client is closed at the end
   * @param id of this node in the ensemble
   * @param others the cluster addresses of other members, {@code host:port}
   */
  static ReadyReports start(
      Loop loop, ClusterClient client, long id, Supplier<? extends Collection<String>> others) {
    var reports = new ReadyReports(loop, client, id, others);
    loop.execute(reports::report);
    return reports;
  }

  private void report() {
    if (over) {
      return;
    }
    reports++;
    var attempt = Future.<ElectorSlots.Added>failedFuture("no other member is known");
    for (var address : others.get()) {
      attempt = attempt.recover(failure -> send(Address.of(address)));
    }
    attempt.onComplete(done -> loop.execute(() -> answered(done)));
  }

  private Future<ElectorSlots.Added> send(Address address) {
    return client.send(
        address, ElectorSlots.READY, new ElectorSlots.Ready(id), ElectorSlots.Added.class);
  }

  private void answered(io.vertx.core.AsyncResult<ElectorSlots.Added> answer) {
    if (over) {
      return;
    }
    if (answer.succeeded() && answer.result().added()) {
      LOG.info("this node was added to the ensemble");
      end();
      return;
    }
    log(
        answer.succeeded()
            ? "there are not enough nodes yet"
            : String.valueOf(answer.cause().getMessage()));
    timer = loop.after(AGAIN.delay(reports), this::report);
  }

  /** Logs a reason once. */
  private void log(String why) {
    if (!why.equals(reported)) {
      reported = why;
      LOG.info("this node is not added to the ensemble yet: {}", why);
    }
  }

  private void end() {
    over = true;
    timer.cancel();
    client.close();
  }

  @Override
  public void close() {
    loop.execute(
        () -> {
          if (!over) {
            end();
          }
        });
  }
}
