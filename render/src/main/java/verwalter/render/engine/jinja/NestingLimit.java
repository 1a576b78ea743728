package verwalter.render.engine.jinja;

import java.util.Optional;
import java.util.regex.Pattern;
import verwalter.render.RenderProblem;

/** Refuses expressions with deeply nested brackets, for which jinjava's parser takes very long. */
final class NestingLimit {
  private static final int DEPTH = 50;

  private static final Pattern STRING = Pattern.compile("\"[^\"]*\"|'[^']*'");

  /** The first tag or output whose expression is nested too deeply. */
  static Optional<RenderProblem> problem(String template, String text) {
    var code = new JinjaCode(text);
    while (code.find()) {
      if (depth(STRING.matcher(text.substring(code.start(), code.end())).replaceAll("")) > DEPTH) {
        int start = text.lastIndexOf('\n', code.start()) + 1;
        int line = 1 + (int) text.substring(0, start).chars().filter(c -> c == '\n').count();
        int column = 1 + text.codePointCount(start, code.start());
        return Optional.of(new RenderProblem(template, line, column, "is nested too deeply"));
      }
    }
    return Optional.empty();
  }

  private static int depth(String code) {
    int depth = 0;
    int deepest = 0;
    for (int i = 0; i < code.length(); i++) {
      char letter = code.charAt(i);
      if (letter == '(' || letter == '[' || letter == '{') {
        deepest = Math.max(deepest, ++depth);
      } else if (letter == ')' || letter == ']' || letter == '}') {
        depth--;
      }
    }
    return deepest;
  }

  private NestingLimit() {}
}
