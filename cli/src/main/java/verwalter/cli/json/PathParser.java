package verwalter.cli.json;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import verwalter.cli.json.JsonPath.Part;

/** Parses JSONPath templates by recursive descent; {@code at} is the next position. */
final class PathParser {
  private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?");
  private static final Pattern SLICE = Pattern.compile("(-?\\d+)?:(-?\\d+)?(?::(\\d+))?");
  private static final String NAME_ENDS = ".[]{}()=!<>,'\" \t\n";

  private final String text;
  private int at;

  PathParser(String text) {
    this.text = text;
  }

  List<Part> template() {
    var parts = parts(false);
    if (at < text.length()) {
      throw bad("{end} without {range}");
    }
    return parts;
  }

  Part.Path wholePath() {
    var path = path();
    blanks();
    if (at < text.length()) {
      throw bad("unexpected '" + text.charAt(at) + "'");
    }
    return path;
  }

  private List<Part> parts(boolean inRange) {
    var parts = new ArrayList<Part>();
    while (at < text.length()) {
      int brace = text.indexOf('{', at);
      int until = brace < 0 ? text.length() : brace;
      if (until > at) {
        parts.add(new Part.Text(text.substring(at, until)));
        at = until;
      }
      if (brace >= 0) {
        int before = at;
        at++;
        blanks();
        if (word("end")) {
          close();
          if (!inRange) {
            at = before;
          }
          return parts;
        }
        expression(parts);
      }
    }
    if (inRange) {
      throw bad("{range} without {end}");
    }
    return parts;
  }

  /** The content of braces: a range, or paths and texts. */
  private void expression(List<Part> parts) {
    if (word("range")) {
      blanks();
      var over = path();
      close();
      parts.add(new Part.Range(over, parts(true)));
      return;
    }
    boolean something = false;
    for (blanks(); peek() != '}'; blanks()) {
      if (peek() == 0) {
        throw bad("a brace is not closed");
      }
      parts.add(quote(peek()) ? new Part.Text(quoted()) : path());
      something = true;
    }
    if (!something) {
      throw bad("nothing between braces");
    }
    close();
  }

  private Part.Path path() {
    boolean rooted = peek() == '$';
    int begin = at;
    if (rooted || peek() == '@') {
      at++;
    }
    var steps = new ArrayList<PathStep>();
    for (char next = peek(); next == '.' || next == '['; next = peek()) {
      at++;
      if (next == '[') {
        steps.add(bracket());
      } else if (peek() == '.') {
        steps.add(new PathStep.Below());
        if (text.startsWith(".[", at)) {
          at++;
        }
      } else if (peek() == '*') {
        at++;
        steps.add(new PathStep.Every());
      } else if (peek() != '[' && !ends(peek())) {
        steps.add(new PathStep.Fields(List.of(name())));
      }
    }
    if (at == begin) {
      throw bad(at < text.length() ? "unexpected '" + text.charAt(at) + "'" : "a path is missing");
    }
    return new Part.Path(rooted, steps);
  }

  private PathStep bracket() {
    blanks();
    if (peek() == '?') {
      return filter();
    }
    if (quote(peek())) {
      var names = union(parser -> parser.quoted());
      return new PathStep.Fields(names);
    }
    int end = text.indexOf(']', at);
    if (end < 0) {
      throw bad("a bracket is not closed");
    }
    var inside = text.substring(at, end).strip();
    if (inside.equals("*") || inside.isEmpty()) {
      at = end + 1;
      return new PathStep.Every();
    }
    var slice = SLICE.matcher(inside);
    if (slice.matches()) {
      at = end + 1;
      return slice(slice);
    }
    return new PathStep.Places(union(PathParser::integer));
  }

  private PathStep slice(Matcher slice) {
    int stride = slice.group(3) == null ? 1 : Integer.parseInt(slice.group(3));
    if (stride == 0) {
      throw bad("a slice cannot step by 0");
    }
    return new PathStep.Slice(optional(slice.group(1)), optional(slice.group(2)), stride);
  }

  private static @Nullable Integer optional(@Nullable String number) {
    return number == null || number.isEmpty() ? null : Integer.valueOf(number);
  }

