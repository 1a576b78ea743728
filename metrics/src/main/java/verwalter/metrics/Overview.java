package verwalter.metrics;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of the last round.
 *
 * @param at when the round began
 */
record Overview(Instant at, Figures figures, List<Scraper.Scrape> scrapes) {
  static final Overview NONE = new Overview(Instant.EPOCH, Figures.NONE, List.of());

  private static final int MOST_SERIES = 5_000;

  Overview {
    scrapes = List.copyOf(scrapes);
  }

  /** All values as JSON, including the newest value of each series. */
  Map<String, Object> shown(Metrics.Host host, SeriesHistory history, Instant now) {
    var shown = new LinkedHashMap<String, Object>();
    shown.put("timestamp", at.toEpochMilli());
    shown.put("nodes", List.of(node(host)));
    shown.put("processes", figures.processes().stream().map(each -> process(host, each)).toList());
    shown.put("endpoints", scrapes.stream().map(each -> endpoint(host, each)).toList());
    var size = history.size();
    shown.put(
        "history",
        Map.of(
            "series", (long) size.series(),
            "bytes", size.bytes(),
            "limit_bytes", size.mostBytes(),
            "evicted", size.evicted(),
            "refused", size.refused()));
    series(history, now, shown);
    return shown;
  }

  private Map<String, Object> node(Metrics.Host host) {
    var node = new LinkedHashMap<String, Object>();
    node.put("name", host.node());
    node.put("cpus", (long) host.cpus());
    figures.cpuPercent().ifPresent(percent -> node.put("cpu_percent", percent));
    node.put("memory_used_bytes", figures.memoryUsed());
    node.put("memory_bytes", figures.memoryTotal());
    node.put("load_avg_1min", figures.load());
    node.put("disk_used_bytes", figures.diskUsed());
    node.put("disk_bytes", figures.diskTotal());
    return node;
  }

  private static Map<String, Object> process(Metrics.Host host, Figures.Running process) {
    var shown = new LinkedHashMap<String, Object>();
    shown.put("name", process.target().slot());
    shown.put("node", host.node());
    shown.put("role", process.target().role());
    shown.put("pid", process.target().pid());
    process.cpuPercent().ifPresent(percent -> shown.put("cpu_percent", percent));
    shown.put("memory_bytes", process.memory());
    shown.put("restarts", process.target().restarts());
    return shown;
  }

  private static Map<String, Object> endpoint(Metrics.Host host, Scraper.Scrape scrape) {
    var shown = new LinkedHashMap<String, Object>();
    shown.put("process", scrape.slot());
    shown.put("node", host.node());
    shown.put("url", scrape.endpoint().toString());
    shown.put("samples", (long) scrape.samples());
    shown.put("malformed_lines", (long) scrape.malformed());
    if (!scrape.problem().isEmpty()) {
      shown.put("problem", scrape.problem());
    }
    return shown;
  }

  private static void series(SeriesHistory history, Instant now, Map<String, Object> shown) {
    var found = RuleQuery.all(history, now);
    var items = new ArrayList<>(found.subList(0, Math.min(found.size(), MOST_SERIES)));
    shown.put("series", items);
    shown.put("series_left_off", (long) (found.size() - items.size()));
  }
}
