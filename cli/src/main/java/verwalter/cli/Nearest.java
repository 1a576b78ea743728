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

  /** How many letters must be added, left out or changed (Levenshtein). */
  static int distance(String one, String other) {
    var row = new int[other.length() + 1];
    for (int j = 0; j <= other.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int change = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[other.length()];
  }

  private Nearest() {}
}
