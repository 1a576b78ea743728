package verwalter.stores.local;

import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.stores.engine.Sink;

/**
 * A small file that names the newest log and an entry that is durable, so that a lost log or a lost
 * end of a log is noticed. It consists of a {@link FileHeader}.
 *
 * <p>It is durable after a log was begun. After each append it is overwritten without a force: a
 * crash of the machine may bring an earlier number back, which is less strict but never wrong. It
 * must not fail a write, so errors are only logged.
 */
final class DurableMarker implements Closeable {
  /** The name of the file. */
  static final String NAME = "durable";

  private static final Logger LOG = LoggerFactory.getLogger(DurableMarker.class);

  private final JournalDisk disk;
  private final String store;
  private final Sink sink = new Sink();
  private JournalDisk.@Nullable Appender file;
  private boolean failing;

  private DurableMarker(JournalDisk disk, String store) {
    this.disk = disk;
    this.store = store;
  }

  /** Reads the marker, if there is one. */
  static Optional<FileHeader> read(JournalDisk disk) throws IOException {
    if (!disk.list().contains(NAME)) {
      return Optional.empty();
    }
    try (var frames = new Frames(disk.read(NAME))) {
      return Optional.of(FileHeader.read(FileHeader.Type.MARKER, NAME, frames));
    }
  }

  /** Creates the marker of a new store. */
  static DurableMarker create(JournalDisk disk, String store, long newestLog, long last) {
    var marker = new DurableMarker(disk, store);
    marker.begun(newestLog, last);
    return marker;
  }

  /** Opens the marker of a store, or creates it. An existing one needs no space on the disk. */
  static DurableMarker open(JournalDisk disk, String store, long newestLog, long last)
      throws IOException {
    var marker = new DurableMarker(disk, store);
    if (disk.list().contains(NAME)) {
      marker.file = disk.append(NAME);
    }
    marker.begun(newestLog, last);
    return marker;
  }

  /** Notes durably that a log was begun, and that the entry {@code last} is durable. */
  void begun(long newestLog, long last) {
    update(newestLog, last, true);
  }

  /** Notes that the entry {@code last} is durable. */
  void durable(long newestLog, long last) {
    update(newestLog, last, false);
  }

  private void update(long newestLog, long last, boolean force) {
    sink.clear();
    new FileHeader(FileHeader.Type.MARKER, store, newestLog, last).write(sink);
    try {
      var present = file;
      if (present == null) {
        file = created();
      } else {
        present.overwrite(sink.bytes());
        if (force) {
          present.force();
        }
      }
      failing = false;
    } catch (IOException failure) {
      if (!failing) {
        LOG.warn(
            "store={} cannot write {}{}; until it can, a loss of logs may not be noticed",
            disk,
            NAME,
            FileLog.reason(failure));
      }
      failing = true;
    }
  }

  private JournalDisk.Appender created() throws IOException {
    var draft = NAME + Inventory.UNFINISHED;
    var created = disk.create(draft);
    try {
      created.write(sink.bytes());
      created.force();
      disk.rename(draft, NAME);
      disk.force();
      return created;
    } catch (IOException failure) {
      created.close();
      disk.delete(draft);
      throw failure;
    }
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
