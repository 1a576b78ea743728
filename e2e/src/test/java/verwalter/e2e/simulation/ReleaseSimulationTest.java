package verwalter.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Simulates machines that prepare and replace releases, with random commands and faults and with
 * kills before and after each durable write and each external step. {@link ReleaseRules} are
 * checked after every step. A failure names its seed; {@code -Dsimulation.seed=N} runs only that
 * seed.
 */
class ReleaseSimulationTest {
  private static final int SEEDS = Integer.getInteger("simulation.releases.seeds", 50);
  private static final long FIRST = Long.getLong("simulation.first", 1);

  @Test
  void everySeedKeepsTheRulesAndEndsWithTheWantedReleases() throws IOException {
    var only = Optional.ofNullable(Long.getLong("simulation.seed"));
    long end = only.map(it -> it + 1).orElse(FIRST + SEEDS);
    for (long seed = only.orElse(FIRST); seed < end; seed++) {
      var simulation = new ReleaseSimulation(seed);
      try {
        simulation.run();
      } catch (AssertionError | RuntimeException failure) {
        throw new AssertionError(
            "%s failed; repeat it with -Dsimulation.seed=%d: %s%nThe last that happened:%n%s%n%s"
                .formatted(
                    simulation,
                    seed,
                    failure.getMessage(),
                    simulation.trace(),
                    simulation.states()),
            failure);
      }
    }
  }

  @Test
  void theSameSeedGivesTheSameRun() throws IOException {
    assertThat(new ReleaseSimulation(7).run()).isEqualTo(new ReleaseSimulation(7).run());
  }
}
