package verwalter.stores.replicatedkit;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.stores.replicated.LogBlock;
import verwalter.stores.replicated.ReplicatedLog;

/**
 * A model of a replicated log in one virtual world. It keeps the promises of {@link ReplicatedLog}
 * and no more: requests and reports are late, and while there is no majority nothing happens. One
 * list stands for the disks of a majority.
 */
public final class ModelEnsemble implements Ensemble {
  private static final Duration WAIT = Duration.ofMinutes(5);
  private static final Duration RETRY = Duration.ofMillis(100);
  private static final int LARGEST = 4 << 20;

  private final VirtualWorld world;
  private final Duration slowest;

  /** Requests arrive on it, also those of a process that has ended meanwhile. */
  private final Loop members;

  private final List<Appended> blocks = new ArrayList<>();
  private final List<ModelLog> logs = new ArrayList<>();
  private final Set<ModelLog> cut = new HashSet<>();
  private final List<Appending> observers = new ArrayList<>();
  private boolean majority = true;
  private long base;
  private int opened;

  /** Receives appends when they are in the log. */
  public interface Appending {
    /** Called with the next entries. */
    void appended(long first, List<ByteBuffer> entries);
  }

  /** The entries of one append. */
  private record Appended(Object id, long first, List<ByteBuffer> entries) {
    long end() {
      return first + entries.size();
    }
  }

  /**
   * An empty log.
   *
   * @param slowest the longest time that a message is under way, as long as its sender is connected
   */
  public ModelEnsemble(VirtualWorld world, Duration slowest) {
    this.world = world;
    this.slowest = slowest;
    this.members = world.loop("members");
  }

  @Override
  public ReplicatedLog open() {
    return open(world.loop("log" + opened++));
  }

  /** Opens the log in the process of a loop. */
  public ReplicatedLog open(Loop loop) {
    var log = new ModelLog(loop);
    logs.add(log);
    return log;
  }

  /** Reports all later appends as soon as they are in the log. */
  public void observe(Appending observer) {
    observers.add(observer);
  }

  /** Loses all entries from this number on, as a member does whose log lost its end. */
  public void lose(long from) {
    blocks.removeIf(each -> each.first() >= from);
    logs.forEach(ModelLog::wake);
  }

  /** The number of the last entry that was trimmed. */
  public long trimmed() {
    return base;
  }

  /** The number of entries that are not trimmed. */
  public long size() {
    return tail() - 1 - base;
  }

  /** Takes the majority away, or gives it back. */
  public void majority(boolean present) {
    majority = present;
    logs.forEach(ModelLog::wake);
  }

  @Override
  public void cut(ReplicatedLog log) {
    cut.add((ModelLog) log);
  }

  @Override
  public void reconnect(ReplicatedLog log) {
    cut.remove((ModelLog) log);
    ((ModelLog) log).wake();
  }

  @Override
  public void interrupt() {
    logs.forEach(each -> each.attempt++);
    logs.forEach(ModelLog::wake);
  }

  @Override
  public void wipe() {
    blocks.clear();
    base = 0;
    logs.forEach(ModelLog::wake);
  }

  @Override
  public void await(BooleanSupplier condition) {
    world.runUntil(condition, WAIT);
  }

  @Override
  public void settle() {
    world.runFor(slowest.multipliedBy(10).plus(RETRY.multipliedBy(10)));
  }

  @Override
  public void close() {}

  private Duration delay() {
    return Duration.ofMillis(world.random().nextLong(slowest.toMillis() + 1));
  }

  private long tail() {
    return blocks.isEmpty() ? base + 1 : blocks.get(blocks.size() - 1).end();
  }

