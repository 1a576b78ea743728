package verwalter.stores.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.stores.api.EpochStore;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.testkit.ObjectStoreContract;

/** Tests a store on a real disk, with short logs so that reopening reads snapshots too. */
class LocalStoreOnFilesTest extends ObjectStoreContract {
  @TempDir Path directory = Path.of("");
  private final List<LocalStore> stores = new ArrayList<>();
  private HistoryLimit limit = HistoryLimit.DEFAULT;

  @Override
  protected EpochStore newStore(VirtualWorld world, int history) {
    limit = new HistoryLimit(history, 64 << 20);
    return open(directory.resolve("store" + stores.size()));
  }

  @Override
  protected EpochStore reopened(EpochStore store) {
    ((LocalStore) store).close();
    return open(directory.resolve("store0"));
  }

  private EpochStore open(Path at) {
    try {
      var options = new Options(limit, 3000, Options.DEFAULT.bytes());
      var store = LocalStore.open(at, options, Runnable::run, world.clock(), world.uids());
      stores.add(store);
      return store;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @AfterEach
  void closeAll() {
    stores.forEach(LocalStore::close);
  }
}
