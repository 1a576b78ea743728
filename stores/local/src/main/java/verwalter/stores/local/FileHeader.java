package verwalter.stores.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What every file of a store begins with: {@code 8 bytes magic | int format | frame(byte type |
 * text store | long revision)}.
 *
 * @param store the uid of the store, the same in all its files
 * @param revision the first revision in a log; that of the state in a snapshot
 */
record FileHeader(Type type, String store, long revision) {
  /** What kind of file it is. */
  enum Type {
    LOG(1),
    SNAPSHOT(2);

    private final int code;

    Type(int code) {
      this.code = code;
    }
  }

  static final int FORMAT = 1;
  private static final byte[] MAGIC = {'v', 'w', 's', 't', 'o', 'r', 'e', '\n'};

  void write(Sink sink) {
    sink.raw(MAGIC);
    sink.number(FORMAT);
    sink.beginFrame();
    sink.number((byte) type.code);
    sink.text(store);
    sink.number(revision);
    sink.endFrame();
  }

  /** Reads the header of the file called {@code name}, which must be of {@code type}. */
  static FileHeader read(Type type, String name, Frames frames) throws IOException {
    var begin = frames.raw(MAGIC.length + 4);
    if (begin.length < MAGIC.length + 4
        || !Arrays.equals(begin, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw new StoreCorrupt(name, 0, "it does not begin as a file of a store", Remedies.BACKUP);
    }
    int format = ByteBuffer.wrap(begin).getInt(MAGIC.length);
    if (format != FORMAT) {
      throw new StoreFormat(
          "%s has format %d, but this version reads format %d only; use the version that wrote it"
              .formatted(name, format, FORMAT));
    }
    var body = frames.next();
    if (body == null) {
      throw new StoreCorrupt(name, frames.offset(), "its header is broken", Remedies.BACKUP);
    }
    if (body.get() != type.code) {
      throw new StoreCorrupt(name, 0, "its name and its header differ", Remedies.BACKUP);
    }
    return new FileHeader(type, Records.text(body), body.getLong());
  }
}
