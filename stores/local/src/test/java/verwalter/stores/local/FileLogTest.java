package verwalter.stores.local;

import java.time.InstantSource;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.stores.engine.Log;
import verwalter.stores.logkit.LogContract;
import verwalter.stores.logkit.LogMedium;

class FileLogTest extends LogContract {
  private static final long LOG_BYTES = 500;

  private static final InstantSource CLOCK = new VirtualWorld(1).clock();

  @Override
  protected LogMedium newMedium() {
    return new Medium(new CrashDisk());
  }

  /** A directory on a disk that loses bytes that were not forced. */
  private record Medium(CrashDisk disk) implements LogMedium {
    private static final AtomicLong UIDS = new AtomicLong();

    @Override
    public Log open() {
      return new FileLog(
          disk, () -> {}, LOG_BYTES, Runnable::run, CLOCK, () -> "store" + UIDS.incrementAndGet());
    }

    @Override
    public int steps() {
      return disk.points();
    }

    @Override
    public void failAt(int step) {
      disk.crashAt(step);
    }

    @Override
    public void refuseNext() {
      disk.failAfter(0, "No space left on device");
    }

    @Override
    public LogMedium afterCrash(long seed) {
      var random = new Random(seed);
      var losses = CrashDisk.Loss.values();
      return new Medium(disk.afterCrash(losses[random.nextInt(losses.length)], random));
    }

    private String last() {
      return Inventory.of(disk.names()).logs().lastEntry().getValue();
    }

    @Override
    public void tear() {
      var name = last();
      var whole = disk.content(name);
      var torn = Arrays.copyOf(whole, whole.length + 20);
      torn[whole.length + 3] = 60; // the length of a frame that is not there
      disk.put(name, torn);
    }

    @Override
    public boolean loseOne() {
      var files = Inventory.of(disk.names());
      var logs = files.logsAfter(files.beginning());
      if (logs.size() < 2) {
        return false;
      }
      disk.forget(logs.firstEntry().getValue());
      return true;
    }
  }
}
