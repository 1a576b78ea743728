package verwalter.metrics;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads rules of schedules: in cantal's form or in the short form. */
final class RuleReader {
  private static final String SERIES = "series";
  private static final List<String> KEYS = List.of(SERIES, "extract", "functions");

  static Rule read(@Nullable Object value) throws BadRule {
    if (!(value instanceof Map<?, ?> rule)) {
      throw new BadRule("is no mapping");
    }
    if (rule.containsKey(SERIES)) {
      return cantal(rule);
    }
    if (rule.containsKey("metric")) {
      return ShortRule.read(rule);
    }
    throw new BadRule("has neither `metric` nor `series`");
  }

  private static Rule cantal(Map<?, ?> rule) throws BadRule {
    keys(rule, KEYS, "");
    if (!(rule.get(SERIES) instanceof Map<?, ?> series)) {
      throw new BadRule("`series` is no mapping");
    }
    keys(series, List.of("source", "condition"), "`series` ");
    var source = series.get("source");
    if (!"Fine".equals(source)) {
      throw new BadRule(
          "Tip".equals(source)
              ? "asks for texts (source Tip), of which this node has none; numbers are in Fine"
              : "source is neither \"Fine\" nor \"Tip\"");
    }
    return new Rule(
        MatchReader.read(series.get("condition")),
        Functions.extract(rule.get("extract")),
        Functions.read(rule.get("functions")),
        false,
        Rule.WINDOW);
  }

  /** Refuses unknown keys, which are probably misspelled. */
  static void keys(Map<?, ?> of, List<String> known, String where) throws BadRule {
    for (var key : of.keySet()) {
      if (!known.contains(String.valueOf(key))) {
        throw new BadRule("%shas the unknown key `%s`; known are %s".formatted(where, key, known));
      }
    }
  }

  private RuleReader() {}
}
