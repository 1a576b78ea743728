package verwalter.render.recipe;

import java.util.ArrayList;
import java.util.List;

/**
 * One token of a {@link Glob}.
 *
 * @param text a literal text, or a regular expression if it is a wildcard
 */
record GlobToken(Kind kind, String text) {

  private static final int LENGTH = 4096;

  private static final int WILDCARDS = 50;

  /** The maximum number of wildcards in one part: with more, matching can take long. */
  private static final int STARS = 3;

  /** The kind of a token. */
  enum Kind {
    LITERAL,
    WILD,
    DEEP,
    OPEN,
    CLOSE,
    SLASH
  }

  boolean isWild() {
    return kind == Kind.WILD || kind == Kind.DEEP;
  }

  boolean is(Kind wanted) {
    return kind == wanted;
  }

  /** Splits a pattern into tokens; several slashes count as one. */
  static List<GlobToken> of(String pattern) throws Glob.Malformed {
    return new Scanner(pattern).tokens();
  }

  private static final class Scanner {
    private final int[] points;
    private final List<GlobToken> tokens = new ArrayList<>();
    private int at;
    private int stars;
    private boolean open;

    Scanner(String pattern) {
      points = pattern.codePoints().toArray();
    }

    List<GlobToken> tokens() throws Glob.Malformed {
      if (points.length > LENGTH) {
        throw new Glob.Malformed("is longer than " + LENGTH + " characters");
      }
      while (at < points.length) {
        take(points[at++]);
      }
      if (tokens.stream().filter(GlobToken::isWild).count() > WILDCARDS) {
        throw new Glob.Malformed("has more than " + WILDCARDS + " wildcards");
      }
      if (open) {
        throw new Glob.Malformed("has a `(` without its `)`");
      }
      return tokens;
    }

    private void take(int point) throws Glob.Malformed {
      switch (point) {
        case '/' -> slash();
        case '?' -> add(Kind.WILD, "[^/]");
        case '*' -> star();
        case '[' -> set();
        case '(', ')' -> group(point == '(');
        default -> add(Kind.LITERAL, Character.toString(point));
      }
    }

    private void add(Kind kind, String text) {
      tokens.add(new GlobToken(kind, text));
    }

    private void slash() {
      stars = open ? stars : 0;
      if (tokens.isEmpty() || !tokens.get(tokens.size() - 1).is(Kind.SLASH)) {
        add(Kind.SLASH, "/");
      }
    }

    private void group(boolean opens) throws Glob.Malformed {
      if (opens == open) {
        throw new Glob.Malformed(opens ? "has a group in a group" : "has a `)` without its `(`");
      }
      open = opens;
      add(opens ? Kind.OPEN : Kind.CLOSE, "");
    }

    private void star() throws Glob.Malformed {
      if (at == points.length || points[at] != '*') {
        if (++stars > STARS) {
          throw new Glob.Malformed("has more than " + STARS + " stars in one part or group");
        }
        add(Kind.WILD, "[^/]*?");
        return;
      }
      at++;
      int next = at < points.length && points[at] == ')' ? at + 1 : at;
      if (!startsPart() || (next < points.length && points[next] != '/')) {
        throw new Glob.Malformed("has a `**` that is not a whole part between slashes");
      }
      if (next == points.length) {
        throw new Glob.Malformed("ends in `**`, which matches directories; write `**/*`");
      }
      add(Kind.DEEP, "");
    }

    private boolean startsPart() {
      int last = tokens.size() - 1;
      if (last >= 0 && tokens.get(last).is(Kind.OPEN)) {
        last--;
      }
      return last >= 0 && tokens.get(last).is(Kind.SLASH);
    }

    /** A class of one character is that character. */
    private void set() throws Glob.Malformed {
      boolean negated = at < points.length && points[at] == '!';
      int from = negated ? at + 1 : at;
      int to = from + 1; // a bracket in the first position is a literal
      while (to < points.length && points[to] != ']') {
        to++;
      }
      if (to >= points.length) {
        throw new Glob.Malformed("has a `[` without its `]`");
      }
      at = to + 1;
      if (!negated && to == from + 1) {
        add(Kind.LITERAL, Character.toString(points[from]));
      } else {
        add(Kind.WILD, "(?!/)[" + (negated ? "^" : "") + members(from, to) + "]");
      }
    }

    private String members(int from, int to) throws Glob.Malformed {
      var members = new StringBuilder();
      for (int i = from; i < to; i++) {
        members.append(escaped(points[i]));
        if (i + 2 < to && points[i + 1] == '-') {
          if (points[i] > points[i + 2]) {
            throw new Glob.Malformed("has a range that ends before it begins");
          }
          members.append('-').append(escaped(points[i + 2]));
          i += 2;
        }
      }
      return members.toString();
    }

    private static String escaped(int point) {
      return "\\x{" + Integer.toHexString(point) + "}";
    }
  }
}
