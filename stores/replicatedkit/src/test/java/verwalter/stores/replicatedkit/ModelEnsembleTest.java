package verwalter.stores.replicatedkit;

import java.time.Duration;
import org.junit.jupiter.api.Nested;
import verwalter.concurrent.testkit.VirtualWorld;

class ModelEnsembleTest {
  @Nested
  class Fast extends ReplicatedLogContract {
    @Override
    protected Ensemble newEnsemble() {
      return new ModelEnsemble(new VirtualWorld(1), Duration.ofMillis(1));
    }
  }

  @Nested
  class Slow extends ReplicatedLogContract {
    @Override
    protected Ensemble newEnsemble() {
      return new ModelEnsemble(new VirtualWorld(2), Duration.ofSeconds(3));
    }
  }
}
