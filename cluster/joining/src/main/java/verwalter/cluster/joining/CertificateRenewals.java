package verwalter.cluster.joining;

import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor.Timer;

/** Renews the certificate of this node when it is due. Confined to its loop. */
public final class CertificateRenewals implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CertificateRenewals.class);

  /** The clock may be set while a timer waits, so the time is looked at again so often. */
  private static final Duration LOOK = Duration.ofHours(1);

  private static final Backoff RETRY =
      Backoff.exponential(Duration.ofMinutes(1), Duration.ofHours(1));

  private final Loop loop;
  private final Due due;
  private final Supplier<Future<Void>> renewal;
  private Timer timer = () -> {};
  private int failures;
  private boolean closed;

  /** When the certificate is to be renewed; see {@code ClusterTls#renewal}. */
  @FunctionalInterface
  public interface Due {
    Instant when() throws IOException;
  }

  private CertificateRenewals(Loop loop, Due due, Supplier<Future<Void>> renewal) {
    this.loop = loop;
    this.due = due;
    this.renewal = renewal;
  }

  /**
   * Starts to watch the certificate.
   *
   * @param loop owns the timers
   * @param renewal renews the certificate at any member that can; called on the loop. Its future
   *     may complete on another thread
   */
  public static CertificateRenewals start(Loop loop, Due due, Supplier<Future<Void>> renewal) {
    var renewals = new CertificateRenewals(loop, due, renewal);
    loop.execute(renewals::look);
    return renewals;
  }

  private void look() {
    if (closed) {
      return;
    }
    try {
      var left = Duration.between(loop.now(), due.when());
      if (left.isZero() || left.isNegative()) {
        renewal.get().onComplete(done -> loop.execute(() -> ended(done.cause())));
      } else {
        wait(left.compareTo(LOOK) < 0 ? left : LOOK);
      }
    } catch (IOException e) {
      ended(e);
    }
  }

  private void ended(@Nullable Throwable failure) {
    if (failure == null) {
      if (failures > 0) {
        LOG.info("the certificate of this node is renewed after {} failures", failures);
      }
      failures = 0;
      look();
      return;
    }
    failures++;
    LOG.warn(
        "the certificate of this node cannot be renewed, which is tried again: {}",
        failure.getMessage());
    wait(RETRY.delay(failures));
  }

  private void wait(Duration delay) {
    if (!closed) {
      timer = loop.after(delay, this::look);
    }
  }

  @Override
  public void close() {
    loop.execute(
        () -> {
          closed = true;
          timer.cancel();
        });
  }
}
