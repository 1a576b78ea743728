package verwalter.controllers.metrics;

import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import verwalter.concurrent.Loop;
import verwalter.controllers.runtime.Events;
import verwalter.model.Event;
import verwalter.model.ProcessGroup;
import verwalter.model.Reason;
import verwalter.model.ResourceKey;
import verwalter.model.RoleConfig;
import verwalter.model.Schedule;
import verwalter.model.json.Json;
import verwalter.stores.api.ObjectStore;

/**
 * Keeps the metrics of one node: every five seconds it looks at the machine, its processes, and
 * what these say of themselves. Confined to its loop, but for {@link #answer} and {@link #newest}.
 */
public final class Metrics implements AutoCloseable {
  /** The memory that series may take if nobody says otherwise, in bytes. */
  public static final long MEMORY = 32L << 20;

  private static final String NAME = "metrics";
  private static final ResourceKey SCHEDULE = Schedule.KIND.key(Schedule.CURRENT);

  private final ObjectStore store;
  private final Loop loop;
  private final Events events;
  private final Host host;
  private final Sampler sampler;
  private final Scraper scraper;
  private final History history;
  private final Map<String, String> seen = new HashMap<>();
  private final Map<String, String> told = new HashMap<>();
  private volatile Overview overview = Overview.NONE;
  private Map<String, String> badRules = Map.of(); // guarded by this
  private Loop.@Nullable Timer next;
  private boolean busy;
  private boolean closed;

  /**
   * Where it looks.
   *
   * @param node its name
   * @param cpus how many processors it has
   * @param proc usually {@code /proc}
   * @param storage any file of the file system whose room counts
   * @param memory that series may take, in bytes
   */
  public record Host(String node, int cpus, Path proc, Path storage, long memory) {}

  /** One that does not look yet. */
  public Metrics(ObjectStore store, Loop loop, Events events, Host host, Fetch fetch) {
    this.store = store;
    this.loop = loop;
    this.events = events;
    this.host = host;
    this.sampler = new Sampler(host.proc(), host.storage());
    this.scraper = new Scraper(loop, fetch);
    this.history = new History(host.memory());
  }

  /** Begins to look. */
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
    next = loop.after(History.PERIOD, this::round);
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
        Targets.of(host.node(), store.list(ProcessGroup.KIND), store.list(RoleConfig.KIND));
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
              tell(targets, scrapes);
            });
  }

  /**
   * Says what is wrong with the metrics of each process, once until it is something else. What is
   * wrong only once is nothing: who has just been started need not listen yet.
   */
  private void tell(List<Target> targets, List<Scraper.Scrape> scrapes) {
    var results = new HashMap<String, Scraper.Scrape>();
    scrapes.forEach(scrape -> results.put(scrape.slot(), scrape));
    told.keySet().retainAll(targets.stream().map(Target::slot).toList());
    seen.keySet().retainAll(told.keySet());
    for (var target : targets) {
      var result = results.get(target.slot());
      if (result == null && target.problem().isEmpty()) {
        continue; // It was not its turn.
      }
      var problem = result == null ? target.problem() : problem(result);
      boolean again = problem.equals(seen.put(target.slot(), problem));
      var before = told.computeIfAbsent(target.slot(), any -> "");
      if (again && !problem.equals(before)) {
        told.put(target.slot(), problem);
        if (!problem.isEmpty()) {
          events.report(
              NAME,
              target.group(),
              Event.Type.WARNING,
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
   * What this node says to the rules of a schedule: by rule, as schedulers see it. Says of bad
   * rules in an event why they are, once until something else is wrong. May be called from any
   * thread.
   *
   * @param queryMetrics the schedule's {@code query_metrics}; without rules nothing is answered
   */
  public Map<String, Object> answer(Map<String, Object> queryMetrics) {
    var answer = Query.answer(history, queryMetrics, loop.now());
    boolean news;
    synchronized (this) {
      news = !answer.problems().equals(badRules);
      badRules = answer.problems();
    }
    if (news) {
      new TreeMap<>(answer.problems())
          .forEach(
              (rule, why) ->
                  events.report(
                      NAME,
                      SCHEDULE,
                      Event.Type.WARNING,
                      Reason.BAD_METRICS_RULE,
                      "query_metrics.rules[\"%s\"] %s".formatted(rule, why)));
    }
    return answer.datasets();
  }

  /** The same as schedulers see it, below this node's machine id; empty without rules. */
  public Map<String, Object> answers(String machineId, Map<String, Object> queryMetrics) {
    var answer = answer(queryMetrics);
    return Json.object(queryMetrics.get("rules")).isEmpty() ? Map.of() : Map.of(machineId, answer);
  }

  /** The newest values for people, as JSON. May be called from any thread. */
  public Map<String, Object> newest() {
    return Json.freeze(overview.shown(host, history, loop.now()));
  }
}
