package verwalter.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Validates names of objects, makes texts valid, and suggests similar names. */
public final class Names {
  /**
   * Names appear in URLs and file names, so they contain no characters with a special meaning
   * there.
   */
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._@-]{0,251}[A-Za-z0-9])?");

  /** A description of the names that {@link #isValid} accepts. */
  public static final String RULE =
      "1 to 253 letters, digits, '.', '_', '-' or '@', beginning and ending with a letter or digit";

  public static boolean isValid(String name) {
    return NAME.matcher(name).matches();
  }

  /** How much of a text that is no valid name is kept. */
  private static final int KEPT = 100;

  /**
   * Returns the text if it is a valid name. Otherwise returns {@code PREFIX@HEX}, with the letters
   * and digits that the text begins with and the SHA-256 of the whole text. So different texts have
   * different names, unless a valid text has the form {@code PREFIX@HEX} itself.
   */
  public static String fitting(String text) {
    if (isValid(text)) {
      return text;
    }
    int end = 0;
    while (end < Math.min(KEPT, text.length()) && isPlain(text.charAt(end))) {
      end++;
    }
    return (end == 0 ? "long" : text.substring(0, end)) + "@" + sha256(text);
  }

  private static boolean isPlain(char it) {
    return (it >= 'a' && it <= 'z') || (it >= 'A' && it <= 'Z') || (it >= '0' && it <= '9');
  }

  private static String sha256(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JVM has SHA-256", impossible);
    }
  }

  /** Returns the candidate most similar to {@code word}, or empty if none is similar. */
  public static Optional<String> nearest(String word, Collection<String> candidates) {
    var lower = word.toLowerCase(Locale.ROOT);
    int limit = Math.max(1, word.length() / 3);
    return candidates.stream()
        .filter(each -> Math.abs(each.length() - word.length()) <= limit)
        .filter(each -> distance(lower, each.toLowerCase(Locale.ROOT)) <= limit)
        .min(
            Comparator.comparingInt((String each) -> distance(lower, each.toLowerCase(Locale.ROOT)))
                .thenComparing(Comparator.naturalOrder()));
  }

  /**
   * The edit distance: the least number of insertions, deletions, replacements and swaps of
   * adjacent letters.
   */
  private static int distance(String a, String b) {
    var cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        int change = Math.min(cost[i - 1][j], cost[i][j - 1]) + 1;
        cost[i][j] = Math.min(cost[i - 1][j - 1] + (same ? 0 : 1), change);
        boolean swapped =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        if (swapped) {
          cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
      }
    }
    return cost[a.length()][b.length()];
  }

  private Names() {}
}