  private <V> List<V> union(Function<PathParser, V> element) {
    var values = new ArrayList<V>();
    do {
      blanks();
      values.add(element.apply(this));
      blanks();
    } while (taken(','));
    expect(']');
    return values;
  }

  private int integer() {
    var number = NUMBER.matcher(text).region(at, text.length());
    if (!number.lookingAt() || number.group(1) != null) {
      throw bad("a number, a name in quotes, '*' or '?(' should stand in brackets");
    }
    at = number.end();
    return Integer.parseInt(number.group());
  }

  private PathStep filter() {
    at++;
    expect('(');
    var left = operand();
    blanks();
    var operator = operator();
    Predicate<@Nullable Object> condition;
    if (operator.isEmpty()) {
      condition = element -> !left.find(element).isEmpty();
    } else {
      blanks();
      var right = operand();
      condition = element -> holds(left.find(element), operator, right.find(element));
    }
    blanks();
    expect(')');
    blanks();
    expect(']');
    return new PathStep.Filter(condition);
  }

  private static boolean holds(
      List<@Nullable Object> left, String operator, List<@Nullable Object> right) {
    if (left.isEmpty() || right.isEmpty()) {
      return operator.equals("!=") && left.isEmpty() != right.isEmpty();
    }
    return PathStep.compare(operator, left.get(0), right.get(0));
  }

  private String operator() {
    for (var each : List.of("==", "!=", "<=", ">=", "<", ">")) {
      if (text.startsWith(each, at)) {
        at += each.length();
        return each;
      }
    }
    return "";
  }

  /** One side of a comparison: its values in an element. */
  private interface Operand {
    List<@Nullable Object> find(@Nullable Object element);
  }

  private Operand operand() {
    blanks();
    if (quote(peek())) {
      var constant = quoted();
      return element -> List.of(constant);
    }
    var number = NUMBER.matcher(text).region(at, text.length());
    if (number.lookingAt()) {
      at = number.end();
      Double constant = Double.valueOf(number.group());
      return element -> List.of(constant);
    }
    for (var truth : List.of(true, false)) {
      if (word(truth.toString())) {
        return element -> List.of(truth);
      }
    }
    var path = path();
    return element -> path.find(element, element);
  }

  /** A name. A backslash escapes the character after it. */
  private String name() {
    var name = new StringBuilder();
    while (at < text.length() && !ends(peek())) {
      if (peek() == '\\' && at + 1 < text.length()) {
        at++;
      }
      name.append(text.charAt(at++));
    }
    return name.toString();
  }

  private String quoted() {
    char mark = text.charAt(at++);
    var value = new StringBuilder();
    while (peek() != mark) {
      if (at >= text.length()) {
        throw bad("a quote is not closed");
      }
      char next = text.charAt(at++);
      if (next == '\\' && at < text.length()) {
        char escaped = text.charAt(at++);
        next =
            switch (escaped) {
              case 'n' -> '\n';
              case 't' -> '\t';
              case 'r' -> '\r';
              default -> escaped;
            };
      }
      value.append(next);
    }
    at++;
    return value.toString();
  }

  private boolean word(String word) {
    int end = at + word.length();
    if (text.startsWith(word, at) && (end == text.length() || ends(text.charAt(end)))) {
      at = end;
      return true;
    }
    return false;
  }

  private void close() {
    blanks();
    expect('}');
  }

  private void expect(char wanted) {
    if (!taken(wanted)) {
      throw bad("'" + wanted + "' is missing");
    }
  }

  private boolean taken(char wanted) {
    if (peek() != wanted) {
      return false;
    }
    at++;
    return true;
  }

  private void blanks() {
    while (at < text.length() && Character.isWhitespace(peek())) {
      at++;
    }
  }

  private static boolean quote(char c) {
    return c == '\'' || c == '"';
  }

  private static boolean ends(char c) {
    return c == 0 || NAME_ENDS.indexOf(c) >= 0;
  }

  private char peek() {
    return at < text.length() ? text.charAt(at) : 0;
  }

  private JsonPathException bad(String problem) {
    return new JsonPathException(text, at, problem);
  }
}
