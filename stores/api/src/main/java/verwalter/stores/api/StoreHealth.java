package verwalter.stores.api;

import java.util.Optional;
import verwalter.concurrent.Watch;

/** Whether a store can be written, and how large it is. */
public interface StoreHealth {
  /** The contents of the store in numbers. Thread-safe. */
  StoreFigures figures();

  /** Why the last write failed, for display; empty while writes succeed. Thread-safe. */
  Optional<String> problem();

  /**
   * Calls the listener after each change of {@link #problem}, on a thread of the store. The
   * listener must not block. Closing the store is not a change. Thread-safe.
   */
  Watch onProblem(Runnable listener);
}
