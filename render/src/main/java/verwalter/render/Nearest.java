package verwalter.render;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that a user probably meant. */
final class Nearest {

  /** The closest of the known names, if one is close: at most a third of the letters differ. */
  static Optional<String> to(String wrong, Collection<String> known) {
    return known.stream()
        .filter(name -> distance(wrong, name) <= Math.max(1, wrong.length() / 3))
        .min(
            Comparator.<String>comparingInt(name -> distance(wrong, name))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** {@code ; did you mean X?} or nothing. */
  static String hint(String wrong, Collection<String> known) {
    return to(wrong, known).map(name -> "; did you mean " + name + "?").orElse("");
  }

  /** Levenshtein's, ignoring case; names longer than 100 are never near. */
  private static int distance(String a, String b) {
    if (a.length() > 100 || b.length() > 100) {
      return Integer.MAX_VALUE;
    }
    var left = a.toLowerCase(Locale.ROOT);
    var right = b.toLowerCase(Locale.ROOT);
    var row = new int[right.length() + 1];
    for (int j = 0; j <= right.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= left.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= right.length(); j++) {
        int changed = diagonal + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[right.length()];
  }

  private Nearest() {}
}
