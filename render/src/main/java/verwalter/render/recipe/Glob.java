package verwalter.render.recipe;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A pattern for absolute paths: {@code *}, {@code ?}, {@code [a-z]}, {@code [!a-z]}, {@code **} as
 * a whole part, and parentheses for captured groups. Wildcards match neither a slash nor a dot at
 * the start of a name. Immutable.
 */
public final class Glob {
  private static final String MEANINGFUL = "*?[]()";

  /** The start of the expression of a name that begins with a wildcard. */
  private static final String NAME_FOLLOWS = "(?![./]|\\z)";

  private static final String NAME = "(?!\\.)[^/]+";

  private final String pattern;
  private final List<GlobToken> tokens;
  private final Pattern whole;

  /** The pattern between two slashes. */
  public sealed interface Part {}

  /** A literal name. */
  public record Name(String text) implements Part {}

  /** Every name that the expression matches. */
  public record Wild(Pattern expression) implements Part {}

  /** Any number of directories. */
  record Deep() implements Part {}

  /** The pattern is not valid; the message has the cause. */
  public static final class Malformed extends Exception {
    private static final long serialVersionUID = 1;

    Malformed(String message) {
      super(message, null, false, false);
    }
  }

  private Glob(String pattern, List<GlobToken> tokens) {
    this.pattern = pattern;
    this.tokens = List.copyOf(tokens);
    this.whole = expression(tokens, true);
  }

  public static Glob parse(String pattern) throws Malformed {
    if (!pattern.startsWith("/")) {
      throw new Malformed("is not absolute");
    }
    var tokens = GlobToken.of(pattern);
    if (tokens.get(tokens.size() - 1).is(GlobToken.Kind.SLASH)) {
      throw new Malformed("ends in a slash");
    }
    return new Glob(pattern, tokens);
  }

  /** A pattern that matches only this text. */
  public static String quoted(String literal) {
    var quoted = new StringBuilder();
    for (int i = 0; i < literal.length(); i++) {
      char each = literal.charAt(i);
      quoted.append(MEANINGFUL.indexOf(each) < 0 ? String.valueOf(each) : "[" + each + "]");
    }
    return quoted.toString();
  }

  /** The part of a pattern before its first wildcard or group. */
  public static String constantPart(String pattern) {
    int end = 0;
    while (end < pattern.length() && MEANINGFUL.indexOf(pattern.charAt(end)) < 0) {
      end++;
    }
    return pattern.substring(0, end);
  }

  private static Pattern expression(List<GlobToken> tokens, boolean groups) {
    var expression = new StringBuilder();
    var part = new ArrayList<GlobToken>();
    boolean afterDeep = false;
    for (var token : tokens) {
      if (token.is(GlobToken.Kind.SLASH)) {
        expression.append(partExpression(part, groups)).append(afterDeep ? "(?:(?<=/)|/)" : "/");
        part.clear();
      } else {
        part.add(token);
      }
      afterDeep = part.stream().anyMatch(each -> each.is(GlobToken.Kind.DEEP));
    }
    return Pattern.compile(
        expression.append(partExpression(part, groups)).toString(), Pattern.DOTALL);
  }

  /** A matched part is not tried in other ways, which could take long. */
  private static String partExpression(List<GlobToken> part, boolean groups) {
    var expression = new StringBuilder();
    boolean starts = true;
    boolean deep = false;
    int open = 0;
    for (var token : part) {
      switch (token.kind()) {
        case OPEN -> expression.append(groups ? "(" : "");
        case CLOSE -> expression.append(groups ? ")" : "");
        case LITERAL -> expression.append(Pattern.quote(token.text()));
        case WILD -> expression.append(starts ? NAME_FOLLOWS : "").append(token.text());
        case DEEP -> expression.append("(?:" + NAME + "(?:/" + NAME + ")*)?");
        case SLASH -> throw new IllegalStateException("a slash in a part");
      }
      boolean group = token.is(GlobToken.Kind.OPEN) || token.is(GlobToken.Kind.CLOSE);
      starts = starts && group;
      deep = deep || token.is(GlobToken.Kind.DEEP);
      open += token.is(GlobToken.Kind.OPEN) ? 1 : token.is(GlobToken.Kind.CLOSE) ? -1 : 0;
    }
    return deep || open != 0 || part.isEmpty() || part.get(0).is(GlobToken.Kind.CLOSE)
        ? expression.toString()
        : "(?>" + expression + "(?=/|\\z))";
  }

  /** The patterns below the root, level by level. */
  public List<Part> parts() {
    var parts = new ArrayList<Part>();
    var pending = new ArrayList<GlobToken>();
    for (var token : tokens.subList(1, tokens.size())) {
      if (token.is(GlobToken.Kind.SLASH)) {
        parts.add(part(pending));
        pending.clear();
      } else if (!token.is(GlobToken.Kind.OPEN) && !token.is(GlobToken.Kind.CLOSE)) {
        pending.add(token);
      }
    }
    parts.add(part(pending));
    return parts;
  }

  private static Part part(List<GlobToken> tokens) {
    if (tokens.stream().allMatch(token -> token.is(GlobToken.Kind.LITERAL))) {
      return new Name(texts(tokens));
    }
    boolean deep = tokens.get(0).is(GlobToken.Kind.DEEP);
    return deep ? new Deep() : new Wild(expression(tokens, false));
  }

  private static String texts(List<GlobToken> tokens) {
    var text = new StringBuilder();
    tokens.forEach(token -> text.append(token.text()));
    return text.toString();
  }

  public int groups() {
    return (int) tokens.stream().filter(token -> token.is(GlobToken.Kind.OPEN)).count();
  }

  public boolean isWildOutsideGroups() {
    boolean inside = false;
    for (var token : tokens) {
      inside = token.is(GlobToken.Kind.OPEN) || (inside && !token.is(GlobToken.Kind.CLOSE));
      if (!inside && token.isWild()) {
        return true;
      }
    }
    return false;
  }

  /** The text of the first group; absent if the path does not match. */
  public Optional<String> capture(String path) {
    var matcher = whole.matcher(path);
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /** The path with a text in the place of the group; absent if it would not match. */
  public Optional<String> filled(String name) {
    var path = new StringBuilder();
    boolean inside = false;
    for (var token : tokens) {
      if (token.is(GlobToken.Kind.OPEN)) {
        path.append(name);
      }
      inside = token.is(GlobToken.Kind.OPEN) || (inside && !token.is(GlobToken.Kind.CLOSE));
      if (!inside) {
        path.append(token.text());
      }
    }
    var result = path.toString();
    return capture(result).filter(name::equals).map(same -> result);
  }

  @Override
  public String toString() {
    return pattern;
  }
}
