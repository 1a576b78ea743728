package verwalter.render.engine.legacy.trimmer;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.Locale;
import java.util.Map;

/** Checks or changes a printed value. */
sealed interface TrimmerFilter {

  /** The built-in filters. */
  Map<String, TrimmerFilter> BUILTIN =
      Map.of(
          "builtin.html_entities", new HtmlEntities(),
          "builtin.quoted_shell_argument", new ShellArgument());

  String apply(int at, String text, TrimmerRendering in);

  /** Accepts a text that matches as a whole. Takes linear time. */
  record Validator(String name, Pattern pattern, long size) implements TrimmerFilter {
    private static final int LONGEST = 1000;
    private static final int LARGEST = 2000;

    static Validator of(int at, String name, String regex) {
      try {
        if (regex.length() > LONGEST) {
          throw new FailureAt(at, "this regular expression is longer than " + LONGEST);
        }
        long size = RegexSize.of(regex);
        if (size > LARGEST) {
          throw new FailureAt(at, "this regular expression repeats too much");
        }
        return new Validator(name, Pattern.compile(regex), size);
      } catch (PatternSyntaxException e) {
        throw new FailureAt(at, "not a regular expression: " + e.getMessage());
      }
    }

    @Override
    public String apply(int at, String text, TrimmerRendering in) {
      in.steps(at, text.length() * size / 100);
      if (!pattern.matches(text)) {
        throw new FailureAt(
            at,
            "the value does not match the validator `" + name + "`, which is " + pattern.pattern());
      }
      return text;
    }
  }

  /** Escapes text for HTML and for attribute values. */
  record HtmlEntities() implements TrimmerFilter {
    @Override
    public String apply(int at, String text, TrimmerRendering in) {
      var escaped = new StringBuilder();
      for (int i = 0; i < text.length(); i++) {
        char letter = text.charAt(i);
        if ("&<>\"'/`".indexOf(letter) < 0) {
          escaped.append(letter);
        } else {
          escaped.append(entity(letter));
        }
      }
      return escaped.toString();
    }

    private static String entity(char letter) {
      return switch (letter) {
        case '&' -> "&amp;";
        case '<' -> "&lt;";
        case '>' -> "&gt;";
        case '"' -> "&quot;";
        default -> "&#x" + Integer.toHexString(letter).toLowerCase(Locale.ROOT) + ";";
      };
    }
  }

  /** Quotes the value as one word for a POSIX shell. */
  record ShellArgument() implements TrimmerFilter {
    @Override
    public String apply(int at, String text, TrimmerRendering in) {
      return "'" + text.replace("'", "'\"'\"'") + "'";
    }
  }
}
