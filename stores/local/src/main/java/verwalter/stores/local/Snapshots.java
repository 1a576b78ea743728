package verwalter.stores.local;

import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Files with all objects of one revision: a header, frames of {@code int count | objects}, and a
 * frame of {@code -1 | long count of all objects} at the end.
 */
final class Snapshots {
  private static final int FRAME = 256 << 10;
  private static final int END = -1;

  /**
   * Writes a snapshot and deletes what it makes superfluous.
   *
   * @param stopped asked now and then
   * @throws CancellationException if stopped; then there is no snapshot
   */
  static void write(Disk disk, String store, State state, BooleanSupplier stopped)
      throws IOException {
    var name = Inventory.snapshot(state.revision());
    var draft = name + Inventory.UNFINISHED;
    try {
      draft(disk, draft, store, state, stopped);
    } catch (IOException failure) {
      disk.delete(draft); // on a full disk it would be in the way
      throw failure;
    }
    disk.rename(draft, name);
    disk.force();
    clean(disk);
  }

  private static void draft(
      Disk disk, String draft, String store, State state, BooleanSupplier stopped)
      throws IOException {
    try (var file = disk.create(draft)) {
      var sink = new Sink();
      new FileHeader(FileHeader.Type.SNAPSHOT, store, state.revision()).write(sink);
      for (var kind : state.kinds().values()) {
        write(kind, sink, file, stopped);
      }
      sink.beginFrame();
      sink.number(END);
      sink.number((long) state.size());
      sink.endFrame();
      file.write(sink.bytes());
      file.force();
    }
  }

  private static void write(
      Tree<Stored> objects, Sink sink, Disk.Appender file, BooleanSupplier stopped)
      throws IOException {
    var all = objects.values();
    int next = 0;
    while (next < all.size()) {
      int from = next;
      int begin = sink.size();
      sink.beginFrame();
      sink.number(0);
      while (next < all.size() && sink.size() - begin < FRAME) {
        Records.writeObject(sink, all.get(next++).raw());
      }
      sink.numberAt(begin + Sink.FRAME, next - from);
      sink.endFrame();
      file.write(sink.bytes());
      sink.clear();
      if (stopped.getAsBoolean()) {
        throw new CancellationException();
      }
    }
  }

  /** Deletes what no reading of the store will need. */
  static void clean(Disk disk) throws IOException {
    for (var name : Inventory.of(disk.list()).obsolete()) {
      disk.delete(name);
    }
  }

  /** Lets {@code replay} begin with the objects of a snapshot and gives the uid of its store. */
  static String read(String name, Frames frames, long revision, Replay replay, String remedy)
      throws IOException {
    var header = FileHeader.read(FileHeader.Type.SNAPSHOT, name, frames);
    long at = frames.offset();
    var body = frames.next();
    for (int count = 0; body != null && (count = body.getInt()) != END; body = frames.next()) {
      var place = new Raw.Place(name, at);
      for (int i = 0; i < count; i++) {
        var object = Records.readObject(body, place);
        replay.begin(object);
      }
      at = frames.offset();
    }
    if (body == null || body.getLong() != replay.size() || header.revision() != revision) {
      throw new StoreCorrupt(name, at, "a block of objects is broken", remedy);
    }
    return header.store();
  }

  private Snapshots() {}
}
