package verwalter.stores.api;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Splits a selector into tokens. Blanks between tokens are ignored. */
final class SelectorScanner {
  private static final Pattern BLANK = Pattern.compile("\\s*");

  /** As in Kubernetes: an optional domain and a slash, then a name of at most 63 characters. */
  private static final Pattern KEY =
      Pattern.compile(
          "(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?/)?"
              + "[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?(?![A-Za-z0-9._/-])");

  private static final Pattern VALUE =
      Pattern.compile("(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?(?![A-Za-z0-9._-])");

  private static final Pattern PATH = Pattern.compile("[A-Za-z0-9_/-]+(?:\\.[A-Za-z0-9_/-]+)*+");

  /** Possessive, as a greedy group needs a stack frame for each character. */
  private static final Pattern ESCAPED = Pattern.compile("(?:[^,=\\\\]|\\\\[,=\\\\])*+");

  private final String what;
  private final String text;
  private int position;

  SelectorScanner(String what, String text) {
    this.what = what;
    this.text = text;
    skipBlanks();
  }

  boolean atEnd() {
    return position == text.length();
  }

  boolean sees(String token) {
    return text.startsWith(token, position);
  }

  boolean skip(String token) {
    if (!sees(token)) {
      return false;
    }
    position += token.length();
    skipBlanks();
    return true;
  }

  /** Skips a word that is not followed by a letter. */
  boolean skipWord(String word) {
    int end = position + word.length();
    boolean whole = end >= text.length() || !Character.isLetterOrDigit(text.charAt(end));
    return whole && skip(word);
  }

  void expect(String token) {
    if (!skip(token)) {
      throw malformed("'" + token + "'");
    }
  }

  void expectEnd(String expected) {
    if (!atEnd()) {
      throw malformed(expected);
    }
  }

  String key() {
    return take(KEY, "the name of a label");
  }

  String value() {
    return take(VALUE, "a value of at most 63 letters, digits, '.', '_' and '-'");
  }

  List<String> path() {
    return List.of(take(PATH, "the path of a field, such as metadata.name").split("\\.", -1));
  }

  String escapedValue() {
    return take(ESCAPED, "a value").strip().replaceAll("\\\\(.)", "$1");
  }

  Selectors.Malformed malformed(String expected) {
    return new Selectors.Malformed(what, text, position + 1, expected);
  }

  private String take(Pattern pattern, String expected) {
    var found = at(pattern);
    if (!found.lookingAt()) {
      throw malformed(expected);
    }
    position = found.end();
    skipBlanks();
    return found.group();
  }

  private void skipBlanks() {
    var blank = at(BLANK);
    position = blank.lookingAt() ? blank.end() : position;
  }

  private Matcher at(Pattern pattern) {
    return pattern.matcher(text).region(position, text.length()).useTransparentBounds(true);
  }
}
