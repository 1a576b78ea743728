package verwalter.ui.page;

/** Escapes text for HTML. */
final class Html {

  /** The text with all special characters escaped; also safe within quotes. */
  static String escape(String text) {
    var safe = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> safe.append("&amp;");
        case '<' -> safe.append("&lt;");
        case '>' -> safe.append("&gt;");
        case '"' -> safe.append("&quot;");
        case '\'' -> safe.append("&#39;");
        default -> safe.append(c);
      }
    }
    return safe.toString();
  }

  private Html() {}
}
