package verwalter.metrics;

import java.util.HashMap;
import java.util.Map;
import verwalter.metrics.ExpositionReader.Malformed;

/** Parses a line with a sample: name, labels and value. */
final class SampleLine {
  private static final int LONGEST_NUMBER = 64;

  private final String line;
  private int at;

  SampleLine(String line) {
    this.line = line;
    skipBlanks();
  }

  String name() throws Malformed {
    return name(true);
  }

  private String name(boolean colons) throws Malformed {
    int from = at;
    while (at < line.length() && isNameChar(line.charAt(at), at > from, colons)) {
      at++;
    }
    if (at == from) {
      throw new Malformed(
          "has no name of a %s at column %d".formatted(colons ? "metric" : "label", at + 1));
    }
    if (at - from > ExpositionReader.LONGEST_NAME) {
      throw new Malformed("has a name of more than %d characters".formatted(at - from - 1));
    }
    return line.substring(from, at);
  }

  private static boolean isNameChar(char c, boolean later, boolean colons) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || c == '_'
        || (colons && c == ':')
        || (later && c >= '0' && c <= '9');
  }

  Map<String, String> labels() throws Malformed {
    var labels = new HashMap<String, String>();
    skipBlanks();
    if (peek() != '{') {
      return labels;
    }
    at++;
    skipBlanks();
    while (peek() != '}') {
      var name = name(false);
      skipBlanks();
      expect('=');
      skipBlanks();
      if (labels.put(name, quoted()) != null) {
        throw new Malformed("has the label %s twice".formatted(name));
      }
      if (labels.size() > ExpositionReader.MOST_LABELS) {
        throw new Malformed("has more than %d labels".formatted(ExpositionReader.MOST_LABELS));
      }
      skipBlanks();
      if (peek() == ',') {
        at++;
        skipBlanks();
      } else if (peek() != '}') {
        throw new Malformed("lacks a comma or } at column %d".formatted(at + 1));
      }
    }
    at++;
    return labels;
  }

  private String quoted() throws Malformed {
    expect('"');
    var value = new StringBuilder();
    while (peek() != '"') {
      if (at >= line.length()) {
        throw new Malformed("has a label whose value does not end");
      }
      char c = line.charAt(at++);
      value.append(c == '\\' && at < line.length() ? unescaped(line.charAt(at++)) : c);
    }
    at++;
    if (value.length() > ExpositionReader.LONGEST_VALUE) {
      throw new Malformed(
          "has a label with more than %d characters".formatted(ExpositionReader.LONGEST_VALUE));
    }
    return value.toString();
  }

  /** Resolves an escaped character. An undefined escape is the character itself. */
  private static char unescaped(char escaped) {
    return escaped == 'n' ? '\n' : escaped;
  }

  /** Reads the value. A following time or exemplar is skipped. */
  double value() throws Malformed {
    skipBlanks();
    int from = at;
    while (at < line.length() && line.charAt(at) != ' ' && line.charAt(at) != '\t') {
      at++;
    }
    if (at == from) {
      throw new Malformed("has no value");
    }
    var word = line.substring(from, Math.min(at, from + LONGEST_NUMBER));
    return switch (word) {
      case "+Inf", "Inf", "+inf", "inf" -> Double.POSITIVE_INFINITY;
      case "-Inf", "-inf" -> Double.NEGATIVE_INFINITY;
      case "NaN", "nan" -> Double.NaN;
      default -> number(word);
    };
  }

  /**
   * Parses a number. Refuses hexadecimal digits and suffixes such as {@code 1f}, which Java
   * accepts.
   */
  private static double number(String word) throws Malformed {
    try {
      if (word.chars().allMatch(c -> "0123456789+-.eE".indexOf(c) >= 0)) {
        return Double.parseDouble(word);
      }
    } catch (NumberFormatException not) {
      // said below
    }
    throw new Malformed("has a value that is no number");
  }

  private char peek() {
    return at < line.length() ? line.charAt(at) : '\n';
  }

  private void expect(char c) throws Malformed {
    if (peek() != c) {
      throw new Malformed("lacks %s at column %d".formatted(c, at + 1));
    }
    at++;
  }

  private void skipBlanks() {
    while (peek() == ' ' || peek() == '\t') {
      at++;
    }
  }
}
