package verwalter.model;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Which names objects may have, and which name somebody may have meant. */
public final class Names {
  /** Names appear in URLs and as file names, so they hold nothing that either would mistake. */
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._@-]{0,251}[A-Za-z0-9])?");

  /** What {@link #isValid} accepts, in words. */
  public static final String RULE =
      "1 to 253 letters, digits, '.', '_', '-' or '@', beginning and ending with a letter or digit";

  public static boolean isValid(String name) {
    return NAME.matcher(name).matches();
  }

  /** The candidate nearest to {@code word}, unless none is near. */
  public static Optional<String> nearest(String word, Collection<String> candidates) {
    var lower = word.toLowerCase(Locale.ROOT);
    int limit = Math.max(1, word.length() / 3);
    return candidates.stream()
        .filter(each -> distance(lower, each.toLowerCase(Locale.ROOT)) <= limit)
        .min(
            Comparator.comparingInt((String each) -> distance(lower, each.toLowerCase(Locale.ROOT)))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** Levenshtein's: the least number of letters to insert, delete or replace. */
  private static int distance(String a, String b) {
    var row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replace = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replace, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }

  private Names() {}
}
