package verwalter.stores.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.OptionalLong;
import java.util.Random;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.testkit.ObjectStoreContract;

/** Tests a store on a disk that loses unforced data, with a writer that runs like a loop. */
class LocalStoreTest extends ObjectStoreContract {
  private CrashDisk disk = new CrashDisk();
  private Options options = Options.DEFAULT;

  @Override
  protected EpochStore newStore(VirtualWorld world, int history) {
    disk = new CrashDisk();
    options = new Options(new HistoryLimit(history, 64 << 20), 1 << 20, Options.DEFAULT.bytes());
    return open();
  }

  @Override
  protected EpochStore reopened(EpochStore store) {
    disk = disk.afterCrash(CrashDisk.Loss.ALL, new Random(1));
    return open();
  }

  private EpochStore open() {
    try {
      return LocalStore.open(disk, options, world.loop("disk"), world.clock(), world.uids());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  protected OptionalLong visited(ObjectStore store) {
    return OptionalLong.of(((LocalStore) store).figures().visited());
  }
}
