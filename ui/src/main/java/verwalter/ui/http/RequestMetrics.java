package verwalter.ui.http;

import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts requests and their durations by route, not by path, so that the number of series is
 * bounded. Belongs to the loop.
 */
public final class RequestMetrics {
  private static final double[] BOUNDS = {.001, .005, .01, .05, .1, .5, 1, 5};

  private final Map<Series, Long> requests = new TreeMap<>();
  private final Map<String, Histogram> durations = new TreeMap<>();

  private record Series(String route, String method, int code) implements Comparable<Series> {
    private static final Comparator<Series> ORDER =
        Comparator.comparing(Series::route)
            .thenComparing(Series::method)
            .thenComparingInt(Series::code);

    @Override
    public int compareTo(Series other) {
      return ORDER.compare(this, other);
    }
  }

  private static final class Histogram {
    private final long[] buckets = new long[BOUNDS.length];
    private long count;
    private double sum;
  }

  /** Counts a request that was answered. */
  public void answered(String route, String method, int code, Duration took) {
    requests.merge(new Series(route, method, code), 1L, Long::sum);
    double seconds = took.toNanos() / 1e9;
    var histogram = durations.computeIfAbsent(route, any -> new Histogram());
    histogram.count++;
    histogram.sum += seconds;
    for (int i = 0; i < BOUNDS.length; i++) {
      histogram.buckets[i] += seconds <= BOUNDS[i] ? 1 : 0;
    }
  }

  /** Writes all metrics as OpenMetrics text, without the end mark. */
  public void writeTo(StringBuilder text, int streams) {
    text.append("# TYPE verwalter_http_requests counter\n")
        .append("# HELP verwalter_http_requests Requests answered by this node.\n");
    requests.forEach(
        (series, count) ->
            text.append("verwalter_http_requests_total{route=\"")
                .append(escape(series.route()))
                .append("\",method=\"")
                .append(escape(series.method()))
                .append("\",code=\"")
                .append(series.code())
                .append("\"} ")
                .append(count)
                .append('\n'));
    text.append("# TYPE verwalter_http_request_duration_seconds histogram\n")
        .append("# UNIT verwalter_http_request_duration_seconds seconds\n")
        .append("# HELP verwalter_http_request_duration_seconds Time to answer; no streams.\n");
    durations.forEach((route, histogram) -> write(text, route, histogram));
    text.append("# TYPE verwalter_http_streams gauge\n")
        .append("# HELP verwalter_http_streams Watches and live pages open now.\n")
        .append("verwalter_http_streams ")
        .append(streams)
        .append('\n');
  }

  private static void write(StringBuilder text, String route, Histogram histogram) {
    var name = "verwalter_http_request_duration_seconds";
    var label = "{route=\"" + escape(route) + "\"";
    for (int i = 0; i < BOUNDS.length; i++) {
      text.append(name)
          .append("_bucket")
          .append(label)
          .append(",le=\"")
          .append(BOUNDS[i])
          .append("\"} ")
          .append(histogram.buckets[i])
          .append('\n');
    }
    text.append(name).append("_bucket").append(label).append(",le=\"+Inf\"} ");
    text.append(histogram.count).append('\n');
    text.append(name).append("_count").append(label).append("} ");
    text.append(histogram.count).append('\n');
    text.append(name).append("_sum").append(label).append("} ");
    text.append(histogram.sum).append('\n');
  }

  private static String escape(String label) {
    return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
