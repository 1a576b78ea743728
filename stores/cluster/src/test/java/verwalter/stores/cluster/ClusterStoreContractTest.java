package verwalter.stores.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.local.Options;
import verwalter.stores.replicatedkit.ModelEnsemble;
import verwalter.stores.testkit.ObjectStoreContract;

/** Tests a cluster store over the model of a replicated log. A crash may lose some of its copy. */
class ClusterStoreContractTest extends ObjectStoreContract {
  private Elector elector;

  @Override
  protected EpochStore newStore(VirtualWorld world, int history) {
    var options =
        new Options(new HistoryLimit(history, 64 << 20), 1 << 20, Options.DEFAULT.bytes());
    var ensemble = new ModelEnsemble(world, Duration.ZERO); // the contract compares times
    elector = new Elector(world, ensemble, List.of(), "a", ClusterOptions.DEFAULT.with(options));
    return started();
  }

  private EpochStore started() {
    try {
      elector.start();
      return elector.store();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  protected EpochStore reopened(EpochStore store) {
    elector.crash();
    var again = started();
    world.runFor(Duration.ofSeconds(2));
    return again;
  }

  @Override
  protected OptionalLong visited(ObjectStore store) {
    return OptionalLong.of(((ClusterStore) store).figures().visited());
  }
}
