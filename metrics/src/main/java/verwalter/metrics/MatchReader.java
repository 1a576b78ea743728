package verwalter.metrics;

import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Reads conditions: lists of a name and its arguments. */
final class MatchReader {
  private static final int LONGEST_PATTERN = 256;
  private static final int DEEPEST = 50;

  static Match read(@Nullable Object value) throws BadRule {
    return read(value, 0);
  }

  private static Match read(@Nullable Object value, int depth) throws BadRule {
    if (depth > DEEPEST) {
      throw new BadRule("has conditions nested more than %d deep".formatted(DEEPEST));
    }
    var call = Variant.read(value, "condition");
    return switch (call.name()) {
      case "Eq" -> new Match.Eq(call.count(2).text(0), call.text(1));
      case "NotEq" -> new Match.NotEq(call.count(2).text(0), call.text(1));
      case "RegexLike" -> new Match.Like(call.count(2).text(0), pattern(call.text(1)));
      case "Has" -> new Match.Has(call.count(1).text(0));
      case "Not" -> new Match.Not(read(call.count(1).argument(0), depth + 1));
      case "And" -> new Match.All(both(call, depth));
      case "Or" -> new Match.Any(both(call, depth));
      default -> throw call.unknown(List.of("Eq", "NotEq", "RegexLike", "Has", "Not", "And", "Or"));
    };
  }

  private static List<Match> both(Variant call, int depth) throws BadRule {
    call.count(2);
    return List.of(read(call.argument(0), depth + 1), read(call.argument(1), depth + 1));
  }

  private static Pattern pattern(String text) throws BadRule {
    if (text.length() > LONGEST_PATTERN) {
      throw new BadRule("has a pattern of more than %d characters".formatted(LONGEST_PATTERN));
    }
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException e) {
      throw new BadRule(
          "has the pattern \"%s\", which is none: %s".formatted(text, e.getDescription()));
    }
  }

  private MatchReader() {}
}
