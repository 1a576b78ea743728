package verwalter.concurrent.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The pending tasks of a virtual world. Tasks that are due are in the lane of their loop, the
 * others are ordered by time. Safe to use from any thread.
 */
final class Agenda {
  /** A task of a lane. */
  record Task(Lane lane, long due, long order, Runnable work) {
    /** Compares by identity, since the order of each task is unique. */
    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(order);
    }
  }

  private static final int NANOS = 1_000_000; // of a millisecond

  private final TreeSet<Task> waiting = new TreeSet<>(Agenda::compare);
  private final List<Lane> ready = new ArrayList<>();
  private long now;
  private long orders;

  Agenda(long now) {
    this.now = now;
  }

  /** Converts a duration to milliseconds, rounded up. */
  static long millis(Duration span) {
    long millis = span.toMillis();
    return Math.max(0, span.toNanosPart() % NANOS == 0 ? millis : millis + 1);
  }

  /** Orders tasks by time. Called for each step many times. */
  private static int compare(Task one, Task other) {
    return one.due != other.due
        ? Long.compare(one.due, other.due)
        : Long.compare(one.order, other.order);
  }

  synchronized long now() {
    return now;
  }

  /**
   * Adds a task that is due after {@code delay} milliseconds. The result can be passed to {@link
   * #cancel}.
   */
  synchronized Task add(Lane lane, long delay, Runnable work) {
    var task = new Task(lane, Math.addExact(now, delay), orders++, work);
    if (lane.dead) {
      return task;
    }
    if (delay == 0) {
      line(task);
    } else {
      waiting.add(task);
    }
    return task;
  }

  synchronized void cancel(Task task) {
    if (!waiting.remove(task) && task.lane.due.remove(task)) {
      leaveIfIdle(task.lane);
    }
  }

  synchronized void kill(Lane lane) {
    lane.dead = true;
    lane.due.clear();
    leaveIfIdle(lane);
    waiting.removeIf(task -> task.lane == lane);
  }

  /**
   * Advances the time up to {@code end} and takes the next task; null if none is due until then.
   */
  synchronized @Nullable Task next(long end, RandomGenerator random) {
    if (ready.isEmpty()) {
      if (waiting.isEmpty() || waiting.first().due > end) {
        return null;
      }
      now = waiting.first().due;
      while (!waiting.isEmpty() && waiting.first().due <= now) {
        line(waiting.pollFirst());
      }
    }
    var lane = ready.get(random.nextInt(ready.size()));
    var task = lane.due.remove();
    leaveIfIdle(lane);
    return task;
  }

  /** Advances the time if no task is due before. */
  synchronized void passTo(long end) {
    now = Math.max(now, end);
  }

  private void line(Task task) {
    task.lane.due.add(task);
    if (task.lane.place < 0) {
      task.lane.place = ready.size();
      ready.add(task.lane);
    }
  }

  private void leaveIfIdle(Lane lane) {
    if (lane.due.isEmpty() && lane.place >= 0) {
      var last = ready.remove(ready.size() - 1);
      if (last != lane) {
        ready.set(lane.place, last);
        last.place = lane.place;
      }
      lane.place = -1;
    }
  }
}
