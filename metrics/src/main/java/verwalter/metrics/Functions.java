package verwalter.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads extracts and functions. */
final class Functions {
  private static final int MOST = 10;

  static Rule.Extract extract(@Nullable Object value) throws BadRule {
    var call = Variant.read(value, "extract");
    return switch (call.name()) {
      case "Tip" -> {
        call.count(0);
        yield new Rule.Tip();
      }
      case "DiffToAtMost" -> new Rule.Diff(call.count(1).points(0));
      case "HistoryByNum" -> new Rule.Newest(call.count(1).points(0));
      case "HistoryByTime" -> new Rule.Back(Duration.ofMillis(call.count(1).millis(0)));
      default ->
          throw call.unknown(List.of("Tip", "DiffToAtMost", "HistoryByNum", "HistoryByTime"));
    };
  }

  static List<Rule.Function> read(@Nullable Object value) throws BadRule {
    // An empty Lua table may arrive as an empty mapping.
    if (value instanceof java.util.Map<?, ?> none && none.isEmpty()) {
      return List.of();
    }
    if (!(value instanceof List<?> list)) {
      throw new BadRule("`functions` is no list; for none write []");
    }
    if (list.size() > MOST) {
      throw new BadRule("has more than %d functions".formatted(MOST));
    }
    var functions = new ArrayList<Rule.Function>();
    for (var each : list) {
      functions.add(function(Variant.read(each, "function")));
    }
    return functions;
  }

  private static Rule.Function function(Variant call) throws BadRule {
    return switch (call.name()) {
      case "NonNegativeDerivative" -> {
        call.count(0);
        yield new Rule.Derivative();
      }
      case "Sum" -> {
        ignore(call.count(1), 0);
        yield new Rule.Sum();
      }
      case "SumBy" -> {
        ignore(call.count(3), 1);
        yield new Rule.SumBy(call.text(0), call.truth(2));
      }
      default -> throw call.unknown(List.of("NonNegativeDerivative", "Sum", "SumBy"));
    };
  }

  private static void ignore(Variant call, int index) throws BadRule {
    if (!call.text(index).equals("Ignore")) {
      throw call.wrong(index, "\"Ignore\", the only way to treat missing values");
    }
  }

  private Functions() {}
}
