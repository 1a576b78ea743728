package verwalter.metrics;

import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor;
import verwalter.model.ProcessGroup;
import verwalter.model.Reason;
import verwalter.model.ResourceKey;
import verwalter.model.RoleConfig;
import verwalter.model.Schedule;
import verwalter.model.json.Json;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Selection;

/**
 * Collects the metrics of one node: every five seconds it measures the machine and its processes,
 * and fetches the metrics that processes publish. Confined to its loop, except for {@link #answer}
 * and {@link #newest}.
 */
public final class Metrics implements AutoCloseable {
  /** The memory that series may take by default, in bytes. */
  public static final long MEMORY = 32L << 20;

  private static final ResourceKey SCHEDULE = Schedule.KIND.key(Schedule.CURRENT);

  private final ObjectStore store;
  private final Loop loop;
  private final MetricsProblems problems;
  private final Host host;
  private final Sampler sampler;
  private final Scraper scraper;
  private final SeriesHistory history;
  private final Map<String, String> seen = new HashMap<>();
  private final Map<String, String> reported = new HashMap<>();
  private volatile Overview overview = Overview.NONE;
  private Map<String, String> badRules = Map.of(); // guarded by this
  private TimedExecutor.@Nullable Timer next;
  private boolean busy;
  private boolean closed;

  /**
   * The machine that is measured.
   *
   * @param node its name
   * @param cpus number of processors
   * @param proc usually {@code /proc}
   * @param storage any file of the file system whose free space is reported
   * @param memory memory limit of all series in bytes
   */
  public record Host(String node, int cpus, Path proc, Path storage, long memory) {}

  /** Creates metrics. Collection begins with {@link #start}. */
  public Metrics(ObjectStore store, Loop loop, MetricsProblems problems, Host host, Fetch fetch) {
    this.store = store;
    this.loop = loop;
    this.problems = problems;
    this.host = host;
    this.sampler = new Sampler(host.proc(), host.storage());
    this.scraper = new Scraper(loop, fetch);
    this.history = new SeriesHistory(host.memory());
  }

  /** Starts to collect. */
  public void start() {
    loop.execute(this::round);
  }

  @Override
  public void close() {
    loop.execute(
        () -> {
          closed = true;
          if (next != null) {
            next.cancel();
          }
        });
  }

  private void round() {
    if (closed) {
      return;
    }
    next = loop.after(SeriesHistory.PERIOD, this::round);
    if (busy) {
      return; // The machine is too slow: values are missing, but nothing piles up.
    }
    var now = loop.now();
    var tick = history.begin(now);
    if (tick.isEmpty()) {
      return;
    }
    busy = true;
    long at = tick.getAsLong();
    var targets =
        ScrapeTargets.of(
            host.node(),
            store.list(ProcessGroup.KIND, new Selection.Node(host.node())),
            store.list(RoleConfig.KIND));
    var looking =
        loop.offload(
            () -> {
              var figures = sampler.look(targets, now);
              history.record(at, figures.samples(), true);
              return figures;
            });
    var asking = scraper.round(targets, (target, samples) -> history.record(at, samples, false));
    Future.join(looking, asking)
        .onComplete(
            done -> {
              busy = false;
              history.finish(at);
              var figures = looking.succeeded() ? looking.result() : Figures.NONE;
              var scrapes = asking.succeeded() ? asking.result() : List.<Scraper.Scrape>of();
              overview = new Overview(now, figures, scrapes);
              report(targets, scrapes);
            });
  }

  /**
   * Reports a problem of a process's metrics once until it changes. A problem is reported after two
   * consecutive rounds, since a process that has just started may not listen yet.
   */
  private void report(List<ScrapeTarget> targets, List<Scraper.Scrape> scrapes) {
    var results = new HashMap<String, Scraper.Scrape>();
    scrapes.forEach(scrape -> results.put(scrape.slot(), scrape));
    reported.keySet().retainAll(targets.stream().map(ScrapeTarget::slot).toList());
    seen.keySet().retainAll(reported.keySet());
    for (var target : targets) {
      var result = results.get(target.slot());
      if (result == null && target.problem().isEmpty()) {
        continue; // It was not its turn.
      }
      var problem = result == null ? target.problem() : problem(result);
      boolean again = problem.equals(seen.put(target.slot(), problem));
      var before = reported.computeIfAbsent(target.slot(), any -> "");
      if (again && !problem.equals(before)) {
        reported.put(target.slot(), problem);
        if (!problem.isEmpty()) {
          problems.report(
              target.group(),
              Reason.METRICS_UNREADABLE,
              "%s: %s".formatted(target.slot(), problem));
        }
      }
    }
  }

  private static String problem(Scraper.Scrape scrape) {
    if (scrape.problem().isEmpty()) {
      return "";
    }
    return "%s: %s%s"
        .formatted(
            scrape.endpoint(),
            scrape.problem(),
            scrape.malformed() > 0
                ? "; lines left out: %d, the others count".formatted(scrape.malformed())
                : "");
  }

  /**
   * Answers the rules of a schedule from this node's metrics: by rule, in the form that schedulers
   * read. Reports each bad rule once, until the problems change. May be called from any thread.
   *
   * @param queryMetrics the schedule's {@code query_metrics}; without rules the answer is empty
   */
  public Map<String, Object> answer(Map<String, Object> queryMetrics) {
    var answer = RuleQuery.answer(history, queryMetrics, loop.now());
    boolean news;
    synchronized (this) {
      news = !answer.problems().equals(badRules);
      badRules = answer.problems();
    }
    if (news) {
      new TreeMap<>(answer.problems())
          .forEach(
              (rule, why) ->
                  problems.report(
                      SCHEDULE,
                      Reason.BAD_METRICS_RULE,
                      "query_metrics.rules[\"%s\"] %s".formatted(rule, why)));
    }
    return answer.datasets();
  }

  /** The answers below this node's machine id, in the form for schedulers; empty without rules. */
  public Map<String, Object> answers(String machineId, Map<String, Object> queryMetrics) {
    var answer = answer(queryMetrics);
    return Json.object(queryMetrics.get("rules")).isEmpty() ? Map.of() : Map.of(machineId, answer);
  }

  /** The newest values as JSON for display. May be called from any thread. */
  public Map<String, Object> newest() {
    return Json.freeze(overview.shown(host, history, loop.now()));
  }
}
