package verwalter.metrics;

import java.util.Arrays;
import java.util.List;

/** Adds values. NaN is a missing value; the sum of only missing values is NaN. */
final class Sums {
  static double of(double[] values) {
    var known = Arrays.stream(values).filter(value -> !Double.isNaN(value)).toArray();
    return known.length == 0 ? Double.NaN : Arrays.stream(known).sum();
  }

  /** The sums of all first values, all second values and so on. */
  static double[] of(List<double[]> lines) {
    var sums = new double[lines.stream().mapToInt(line -> line.length).max().orElse(0)];
    Arrays.fill(sums, Double.NaN);
    for (var line : lines) {
      for (int i = 0; i < line.length; i++) {
        if (!Double.isNaN(line[i])) {
          sums[i] = Double.isNaN(sums[i]) ? line[i] : sums[i] + line[i];
        }
      }
    }
    return sums;
  }

  private Sums() {}
}
