package verwalter.controllers.config;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/** The order of version names as in verwalter 0.13: numbers by value, words alphabetically. */
final class VersionOrder {
  /** Older names first. */
  static final Comparator<String> OLDEST_FIRST = VersionOrder::compare;

  private static final Pattern ITEM = Pattern.compile("\\d+|[A-Za-z]+");

  private static int compare(String a, String b) {
    var left = items(a);
    var right = items(b);
    for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
      int order = compareItems(left.get(i), right.get(i));
      if (order != 0) {
        return order;
      }
    }
    int byLength = Integer.compare(left.size(), right.size());
    return byLength != 0 ? byLength : a.compareTo(b);
  }

  private static List<String> items(String version) {
    var items = new ArrayList<String>();
    var matcher = ITEM.matcher(version.startsWith("v") ? version.substring(1) : version);
    while (matcher.find()) {
      items.add(matcher.group());
    }
    return items;
  }

  /** A word sorts before any number, so that a release follows its candidates. */
  private static int compareItems(String a, String b) {
    boolean numberA = Character.isDigit(a.charAt(0));
    boolean numberB = Character.isDigit(b.charAt(0));
    if (numberA && numberB) {
      return new BigInteger(a).compareTo(new BigInteger(b));
    }
    return numberA == numberB ? a.compareTo(b) : Boolean.compare(numberA, numberB);
  }

  private VersionOrder() {}
}
