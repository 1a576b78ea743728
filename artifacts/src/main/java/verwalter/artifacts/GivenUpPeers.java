package verwalter.artifacts;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The machines that are not asked for an archive for a while, since they have failed. Thread-safe.
 */
final class GivenUpPeers {
  /** Above this number, the oldest is forgotten. */
  static final int MOST = 4096;

  private record Entry(String peer, Digest digest) {}

  private final Ticks ticks;
  private final Duration pause;
  private final Map<Entry, Long> since = new HashMap<>(); // guarded by this

  GivenUpPeers(Ticks ticks, Duration pause) {
    this.ticks = ticks;
    this.pause = pause;
  }

  synchronized void add(String peer, Digest digest) {
    long now = ticks.nanos();
    since.values().removeIf(begin -> isOver(begin, now));
    if (since.size() >= MOST) {
      since.entrySet().stream()
          .max((a, b) -> Long.compare(now - a.getValue(), now - b.getValue()))
          .ifPresent(oldest -> since.remove(oldest.getKey()));
    }
    since.put(new Entry(peer, digest), now);
  }

  synchronized boolean has(String peer, Digest digest) {
    var begin = since.get(new Entry(peer, digest));
    return begin != null && !isOver(begin, ticks.nanos());
  }

  private boolean isOver(long begin, long now) {
    return now - begin >= pause.toNanos();
  }
}
