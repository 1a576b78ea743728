package verwalter.stores.local;

import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import verwalter.stores.engine.Sink;
import verwalter.stores.engine.Snapshot;

/** Reads and writes snapshot files: a header, and the blocks of a {@link Snapshot} in frames. */
final class Snapshots {
  /**
   * Writes a snapshot and deletes obsolete files.
   *
   * @param stopped polled to cancel the write
   * @throws CancellationException if stopped; no snapshot was written then
   */
  static void write(JournalDisk disk, String store, Snapshot snapshot, BooleanSupplier stopped)
      throws IOException {
    publish(disk, store, snapshot, stopped);
    clean(disk);
  }

  /** Writes a snapshot. It gets its name once it is durable. */
  static void publish(JournalDisk disk, String store, Snapshot snapshot, BooleanSupplier stopped)
      throws IOException {
    var name = Inventory.snapshot(snapshot.index());
    var draft = name + Inventory.UNFINISHED;
    try {
      draft(disk, draft, store, snapshot, stopped);
    } catch (IOException failure) {
      disk.delete(draft); // frees space on a full disk
      throw failure;
    }
    disk.rename(draft, name);
    disk.force();
  }

  private static void draft(
      JournalDisk disk, String draft, String store, Snapshot snapshot, BooleanSupplier stopped)
      throws IOException {
    try (var file = disk.create(draft)) {
      var sink = new Sink();
      new FileHeader(FileHeader.Type.SNAPSHOT, store, snapshot.index(), snapshot.version())
          .write(sink);
      snapshot.write(
          block -> {
            int begin = Framing.begin(sink);
            sink.raw(block);
            Framing.end(sink, begin);
            file.write(sink.bytes());
            sink.clear();
            if (stopped.getAsBoolean()) {
              throw new CancellationException();
            }
          });
      file.force();
    }
  }

  /** Deletes obsolete files. */
  static void clean(JournalDisk disk) throws IOException {
    for (var name : Inventory.of(disk.list()).obsolete()) {
      disk.delete(name);
    }
  }

  private Snapshots() {}
}
