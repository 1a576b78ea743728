package verwalter.agent;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import verwalter.controllers.schedule.MetricsSource;
import verwalter.model.json.Json;

/**
 * Answers the rules of a schedule from the metrics of all nodes. Other nodes are asked in the
 * background, at most every few seconds and only while there are rules, so an answer of another
 * node is a few seconds old. Thread-safe.
 */
final class MeasuredCluster implements MetricsSource {
  private static final Duration PERIOD = Duration.ofSeconds(4);

  /** Answers that are older are left out. */
  private static final Duration OLDEST = Duration.ofSeconds(20);

  private final Function<Map<String, Object>, Map<String, Object>> own;
  private final Function<Map<String, Object>, Future<Map<String, Object>>> others;
  private final InstantSource clock;
  private Map<String, Object> questions = Map.of(); // these are guarded by this
  private Map<String, Object> received = Map.of();
  private Instant receivedAt = Instant.EPOCH;
  private Instant askedAt = Instant.EPOCH;

  /**
   * Creates a source that has asked nobody.
   *
   * @param own the answers of this node to a schedule's {@code query_metrics}, by machine id
   * @param others the answers of all other nodes
   */
  MeasuredCluster(
      Function<Map<String, Object>, Map<String, Object>> own,
      Function<Map<String, Object>, Future<Map<String, Object>>> others,
      InstantSource clock) {
    this.own = own;
    this.others = others;
    this.clock = clock;
  }

  @Override
  public Map<String, Object> metrics(Map<String, Object> queryMetrics) {
    var here = own.apply(queryMetrics);
    if (Json.object(queryMetrics.get("rules")).isEmpty()) {
      return here;
    }
    var all = new HashMap<String, Object>();
    boolean ask;
    synchronized (this) {
      var now = clock.instant();
      boolean same = queryMetrics.equals(questions);
      ask = !same || !now.isBefore(askedAt.plus(PERIOD));
      if (same && now.isBefore(receivedAt.plus(OLDEST))) {
        all.putAll(received);
      }
      if (ask) {
        questions = queryMetrics;
        askedAt = now;
      }
    }
    if (ask) {
      others.apply(queryMetrics).onSuccess(answers -> receive(queryMetrics, answers));
    }
    all.putAll(here);
    return Json.freeze(all);
  }

  private synchronized void receive(Map<String, Object> asked, Map<String, Object> answers) {
    if (asked.equals(questions)) {
      received = Map.copyOf(answers);
      receivedAt = clock.instant();
    }
  }

  /** The same for a node without a cluster. */
  static MetricsSource of(
      Function<Map<String, Object>, Map<String, Object>> own,
      Optional<NodeExchange> nodes,
      InstantSource clock) {
    return nodes
        .<MetricsSource>map(its -> new MeasuredCluster(own, its::answers, clock))
        .orElse(own::apply);
  }
}
