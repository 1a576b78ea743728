package verwalter.stores.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import verwalter.stores.engine.Entry;
import verwalter.stores.engine.Log;

/** Reads the present format: an entry is {@code long index | long durable | bytes of the entry}. */
final class EntryReplay implements JournalReplay {
  private final Log.Reader reader;

  EntryReplay(Log.Reader reader) {
    this.reader = reader;
  }

  @Override
  public void begin(long index, long version) throws IOException {
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
    reader.entry(index, Entry.read(body));
  }

  @Override
  public long index() {
    return reader.index();
  }
}
