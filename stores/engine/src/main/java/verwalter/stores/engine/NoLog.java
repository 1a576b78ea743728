package verwalter.stores.engine;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A log that stores nothing: every entry is committed at once. */
final class NoLog implements Log {
  private @Nullable Follower follower;

  @Override
  public void read(Reader reader) throws IOException {
    reader.complete();
  }

  @Override
  public void follow(Follower next) {
    follower = next;
  }

  @Override
  public void append(long first, List<Entry> entries, Receipt receipt) {
    if (follower != null) {
      follower.committed(first, entries, true);
    }
    receipt.committed();
  }

  @Override
  public void applied(Snapshot latest) {}

  @Override
  public long largestEntry() {
    return Long.MAX_VALUE;
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return "memory";
  }
}
