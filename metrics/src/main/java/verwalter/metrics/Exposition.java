package verwalter.metrics;

import java.util.List;
import java.util.Map;

/**
 * The metrics of a process, read from OpenMetrics or Prometheus text.
 *
 * @param samples in the order of the text
 * @param malformed number of malformed lines, which are skipped
 * @param problem the first error with its line number, or why samples were skipped; empty if there
 *     is none
 * @param leftOff number of samples beyond the limit
 */
record Exposition(List<Said> samples, int malformed, String problem, int leftOff) {
  Exposition {
    samples = List.copyOf(samples);
  }

  /**
   * A sample.
   *
   * @param labels without the name
   */
  record Said(String name, Map<String, String> labels, boolean counter, double value) {
    Said {
      labels = Map.copyOf(labels);
    }
  }
}
