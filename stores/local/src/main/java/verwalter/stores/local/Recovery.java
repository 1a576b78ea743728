package verwalter.stores.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.NavigableMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a store's files back.
 *
 * <p>It begins with the last snapshot but one and follows the logs from there, so that the recent
 * past comes back with the objects. Everything is read, and found in order, before anything is
 * changed. What a crash may have left is put right: unfinished files are deleted, and a torn end of
 * the last log is cut off and kept beside it as {@code log.N.OFFSET.cut}. Anything else is for a
 * human to look at, and refused.
 */
final class Recovery {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  /** Where the last log ends, and what a crash left behind that. */
  private record End(String log, long offset, ByteBuffer torn) {}

  private final Disk disk;
  private final HistoryLimit limit;
  private final Inventory files;
  private @Nullable String store;

  private Recovery(Disk disk, HistoryLimit limit) throws IOException {
    this.disk = disk;
    this.limit = limit;
    this.files = Inventory.of(disk.list());
  }

  /**
   * Opens what is on the disk, or begins a store where nothing is.
   *
   * @param uids names a store that begins
   * @throws OpenException if that is not possible; then nothing was changed
   */
  static Recovered run(Disk disk, HistoryLimit limit, Supplier<String> uids) throws IOException {
    return new Recovery(disk, limit).run(uids);
  }

  private Recovered run(Supplier<String> uids) throws IOException {
    if (files.logs().isEmpty() && files.snapshots().isEmpty()) {
      deleteUnfinished();
      var journal = Journal.begin(disk, uids.get(), 1);
      return new Recovered(State.EMPTY, new History(limit, 0), journal);
    }
    var replay = new Replay(limit, files.beginning());
    readSnapshot(replay);
    var end = readLogs(replay);
    var state = replay.state();
    decodeSome(state);
    deleteUnfinished();
    cut(end);
    var journal = Journal.resume(disk, known(), end.log(), end.offset());
    Snapshots.clean(disk);
    return new Recovered(state, replay.history(), journal);
  }

  /** Decodes one object of each kind: should this version not know them, it says so now. */
  private static void decodeSome(State state) throws IOException {
    try {
      state.kinds().values().forEach(kind -> kind.visitAfter("", (name, each) -> decode(each)));
    } catch (UncheckedIOException unknown) {
      throw unknown.getCause();
    }
  }

  private static boolean decode(Stored first) {
    var unused = first.resource();
    return false;
  }

  private void readSnapshot(Replay replay) throws IOException {
    long beginning = files.beginning();
    var name = files.snapshots().get(beginning);
    if (name != null) {
      boolean another = files.snapshots().lastKey() > beginning;
      var remedy = another ? Remedies.onlyHistory(newestSnapshot()) : Remedies.BACKUP;
      try (var frames = new Frames(disk.read(name))) {
        belongs(Snapshots.read(name, frames, beginning, replay, remedy), name);
      }
    }
  }

  private End readLogs(Replay replay) throws IOException {
    var logs = files.logsAfter(replay.revision());
    var end = new End("", 0, ByteBuffer.allocate(0));
    for (var log : logs.entrySet()) {
      if (log.getKey() != replay.revision() + 1) {
        throw missing(replay.revision() + 1);
      }
      boolean last = logs.higherKey(log.getKey()) == null;
      end = readLog(log.getKey(), log.getValue(), replay, last);
    }
    if (logs.isEmpty()) {
      throw missing(replay.revision() + 1);
    }
    return end;
  }

  private End readLog(long first, String name, Replay replay, boolean last) throws IOException {
    try (var frames = new Frames(disk.read(name))) {
      var header = FileHeader.read(FileHeader.Type.LOG, name, frames);
      belongs(header.store(), name);
      if (header.revision() != first) {
        throw new StoreCorrupt(name, 0, "its name and its header differ", Remedies.BACKUP);
      }
      long at = frames.offset();
      for (var body = frames.next(); body != null; body = frames.next()) {
        replay(body, name, at, replay);
        at = frames.offset();
      }
      var rest = frames.rest();
      if (rest.length > 0 && (!last || Records.sayDurable(rest, replay.revision() + 1))) {
        throw broken(name, at, replay, "the transaction there is broken");
      }
      return new End(name, at, ByteBuffer.wrap(rest));
    }
  }

  private void replay(ByteBuffer body, String name, long at, Replay replay) throws IOException {
    try {
      replay.apply(Records.read(body, new Raw.Place(name, at)));
    } catch (IllegalArgumentException | BufferUnderflowException | IndexOutOfBoundsException e) {
      throw broken(name, at, replay, "the transaction there makes no sense: " + e.getMessage());
    }
  }

  private StoreCorrupt broken(String log, long at, Replay replay, String what) {
    long first = replay.revision() + 1;
    NavigableMap<Long, String> later = files.logs().tailMap(first, false);
    boolean covered =
        !files.snapshots().isEmpty()
            && !later.isEmpty()
            && later.firstKey() - 1 <= files.snapshots().lastKey();
    var remedy = covered ? Remedies.onlyHistory(newestSnapshot()) : Remedies.giveUp(log, at, first);
    return new StoreCorrupt(log, at, what, remedy);
  }

  private StoreCorrupt missing(long first) {
    boolean covered = !files.snapshots().isEmpty() && first <= files.snapshots().lastKey();
    return new StoreCorrupt(
        Inventory.log(first),
        0,
        "it is missing, or the log before it is too short",
        covered ? Remedies.onlyHistory(newestSnapshot()) : Remedies.BACKUP);
  }

  private String newestSnapshot() {
    return files.snapshots().lastEntry().getValue();
  }

  private void belongs(String uid, String name) throws StoreCorrupt {
    if (store != null && !store.equals(uid)) {
      throw new StoreCorrupt(
          name,
          0,
          "it belongs to the store %s, other files to %s".formatted(uid, store),
          "Move what does not belong here out of the directory");
    }
    store = uid;
  }

  private String known() {
    if (store == null) {
      throw new IllegalStateException("no file was read");
    }
    return store;
  }

  private void deleteUnfinished() throws IOException {
    for (var name : files.unfinished()) {
      disk.delete(name);
    }
  }

  private void cut(End end) throws IOException {
    int torn = end.torn().remaining();
    if (torn == 0) {
      return;
    }
    var kept = "%s.%d.cut".formatted(end.log(), end.offset());
    try (var file = disk.create(kept)) {
      file.write(end.torn());
      file.force();
    }
    disk.force();
    disk.truncate(end.log(), end.offset());
    LOG.warn(
        "store={} the last write before a crash was incomplete: cut {} bytes off {} at {} and kept"
            + " them in {}",
        disk,
        torn,
        end.log(),
        end.offset(),
        kept);
  }
}
