package verwalter.agent;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The operating system's request that this process end, and our answer to it. */
final class ShutdownSignal {
  private static final Logger LOG = LoggerFactory.getLogger(ShutdownSignal.class);

  /** How long closing may take before the process ends all the same. */
  private static final Duration LIMIT = Duration.ofMinutes(1);

  /** How long whoever waited for the signal may take to end the process afterwards. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * Waits until the process is asked to end. It then ends only after {@link #closed}, or when that
   * takes too long.
   */
  void await() throws InterruptedException {
    var caller = Thread.currentThread();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> asked(caller), "shutdown"));
    asked.await();
  }

  /** Everything is closed that should be before the process ends. */
  void closed() {
    closed.countDown();
  }

  private void asked(Thread caller) {
    asked.countDown();
    try {
      if (!closed.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("closing takes too long; the rest is left as it is");
      }
      // The caller ends the process with its own exit code, not with the signal's.
      caller.join(LAST_WORDS.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
