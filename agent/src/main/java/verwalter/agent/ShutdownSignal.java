package verwalter.agent;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles the operating system's signal to end this process. */
final class ShutdownSignal {
  private static final Logger LOG = LoggerFactory.getLogger(ShutdownSignal.class);

  /** The limit for closing, after which the process ends anyway. */
  private static final Duration LIMIT = Duration.ofMinutes(1);

  /** How long the waiting thread may take to end the process after closing. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);

  /** Waits for the signal. The process ends after {@link #closed}, or after a time limit. */
  void await() throws InterruptedException {
    var caller = Thread.currentThread();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> asked(caller), "shutdown"));
    asked.await();
  }

  /** Reports that everything is closed. */
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
