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
   * The code point at an index, or -1 if the bytes there are not UTF-8. Overlong forms are not
   * accepted, surrogates are.
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

  /** The number of bytes of a code point. */
  public static int size(int code) {
    return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }

  /** Whether a byte continues a character. */
  public static boolean continues(int value) {
    return (value & 0xc0) == 0x80;
  }

  /** A position from 1; negative positions count from the end; 0 if it is before the text. */
  public static long place(long index, int length) {
    return index >= 0 ? index : Math.max(length + index + 1, 0);
  }

  /** Whether the byte at a position from 0 continues a character. */
  public static boolean continuesAt(Subject text, long at) {
    return at < text.length() && continues(text.at((int) at));
  }

  /**
   * The start of a character, for {@code utf8.offset}.
   *
   * @param at a position from 0, at which a character begins unless {@code count} is 0
   * @param count 0 for the character that contains the position, 1 for the one that begins there,
   *     -1 for the one before
   * @return a position from 1; 0 if there is no such character
   */
  public static long offset(Subject text, long at, long count) {
    if (count == 0) {
      while (at > 0 && continuesAt(text, at)) {
        at--;
      }
      return at + 1;
    }
    long left = count;
    for (; left < 0 && at > 0; left++) {
      do {
        at--;
      } while (at > 0 && continuesAt(text, at));
    }
    if (count > 0) {
      for (left--; left > 0 && at < text.length(); left--) {
        do {
          at++;
        } while (continuesAt(text, at));
      }
    }
    return left == 0 ? at + 1 : 0;
  }

  private Utf8() {}
}
