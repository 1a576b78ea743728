package verwalter.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.model.json.DecodeException;
import verwalter.model.json.Json;

/** The rules, as schedulers write them in JSON, and what they get. */
class RuleQueryTest {
  private static final String SUM = "[\"Sum\",\"Ignore\"]";
  private static final String DERIVATIVE = "[\"NonNegativeDerivative\"]";

  private final SeriesHistory history = new SeriesHistory(32 << 20);
  private Instant now = Instant.ofEpochMilli(1_700_000_000_000L);

  private static Sample counter(String name, double value, String... labels) {
    return sample(true, name, value, labels);
  }

  private static Sample gauge(String name, double value, String... labels) {
    return sample(false, name, value, labels);
  }

  private static Sample sample(boolean counter, String name, double value, String... labels) {
    var map = new TreeMap<String, String>();
    map.put("metric", name);
    for (int i = 0; i < labels.length; i += 2) {
      map.put(labels[i], labels[i + 1]);
    }
    return new Sample(Labels.of(map), counter, value);
  }

  private void round(Sample... samples) {
    now = now.plus(SeriesHistory.PERIOD);
    long tick = history.begin(now).orElseThrow();
    history.record(tick, List.of(samples), false);
    history.finish(tick);
  }

  /** The time so many rounds ago. */
  private long ago(int rounds) {
    return now.minus(SeriesHistory.PERIOD.multipliedBy(rounds)).toEpochMilli();
  }

  private RuleQuery.Answer answer(String rule) {
    try {
      return RuleQuery.answer(
          history, Json.parse("{\"rules\":{\"r\":%s}}".formatted(rule)), now.plusSeconds(3));
    } catch (DecodeException wrong) {
      throw new IllegalArgumentException(wrong);
    }
  }

  private Map<String, Object> ask(String rule) {
    var answer = answer(rule);
    assertThat(answer.problems()).isEmpty();
    return Json.object(answer.datasets().get("r"));
  }

  private String refusal(String rule) {
    var answer = answer(rule);
    assertThat(Json.object(answer.datasets().get("r"))).containsEntry("type", "error");
    return answer.problems().getOrDefault("r", "none");
  }

  private static String fine(String condition, String extract, String... functions) {
    return "{\"series\":{\"source\":\"Fine\",\"condition\":%s},\"extract\":%s,\"functions\":[%s]}"
        .formatted(condition, extract, String.join(",", functions));
  }

