package verwalter.scheduler.lua.text;

/**
 * Matches a Lua pattern against one subject (Lua 5.3 manual, 6.4.1). The meter of the run counts
 * every step, so that excessive backtracking is stopped. After a match, {@link #start}, {@link
 * #end} and the captures describe it.
 */
public final class Pattern {
  private static final int MOST_CAPTURES = 32;
  private static final int DEEPEST = 200;
  private static final int OPEN = -1;
  private static final int POSITION = -2;

  private final String pattern;
  private final Subject subject;
  private final Runnable step;
  private final int[] from = new int[MOST_CAPTURES];
  private final int[] size = new int[MOST_CAPTURES];
  private int captures;
  private int depth;
  private int start;
  private int end;

  /** A pattern or subject that Lua refuses; the message is Lua's. */
  public static final class Malformed extends RuntimeException {
    private static final long serialVersionUID = 1;

    Malformed(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * A pattern and its subject.
   *
   * @param step called for every step of the match
   */
  public Pattern(String pattern, Subject subject, Runnable step) {
    this.pattern = pattern;
    this.subject = subject;
    this.step = step;
  }

  /** Whether the pattern begins with the anchor. */
  public boolean anchored() {
    return pattern.startsWith("^");
  }

  /** Finds the first match at or after an index; only at the index if anchored. */
  public boolean find(int index) {
    boolean anchored = anchored();
    for (int at = index; at <= subject.length(); at++) {
      if (attempt(at, anchored ? 1 : 0)) {
        return true;
      }
      if (anchored) {
        return false;
      }
    }
    return false;
  }

  /** Matches at one index; an anchor at the pattern's start is an ordinary character. */
  public boolean matchLiterally(int index) {
    return attempt(index, 0);
  }

  /** Matches at one index only. */
  public boolean matchAt(int index) {
    return attempt(index, anchored() ? 1 : 0);
  }

  private boolean attempt(int index, int patternStart) {
    captures = 0;
    depth = 0;
    start = index;
    end = match(index, patternStart);
    return end >= 0;
  }

  /** The start index of the match. */
  public int start() {
    return start;
  }

  /** The index after the match. */
  public int end() {
    return end;
  }

  /** The number of values of the match: its captures, or one for the whole if it has none. */
  public int values() {
    return captures == 0 ? 1 : captures;
  }

  /** The number of captures of the match. */
  public int captures() {
    return captures;
  }

  /** Whether a capture is a position and not a text. */
  public boolean isPosition(int capture) {
    return size(capture) == POSITION;
  }

  /** The start index of a capture, or of the whole match. */
  public int captureStart(int capture) {
    if (capture >= captures) {
      if (capture != 0) {
        throw new Malformed("invalid capture index %" + (capture + 1));
      }
      return start;
    }
    return from[capture];
  }

  /** The index after a capture or the whole match. */
  public int captureEnd(int capture) {
    return capture >= captures ? end : from[capture] + size(capture);
  }

  private int size(int capture) {
    if (capture >= captures) {
      captureStart(capture);
      return end - start;
    }
    if (size[capture] == OPEN) {
      throw new Malformed("unfinished capture");
    }
    return size[capture];
  }

  private int match(int subjectAt, int patternAt) {
    if (++depth > DEEPEST) {
      throw new Malformed("pattern too complex");
    }
    try {
      return items(subjectAt, patternAt);
    } finally {
      depth--;
    }
  }

  private int items(int subjectAt, int patternAt) {
    int s = subjectAt;
    int p = patternAt;
    while (p < pattern.length()) {
      step.run();
      char c = pattern.charAt(p);
      if (c == '(') {
        return pattern.startsWith(")", p + 1) ? open(s, p + 2, POSITION) : open(s, p + 1, OPEN);
      }
      if (c == ')') {
        return close(s, p + 1);
      }
      if (c == '$' && p + 1 == pattern.length()) {
        return s == subject.length() ? s : -1;
      }
      if (c == '%' && isSpecial(p + 1)) {
        s = special(s, p + 1);
        if (s < 0) {
          return -1;
        }
        p = specialEnd(p + 1);
        continue;
      }
      int end = classEnd(p);
      char suffix = end < pattern.length() ? pattern.charAt(end) : '\0';
      if (suffix == '*') {
        return most(s, p, end);
      }
      if (suffix == '-') {
        return least(s, p, end);
      }
      boolean one = single(s, p, end);
      if (suffix == '?') {
        int result = one ? match(s + 1, end + 1) : -1;
        if (result >= 0) {
          return result;
        }
        p = end + 1;
      } else if (!one) {
        return -1;
      } else if (suffix == '+') {
        return most(s + 1, p, end);
      } else {
        s++;
        p = end;
      }
    }
    return s;
  }

  private boolean isSpecial(int p) {
    char c = p < pattern.length() ? pattern.charAt(p) : '\0';
    return c == 'b' || c == 'f' || (c >= '0' && c <= '9');
  }

  private int special(int s, int p) {
    return switch (pattern.charAt(p)) {
      case 'b' -> balanced(s, p + 1);
      case 'f' -> frontier(s, p + 1);
      default -> again(s, pattern.charAt(p));
    };
  }

  private int specialEnd(int p) {
    return switch (pattern.charAt(p)) {
      case 'b' -> p + 3;
      case 'f' -> classEnd(p + 1);
      default -> p + 1;
    };
  }

  @SuppressWarnings("OrphanedFormatString") // the message is about patterns, not formats
  private int frontier(int s, int p) {
    if (p >= pattern.length() || pattern.charAt(p) != '[') {
      throw new Malformed("missing '[' after '%f' in pattern");
    }
    int closing = classEnd(p) - 1;
    int before = s == 0 ? 0 : subject.at(s - 1);
    int here = s < subject.length() ? subject.at(s) : 0;
    return !inSet(before, p, closing) && inSet(here, p, closing) ? s : -1;
  }

  private int open(int s, int p, int kind) {
    if (captures >= MOST_CAPTURES) {
      throw new Malformed("too many captures");
    }
    from[captures] = s;
    size[captures] = kind;
    captures++;
    int result = match(s, p);
    if (result < 0) {
      captures--;
    }
    return result;
  }

  private int close(int s, int p) {
    int capture = captures - 1;
    while (capture >= 0 && size[capture] != OPEN) {
      capture--;
    }
    if (capture < 0) {
      throw new Malformed("invalid pattern capture");
    }
    size[capture] = s - from[capture];
    int result = match(s, p);
    if (result < 0) {
      size[capture] = OPEN;
    }
    return result;
  }

  @SuppressWarnings("OrphanedFormatString") // the message is about patterns, not formats
  private int balanced(int s, int p) {
    if (p + 1 >= pattern.length()) {
      throw new Malformed("malformed pattern (missing arguments to '%b')");
    }
    if (s >= subject.length() || subject.at(s) != pattern.charAt(p)) {
      return -1;
    }
    char opening = pattern.charAt(p);
    char closing = pattern.charAt(p + 1);
    int level = 1;
    for (int i = s + 1; i < subject.length(); i++) {
      step.run();
      int c = subject.at(i);
      if (c == closing) {
        if (--level == 0) {
          return i + 1;
        }
      } else if (c == opening) {
        level++;
      }
    }
    return -1;
  }

  private int again(int s, char digit) {
    int capture = digit - '1';
    if (capture < 0 || capture >= captures || size[capture] == OPEN) {
      throw new Malformed("invalid capture index %" + (capture + 1));
    }
    int length = Math.max(size[capture], 0);
    if (subject.length() - s < length) {
      return -1;
    }
    for (int i = 0; i < length; i++) {
      step.run();
      if (subject.at(from[capture] + i) != subject.at(s + i)) {
        return -1;
      }
    }
    return s + length;
  }

  private int most(int s, int p, int itemEnd) {
    int count = 0;
    while (single(s + count, p, itemEnd)) {
      step.run();
      count++;
    }
    for (; count >= 0; count--) {
      int result = match(s + count, itemEnd + 1);
      if (result >= 0) {
        return result;
      }
    }
    return -1;
  }

  private int least(int subjectAt, int p, int itemEnd) {
    for (int s = subjectAt; ; s++) {
      int result = match(s, itemEnd + 1);
      if (result >= 0) {
        return result;
      }
      step.run();
      if (!single(s, p, itemEnd)) {
        return -1;
      }
    }
  }

  private boolean single(int s, int p, int itemEnd) {
    if (s >= subject.length()) {
      return false;
    }
    int c = subject.at(s);
    return switch (pattern.charAt(p)) {
      case '.' -> true;
      case '%' -> inClass(c, pattern.charAt(p + 1));
      case '[' -> inSet(c, p, itemEnd - 1);
      default -> pattern.charAt(p) == c;
    };
  }

  private int classEnd(int patternAt) {
    int p = patternAt;
    char c = pattern.charAt(p++);
    if (c == '%') {
      if (p >= pattern.length()) {
        throw new Malformed("malformed pattern (ends with '%')");
      }
      return p + 1;
    }
    if (c == '[') {
      if (p < pattern.length() && pattern.charAt(p) == '^') {
        p++;
      }
      do {
        if (p >= pattern.length()) {
          throw new Malformed("malformed pattern (missing ']')");
        }
        if (pattern.charAt(p++) == '%' && p < pattern.length()) {
          p++;
        }
      } while (p >= pattern.length() || pattern.charAt(p) != ']');
      return p + 1;
    }
    return p;
  }

  /** Whether a byte is in the set between the bracket at an index and its closing bracket. */
  private boolean inSet(int c, int open, int closing) {
    boolean found = true;
    int p = open;
    if (pattern.charAt(p + 1) == '^') {
      found = false;
      p++;
    }
    while (++p < closing) {
      char set = pattern.charAt(p);
      if (set == '%') {
        p++;
        if (inClass(c, pattern.charAt(p))) {
          return found;
        }
      } else if (pattern.charAt(p + 1) == '-' && p + 2 < closing) {
        if (set <= c && c <= pattern.charAt(p + 2)) {
          return found;
        }
        p += 2;
      } else if (set == c) {
        return found;
      }
    }
    return !found;
  }

  private static boolean inClass(int c, char name) {
    boolean in;
    switch (name | 0x20) {
      case 'a' -> in = letter(c);
      case 'd' -> in = digit(c);
      case 'l' -> in = c >= 'a' && c <= 'z';
      case 'u' -> in = c >= 'A' && c <= 'Z';
      case 's' -> in = c == ' ' || (c >= 9 && c <= 13);
      case 'c' -> in = c < 32 || c == 127;
      case 'p' -> in = c > 32 && c < 127 && !letter(c) && !digit(c);
      case 'g' -> in = c > 32 && c < 127;
      case 'w' -> in = letter(c) || digit(c);
      case 'x' -> in = digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f' && c < 128);
      case 'z' -> in = c == 0;
      default -> {
        return name == c;
      }
    }
    boolean isLetter = letter(name);
    return isLetter ? (Character.isUpperCase(name) != in) : name == c;
  }

  private static boolean letter(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static boolean digit(int c) {
    return c >= '0' && c <= '9';
  }
}
