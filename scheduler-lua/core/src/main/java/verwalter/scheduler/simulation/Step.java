package verwalter.scheduler.simulation;

import java.time.Duration;

/**
 * What one run of a simulation came to.
 *
 * @param number counted from 0
 * @param nodes how many nodes were there
 * @param instances how many instances there are afterwards
 * @param moves instances that one node lost and another gained
 * @param most instances on the fullest node
 * @param mean instances on a node on average
 * @param deviation standard deviation of the instances on a node
 * @param instructions what the run cost
 * @param took wall time; the only thing that is not the same every time
 * @param problem why the run failed; empty if it did not
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

  /** The fullest node compared with the average: 1 is perfect balance; 0 if nothing runs. */
  public double imbalance() {
    return mean == 0 ? 0 : most / mean;
  }
}
