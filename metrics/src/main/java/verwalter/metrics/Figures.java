package verwalter.metrics;

import java.util.List;
import java.util.Optional;

/**
 * What the machine and its processes were seen to use in one round.
 *
 * @param cpuPercent busy processors, in percent of all of them; missing at first
 * @param memoryUsed total less available, in bytes
 * @param samples all of it as series
 */
record Figures(
    Optional<Double> cpuPercent,
    long memoryTotal,
    long memoryUsed,
    double load,
    long diskTotal,
    long diskUsed,
    List<Running> processes,
    List<Sample> samples) {
  static final Figures NONE = new Figures(Optional.empty(), 0, 0, 0, 0, 0, List.of(), List.of());

  Figures {
    processes = List.copyOf(processes);
    samples = List.copyOf(samples);
  }

  /**
   * One process.
   *
   * @param cpuPercent in percent of one processor; missing at first
   * @param memory resident, in bytes
   */
  record Running(ScrapeTarget target, Optional<Double> cpuPercent, long memory) {}
}
