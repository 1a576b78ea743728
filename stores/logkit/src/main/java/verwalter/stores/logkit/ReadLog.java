package verwalter.stores.logkit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import verwalter.stores.engine.Entry;
import verwalter.stores.engine.Log;
import verwalter.stores.engine.Sink;

/** What a log gives back, and whether it keeps to the order of {@link Log.Reader}. */
final class ReadLog implements Log.Reader {
  private static final int LAST_BLOCK = -1;

  private long base;
  private long version;
  private boolean begun;
  private boolean open;
  private boolean complete;
  private final List<Byte> snapshot = new ArrayList<>();
  private final List<String> entries = new ArrayList<>();

  static ReadLog of(Log log) throws IOException {
    var read = new ReadLog();
    log.read(read);
    read.expect(read.complete, "the log does not say that everything was read");
    return read;
  }

  /** An entry as text, for comparison. */
  static String text(Entry entry) {
    var sink = new Sink();
    entry.write(sink);
    var bytes = sink.bytes();
    var text = new StringBuilder();
    while (bytes.hasRemaining()) {
      text.append("%02x".formatted(bytes.get()));
    }
    return text.toString();
  }

  private void expect(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  /** The number of the entry that everything stands on; 0 without a snapshot. */
  long base() {
    return base;
  }

  long version() {
    return version;
  }

  /** The bytes of the snapshot; empty without one. */
  List<Byte> snapshot() {
    return snapshot;
  }

  /** The entries behind the snapshot. */
  List<String> entries() {
    return entries;
  }

  @Override
  public void begin(long index, long at) {
    expect(!begun && entries.isEmpty() && !complete, "begin comes first, and once");
    begun = true;
    base = index;
    version = at;
    open = index > 0;
  }

  @Override
  public boolean block(ByteBuffer block) {
    expect(open, "a block of no snapshot");
    boolean last = block.getInt(block.position()) == LAST_BLOCK;
    while (block.hasRemaining()) {
      snapshot.add(block.get());
    }
    open = !last;
    return last;
  }

  @Override
  public void entry(long index, Entry entry) {
    expect(!open && !complete, "an entry within the snapshot, or after the end");
    expect(index == index() + 1, "entry %d follows %d".formatted(index, index()));
    entries.add(text(entry));
  }

  @Override
  public void complete() {
    expect(!open && !complete, "complete comes last, and once");
    complete = true;
  }

  @Override
  public long index() {
    return base + entries.size();
  }
}
