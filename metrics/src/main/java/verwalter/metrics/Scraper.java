package verwalter.metrics;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import verwalter.concurrent.Loop;

/**
 * Fetches the metrics of processes in rounds: several at a time, the least recently fetched first,
 * until the round ends. Confined to its loop.
 */
final class Scraper {
  private static final int AT_A_TIME = 64;

  /**
   * The time after which no fetch is started. Fetches in progress take at most {@link Fetch#TIME}
   * longer.
   */
  private static final Duration ROUND = SeriesHistory.PERIOD.minusMillis(Fetch.TIME + 500);

  private final Loop loop;
  private final Fetch fetch;
  private Map<String, Instant> asked = new HashMap<>();

  Scraper(Loop loop, Fetch fetch) {
    this.loop = loop;
    this.fetch = fetch;
  }

  /**
   * The result of fetching the metrics of a process.
   *
   * @param samples number of samples
   * @param malformed number of malformed lines
   * @param problem the problem; empty if there is none
   */
  record Scrape(
      String slot, ScrapeTarget.Endpoint endpoint, int samples, int malformed, String problem) {}

  /**
   * Runs a round. The future never fails.
   *
   * @param record receives the samples of each answer, off the loop
   */
  Future<List<Scrape>> round(
      List<ScrapeTarget> targets, BiConsumer<ScrapeTarget, List<Sample>> record) {
    var round = new Round(loop.now().plus(ROUND), record);
    targets.stream()
        .filter(target -> target.endpoint().isPresent())
        .sorted(Comparator.comparing(target -> asked.getOrDefault(target.slot(), Instant.EPOCH)))
        .forEach(round.waiting::add);
    var known = new HashMap<String, Instant>();
    round.waiting.forEach(
        target -> {
          var last = asked.get(target.slot());
          if (last != null) {
            known.put(target.slot(), last);
          }
        });
    asked = known;
    round.fill();
    return round.done.future();
  }

  /** A round in progress. */
  private final class Round {
    private final Deque<ScrapeTarget> waiting = new ArrayDeque<>();
    private final List<Scrape> scrapes = new ArrayList<>();
    private final Promise<List<Scrape>> done = Promise.promise();
    private final Instant until;
    private final BiConsumer<ScrapeTarget, List<Sample>> record;
    private int busy;

    Round(Instant until, BiConsumer<ScrapeTarget, List<Sample>> record) {
      this.until = until;
      this.record = record;
    }

    void fill() {
      while (busy < AT_A_TIME && !waiting.isEmpty() && loop.now().isBefore(until)) {
        ask(waiting.remove());
      }
      if (busy == 0) {
        done.tryComplete(scrapes);
      }
    }

    private void ask(ScrapeTarget target) {
      busy++;
      asked.put(target.slot(), loop.now());
      var endpoint = target.endpoint().orElseThrow();
      fetch
          .get(endpoint.port(), endpoint.path())
          .compose(text -> loop.offload(() -> take(target, endpoint, text)))
          .otherwise(
              failure ->
                  new Scrape(target.slot(), endpoint, 0, 0, String.valueOf(failure.getMessage())))
          .onSuccess(
              scrape ->
                  loop.execute(
                      () -> {
                        scrapes.add(scrape);
                        busy--;
                        fill();
                      }));
    }

    private Scrape take(ScrapeTarget target, ScrapeTarget.Endpoint endpoint, String text) {
      var read = ExpositionReader.read(text);
      record.accept(target, read.samples().stream().map(said -> labelled(target, said)).toList());
      return new Scrape(
          target.slot(), endpoint, read.samples().size(), read.malformed(), read.problem());
    }
  }

  /**
   * Adds the target's labels to a sample. A label of the application with the same name becomes
   * {@code exported_NAME}, so that a process cannot report metrics for another one.
   */
  static Sample labelled(ScrapeTarget target, Exposition.Said said) {
    var labels = new TreeMap<String, String>();
    said.labels()
        .forEach(
            (name, value) -> {
              boolean ours = name.equals(Labels.METRIC) || target.labels().containsKey(name);
              labels.put(ours ? "exported_" + name : name, value);
            });
    labels.putAll(target.labels());
    labels.put(Labels.METRIC, said.name());
    return new Sample(Labels.of(labels), said.counter(), said.value());
  }
}
