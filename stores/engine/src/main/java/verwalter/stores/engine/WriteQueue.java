package verwalter.stores.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A bounded queue of transactions for the writer. Any thread may add. */
final class WriteQueue {
  static final int MOST_WAITING = 65_536;
  private static final int LARGEST_BATCH = 512;
  private static final int LARGEST_BATCH_BYTES = 8 << 20;

  private final ConcurrentLinkedQueue<Pending> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();

  boolean isEmpty() {
    return queue.isEmpty();
  }

  /** Adds a transaction. Returns false if the queue is full. */
  boolean offer(Pending next) {
    if (waiting.incrementAndGet() > MOST_WAITING) {
      waiting.decrementAndGet();
      return false;
    }
    queue.add(next);
    return true;
  }

  /** Takes a batch for one append. */
  List<Pending> take() {
    var batch = new ArrayList<Pending>();
    long bytes = 0;
    while (batch.size() < LARGEST_BATCH && bytes < LARGEST_BATCH_BYTES) {
      var next = queue.poll();
      if (next == null) {
        break;
      }
      waiting.decrementAndGet();
      batch.add(next);
      bytes += next.bytes();
    }
    return batch;
  }
}