  private static String named(String name) {
    return "[\"Eq\",\"metric\",\"%s\"]".formatted(name);
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> items(Map<String, Object> dataset) {
    return (List<Map<String, Object>>) dataset.get("items");
  }

  private void threeRounds() {
    round(counter("req", 10, "pid", "1"), gauge("load", 0.5));
    round(counter("req", 60, "pid", "1"), gauge("load", 2), counter("req", 5, "pid", "2"));
    round(counter("req", 30, "pid", "1"), gauge("load", 1), counter("req", 15, "pid", "2"));
  }

  @Test
  void aTipIsTheNewestValueWithTheRateOfCounters() {
    threeRounds();

    assertThat(ask(fine(named("req"), "[\"Tip\"]")))
        .isEqualTo(
            Map.of(
                "type",
                "multi_tip",
                "items",
                List.of(
                    Map.of(
                        "key",
                        Map.of("metric", "req", "pid", "1"),
                        "value",
                        30L,
                        "timestamp",
                        ago(0),
                        "rate",
                        8.0),
                    Map.of(
                        "key",
                        Map.of("metric", "req", "pid", "2"),
                        "value",
                        15L,
                        "timestamp",
                        ago(0),
                        "rate",
                        2.0))));
  }

  @Test
  void historyIsNewestFirstWithNullForMissingValues() {
    threeRounds();

    assertThat(ask(fine(named("req"), "[\"HistoryByNum\",150]")))
        .isEqualTo(
            Map.of(
                "type",
                "multi_series",
                "items",
                List.of(
                    Map.of(
                        "key", Map.of("metric", "req", "pid", "1"),
                        "values", List.of(30L, 60L, 10L),
                        "timestamps", List.of(ago(0), ago(1), ago(2)),
                        "rate", 8.0),
                    Map.of(
                        "key", Map.of("metric", "req", "pid", "2"),
                        "values", Arrays.asList(15L, 5L, null),
                        "timestamps", List.of(ago(0), ago(1), ago(2)),
                        "rate", 2.0))));
    assertThat(items(ask(fine(named("load"), "[\"HistoryByTime\",6000]"))).get(0))
        .isEqualTo(
            Map.of(
                "key", Map.of("metric", "load"),
                "values", List.of(1L, 2L, 0.5),
                "timestamps", List.of(ago(0), ago(1), ago(2))));
    assertThat(items(ask(fine(named("load"), "[\"HistoryByTime\",5000]"))).get(0))
        .containsEntry("values", List.of(1L, 2L));
  }

  @Test
  void sumsSkipMissingValues() {
    threeRounds();

    assertThat(ask(fine(named("req"), "[\"Tip\"]", SUM)))
        .isEqualTo(
            Map.of(
                "type",
                "single_tip",
                "key",
                Map.of(),
                "value",
                45L,
                "old_timestamp",
                ago(0),
                "new_timestamp",
                ago(0),
                "rate",
                10.0));
    assertThat(ask(fine(named("req"), "[\"HistoryByNum\",3]", SUM)))
        .containsEntry("type", "single_series")
        .containsEntry("key", Map.of())
        .containsEntry("values", List.of(45L, 65L, 10L));
    assertThat(ask(fine(named("load"), "[\"Tip\"]", SUM)))
        .containsEntry("key", Map.of("metric", "load"));
    assertThat(ask(fine(named("none"), "[\"Tip\"]", SUM))).isEmpty();
  }

  @Test
  void aDerivativeIsGrowthPerSecondAndADecreaseIsAReset() {
    threeRounds();

    var series = items(ask(fine(named("req"), "[\"HistoryByNum\",3]", DERIVATIVE)));
    assertThat(series.get(0))
        .containsEntry("values", List.of(6.0, 10.0))
        .containsEntry("timestamps", List.of(ago(0), ago(1)));
    assertThat(series.get(1)).containsEntry("values", Arrays.asList(2.0, null));
    assertThat(ask(fine(named("req"), "[\"HistoryByNum\",3]", DERIVATIVE, SUM)))
        .containsEntry("values", List.of(8.0, 10.0));
    assertThat(items(ask(fine(named("load"), "[\"HistoryByNum\",3]", DERIVATIVE))).get(0))
        .containsEntry("values", Arrays.asList(null, 0.3));
    assertThat(ask(fine(named("req"), "[\"Tip\"]", DERIVATIVE)))
        .isEqualTo(Map.of("type", "error", "error", "incompatible"));
  }

  @Test
  void sumsByALabelHaveATotalIfThereAreSeveral() {
    round(
        counter("req", 1, "role", "a", "pid", "1"),
        counter("req", 2, "role", "a", "pid", "2"),
        counter("req", 4, "role", "b", "pid", "3"),
        counter("req", 8, "pid", "4"));

    var sums = items(ask(fine(named("req"), "[\"Tip\"]", "[\"SumBy\",\"role\",\"Ignore\",true]")));
    assertThat(sums).extracting(item -> item.get("value")).containsExactly(3L, 4L, 7L);
    assertThat(sums)
        .extracting(item -> item.get("key"))
        .containsExactly(Map.of("role", "a"), Map.of("role", "b"), Map.of());
    var series =
        ask(fine(named("req"), "[\"HistoryByNum\",9]", "[\"SumBy\",\"pid\",\"Ignore\",false]"));
    assertThat(series).containsEntry("type", "multi_series");
    assertThat(items(series)).hasSize(4);
  }

  @Test
  void aDifferenceUsesAtMostTheGivenNumberOfValues() {
    round(gauge("m", 1), counter("c", 100));
    round(gauge("m", 3), counter("c", 90));
    round(gauge("m", 7), counter("c", 95));
    round(counter("new", 1));

    assertThat(items(ask(fine(named("m"), "[\"DiffToAtMost\",1]"))).get(0))
        .containsEntry("value", 4L)
        .containsEntry("timestamp", ago(1));
    assertThat(items(ask(fine(named("m"), "[\"DiffToAtMost\",50]"))).get(0))
        .containsEntry("value", 6L);
    assertThat(items(ask(fine(named("c"), "[\"DiffToAtMost\",50]"))).get(0))
        .containsEntry("value", 0L);
    assertThat(ask(fine(named("new"), "[\"DiffToAtMost\",50]"))).isEmpty();
    assertThat(ask(fine(named("m"), "[\"DiffToAtMost\",50]", SUM)))
        .containsEntry("new_timestamp", ago(1))
        .containsEntry("old_timestamp", ago(3));
  }

  @Test
  void anEndedSeriesHasHistoryButNoTip() {
    round(counter("dead", 1));
    round(counter("dead", 2));
    for (int i = 0; i < SeriesHistory.FRESH; i++) {
      round(gauge("alive", 1));
    }

    assertThat(ask(fine(named("dead"), "[\"Tip\"]"))).isEmpty();
    assertThat(ask(fine(named("dead"), "[\"DiffToAtMost\",9]"))).isEmpty();
    assertThat(items(ask(fine(named("dead"), "[\"HistoryByNum\",9]"))).get(0))
        .containsEntry("values", Arrays.asList(null, null, null, 2L, 1L))
        .doesNotContainKey("rate");
  }

  @Test
  void aHistoryThatEndedLongAgoGivesNoAnswer() {
    threeRounds();
    now = now.plusSeconds(60);

    assertThat(ask(fine(named("req"), "[\"Tip\"]"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[\"Eq\",\"metric\",\"memory.MemFree\"]                                    | 1",
        "[\"NotEq\",\"role\",\"web\"]                                              | 1",
        "[\"RegexLike\",\"metric\",\"^memory\\\\.\"]                               | 2",
        "[\"RegexLike\",\"metric\",\"em\"]                                         | 2",
        "[\"RegexLike\",\"none\",\".*\"]                                           | 0",
        "[\"Has\",\"role\"]                                                        | 2",
        "[\"Not\",[\"Has\",\"role\"]]                                              | 2",
        "[\"And\",[\"Has\",\"role\"],[\"Eq\",\"role\",\"db\"]]                     | 1",
        "[\"Or\",[\"Eq\",\"role\",\"web\"],[\"Eq\",\"role\",\"db\"]]               | 2",
        "[\"Or\",[\"Has\",\"role\"],[\"Not\",[\"Eq\",\"role\",\"web\"]]]           | 4",
      })
  void conditionsSelectSeries(String condition, int count) {
    round(
        gauge("memory.MemFree", 1),
        gauge("memory.MemTotal", 2),
        gauge("rss", 3, "role", "web"),
        gauge("rss", 4, "role", "db"));

    var found = ask(fine(condition, "[\"Tip\"]"));

    assertThat(count == 0 ? List.of() : items(found)).hasSize(count);
  }

  @Test
  void shortRulesSelectByMetricAndLabels() {
    for (int i = 0; i < 13; i++) {
      round(
          counter("req_total", 50.0 * i, "role", "web", "process", "a", "code", "200"),
          counter("req_total", 10.0 * i * i, "role", "web", "process", "b", "code", "200"),
          counter("req_total", 5.0 * i, "role", "web", "process", "a", "code", "500"),
          counter("req_total", 9.0 * i, "role", "other", "process", "c", "code", "200"));
    }

    var web = "\"metric\":\"req_total\",\"role\":\"web\",\"labels\":{\"code\":\"200\"}";
    var rates = items(ask("{%s,\"rate\":true}".formatted(web)));
    assertThat(rates).extracting(item -> item.get("value")).containsExactly(10.0, 24.0);
    assertThat(rates).extracting(item -> item.get("rate")).containsExactly(10.0, 24.0);
    assertThat(rates).extracting(item -> item.get("trend")).containsExactly("steady", "growing");
    assertThat(ask("{%s,\"rate\":true,\"sum\":true}".formatted(web)))
        .containsEntry("type", "single_tip")
        .containsEntry("value", 34.0)
        .containsEntry("trend", "growing");
    assertThat(ask("{%s,\"sum\":true,\"rate\":true,\"window\":10}".formatted(web)))
        .containsEntry("value", 10.0 + 44);
    assertThat(items(ask("{\"metric\":\"req_total\",\"by\":\"role\",\"sum\":true}")))
        .extracting(item -> item.get("key"))
        .containsExactly(Map.of("role", "other"), Map.of("role", "web"), Map.of());
    assertThat(items(ask("{%s,\"process\":\"b\",\"history\":10,\"rate\":true}".formatted(web))))
        .singleElement()
        .satisfies(item -> assertThat(item).containsEntry("values", List.of(46.0, 42.0)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "7                                                        | is no mapping",
        "{}                                                       | neither `metric` nor `series`",
        "{\"metric\":7}                                           | `metric` is no text",
        "{\"metric\":\"a\",\"rat\":true}                          | unknown key `rat`",
        "{\"metric\":\"a\",\"rate\":\"yes\"}                      | neither true nor false",
        "{\"metric\":\"a\",\"window\":1}                          | from 10 to 3600",
        "{\"metric\":\"a\",\"labels\":[\"b\"]}                    | `labels` is no mapping",
        "{\"series\":7}                                           | `series` is no mapping",
        "{\"series\":{\"source\":\"Tip\",\"condition\":[\"Has\",\"a\"]}} | asks for texts",
        "{\"series\":{\"source\":\"x\"}}                          | neither \"Fine\" nor \"Tip\"",
      })
  void badRulesAreRefusedWithTheirReason(String rule, String why) {
    assertThat(refusal(rule)).contains(why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[]                                | [\"Tip\"]   |                              | condition",
        "[\"Like\",\"a\",\"b\"]            | [\"Tip\"]   |                              | known are",
        "[\"Eq\",\"a\"]                    | [\"Tip\"]   |                              | takes 2",
        "[\"Eq\",\"a\",1]                  | [\"Tip\"]   |                              | text",
        "[\"RegexLike\",\"a\",\"(\"]       | [\"Tip\"]   |                              | Unclosed",
        "[\"Has\",\"a\"]                   | \"Tip\"     |                              | extract",
        "[\"Has\",\"a\"]                   | [\"Tip\",1] |                              | takes 0",
        "[\"Has\",\"a\"]                   | [\"HistoryByNum\",0] |                     | at least 1",
        "[\"Has\",\"a\"]                   | [\"Tip\"]   | [\"Expect\",1]               | known are",
        "[\"Has\",\"a\"]                   | [\"Tip\"]   | [\"StateChart\",3]           | known are",
        "[\"Has\",\"a\"]                   | [\"Tip\"]   | [\"Sum\"]                    | takes 1",
        "[\"Has\",\"a\"]                   | [\"Tip\"]   | [\"Sum\",\"Zero\"]           | Ignore",
      })
  void badPartsOfRulesAreRefused(String condition, String extract, String function, String why) {
    assertThat(refusal(fine(condition, extract, function == null ? "" : function))).contains(why);
  }

  @Test
  void anInvalidRuleDoesNotAffectOthers() throws DecodeException {
    threeRounds();

    var answer =
        RuleQuery.answer(
            history, Json.parse("{\"rules\":{\"bad\":1,\"good\":{\"metric\":\"load\"}}}"), now);

    assertThat(answer.problems()).containsOnlyKeys("bad");
    assertThat(answer.datasets()).containsOnlyKeys("bad", "good");
  }

  @Test
  void aPatternThatTakesTooLongIsRefused() {
    round(gauge("a".repeat(200), 1));

    assertThat(refusal(fine("[\"RegexLike\",\"metric\",\"(a+)+b\"]", "[\"Tip\"]")))
        .contains("takes too long");
  }

  @Test
  void aTooLargeAnswerIsRefused() {
    var samples = new ArrayList<Sample>();
    for (int i = 0; i < 2_000; i++) {
      samples.add(gauge("m", i, "i", "" + i));
    }
    for (int i = 0; i < 60; i++) {
      round(samples.toArray(Sample[]::new));
    }

    assertThat(refusal("{\"metric\":\"m\",\"history\":3600}")).contains("100000");
    assertThat(ask("{\"metric\":\"m\",\"history\":3600,\"sum\":true}"))
        .containsEntry("type", "single_series");
  }

  @Test
  void noRulesAndEmptyLuaTablesGiveAnEmptyAnswer() {
    assertThat(RuleQuery.answer(history, Map.of(), now).datasets()).isEmpty();
    assertThat(RuleQuery.answer(history, Map.of("rules", List.of()), now).datasets()).isEmpty();
    assertThat(RuleQuery.answer(history, List.of(), now).datasets()).isEmpty();
  }
}
