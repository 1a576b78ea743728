package verwalter.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a short rule, such as {@code {metric = "http_requests_total", role = "web", rate = true}}.
 */
final class ShortRule {
  private static final List<String> LABELS = List.of("role", "process", "daemon", "version");
  private static final List<String> KEYS =
      List.of(
          "metric", "role", "process", "daemon", "version", "labels", "rate", "window", "history",
          "sum", "by");
  private static final long SHORTEST_WINDOW = 10;

  private final Map<?, ?> rule;

  private ShortRule(Map<?, ?> rule) {
    this.rule = rule;
  }

  static Rule read(Map<?, ?> rule) throws BadRule {
    RuleReader.keys(rule, KEYS, "");
    return new ShortRule(rule).rule();
  }

  private Rule rule() throws BadRule {
    var history = seconds("history", 1);
    return new Rule(
        match(),
        history == null ? new Rule.Tip() : new Rule.Back(history),
        functions(),
        truth("rate"),
        window());
  }

  private Match match() throws BadRule {
    var parts = new ArrayList<Match>();
    parts.add(new Match.Eq(Labels.METRIC, text(rule.get("metric"), "metric")));
    for (var label : LABELS) {
      if (rule.containsKey(label)) {
        parts.add(new Match.Eq(label, text(rule.get(label), label)));
      }
    }
    if (rule.containsKey("labels")) {
      if (!(rule.get("labels") instanceof Map<?, ?> labels)) {
        throw new BadRule("`labels` is no mapping of names to texts");
      }
      for (var each : labels.entrySet()) {
        var name = String.valueOf(each.getKey());
        parts.add(new Match.Eq(name, text(each.getValue(), "labels." + name)));
      }
    }
    return new Match.All(parts);
  }

  private List<Rule.Function> functions() throws BadRule {
    boolean sum = truth("sum");
    if (!rule.containsKey("by")) {
      return sum ? List.of(new Rule.Sum()) : List.of();
    }
    return List.of(new Rule.SumBy(text(rule.get("by"), "by"), sum));
  }

  private Duration window() throws BadRule {
    var given = seconds("window", SHORTEST_WINDOW);
    return given == null ? Rule.WINDOW : given;
  }

  private @Nullable Duration seconds(String key, long least) throws BadRule {
    if (!rule.containsKey(key)) {
      return null;
    }
    long most = SeriesHistory.SPAN.toSeconds();
    if (rule.get(key) instanceof Number number
        && number.doubleValue() >= least
        && number.doubleValue() <= most) {
      return Duration.ofMillis((long) (number.doubleValue() * 1000));
    }
    throw new BadRule("`%s` is not a number of seconds from %d to %d".formatted(key, least, most));
  }

  private boolean truth(String key) throws BadRule {
    if (!rule.containsKey(key)) {
      return false;
    }
    if (rule.get(key) instanceof Boolean truth) {
      return truth;
    }
    throw new BadRule("`%s` is neither true nor false".formatted(key));
  }

  private static String text(@Nullable Object value, String key) throws BadRule {
    if (value instanceof String text) {
      return text;
    }
    throw new BadRule("`%s` is no text".formatted(key));
  }
}
