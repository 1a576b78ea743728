package verwalter.metrics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads OpenMetrics 1.0 and Prometheus 0.0.4 text. Times, exemplars, units, help texts and {@code
 * _created} samples are skipped. Malformed lines are counted and skipped.
 */
final class ExpositionReader {
  /** The limit of samples of one process. */
  static final int MOST_SAMPLES = 10_000;

  /** The limit of the length of names, and of the number of labels. */
  static final int LONGEST_NAME = 200;

  static final int MOST_LABELS = 40;

  /** The limit of the length of label values, in UTF-16 units. */
  static final int LONGEST_VALUE = 512;

  private static final int LONGEST_LINE = 1 << 16;
  private static final List<String> SUFFIXES =
      List.of("_total", "_bucket", "_count", "_sum", "_created", "_gcount", "_gsum", "_info");
  private static final Set<String> GROWING = Set.of("_bucket", "_count", "_sum");

  private final Map<String, String> types = new HashMap<>();
  private final List<Exposition.Said> samples = new ArrayList<>();
  private int malformed;
  private int leftOff;
  private String problem = "";

  /** Reads a whole text. Never fails. */
  static Exposition read(String text) {
    var reader = new ExpositionReader();
    int number = 0;
    int at = 0;
    while (at < text.length()) {
      int end = text.indexOf('\n', at);
      end = end < 0 ? text.length() : end;
      number++;
      int last = end > at && text.charAt(end - 1) == '\r' ? end - 1 : end;
      if (!reader.line(number, text.substring(at, last))) {
        break;
      }
      at = end + 1;
    }
    return reader.done();
  }

  private Exposition done() {
    if (leftOff > 0 && problem.isEmpty()) {
      problem = "only the first %d samples count; %d are left out".formatted(MOST_SAMPLES, leftOff);
    }
    return new Exposition(samples, malformed, problem, leftOff);
  }

  /** Reads a line. Returns whether more lines may follow. */
  private boolean line(int number, String line) {
    try {
      if (line.length() > LONGEST_LINE) {
        throw new Malformed("is longer than " + LONGEST_LINE + " characters");
      }
      if (line.startsWith("#")) {
        comment(line);
        return !line.equals("# EOF");
      }
      if (!line.isBlank()) {
        sample(line);
      }
    } catch (Malformed why) {
      malformed++;
      if (problem.isEmpty()) {
        problem = "line %d %s".formatted(number, why.getMessage());
      }
    }
    return true;
  }

  private void comment(String line) {
    var words = line.split("[ \t]+", 5);
    boolean names = words.length >= 4 && words[1].equals("TYPE");
    if (names && types.size() < MOST_SAMPLES && words[2].length() <= LONGEST_NAME) {
      types.put(words[2], words[3]);
    }
  }

  private void sample(String line) throws Malformed {
    var in = new SampleLine(line);
    var name = in.name();
    var labels = in.labels();
    double value = in.value();
    if (name.endsWith("_created") && !type(name).isEmpty() && !types.containsKey(name)) {
      return;
    }
    if (samples.size() < MOST_SAMPLES) {
      samples.add(new Exposition.Said(name, labels, grows(name), value));
    } else {
      leftOff++;
    }
  }

  /**
   * The declared type of the family with this name, with or without a suffix; empty if there is
   * none.
   */
  private String type(String name) {
    var exact = types.get(name);
    if (exact != null) {
      return exact;
    }
    var suffix = suffix(name);
    return types.getOrDefault(name.substring(0, name.length() - suffix.length()), "");
  }

  private static String suffix(String name) {
    return SUFFIXES.stream().filter(name::endsWith).findFirst().orElse("");
  }

  /** Whether it is a counter by its declared type, or else by its name. */
  private boolean grows(String name) {
    return switch (type(name)) {
      case "counter" -> true;
      case "histogram", "summary" -> GROWING.contains(suffix(name));
      case "", "unknown", "untyped" -> name.endsWith("_total");
      default -> false;
    };
  }

  /** A line is malformed. */
  static final class Malformed extends Exception {
    private static final long serialVersionUID = 1;

    Malformed(String message) {
      super(message, null, false, false);
    }
  }
}
