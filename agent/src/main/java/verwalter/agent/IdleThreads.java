package verwalter.agent;

import io.vertx.core.spi.ExecutorServiceFactory;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Creates the worker threads of Vert.x, which finds this class by its service file. A thread that
 * has nothing to do ends; the threads of Vert.x itself stay, each with its stack.
 */
public final class IdleThreads implements ExecutorServiceFactory {
  private static final Duration KEPT = Duration.ofSeconds(3);

  @Override
  public ExecutorService createExecutor(ThreadFactory threads, Integer size, Integer most) {
    var pool =
        new ThreadPoolExecutor(
            most,
            most,
            KEPT.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            threads);
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }
}
