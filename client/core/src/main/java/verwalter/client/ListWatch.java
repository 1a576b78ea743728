package verwalter.client;

import java.time.Duration;
import java.util.Optional;
import verwalter.concurrent.Backoff;

/**
 * Decides how to follow the objects of a list: when to list them, from which version to watch, and
 * how long to pause in between. It does no I/O; its owner reports what happened.
 *
 * <p>A watch that ended is resumed after the last version that was seen. When the server no longer
 * knows that version, which it says with status 410, or belongs to another history, the objects are
 * listed again.
 */
public final class ListWatch {
  private final Backoff backoff;
  private Optional<String> version = Optional.empty();
  private boolean progress;
  private int failures;
  private int expirations;

  /** A list that has not been read. */
  public ListWatch(Backoff backoff) {
    this.backoff = backoff;
  }

  /** The version to watch from; empty when the objects must be listed first. */
  public Optional<String> version() {
    return version;
  }

  /** The objects were listed at {@code version}. */
  public void listed(String version) {
    this.version = Optional.of(version);
  }

  /** An event or a bookmark of the watch has arrived. */
  public void reached(String version) {
    progress = true;
    if (!version.isEmpty()) {
      this.version = Optional.of(version);
    }
  }

  /** The server has ended the watch; gives how long to pause. */
  public Duration ended() {
    return progress ? resume() : failed();
  }

  /** Nothing arrived for so long that the connection may be dead; gives how long to pause. */
  public Duration silent() {
    return resume();
  }

  /** A list or a watch has failed; gives how long to pause. */
  public Duration failed() {
    if (progress) {
      resume();
    }
    failures++;
    return backoff.delay(failures);
  }

  /** The server does not know the version; gives how long to pause. */
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
