package verwalter.metrics;

import java.util.List;
import java.util.Map;

/**
 * What a process said of itself, read from OpenMetrics or Prometheus text.
 *
 * @param samples in the order of the text
 * @param malformed how many lines could not be read; the others count
 * @param problem the first of these with its line number, or why samples were left out; else empty
 * @param leftOff how many samples were beyond the limit
 */
record Exposition(List<Said> samples, int malformed, String problem, int leftOff) {
  Exposition {
    samples = List.copyOf(samples);
  }

  /**
   * One sample.
   *
   * @param labels without the name
   */
  record Said(String name, Map<String, String> labels, boolean counter, double value) {
    Said {
      labels = Map.copyOf(labels);
    }
  }
}
