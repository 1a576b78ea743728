package verwalter.scheduler.simulation;

import java.time.Duration;

/**
 * The result of one run of a simulation.
 *
 * @param number counted from 0
 * @param nodes number of available nodes
 * @param instances number of instances after the run
 * @param moves number of instances that moved between nodes
 * @param most instances on the node with the most
 * @param mean mean number of instances of a node
 * @param deviation standard deviation of the instances of a node
 * @param instructions cost of the run
 * @param took wall time, the only value that is not deterministic
 * @param problem why the run failed; empty if it succeeded
 */
public record Step(
    int number,
    int nodes,
    long instances,
    long moves,
    long most,
    double mean,
    double deviation,
    long instructions,
    Duration took,
    String problem) {

  public boolean failed() {
    return !problem.isEmpty();
  }

  /**
   * The highest number of instances divided by the mean: 1 is perfect balance; 0 if nothing runs.
   */
  public double imbalance() {
    return mean == 0 ? 0 : most / mean;
  }
}
