package verwalter.ui.http;

/** Escapes text for HTML. */
public final class Html {

  /**
   * The text with all special characters escaped; also safe within quotes. Characters that cannot
   * be seen or that change the order of others are shown by their number, such as {@code \u202E}.
   */
  public static String escape(String text) {
    var safe = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> safe.append("&amp;");
        case '<' -> safe.append("&lt;");
        case '>' -> safe.append("&gt;");
        case '"' -> safe.append("&quot;");
        case '\'' -> safe.append("&#39;");
        case '\n', '\t', '\r' -> safe.append(c);
        default -> append(text, i, safe);
      }
    }
    return safe.toString();
  }

  private static void append(String text, int at, StringBuilder safe) {
    char c = text.charAt(at);
    boolean hidden =
        switch (Character.getType(c)) {
          case Character.CONTROL,
              Character.FORMAT,
              Character.LINE_SEPARATOR,
              Character.PARAGRAPH_SEPARATOR ->
              true;
          case Character.SURROGATE -> !isPaired(text, at);
          default -> false;
        };
    if (hidden) {
      safe.append("\\u%04X".formatted((int) c));
    } else {
      safe.append(c);
    }
  }

  private static boolean isPaired(String text, int at) {
    char c = text.charAt(at);
    return Character.isHighSurrogate(c)
        ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
        : at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
  }

  private Html() {}
}
