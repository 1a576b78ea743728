package verwalter.scheduler.lua.text;

/** UTF-8 in strings of bytes (Lua 5.3 manual, 6.5). */
public final class Utf8 {
  /** The pattern {@code utf8.charpattern}. */
  public static final String CHAR_PATTERN = "[\0-\u007f\u00c2-\u00f4][\u0080-\u00bf]*";

  /** The bytes of a code point up to 0x10FFFF; surrogates too, as Lua allows. */
  public static String encode(long code) {
    if (code < 0x80) {
      return String.valueOf((char) code);
    }
    var bytes = new StringBuilder();
    if (code < 0x800) {
      bytes.append((char) (0xc0 | (code >> 6)));
    } else {
      if (code < 0x10000) {
        bytes.append((char) (0xe0 | (code >> 12)));
      } else {
        bytes.append((char) (0xf0 | (code >> 18))).append((char) (0x80 | ((code >> 12) & 0x3f)));
      }
      bytes.append((char) (0x80 | ((code >> 6) & 0x3f)));
    }
    return bytes.append((char) (0x80 | (code & 0x3f))).toString();
  }

  /**
   * The code point at an index, or -1 if the bytes there are no UTF-8. Overlong forms are refused,
   * surrogates are not.
   */
  public static int decode(Subject bytes, int index) {
    int first = bytes.at(index);
    if (first < 0x80) {
      return first;
    }
    int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    if (first < 0xc0 || first > 0xf7 || index + more >= bytes.length()) {
      return -1;
    }
    int code = first & (0x3f >> more);
    for (int i = 1; i <= more; i++) {
      int next = bytes.at(index + i);
      if (!continues(next)) {
        return -1;
      }
      code = (code << 6) | (next & 0x3f);
    }
    int least = more == 1 ? 0x80 : more == 2 ? 0x800 : 0x10000;
    return code < least || code > 0x10ffff ? -1 : code;
  }

  /** How many bytes a code point takes. */
  public static int size(int code) {
    return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }

  /** Whether a byte continues a character. */
  public static boolean continues(int value) {
    return (value & 0xc0) == 0x80;
  }

  private Utf8() {}
}
