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

/**
 * Measures the machine and its processes. Blocks, so call it off the loop. Not thread-safe, since
 * it stores the values of the previous round.
 */
final class Sampler {
  private static final Set<String> IDLE = Set.of("idle", "iowait");

  /** Guest times are included in user times. */
  private static final Set<String> COUNTED_ELSEWHERE = Set.of("guest", "guest_nice");

  private final ProcReader proc;
  private final Path storage;
  private Map<String, Double> cpuBefore = Map.of();
  private Map<Long, ProcessSamples> known = Map.of();

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
    var next = new HashMap<Long, ProcessSamples>();
    var processes = new ArrayList<Figures.Running>();
    for (var target : targets) {
      var measured = ProcessSamples.of(target, proc, now, known.get(target.pid()));
      next.put(target.pid(), measured);
      samples.addAll(measured.samples());
      processes.add(new Figures.Running(target, measured.cpu(), measured.memory()));
    }
    known = next;
    return processes;
  }
}
