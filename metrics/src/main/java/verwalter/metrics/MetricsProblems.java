package verwalter.metrics;

import verwalter.model.Reason;
import verwalter.model.ResourceKey;

/** Where problems with metrics are reported; called from any thread, and never blocks. */
@FunctionalInterface
public interface MetricsProblems {
  /**
   * Reports a problem of an object.
   *
   * @param regarding the object that a user has to change
   * @param message the problem and its place
   */
  void report(ResourceKey regarding, Reason reason, String message);
}
