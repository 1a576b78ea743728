package verwalter.cluster.joining;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Limits how often each source may do something. Confined to its loop. */
final class RateLimit {
  private final int most;
  private final Duration within;
  private final int mostSources;

  /** Sources in the order of their last use. */
  private final LinkedHashMap<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true);

  private record Bucket(double tokens, Instant at) {}

  /**
   * @param most requests of one source in any {@code within} that begins after a pause
   * @param mostSources the number of sources that are remembered
   */
  RateLimit(int most, Duration within, int mostSources) {
    this.most = most;
    this.within = within;
    this.mostSources = mostSources;
  }

  /** Counts a request. Returns whether it is within the limit. */
  boolean admits(String source, Instant now) {
    var before = buckets.getOrDefault(source, new Bucket(most, now));
    double passed = Math.max(0, Duration.between(before.at, now).toMillis());
    double tokens = Math.min(most, before.tokens + passed * most / within.toMillis());
    boolean admitted = tokens >= 1;
    buckets.put(source, new Bucket(admitted ? tokens - 1 : tokens, now));
    if (buckets.size() > mostSources) {
      forget(buckets);
    }
    return admitted;
  }

  private static void forget(Map<String, Bucket> buckets) {
    var oldest = buckets.keySet().iterator();
    oldest.next();
    oldest.remove();
  }
}
