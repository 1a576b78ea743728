package verwalter.stores.local;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.model.Version;
import verwalter.stores.engine.Log;
import verwalter.stores.engine.Snapshot;
import verwalter.stores.engine.UnknownObject;

/**
 * Reads the files of a store.
 *
 * <p>It begins with the second last snapshot and reads the logs after it, which restores the
 * history too. All files are read and checked before anything is changed. Traces of a crash are
 * repaired: unfinished files are deleted, and a torn end of the last log is removed and saved as
 * {@code log.N.OFFSET.cut}. Any other damage is an error that an operator must resolve.
 */
final class Recovery {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  /** The epoch of a new store is the number of seconds since this time. */
  private static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");

  /** The valid end of the last log, and the torn bytes after it. */
  private record End(long first, long offset, ByteBuffer torn) {
    String log() {
      return Inventory.log(first);
    }
  }

  private final JournalDisk disk;
  private final Log.Reader reader;
  private final Inventory files;

  /** Files of verwalter 0.1 that were converted completely but not deleted. */
  private final Inventory leftovers;

  private final boolean old;
  private @Nullable String store;

  private Recovery(JournalDisk disk, Log.Reader reader) throws IOException {
    this.disk = disk;
    this.reader = reader;
    var all = Inventory.of(disk.list());
    var ancient = all.only(oldOnes(disk, all));
    var present = all.without(ancient);
    this.old =
        !ancient.logs().isEmpty()
            && (present.logs().isEmpty() || ancient.logs().lastKey() > present.logs().lastKey());
    this.files = old ? ancient : present;
    this.leftovers = old ? present : ancient;
  }

  private static Set<String> oldOnes(JournalDisk disk, Inventory all) throws IOException {
    var found = new HashSet<String>();
    for (var name : all.named()) {
      try (var frames = new Frames(disk.read(name))) {
        if (FileHeader.isOld(frames)) {
          found.add(name);
        }
      }
    }
    return found;
  }

  /**
   * Opens the store on the disk, or creates one if there are no files.
   *
   * @param uids supplies the uid of a new store
   * @param first the version of a new store
   * @throws OpenException if the store cannot be opened; nothing was changed then
   */
  static Recovered run(JournalDisk disk, Log.Reader reader, Supplier<String> uids, long first)
      throws IOException {
    return new Recovery(disk, reader).run(uids, first);
  }

  private Recovered run(Supplier<String> uids, long first) throws IOException {
    var marker = Optional.<FileHeader>empty();
    var damage = Optional.<StoreCorrupt>empty();
    try {
      marker = DurableMarker.read(disk);
    } catch (StoreCorrupt damaged) {
      damage = Optional.of(damaged);
    }
    if (files.logs().isEmpty() && files.snapshots().isEmpty()) {
      if (marker.isPresent()) {
        throw missing(marker.get().index()).with(Remedies.withoutTheEnd(1));
      }
      if (damage.isPresent()) {
        throw damage.get().with(Remedies.withoutTheEnd(1));
      }
      return begun(uids.get(), first);
    }
    if (old) {
      return converted(new OldReplay());
    }
    var replay = new EntryReplay(reader);
    var end = read(replay, CheckReplay::new);
    if (marker.isPresent()) {
      check(marker.get(), end, replay.index());
    }
    if (damage.isPresent()) {
      throw damage.get().with(Remedies.withoutMarker(replay.index()));
    }
    reader.complete();
    deleteUnfinished();
    cut(end);
    var journal = Journal.resume(disk, known(), end.first(), replay.index(), end.offset());
    delete(leftovers);
    Snapshots.clean(disk);
    return new Recovered(journal, replay.index(), replay.checksum());
  }

