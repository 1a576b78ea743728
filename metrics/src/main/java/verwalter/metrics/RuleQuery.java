package verwalter.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.Json;

/**
 * Answers the rules of a schedule's {@code query_metrics} from a history. Pure, except that it
 * marks used series.
 */
final class RuleQuery {
  /** The limit of rules. */
  static final int MOST_RULES = 200;

  /** The limit of values of all answers, since they become part of the scheduler's input. */
  static final int MOST_VALUES = 100_000;

  private final SeriesHistory history;
  private final Instant now;
  private int values;

  private RuleQuery(SeriesHistory history, Instant now) {
    this.history = history;
    this.now = now;
  }

  /**
   * The answers to rules.
   *
   * @param datasets the result of each rule, or its error; absent without a result
   * @param problems the errors of invalid rules, by rule
   */
  record Answer(Map<String, Object> datasets, Map<String, String> problems) {
    Answer {
      datasets = Json.freeze(datasets);
      problems = Json.freeze(problems);
    }
  }

  /**
   * Answers all valid rules.
   *
   * @param queryMetrics the rules in the form {@code {rules = {NAME = rule}}}
   */
  static Answer answer(SeriesHistory history, @Nullable Object queryMetrics, Instant now) {
    var rules = Json.object(Json.object(queryMetrics).get("rules"));
    var query = new RuleQuery(history, now);
    var datasets = new LinkedHashMap<String, Object>();
    var problems = new LinkedHashMap<String, String>();
    int count = 0;
    for (var each : rules.entrySet()) {
      try {
        if (++count > MOST_RULES) {
          throw new BadRule("comes after %d others; no more are answered".formatted(MOST_RULES));
        }
        query.answer(each.getKey(), RuleReader.read(each.getValue()), datasets);
      } catch (BadRule | Match.TooSlow bad) {
        var why = String.valueOf(bad.getMessage());
        problems.put(each.getKey(), why);
        datasets.put(each.getKey(), Map.of("type", "error", "error", why));
      }
    }
    return new Answer(datasets, problems);
  }

  /** The newest value of each series that has not ended. */
  static List<Map<String, Object>> all(SeriesHistory history, Instant now) {
    var rule = new Rule(new Match.All(List.of()), new Rule.Tip(), List.of(), false, Rule.WINDOW);
    try {
      var all = history.peek(rule.match(), depth(rule), now);
      return new RuleQuery(history, now)
          .extract(rule, all).items().stream().map(Dataset::tip).toList();
    } catch (BadRule tooMany) {
      return List.of();
    }
  }

  private void answer(String name, Rule rule, Map<String, Object> to) throws BadRule {
    var view = history.select(rule.match(), depth(rule), now);
    var found = extract(rule, view);
    for (var function : rule.functions()) {
      if (function instanceof Rule.Derivative) {
        if (found.tips()) {
          to.put(name, Map.of("type", "error", "error", "incompatible"));
          return;
        }
        found = found.derived();
      } else if (function instanceof Rule.SumBy by) {
        found = found.summedBy(by.label(), by.total());
      } else {
        found = found.summed();
      }
    }
    if (found.items().isEmpty()) {
      return;
    }
    values += found.size();
    if (values > MOST_VALUES) {
      values -= found.size();
      throw new BadRule(
          "gives %d values, more than is left of %d for all rules; add up, or ask for a shorter time"
              .formatted(found.size(), MOST_VALUES));
    }
    to.put(name, found.shown());
  }

  /** The number of ticks that the rule needs. */
  private static int depth(Rule rule) {
    int points = SeriesHistory.FRESH;
    if (rule.extract() instanceof Rule.Diff diff) {
      points += diff.points();
    } else if (rule.extract() instanceof Rule.Newest newest) {
      points = Math.max(points, newest.points());
    } else if (rule.extract() instanceof Rule.Back back) {
      points = Math.max(points, ticks(back.span()));
    }
    return Math.max(points, ticks(rule.window()));
  }

  private static int ticks(Duration span) {
    return (int) Math.min(SeriesHistory.POINTS, span.dividedBy(SeriesHistory.PERIOD) + 2);
  }

  private Dataset extract(Rule rule, SeriesView view) {
    var items = new ArrayList<Dataset.Item>();
    int window = view.within(rule.window());
    boolean stale =
        view.times().length == 0
            || now.toEpochMilli() - view.times()[0]
                > SeriesHistory.PERIOD.multipliedBy(SeriesHistory.FRESH).toMillis();
    for (var line : view.lines()) {
      var movement = Movement.of(line, line.counter() || rule.asRate(), view.times(), window);
      boolean gone = stale || line.age() >= SeriesHistory.FRESH;
      if (rule.extract() instanceof Rule.Newest newest) {
        items.add(
            series(rule, view, line, Math.min(newest.points(), view.times().length), movement));
      } else if (rule.extract() instanceof Rule.Back back) {
        items.add(series(rule, view, line, view.within(back.span()), movement));
      } else if (!gone && rule.extract() instanceof Rule.Diff diff) {
        difference(view, line, diff.points(), movement, items);
      } else if (!gone) {
        tip(rule, view, line, movement, items);
      }
    }
    items.removeIf(item -> allMissing(item.values()));
    boolean tips = rule.extract() instanceof Rule.Tip || rule.extract() instanceof Rule.Diff;
    return new Dataset(tips, false, items);
  }

  private static void tip(
      Rule rule, SeriesView view, SeriesView.Line line, Movement movement, List<Dataset.Item> to) {
    long at = view.times()[line.age()];
    double value = rule.asRate() ? movement.rate() : line.values()[line.age()];
    to.add(
        new Dataset.Item(
            line.labels(), new double[] {value}, new long[] {at, at}, !rule.asRate(), movement));
  }

  /** The newest value minus the oldest known one among the given number of values before it. */
  private static void difference(
      SeriesView view, SeriesView.Line line, int points, Movement movement, List<Dataset.Item> to) {
    int newest = line.age();
    int oldest = Math.min(newest + points, view.times().length - 1);
    while (oldest > newest && Double.isNaN(line.values()[oldest])) {
      oldest--;
    }
    if (oldest > newest) {
      double difference = line.values()[newest] - line.values()[oldest];
      to.add(
          new Dataset.Item(
              line.labels(),
              new double[] {line.counter() ? Math.max(0, difference) : difference},
              new long[] {view.times()[newest], view.times()[oldest]},
              true,
              movement));
    }
  }

  private static Dataset.Item series(
      Rule rule, SeriesView view, SeriesView.Line line, int count, Movement movement) {
    var values = Arrays.copyOf(line.values(), count);
    var times = Arrays.copyOf(view.times(), count);
    if (!rule.asRate()) {
      return new Dataset.Item(line.labels(), values, times, true, movement);
    }
    return new Dataset.Item(
        line.labels(),
        Rate.steps(values, times),
        Arrays.copyOf(times, Math.max(0, count - 1)),
        false,
        movement);
  }

  private static boolean allMissing(double[] values) {
    return Arrays.stream(values).allMatch(Double::isNaN);
  }
}
