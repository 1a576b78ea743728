package verwalter.e2e.simulation;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import verwalter.stores.engine.Entry;
import verwalter.stores.engine.Log;
import verwalter.stores.engine.Snapshot;

/** The part of the leader's log that a follower has received. Only the leader appends. */
final class ReceivedLog implements Log {
  private @Nullable Follower follower;
  private long last;

  /** The number of the last entry. */
  long last() {
    return last;
  }

  /** Applies the next entries together. */
  void add(List<Entry> entries) {
    long first = last + 1;
    last += entries.size();
    if (follower != null && !entries.isEmpty()) {
      follower.committed(first, entries, false);
    }
  }

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
    receipt.nothingWritten("only the leader appends");
  }

  @Override
  public void applied(Snapshot latest) {}

  @Override
  public long largestEntry() {
    return Integer.MAX_VALUE;
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return "the received log";
  }
}
