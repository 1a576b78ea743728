package verwalter.metrics;

import java.util.List;
import java.util.Optional;

/**
 * The resource use of the machine and its processes in one round.
 *
 * @param cpuPercent CPU use in percent of all processors; absent in the first round
 * @param memoryUsed total minus available memory, in bytes
 * @param samples all values as samples
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
   * A process.
   *
   * @param cpuPercent CPU use in percent of one processor; absent in the first round
   * @param memory resident memory in bytes
   */
  record Running(ScrapeTarget target, Optional<Double> cpuPercent, long memory) {}
}