  /** Checks that nothing is missing that was durable. */
  private void check(FileHeader marker, End end, long last) throws StoreCorrupt {
    belongs(marker.store(), DurableMarker.NAME);
    if (end.first() < marker.index()) {
      throw missing(marker.index()).with(Remedies.withoutTheEnd(last + 1));
    }
    if (last < marker.version()) {
      throw new StoreCorrupt(
          end.log(),
          end.offset(),
          "it ends with entry %d, but entry %d was durable".formatted(last, marker.version()),
          Remedies.withoutTheEnd(last + 1));
    }
  }

  private Recovered begun(String uid, long version) throws IOException {
    reader.begin(0, version);
    reader.complete();
    deleteUnfinished();
    return new Recovered(Journal.begin(disk, uid, 1, version), 0, OptionalInt.empty());
  }

  /**
   * The version of a new store. Its epoch is the number of seconds since the beginning of 2026,
   * which exceeds the epoch of an earlier store.
   */
  static long firstVersion(InstantSource clock) {
    long seconds = clock.instant().getEpochSecond() - BEGINNING.getEpochSecond();
    return Version.of(Math.max(1, Math.min(seconds, Version.LARGEST_EPOCH)), 0);
  }

  /** Converts the objects of verwalter 0.1 to the present format. */
  private Recovered converted(OldReplay replay) throws IOException {
    read(replay, OldReplay::new);
    long index = replay.index();
    var snapshot = Snapshot.of(index, index, replay.objects());
    reader.begin(index, index);
    snapshot.write(block -> reader.block(copy(block)));
    reader.complete();
    deleteUnfinished();
    Snapshots.publish(disk, known(), snapshot, () -> false);
    var journal = Journal.begin(disk, known(), index + 1, index);
    LOG.info("store={} index={} converted from format 1 to format 2", disk, index);
    for (var name : files.named()) {
      if (!name.equals(Inventory.snapshot(index)) && !name.equals(Inventory.log(index + 1))) {
        disk.delete(name);
      }
    }
    disk.force();
    return new Recovered(journal, index, OptionalInt.empty());
  }

  private static ByteBuffer copy(ByteBuffer block) {
    return ByteBuffer.allocate(block.remaining()).put(block.duplicate()).flip();
  }

  /**
   * Reads from the second last snapshot on.
   *
   * @param another creates a replay for a second attempt
   * @throws StoreCorrupt if that is not possible. Its remedy says whether the newest snapshot and
   *     the logs after it are whole.
   */
  private End read(JournalReplay replay, Supplier<JournalReplay> another) throws IOException {
    long beginning = files.beginning();
    try {
      return read(replay, beginning);
    } catch (StoreCorrupt damage) {
      throw beginning != newest() && isWhole(another.get(), newest())
          ? damage.with(Remedies.onlyHistory(Inventory.snapshot(newest())))
          : damage;
    }
  }

  /** The number of the newest snapshot; 0 if there is none. */
  private long newest() {
    return files.snapshots().isEmpty() ? 0 : files.snapshots().lastKey();
  }

  private boolean isWhole(JournalReplay replay, long beginning) throws IOException {
    try {
      var end = read(replay, beginning);
      return end.first() > beginning;
    } catch (StoreCorrupt damage) {
      return false;
    }
  }

  private End read(JournalReplay replay, long beginning) throws IOException {
    readSnapshot(replay, beginning);
    var end = readLogs(replay, beginning);
    if (!files.logs().containsKey(files.newestKnownLog())) {
      throw missing(files.newestKnownLog());
    }
    return end;
  }

  private void readSnapshot(JournalReplay replay, long beginning) throws IOException {
    var name = files.snapshots().get(beginning);
    if (name == null) {
      return;
    }
    try (var frames = new Frames(disk.read(name))) {
      var header = FileHeader.read(FileHeader.Type.SNAPSHOT, name, frames);
      replay.begin(beginning, header.version());
      long at = frames.offset();
      if (header.index() != beginning || !readBlocks(name, frames, replay)) {
        throw new StoreCorrupt(name, at, "a block of objects is broken", Remedies.BACKUP);
      }
      belongs(header.store(), name);
    }
  }

