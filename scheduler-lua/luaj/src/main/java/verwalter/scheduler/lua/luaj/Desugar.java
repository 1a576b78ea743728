package verwalter.scheduler.lua.luaj;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import verwalter.scheduler.lua.syntax.Operator;
import verwalter.scheduler.lua.syntax.Rewrite;

/**
 * Rewrites Lua 5.3 source as 5.2 source and keeps every token on its line: {@code a // b} becomes a
 * call of a function that is a field of every string (see {@link Operators}), which can be reached
 * with any {@code _ENV}.
 */
final class Desugar {
  /**
   * The replacement of some characters. Of two at one position, the longer span is the outer one.
   */
  private record Edit(int at, int drop, String insert, boolean closing, int span) {}

  static String rewrite(String source, List<Rewrite> rewrites) {
    if (rewrites.isEmpty()) {
      return source;
    }
    var edits = new ArrayList<Edit>();
    for (var rewrite : rewrites) {
      if (rewrite instanceof Rewrite.Infix infix) {
        infix(infix, edits);
      } else if (rewrite instanceof Rewrite.Prefix prefix) {
        int span = prefix.end() - prefix.start();
        edits.add(new Edit(prefix.start(), 1, "((\"\")[\"~1\"](", false, span));
        edits.add(new Edit(prefix.end(), 0, "))", true, 0));
      } else if (rewrite instanceof Rewrite.Quoted quoted) {
        int span = quoted.end() - quoted.start();
        var literal = literal(quoted.value(), source.substring(quoted.start(), quoted.end()));
        edits.add(new Edit(quoted.start(), span, literal, false, 0));
      }
    }
    edits.sort(
        Comparator.comparingInt(Edit::at)
            .thenComparing(edit -> !edit.closing)
            .thenComparing(Comparator.comparingInt(Edit::span).reversed()));
    return apply(source, edits);
  }

  private static void infix(Rewrite.Infix infix, List<Edit> edits) {
    int length =
        switch (infix.operator()) {
          case IDIV, SHL, SHR -> 2;
          default -> 1;
        };
    var call = "((\"\")[\"" + symbol(infix.operator()) + "\"](";
    edits.add(new Edit(infix.start(), 0, call, false, infix.end() - infix.start()));
    edits.add(new Edit(infix.operatorAt(), length, ",", false, 0));
    edits.add(new Edit(infix.end(), 0, "))", true, 0));
  }

  static String symbol(Operator operator) {
    return switch (operator) {
      case IDIV -> "//";
      case BAND -> "&";
      case BOR -> "|";
      case BXOR -> "~";
      case SHL -> "<<";
      case SHR -> ">>";
      default -> throw new IllegalArgumentException("Lua 5.2 has " + operator);
    };
  }

  private static String apply(String source, List<Edit> edits) {
    var result = new StringBuilder(source.length() + edits.size() * 12);
    int done = 0;
    for (var edit : edits) {
      result.append(source, done, edit.at).append(edit.insert);
      done = edit.at + edit.drop;
    }
    return result.append(source, done, source.length()).toString();
  }

  private static String literal(String value, String raw) {
    var literal = new StringBuilder("\"");
    for (int i = 0; i < value.length(); i++) {
      literal.append(String.format("\\%03d", (int) value.charAt(i)));
    }
    long lines = raw.chars().filter(c -> c == '\n').count();
    return literal + (lines > 0 ? "\\z" + "\n".repeat((int) lines) : "") + "\"";
  }

  private Desugar() {}
}
