package verwalter.agent;

import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/** Limits how many requests that need much memory are answered at once. Thread-safe. */
final class Permits {
  private final Semaphore free;

  /**
   * Creates permits.
   *
   * @param most the number of permits
   */
  Permits(int most) {
    free = new Semaphore(most);
  }

  /** Takes a permit. Returns what gives it back, once; empty if there is none. */
  Optional<Runnable> take() {
    if (!free.tryAcquire()) {
      return Optional.empty();
    }
    var given = new AtomicBoolean();
    return Optional.of(
        () -> {
          if (given.compareAndSet(false, true)) {
            free.release();
          }
        });
  }
}
