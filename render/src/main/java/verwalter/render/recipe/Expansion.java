package verwalter.render.recipe;

import java.util.regex.Pattern;

/**
 * Substitutes {@code {{ name }}} in commands: {@code role}, {@code files.NAME} for the path of a
 * rendered file, and {@code config_dir}, which upstream does not have, for the configuration
 * directory. Other text in double braces is kept, except that an unknown name is an error. The name
 * of a file may contain any characters but blanks and braces.
 */
public final class Expansion {
  static final String CONFIG_DIRECTORY = "config_dir";

  static final Pattern NAME =
      Pattern.compile(
          "\\{\\{\\s*(files\\.[^\\s{}]+|[\\w.]+)\\s*\\}\\}", Pattern.UNICODE_CHARACTER_CLASS);

  /** The value of a name. */
  @FunctionalInterface
  public interface Names<X extends Exception> {
    String value(String name) throws X;
  }

  public static <X extends Exception> String expand(String text, Names<X> names) throws X {
    var matcher = NAME.matcher(text);
    var result = new StringBuilder();
    int from = 0;
    while (matcher.find()) {
      result.append(text, from, matcher.start()).append(names.value(matcher.group(1)));
      from = matcher.end();
    }
    return result.append(text, from, text.length()).toString();
  }

  /**
   * The beginning of a text before the first substitution, with the machine's constants already
   * substituted.
   */
  public static <X extends Exception> String constantPart(String text, Names<X> names) throws X {
    var matcher = NAME.matcher(text);
    var result = new StringBuilder();
    int from = 0;
    while (matcher.find()) {
      result.append(text, from, matcher.start());
      if (!matcher.group(1).equals(CONFIG_DIRECTORY)) {
        return result.toString();
      }
      result.append(names.value(CONFIG_DIRECTORY));
      from = matcher.end();
    }
    return result.append(text, from, text.length()).toString();
  }

  private Expansion() {}
}
