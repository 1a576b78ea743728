package verwalter.agent;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import verwalter.controllers.runtime.Counters;
import verwalter.model.Version;
import verwalter.stores.api.StoreFigures;

/** The agent's own metrics as OpenMetrics text. */
final class OwnMetrics {
  private final StringBuilder text = new StringBuilder();

  /** All families, without the closing {@code # EOF}. */
  static String of(List<Counters.Snapshot> controllers, StoreFigures store) {
    var metrics = new OwnMetrics();
    metrics.controllers(controllers);
    metrics.store(store);
    metrics.process();
    return metrics.text.toString();
  }

  /** Writes epoch and revision separately, since a combined version is too large for a double. */
  private void store(StoreFigures store) {
    store(
        "revision",
        "Revision of the object store, within its epoch.",
        Version.revision(store.revision()));
    store("epoch", "Epoch of the object store.", store.epoch());
    store("objects", "Objects in the store.", store.objects());
    store("bytes", "Estimated memory of objects, indexes and history.", store.bytes());
    store("limit_bytes", "Memory limit; writes that exceed it fail.", store.limit());
    store("history_bytes", "Estimated memory of the history.", store.historyBytes());
    family(
        "verwalter_store_visited",
        "counter",
        "Objects and changes that lists and watches have read.");
    sample("verwalter_store_visited_total", "", store.visited());
  }

  private void store(String what, String help, long value) {
    family("verwalter_store_" + what, "gauge", help);
    sample("verwalter_store_" + what, "", value);
  }

  private void controllers(List<Counters.Snapshot> all) {
    counter(
        all, "reconciles", "Runs that ended, successfully or not.", Counters.Snapshot::reconciles);
    counter(all, "failures", "Runs that failed and are retried.", Counters.Snapshot::failures);
    counter(
        all,
        "conflicts",
        "Runs that ended with a conflict and are repeated.",
        Counters.Snapshot::conflicts);
    gauge(all, "queue_depth", "Keys waiting to be run.", Counters.Snapshot::depth);
    gauge(all, "busy", "Keys being run.", Counters.Snapshot::busy);
    var family = "verwalter_controller_latency_seconds";
    family(family, "histogram", "Duration of runs.");
    for (var each : all) {
      latency(family, each);
    }
  }

  private void latency(String family, Counters.Snapshot of) {
    long sum = 0;
    for (int i = 0; i < of.latency().counts().size(); i++) {
      sum += of.latency().counts().get(i);
      var bound =
          i < of.latency().boundsMillis().size()
              ? seconds(of.latency().boundsMillis().get(i))
              : "+Inf";
      sample(family + "_bucket", label(of) + ",le=\"" + bound + "\"", sum);
    }
    sample(family + "_count", label(of), sum);
    text.append(family)
        .append("_sum{")
        .append(label(of))
        .append("} ")
        .append(seconds(of.latency().sumMillis()))
        .append('\n');
  }

  private void counter(
      List<Counters.Snapshot> all,
      String what,
      String help,
      ToLongFunction<Counters.Snapshot> value) {
    var family = "verwalter_controller_" + what;
    family(family, "counter", help);
    all.forEach(each -> sample(family + "_total", label(each), value.applyAsLong(each)));
  }

  private void gauge(
      List<Counters.Snapshot> all,
      String what,
      String help,
      Function<Counters.Snapshot, Integer> value) {
    var family = "verwalter_controller_" + what;
    family(family, "gauge", help);
    all.forEach(each -> sample(family, label(each), value.apply(each)));
  }

  private void process() {
    var memory = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    family("verwalter_heap_used_bytes", "gauge", "Heap in use.");
    sample("verwalter_heap_used_bytes", "", memory.getUsed());
    family("verwalter_threads", "gauge", "Live threads.");
    sample("verwalter_threads", "", ManagementFactory.getThreadMXBean().getThreadCount());
  }

  private void family(String name, String type, String help) {
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
  }

  private void sample(String name, String labels, long value) {
    text.append(name);
    if (!labels.isEmpty()) {
      text.append('{').append(labels).append('}');
    }
    text.append(' ').append(value).append('\n');
  }

  private static String label(Counters.Snapshot of) {
    return "controller=\"" + of.controller() + "\"";
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.3f", millis / 1000.0);
  }

  private OwnMetrics() {}
}
