package verwalter.artifacts;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Texts as one word of a line: spaces, controls and percent signs are written as {@code %XX}. */
final class EscapedText {
  static String word(String text) {
    var word = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char it = text.charAt(i);
      if (it <= ' ' || it == '%' || it == 0x7f) {
        word.append("%%%02x".formatted((int) it));
      } else {
        word.append(it);
      }
    }
    return word.toString();
  }

  /**
   * @throws IllegalArgumentException if {@link #word} does not write such a word
   */
  static String text(String word) {
    if (word.indexOf('%') < 0) {
      return word;
    }
    var bytes = new ByteArrayOutputStream();
    var in = word.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < in.length; i++) {
      if (in[i] != '%') {
        bytes.write(in[i]);
      } else if (i + 2 < in.length) {
        bytes.write(Integer.parseInt(word(in, i + 1), 16));
        i += 2;
      } else {
        throw new IllegalArgumentException("a percent sign at the end of " + word);
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static String word(byte[] in, int at) {
    return new String(in, at, 2, StandardCharsets.US_ASCII);
  }

  private EscapedText() {}
}
