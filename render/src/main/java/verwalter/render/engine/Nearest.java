package verwalter.render.engine;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Suggests the name that a user probably meant. */
public final class Nearest {

  /** The most similar of the known names, if at most a third of its letters differ. */
  static Optional<String> to(String wrong, Collection<String> known) {
    return known.stream()
        .filter(name -> distance(wrong, name) <= Math.max(1, wrong.length() / 3))
        .min(
            Comparator.<String>comparingInt(name -> distance(wrong, name))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** {@code ; did you mean X?} or an empty text. */
  public static String hint(String wrong, Collection<String> known) {
    return to(wrong, known).map(name -> "; did you mean " + name + "?").orElse("");
  }

  /**
   * The number of letters to insert, delete, replace or swap, ignoring case. Names of more than 100
   * letters are never similar.
   */
  private static int distance(String a, String b) {
    if (a.length() > 100 || b.length() > 100) {
      return Integer.MAX_VALUE;
    }
    var left = a.toLowerCase(Locale.ROOT);
    var right = b.toLowerCase(Locale.ROOT);
    var cost = new int[left.length() + 1][right.length() + 1];
    for (int i = 0; i <= left.length(); i++) {
      for (int j = 0; j <= right.length(); j++) {
        cost[i][j] = i == 0 || j == 0 ? i + j : cheapest(cost, left, right, i, j);
      }
    }
    return cost[left.length()][right.length()];
  }

  private static int cheapest(int[][] cost, String left, String right, int i, int j) {
    boolean same = left.charAt(i - 1) == right.charAt(j - 1);
    int best = Math.min(cost[i - 1][j], cost[i][j - 1]) + 1;
    best = Math.min(best, cost[i - 1][j - 1] + (same ? 0 : 1));
    boolean swapped =
        i > 1
            && j > 1
            && left.charAt(i - 1) == right.charAt(j - 2)
            && left.charAt(i - 2) == right.charAt(j - 1);
    return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
  }

  private Nearest() {}
}
