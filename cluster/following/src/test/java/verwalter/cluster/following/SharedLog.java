package verwalter.cluster.following;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import verwalter.concurrent.Loop;
import verwalter.stores.replicated.ReplicatedLog;

/** A log in memory that the electors of a test share. Its state belongs to the loop. */
final class SharedLog {
  private final Loop loop;
  private final List<ByteBuffer> entries = new ArrayList<>();
  private final List<Opened> opened = new CopyOnWriteArrayList<>();

  SharedLog(Loop loop) {
    this.loop = loop;
  }

  ReplicatedLog open() {
    return new Opened();
  }

  /** The log as one elector has opened it. */
  private final class Opened implements ReplicatedLog {
    private Follower follower;

    @Override
    public void follow(long from, Follower by) {
      loop.execute(
          () -> {
            follower = by;
            opened.add(this);
            int known = (int) from - 1;
            if (known < entries.size()) {
              follower.committed(from, List.copyOf(entries.subList(known, entries.size())), false);
            }
          });
    }

    @Override
    public void append(long first, List<ByteBuffer> more, Receipt receipt) {
      loop.execute(
          () -> {
            if (first != entries.size() + 1) {
              receipt.taken();
              return;
            }
            entries.addAll(more);
            opened.forEach(each -> each.follower.committed(first, more, each == this));
            receipt.appended();
          });
    }

    @Override
    public void trim(long last) {}

    @Override
    public long largestAppend() {
      return 2 << 20;
    }

    @Override
    public void close() {
      opened.remove(this);
    }
  }
}