  /** Reads all blocks. Returns whether they are complete and valid. */
  private static boolean readBlocks(String name, Frames frames, JournalReplay replay)
      throws IOException {
    try {
      long at = frames.offset();
      for (var body = frames.next(); body != null; body = frames.next()) {
        if (known(replay::block, body, name, at)) {
          return true;
        }
        at = frames.offset();
      }
      return false;
    } catch (IllegalArgumentException | BufferUnderflowException | IndexOutOfBoundsException e) {
      return false;
    }
  }

  private End readLogs(JournalReplay replay, long beginning) throws IOException {
    var logs = files.logsAfter(beginning);
    var end = new End(0, 0, ByteBuffer.allocate(0));
    long next = beginning + 1;
    for (var log : logs.entrySet()) {
      if (log.getKey() != next) {
        throw missing(next);
      }
      boolean last = logs.higherKey(log.getKey()) == null;
      end = readLog(log.getKey(), log.getValue(), replay, last);
      next = replay.index() + 1;
    }
    if (logs.isEmpty()) {
      throw missing(next);
    }
    return end;
  }

  private End readLog(long first, String name, JournalReplay replay, boolean last)
      throws IOException {
    try (var frames = new Frames(disk.read(name))) {
      var header = FileHeader.read(FileHeader.Type.LOG, name, frames);
      belongs(header.store(), name);
      if (header.index() != first) {
        throw new StoreCorrupt(name, 0, "its name and its header differ", Remedies.BACKUP);
      }
      if (first == 1) {
        replay.begin(0, header.version());
      }
      long at = frames.offset();
      for (var body = frames.next(); body != null; body = frames.next()) {
        replay(body, name, at, replay);
        at = frames.offset();
      }
      var rest = frames.rest();
      if (rest.length > 0 && (!last || Frames.provesDurable(rest, replay.index() + 1))) {
        throw broken(name, at, replay, "the transaction is broken");
      }
      return new End(first, at, ByteBuffer.wrap(rest));
    }
  }

  private void replay(ByteBuffer body, String name, long at, JournalReplay replay)
      throws IOException {
    try {
      var unused =
          known(
              entry -> {
                replay.entry(entry);
                return true;
              },
              body,
              name,
              at);
    } catch (IllegalArgumentException | BufferUnderflowException | IndexOutOfBoundsException e) {
      throw broken(name, at, replay, "the transaction is invalid: " + e.getMessage());
    }
  }

  /** A step that reads the next bytes. */
  private interface Step {
    boolean read(ByteBuffer body) throws IOException;
  }

  private static boolean known(Step step, ByteBuffer body, String name, long at)
      throws IOException {
    try {
      return step.read(body);
    } catch (UnknownObject unknown) {
      throw new StoreFormat(
          "byte %d of %s: %s; use the version that wrote it"
              .formatted(at, name, unknown.getMessage()));
    }
  }

  private static StoreCorrupt broken(String log, long at, JournalReplay replay, String what) {
    return new StoreCorrupt(log, at, what, Remedies.giveUp(log, at, replay.index() + 1));
  }

  private static StoreCorrupt missing(long first) {
    return new StoreCorrupt(
        Inventory.log(first),
        0,
        "it is missing, or the log before it is too short",
        Remedies.BACKUP);
  }

  private void belongs(String uid, String name) throws StoreCorrupt {
    if (store != null && !store.equals(uid)) {
      throw new StoreCorrupt(
          name,
          0,
          "it belongs to the store %s, other files to %s".formatted(uid, store),
          "Move the files of the other store out of the directory");
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
    for (var name : Inventory.of(disk.list()).unfinished()) {
      disk.delete(name);
    }
  }

  private void delete(Inventory what) throws IOException {
    for (var name : what.named()) {
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
        "store={} the last write before a crash was incomplete: removed {} bytes from {} at {} and saved them in {}",
        disk,
        torn,
        end.log(),
        end.offset(),
        kept);
  }
}
