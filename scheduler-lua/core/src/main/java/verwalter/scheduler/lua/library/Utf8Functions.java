package verwalter.scheduler.lua.library;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.text.Subject;
import verwalter.scheduler.lua.text.Utf8;

/** Functions of the utf8 library (Lua 5.3 manual, 6.5); the text is the call's first argument. */
public final class Utf8Functions {

  /** {@code utf8.char}. */
  public static String chars(LibraryCall call) {
    var text = new StringBuilder();
    for (int i = 1; i <= call.count(); i++) {
      long code = call.integer(i);
      if (code < 0 || code > 0x10ffff) {
        throw call.bad(i, "value out of range");
      }
      text.append(Utf8.encode(code));
    }
    call.reserve(text.length());
    return text.toString();
  }

  /** {@code utf8.codepoint}. */
  public static int[] codePoints(LibraryCall call, Subject text) {
    long from = Utf8.place(call.integer(2, 1), text.length());
    long to = Utf8.place(call.integer(3, from), text.length());
    if (from < 1) {
      throw call.bad(2, "out of range");
    }
    if (to > text.length()) {
      throw call.bad(3, "out of range");
    }
    call.reserve(Math.max(0, to - from + 1) * 8);
    var codes = new int[(int) Math.max(0, to - from + 1)];
    int count = 0;
    for (int at = (int) from - 1; at < to; ) {
      int code = valid(call, text, at);
      codes[count++] = code;
      at += Utf8.size(code);
    }
    return Arrays.copyOf(codes, count);
  }

  private static int valid(LibraryCall call, Subject text, int at) {
    int code = Utf8.decode(text, at);
    if (code < 0) {
      throw call.error("invalid UTF-8 code");
    }
    return code;
  }

  /**
   * A code point and its position.
   *
   * @param position from 1
   */
  public record Place(long position, int code) {}

  /** The step of {@code utf8.codes}; null at the end. */
  public static @Nullable Place next(LibraryCall call, Subject text) {
    long at = Math.max(call.integer(2), 0);
    while (at > 0 && Utf8.continuesAt(text, at)) {
      at++;
    }
    return at >= text.length() ? null : new Place(at + 1, valid(call, text, (int) at));
  }

  /**
   * {@code utf8.len}: the number of characters, or minus the position of the first invalid byte.
   */
  public static long length(LibraryCall call, Subject text) {
    long at = Utf8.place(call.integer(2, 1), text.length());
    long to = Utf8.place(call.integer(3, -1), text.length());
    if (at < 1 || at > text.length() + 1L) {
      throw call.bad(2, "initial position out of string");
    }
    if (to > text.length()) {
      throw call.bad(3, "final position out of string");
    }
    call.meter().tick(Math.max(0, to - at));
    long count = 0;
    while (at <= to) {
      int code = Utf8.decode(text, (int) at - 1);
      if (code < 0) {
        return -at;
      }
      at += Utf8.size(code);
      count++;
    }
    return count;
  }

  /** {@code utf8.offset}: a position from 1, or 0 if there is no such character. */
  public static long offset(LibraryCall call, Subject text) {
    long count = call.integer(2);
    long at = Utf8.place(call.integer(3, count >= 0 ? 1 : text.length() + 1L), text.length()) - 1;
    if (at < 0 || at > text.length()) {
      throw call.bad(3, "position out of range");
    }
    if (count != 0 && Utf8.continuesAt(text, at)) {
      throw call.error("initial position is a continuation byte");
    }
    call.meter().tick((long) text.length() / 8);
    return Utf8.offset(text, at, count);
  }

  private Utf8Functions() {}
}
