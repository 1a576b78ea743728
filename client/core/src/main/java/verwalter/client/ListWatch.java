package verwalter.client;

import java.time.Duration;
import java.util.Optional;
import verwalter.concurrent.Backoff;

/**
 * The state of a list followed by watches: when to list, from which version to watch, and how long
 * to wait before the next request. It performs no I/O; its owner reports the results of requests.
 *
 * <p>A watch that ended is resumed after the last received version. If the server does not know
 * that version any more (status 410), or its version belongs to another history, objects are listed
 * again.
 */
public final class ListWatch {
  private final Backoff backoff;
  private Optional<String> version = Optional.empty();
  private boolean progress;
  private int failures;
  private int expirations;

  /** Creates the state before the first list. */
  public ListWatch(Backoff backoff) {
    this.backoff = backoff;
  }

  /** The version to watch from; empty if objects must be listed first. */
  public Optional<String> version() {
    return version;
  }

  /** Reports a list at {@code version}. */
  public void listed(String version) {
    this.version = Optional.of(version);
  }

  /** Reports an event or a bookmark of the watch. */
  public void reached(String version) {
    progress = true;
    if (!version.isEmpty()) {
      this.version = Optional.of(version);
    }
  }

  /** Reports that the server ended the watch. Returns the pause before the next request. */
  public Duration ended() {
    return progress ? resume() : failed();
  }

  /** Reports a timeout of the watch. Returns the pause before the next request. */
  public Duration silent() {
    return resume();
  }

  /** Reports that a list or a watch failed. Returns the pause before the next request. */
  public Duration failed() {
    if (progress) {
      resume();
    }
    failures++;
    return backoff.delay(failures);
  }

  /**
   * Reports that the server does not know the version any more. Returns the pause before the next
   * request.
   */
  public Duration expired() {
    version = Optional.empty();
    if (progress) {
      return resume();
    }
    expirations++;
    return expirations == 1 ? Duration.ZERO : backoff.delay(expirations - 1);
  }

  private Duration resume() {
    progress = false;
    failures = 0;
    expirations = 0;
    return Duration.ZERO;
  }
}
