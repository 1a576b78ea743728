package verwalter.scheduler.standard;

import org.junit.jupiter.api.Test;

/**
 * Random clusters, files and histories: nodes join, leave, drain and fall silent, files change
 * during updates, and processes start slowly, crash, or never become ready. {@link Promises} says
 * what holds after each decision of the standard scheduler.
 *
 * <p>{@code -Dstandard.seeds=N} sets the number of histories, {@code -Dstandard.seed=K} runs one.
 */
class StandardSchedulerPropertyTest {
  private static final int SEEDS = Integer.getInteger("standard.seeds", 8);
  private static final int EVENTS = 50;

  @Test
  void keepsItsPromises() throws Exception {
    long only = Long.getLong("standard.seed", 0);
    long last = only == 0 ? SEEDS : only;
    try (var scheduler = Trial.standard()) {
      for (long seed = Math.max(1, only); seed <= last; seed++) {
        var trial = new Trial(seed, scheduler);
        try {
          trial.run(EVENTS);
        } catch (Exception | AssertionError failure) {
          throw new AssertionError(
              "-Dstandard.seed=%d: %s%n%s".formatted(seed, failure.getMessage(), trial.history()),
              failure);
        }
      }
    }
  }
}
