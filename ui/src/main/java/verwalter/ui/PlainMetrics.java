package verwalter.ui;

import java.util.List;

/** Converts OpenMetrics to the text format 0.0.4 of Prometheus. */
final class PlainMetrics {

  /**
   * The same metrics. A comment of a counter names its samples, which end in {@code _total}; units
   * and the end mark have no counterpart.
   */
  static String of(String openMetrics) {
    var lines = openMetrics.lines().toList();
    var counters =
        lines.stream()
            .filter(line -> line.startsWith("# TYPE ") && line.endsWith(" counter"))
            .map(line -> line.split(" ", 4)[2])
            .toList();
    var text = new StringBuilder();
    for (var line : lines) {
      if (line.startsWith("# TYPE ") || line.startsWith("# HELP ")) {
        text.append(comment(line, counters)).append('\n');
      } else if (!line.startsWith("#")) {
        text.append(line).append('\n');
      }
    }
    return text.toString();
  }

  private static String comment(String line, List<String> counters) {
    var words = line.split(" ", 4);
    var name = counters.contains(words[2]) ? words[2] + "_total" : words[2];
    var rest = words.length > 3 ? words[3] : "";
    var value = words[1].equals("TYPE") && rest.equals("unknown") ? "untyped" : rest;
    return "# %s %s %s".formatted(words[1], name, value);
  }

  private PlainMetrics() {}
}
