package verwalter.render.engine.legacy.tera;

/**
 * White space as Unicode defines it. Java's {@code strip} and {@code trim} use other definitions.
 */
final class Space {

  static boolean is(char letter) {
    return (letter >= '\t' && letter <= '\r')
        || letter == '\u0085'
        || Character.isSpaceChar(letter);
  }

  static String withoutLeading(String text) {
    int start = 0;
    while (start < text.length() && is(text.charAt(start))) {
      start++;
    }
    return text.substring(start);
  }

  static String without(String text) {
    int end = text.length();
    while (end > 0 && is(text.charAt(end - 1))) {
      end--;
    }
    return withoutLeading(text.substring(0, end));
  }

  /** The number of words in a text. */
  static long words(String text) {
    long words = 0;
    boolean inside = false;
    for (int i = 0; i < text.length(); i++) {
      boolean letter = !is(text.charAt(i));
      words += letter && !inside ? 1 : 0;
      inside = letter;
    }
    return words;
  }

  private Space() {}
}
