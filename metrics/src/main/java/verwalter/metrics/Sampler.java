package verwalter.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Measures the machine and its processes. Blocks, so call it off the loop. Not thread-safe, since
 * it stores the CPU times of the previous round.
 */
final class Sampler {
  /** CPU ticks per second in {@code /proc}. */
  private static final double HERTZ = 100;

  private static final Set<String> IDLE = Set.of("idle", "iowait");

  /** Guest times are included in user times. */
  private static final Set<String> COUNTED_ELSEWHERE = Set.of("guest", "guest_nice");

  private final ProcReader proc;
  private final Path storage;
  private Map<String, Double> cpuBefore = Map.of();
  private Map<Long, Double> ticksBefore = Map.of();
  private Instant before = Instant.EPOCH;

  /**
   * Creates a sampler without a previous round.
   *
   * @param storage any file of the measured file system
   */
  Sampler(Path proc, Path storage) {
    this.proc = new ProcReader(proc);
    this.storage = storage;
  }

  /** Takes one measurement. */
  Figures look(List<ScrapeTarget> targets, Instant now) {
    var samples = new ArrayList<Sample>();
    var memory = proc.memory();
    memory.forEach((name, bytes) -> samples.add(Sample.gauge("memory." + name, bytes)));
    var load = proc.load();
    load.forEach((name, value) -> samples.add(Sample.gauge(name, value)));
    proc.uptime().forEach((name, value) -> samples.add(Sample.gauge(name, value)));
    proc.disks().forEach((device, values) -> disk(device, values, samples));
    var cpu = cpu(samples);
    long total = room(samples, "total");
    long available = room(samples, "available");
    var processes = processes(targets, now, samples);
    before = now;
    double all = memory.getOrDefault("MemTotal", 0.0);
    return new Figures(
        cpu,
        (long) all,
        (long) (all - memory.getOrDefault("MemAvailable", all)),
        load.getOrDefault("load_avg_1min", 0.0),
        total,
        total - available,
        processes,
        samples);
  }

  private Optional<Double> cpu(List<Sample> samples) {
    var cpu = proc.cpu();
    cpu.forEach((name, ticks) -> samples.add(Sample.counter("cpu." + name, ticks)));
    double idle = 0;
    double all = 0;
    for (var each : cpu.entrySet()) {
      double ticks = each.getValue() - cpuBefore.getOrDefault(each.getKey(), 0.0);
      if (!COUNTED_ELSEWHERE.contains(each.getKey())) {
        all += ticks;
        idle += IDLE.contains(each.getKey()) ? ticks : 0;
      }
    }
    boolean first = cpuBefore.isEmpty();
    cpuBefore = cpu;
    if (first || all <= 0) {
      return Optional.empty();
    }
    double percent = Math.max(0, Math.min(100, 100 * (all - idle) / all));
    samples.add(Sample.gauge("cpu.percent", percent));
    return Optional.of(percent);
  }

  private static void disk(String device, Map<String, Double> values, List<Sample> samples) {
    values.forEach(
        (name, value) ->
            samples.add(
                new Sample(
                    Labels.of(Map.of(Labels.METRIC, name, "device", device)),
                    !name.equals("disk.in_progress"),
                    value)));
  }

  /** Space of the file system of the storage in bytes; 0 if it is unknown. */
  private long room(List<Sample> samples, String what) {
    try {
      var files = Files.getFileStore(storage);
      long bytes = what.equals("total") ? files.getTotalSpace() : files.getUsableSpace();
      samples.add(
          new Sample(
              Labels.of(Map.of(Labels.METRIC, "filesystem." + what, "path", storage.toString())),
              false,
              bytes));
      return bytes;
    } catch (IOException unknown) {
      return 0;
    }
  }

  private List<Figures.Running> processes(
      List<ScrapeTarget> targets, Instant now, List<Sample> samples) {
    double seconds = (now.toEpochMilli() - before.toEpochMilli()) / 1000.0;
    var ticksNow = new HashMap<Long, Double>();
    var processes = new ArrayList<Figures.Running>();
    for (var target : targets) {
      var counters = proc.counters(target.pid());
      var gauges = proc.gauges(target.pid());
      counters.forEach((name, value) -> samples.add(sample(target, name, true, value)));
      gauges.forEach((name, value) -> samples.add(sample(target, name, false, value)));
      samples.add(restarts(target));
      Optional<Double> cpu = Optional.empty();
      if (counters.containsKey("user_time")) {
        double ticks =
            counters.getOrDefault("user_time", 0.0) + counters.getOrDefault("system_time", 0.0);
        ticksNow.put(target.pid(), ticks);
        var last = ticksBefore.get(target.pid());
        if (last != null && last <= ticks && seconds > 0) {
          cpu = Optional.of(100 * (ticks - last) / HERTZ / seconds);
        }
      }
      cpu.ifPresent(percent -> samples.add(sample(target, "cpu_percent", false, percent)));
      processes.add(new Figures.Running(target, cpu, gauges.getOrDefault("rss", 0.0).longValue()));
    }
    ticksBefore = ticksNow;
    return processes;
  }

  private static Sample sample(ScrapeTarget target, String metric, boolean counter, double value) {
    var labels = new TreeMap<>(target.labels());
    labels.put(Labels.METRIC, metric);
    return new Sample(Labels.of(labels), counter, value);
  }

  /** The counter of restarts, whose series continues with the next process. */
  private static Sample restarts(ScrapeTarget target) {
    var labels = new TreeMap<>(target.labels());
    labels.remove("pid");
    labels.put(Labels.METRIC, "restarts");
    return new Sample(Labels.of(labels), true, target.restarts());
  }
}
