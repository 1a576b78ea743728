package verwalter.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The values of one process. A process that used no processor time and no memory since it was last
 * measured is not measured again for {@link #REST}: hundreds of idle processes would otherwise cost
 * more than the rest of an idle agent. Its last values stay valid meanwhile.
 *
 * @param target the process
 * @param stat its state in the kernel, as text; empty if it has ended
 * @param ticks its processor time
 * @param at when it was measured
 * @param resting whether nothing had changed then
 * @param cpu the percentage of one processor that it used before; empty if it is unknown
 * @param memory its resident memory in bytes
 */
record ProcessSamples(
    ScrapeTarget target,
    String stat,
    double ticks,
    Instant at,
    boolean resting,
    Optional<Double> cpu,
    long memory,
    List<Sample> samples) {
  /** How long the values of a process without changes are used. */
  static final Duration REST = Duration.ofSeconds(15);

  /** CPU ticks per second in {@code /proc}. */
  private static final double HERTZ = 100;

  /**
   * Measures a process.
   *
   * @param before its previous values; null if there are none
   */
  static ProcessSamples of(
      ScrapeTarget target, ProcReader proc, Instant now, @Nullable ProcessSamples before) {
    var known = before != null && before.target.equals(target) ? before : null;
    if (known != null && known.rests(now)) {
      return known;
    }
    var stat = proc.stat(target.pid());
    if (known != null && !stat.isEmpty() && stat.equals(known.stat)) {
      return known.unchanged(now);
    }
    return measured(target, proc, stat, now, known);
  }

  private boolean rests(Instant now) {
    return resting && !now.isBefore(at) && Duration.between(at, now).compareTo(REST) < 0;
  }

  /** The same values, and no processor time since then. */
  private ProcessSamples unchanged(Instant now) {
    boolean used = cpu.isEmpty() || cpu.get() != 0;
    var same = used ? idle() : samples;
    return new ProcessSamples(target, stat, ticks, now, true, Optional.of(0.0), memory, same);
  }

  private List<Sample> idle() {
    var idle = new ArrayList<>(samples);
    idle.removeIf(sample -> "cpu_percent".equals(sample.labels().get(Labels.METRIC)));
    idle.add(sample(target, "cpu_percent", false, 0));
    return List.copyOf(idle);
  }

  private static ProcessSamples measured(
      ScrapeTarget target,
      ProcReader proc,
      String stat,
      Instant now,
      @Nullable ProcessSamples before) {
    var samples = new ArrayList<Sample>();
    var counters = proc.counters(target.pid(), stat);
    var gauges = proc.gauges(target.pid());
    counters.forEach((name, value) -> samples.add(sample(target, name, true, value)));
    gauges.forEach((name, value) -> samples.add(sample(target, name, false, value)));
    samples.add(restarts(target));
    double ticks =
        counters.getOrDefault("user_time", 0.0) + counters.getOrDefault("system_time", 0.0);
    var cpu =
        before == null || before.stat.isEmpty() || !counters.containsKey("user_time")
            ? Optional.<Double>empty()
            : percent(ticks - before.ticks, Duration.between(before.at, now));
    cpu.ifPresent(percent -> samples.add(sample(target, "cpu_percent", false, percent)));
    return new ProcessSamples(
        target,
        stat,
        ticks,
        now,
        false,
        cpu,
        gauges.getOrDefault("rss", 0.0).longValue(),
        List.copyOf(samples));
  }

  private static Optional<Double> percent(double ticks, Duration time) {
    double seconds = time.toMillis() / 1000.0;
    return ticks >= 0 && seconds > 0
        ? Optional.of(100 * ticks / HERTZ / seconds)
        : Optional.empty();
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
