package verwalter.stores.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.OptionalInt;
import verwalter.stores.engine.Entry;
import verwalter.stores.engine.Log;

/** Reads the present format: an entry is {@code long index | long durable | bytes of the entry}. */
final class EntryReplay implements JournalReplay {
  private final Log.Reader reader;
  private OptionalInt checksum = OptionalInt.empty();

  EntryReplay(Log.Reader reader) {
    this.reader = reader;
  }

  @Override
  public void begin(long index, long version) throws IOException {
    checksum = OptionalInt.empty();
    reader.begin(index, version);
  }

  @Override
  public boolean block(ByteBuffer body) throws IOException {
    return reader.block(body);
  }

  @Override
  public void entry(ByteBuffer body) throws IOException {
    long index = body.getLong();
    long durable = body.getLong();
    if (durable >= index) {
      throw new IllegalArgumentException("entry %d after %d".formatted(index, durable));
    }
    checksum = OptionalInt.of(Frames.crc(body));
    reader.entry(index, Entry.read(body));
  }

  /** The checksum of the last entry; empty if no entry was read. */
  OptionalInt checksum() {
    return checksum;
  }

  @Override
  public long index() {
    return reader.index();
  }
}
