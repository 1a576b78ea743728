package verwalter.scheduler.lua.library;

import verwalter.scheduler.lua.text.Pattern;
import verwalter.scheduler.lua.text.Utf8;

/** Shared by {@code string.find}, {@code match} and {@code gmatch} (Lua 5.3 manual, 6.4). */
public final class SearchFunctions {
  private static final String SPECIAL = "^$*+?.([%-";

  /** The index from 0 at which a search starts; -1 if it is behind the end. */
  public static int start(LibraryCall call, int length) {
    long from = Math.max(Utf8.place(call.integer(3, 1), length), 1);
    return from > length + 1L ? -1 : (int) from - 1;
  }

  /** Whether no character of a pattern is special. */
  public static boolean isPlain(String pattern) {
    for (int i = 0; i < pattern.length(); i++) {
      if (SPECIAL.indexOf(pattern.charAt(i)) >= 0) {
        return false;
      }
    }
    return true;
  }

  /** The matches that {@code string.gmatch} visits. */
  public static final class Matches {
    private final Pattern pattern;
    private final int length;
    private int next;
    private int last = -1;

    /** The matches in a subject of a length. */
    public Matches(Pattern pattern, int length) {
      this.pattern = pattern;
      this.length = length;
    }

    /** Moves the pattern to its next match; false after the last. */
    public boolean next() {
      for (int at = next; at <= length; at++) {
        if (pattern.matchLiterally(at) && pattern.end() != last) {
          next = last = pattern.end();
          return true;
        }
      }
      next = length + 1;
      return false;
    }
  }

  private SearchFunctions() {}
}
