package verwalter.artifacts;

import java.util.HashSet;
import java.util.Set;

/** One lock for each key that is in use. Thread-safe. */
final class KeyedLocks {
  /** A waiting thread looks so often whether it was cancelled, in milliseconds. */
  private static final long LOOK = 50;

  private final Set<String> held = new HashSet<>();

  /** A held lock. */
  @FunctionalInterface
  interface Hold {
    /** Gives it back. */
    void close();
  }

  /** Waits until no other thread holds the key. */
  Hold hold(String key, String action, Cancellation cancellation) throws ArtifactException {
    synchronized (held) {
      while (held.contains(key)) {
        cancellation.check(action, key);
        try {
          held.wait(LOOK);
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          throw Cancellation.exception(action, key);
        }
      }
      held.add(key);
    }
    return () -> release(key);
  }

  /** Whether a thread holds the key at present. */
  boolean isHeld(String key) {
    synchronized (held) {
      return held.contains(key);
    }
  }

  private void release(String key) {
    synchronized (held) {
      held.remove(key);
      held.notifyAll();
    }
  }
}
