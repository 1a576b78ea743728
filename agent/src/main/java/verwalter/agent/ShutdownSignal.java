package verwalter.agent;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the signal of the operating system to end this process, or for a restart of its parts.
 */
final class ShutdownSignal implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ShutdownSignal.class);

  /** The limit for closing, after which the process ends anyway. */
  private static final Duration LIMIT = Duration.ofMinutes(1);

  /** How long the waiting thread may take to end the process after closing. */
  private static final Duration EXIT = Duration.ofSeconds(1);

  private final CountDownLatch signalled = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private @Nullable Thread caller; // guarded by this, like the following
  private boolean ending;
  private boolean restarting;

  /**
   * Waits for either. After a signal the process ends after {@link #close}, or after a time limit.
   *
   * @return whether to start the parts again
   */
  synchronized boolean awaitRestart() throws InterruptedException {
    listen();
    while (!ending && !restarting) {
      wait();
    }
    boolean again = !ending;
    restarting = false;
    return again;
  }

  /**
   * Waits for a signal, and not longer than a time. After a signal the process ends as after {@link
   * #awaitRestart}.
   *
   * @return whether there was a signal
   */
  boolean awaitEnd(Duration limit) throws InterruptedException {
    listen();
    return signalled.await(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  private synchronized void listen() {
    if (caller == null) {
      caller = Thread.currentThread();
      Runtime.getRuntime().addShutdownHook(new Thread(this::end, "shutdown"));
    }
  }

  /** Ends the waiting, so that the parts are started again. Thread-safe. */
  synchronized void restart() {
    restarting = true;
    notifyAll();
  }

  /** Reports that everything is closed. */
  @Override
  public void close() {
    closed.countDown();
  }

  private synchronized @Nullable Thread asked() {
    ending = true;
    signalled.countDown();
    notifyAll();
    return caller;
  }

  private void end() {
    var waiting = asked();
    try {
      if (!closed.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("closing takes too long; the rest is left as it is");
      }
      // The caller ends the process with its own exit code, not with the signal's.
      if (waiting != null) {
        waiting.join(EXIT.toMillis());
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
