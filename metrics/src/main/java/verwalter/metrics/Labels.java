package verwalter.metrics;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The key of a series: label names and values, including {@code metric}. Immutable. */
final class Labels implements Comparable<Labels> {
  /** The label with the name of the metric. */
  static final String METRIC = "metric";

  static final Labels NONE = new Labels(new String[0]);

  /** A name, its value, the next name, its value; sorted by name. */
  private final String[] pairs;

  private final int hash;

  private Labels(String[] pairs) {
    this.pairs = pairs;
    this.hash = Arrays.hashCode(pairs);
  }

  static Labels of(Map<String, String> labels) {
    var sorted = labels instanceof SortedMap<String, String> it ? it : new TreeMap<>(labels);
    var pairs = new String[sorted.size() * 2];
    int i = 0;
    for (var each : sorted.entrySet()) {
      pairs[i++] = each.getKey();
      pairs[i++] = each.getValue();
    }
    return new Labels(pairs);
  }

  @Nullable String get(String name) {
    for (int i = 0; i < pairs.length; i += 2) {
      if (pairs[i].equals(name)) {
        return pairs[i + 1];
      }
    }
    return null;
  }

  /** Unmodifiable, sorted by name. */
  Map<String, String> map() {
    var map = new LinkedHashMap<String, String>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put(pairs[i], pairs[i + 1]);
    }
    return Collections.unmodifiableMap(map);
  }

  /** Returns a copy with pooled strings. */
  Labels with(UnaryOperator<String> pool) {
    var same = new String[pairs.length];
    Arrays.setAll(same, i -> pool.apply(pairs[i]));
    return new Labels(same);
  }

  /** An upper bound of the memory in bytes, if names are shared and values are not. */
  int bytes() {
    int bytes = 40 + 8 * pairs.length;
    for (int i = 1; i < pairs.length; i += 2) {
      bytes += 48 + 2 * pairs[i].length();
    }
    return bytes;
  }

  @Override
  public int compareTo(Labels other) {
    return Arrays.compare(pairs, other.pairs);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Labels labels
        && hash == labels.hash
        && Arrays.equals(pairs, labels.pairs);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return map().toString();
  }
}
