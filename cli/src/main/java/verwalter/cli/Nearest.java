package verwalter.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds what somebody meant who mistyped a word. */
final class Nearest {
  /** The word closest to {@code typed}; empty when none is close. */
  static Optional<String> of(String typed, Collection<String> words) {
    var wanted = typed.toLowerCase(Locale.ROOT);
    int furthest = Math.max(1, typed.length() / 3);
    return words.stream()
        .filter(word -> distance(wanted, word.toLowerCase(Locale.ROOT)) <= furthest)
        .min(Comparator.comparingInt(word -> distance(wanted, word.toLowerCase(Locale.ROOT))));
  }

  /** How many letters must be added, left out, changed, or swapped with the next (OSA). */
  static int distance(String one, String other) {
    var table = new int[one.length() + 1][other.length() + 1];
    for (int i = 0; i <= one.length(); i++) {
      for (int j = 0; j <= other.length(); j++) {
        if (i == 0 || j == 0) {
          table[i][j] = i + j;
          continue;
        }
        boolean same = one.charAt(i - 1) == other.charAt(j - 1);
        int changed = table[i - 1][j - 1] + (same ? 0 : 1);
        table[i][j] = Math.min(changed, 1 + Math.min(table[i - 1][j], table[i][j - 1]));
        if (i > 1 && j > 1 && swapped(one, i, other, j)) {
          table[i][j] = Math.min(table[i][j], table[i - 2][j - 2] + 1);
        }
      }
    }
    return table[one.length()][other.length()];
  }

  private static boolean swapped(String one, int i, String other, int j) {
    return one.charAt(i - 1) == other.charAt(j - 2) && one.charAt(i - 2) == other.charAt(j - 1);
  }

  private Nearest() {}
}
