package verwalter.stores.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import verwalter.stores.engine.Entry;
import verwalter.stores.engine.Snapshot;

/** Checks that files of the present format are whole, without building a state. */
final class CheckReplay implements JournalReplay {
  private long index;

  @Override
  public void begin(long begun, long version) {
    index = begun;
  }

  @Override
  public boolean block(ByteBuffer body) {
    return Snapshot.isEnd(body);
  }

  @Override
  public void entry(ByteBuffer body) throws IOException {
    long next = body.getLong();
    body.getLong(); // the last durable entry
    if (next != index + 1) {
      throw new IllegalArgumentException("entry %d follows %d".formatted(next, index));
    }
    Entry.read(body);
    index = next;
  }

  @Override
  public long index() {
    return index;
  }
}