  private @Nullable Appended at(long number) {
    int low = 0;
    int high = blocks.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      var block = blocks.get(middle);
      if (number < block.first()) {
        high = middle - 1;
      } else if (number >= block.end()) {
        low = middle + 1;
      } else {
        return block;
      }
    }
    return null;
  }

  private boolean reaches(ModelLog log) {
    return majority && !cut.contains(log);
  }

  /** The log as one process sees it. */
  private final class ModelLog implements ReplicatedLog {
    private final Loop loop;
    private @Nullable Follower follower;
    private @Nullable Appended pending;
    private @Nullable Receipt receipt;
    private long next = 1;
    private long trimmable;
    private boolean over;
    private boolean reading;

    /** Responses of earlier attempts are lost. */
    private int attempt;

    private ModelLog(Loop loop) {
      this.loop = loop;
    }

    @Override
    public void follow(long from, Follower follower) {
      loop.execute(
          () -> {
            this.follower = follower;
            next = from;
            wake();
          });
    }

    /** Reads after a while, and repeats the pending append. */
    private void wake() {
      if (!reading && !over) {
        reading = true;
        loop.after(delay(), this::read);
      }
    }

    private void read() {
      reading = false;
      if (over || follower == null || !reaches(this)) {
        return;
      }
      if (next > tail()) {
        lost("it ends before entry %d".formatted(next));
      } else if (next <= base) {
        close();
        follower.trimmed(base);
      } else if (next < tail()) {
        report(at(next));
        wake();
      } else {
        send();
      }
    }

    private void report(@Nullable Appended block) {
      if (block == null || follower == null) {
        throw new AssertionError("no block begins at " + next);
      }
      long first = next;
      next = block.end();
      boolean ours = pending != null && pending.id() == block.id();
      int skipped = Math.toIntExact(first - block.first());
      var entries = block.entries().subList(skipped, block.entries().size());
      follower.committed(first, entries, ours);
      if (pending != null && next > pending.first()) {
        var done = receipt();
        if (ours) {
          done.appended();
        } else {
          done.taken();
        }
      }
    }

    private Receipt receipt() {
      var now = receipt;
      pending = null;
      receipt = null;
      if (now == null) {
        throw new AssertionError("no append is pending");
      }
      return now;
    }

    private void send() {
      var append = pending;
      if (append == null) {
        return;
      }
      if (append.first() != next) {
        receipt().taken();
        return;
      }
      int mine = attempt;
      members.after(delay(), () -> arrive(append, mine));
    }

    /** The request reaches the ensemble, maybe after its process was disconnected. */
    private void arrive(Appended append, int mine) {
      if (!majority) {
        return;
      }
      if (append.first() == tail() && append.first() > base) {
        blocks.add(append);
        observers.forEach(each -> each.appended(append.first(), append.entries()));
        logs.forEach(ModelLog::wake);
      }
      loop.after(delay(), mine == attempt ? this::read : this::wake);
    }

    private void lost(String why) {
      close();
      if (follower != null) {
        follower.ended(why);
      }
    }

    @Override
    public void append(long first, List<ByteBuffer> entries, Receipt to) {
      if (LogBlock.size(entries) > LARGEST) {
        throw new IllegalArgumentException("an append of more than %d bytes".formatted(LARGEST));
      }
      loop.execute(
          () -> {
            if (over) {
              to.unknown("the log is closed");
              return;
            }
            pending = new Appended(new Object(), first, List.copyOf(entries));
            receipt = to;
            wake();
          });
    }

    @Override
    public void trim(long last) {
      loop.execute(
          () -> {
            trimmable = Math.max(trimmable, last);
            if (reaches(this) && trimmable < next) {
              base = Math.max(base, trimmable);
              blocks.removeIf(each -> each.end() <= base + 1);
            }
          });
    }

    @Override
    public long largestAppend() {
      return LARGEST;
    }

    @Override
    public void close() {
      over = true;
      if (pending != null) {
        loop.execute(
            () -> {
              if (pending != null) {
                receipt().unknown("the log is closed");
              }
            });
      }
    }

    @Override
    public String toString() {
      return "the model of a log";
    }
  }
}
