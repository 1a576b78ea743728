package verwalter.stores.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import verwalter.stores.engine.Sink;

/**
 * The header of every file of a store: {@code 8 bytes magic | int format | frame(byte type | text
 * store | long index | long version)}. Format 1 of verwalter 0.1 has no version; the index is used
 * instead.
 *
 * @param store the uid of the store, the same in all its files
 * @param index the number of the first entry in a log, of the last entry in a snapshot, or of the
 *     first entry of the newest log in a marker
 * @param version the version before the first entry of a log, or of the state in a snapshot; the
 *     number of a durable entry in a marker
 */
record FileHeader(Type type, String store, long index, long version) {
  /** The type of a file. */
  enum Type {
    LOG(1),
    SNAPSHOT(2),
    MARKER(3);

    private final int code;

    Type(int code) {
      this.code = code;
    }
  }

  static final int FORMAT = 2;

  /** The format of verwalter 0.1, which is read but not written. */
  static final int OLD_FORMAT = 1;

  private static final byte[] MAGIC = {'v', 'w', 's', 't', 'o', 'r', 'e', '\n'};

  void write(Sink sink) {
    sink.raw(ByteBuffer.wrap(MAGIC));
    sink.number(FORMAT);
    int begin = Framing.begin(sink);
    sink.number((byte) type.code);
    sink.text(store);
    sink.number(index);
    sink.number(version);
    Framing.end(sink, begin);
  }

  /** Whether a file was written by verwalter 0.1. */
  static boolean isOld(Frames frames) throws IOException {
    var begin = frames.raw(MAGIC.length + Integer.BYTES);
    return isOurs(begin) && ByteBuffer.wrap(begin).getInt(MAGIC.length) == OLD_FORMAT;
  }

  private static boolean isOurs(byte[] begin) {
    return begin.length == MAGIC.length + Integer.BYTES
        && Arrays.equals(begin, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
  }

  /** Reads the header of the file {@code name}, which must have the type {@code type}. */
  static FileHeader read(Type type, String name, Frames frames) throws IOException {
    var begin = frames.raw(MAGIC.length + Integer.BYTES);
    if (!isOurs(begin)) {
      throw new StoreCorrupt(
          name, 0, "it does not begin with the header of a store", Remedies.BACKUP);
    }
    int format = ByteBuffer.wrap(begin).getInt(MAGIC.length);
    if (format != FORMAT && format != OLD_FORMAT) {
      throw new StoreFormat(
          "%s has format %d, but this version reads formats %d and %d only; use the version that wrote it"
              .formatted(name, format, OLD_FORMAT, FORMAT));
    }
    var body = frames.next();
    if (body == null) {
      throw new StoreCorrupt(name, frames.offset(), "its header is broken", Remedies.BACKUP);
    }
    if (body.get() != type.code) {
      throw new StoreCorrupt(name, 0, "its name and its header differ", Remedies.BACKUP);
    }
    var store = Sink.text(body);
    long index = body.getLong();
    boolean old = format == OLD_FORMAT;
    long version = !old ? body.getLong() : type == Type.LOG ? index - 1 : index;
    return new FileHeader(type, store, index, version);
  }
}
