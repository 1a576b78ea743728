package verwalter.stores.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Simulates cluster stores with faults. Each seed is another run. */
class StoreSimulationTest {
  private static final int SEEDS = Integer.getInteger("simulation.stores.seeds", 500);

  @Test
  void noAcknowledgedWriteIsLostOrDoubled() throws IOException {
    long acknowledged = 0;
    long crashes = 0;
    long fetched = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      var simulation = new StoreSimulation(seed);
      try {
        simulation.run();
      } catch (AssertionError | RuntimeException failure) {
        throw new AssertionError("seed " + seed, failure);
      }
      acknowledged += simulation.acknowledged();
      crashes += simulation.crashes();
      fetched += simulation.fetched();
    }
    assertThat(acknowledged).isGreaterThan(20L * SEEDS);
    assertThat(crashes).isGreaterThan(SEEDS);
    assertThat(fetched).isGreaterThan(SEEDS / 10);
  }
}
