package verwalter.stores.replicatedkit;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import verwalter.stores.replicated.ReplicatedLog;

/**
 * A process that follows a log and appends texts to it. Checks the order of the calls that it
 * receives. Thread-safe.
 */
final class LogUser implements ReplicatedLog.Follower {
  private final ReplicatedLog log;
  private final long from;
  private final List<String> seen = new ArrayList<>();
  private final List<String> own = new ArrayList<>();
  private final List<String> results = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private String ended = "";
  private long trimmed;

  LogUser(ReplicatedLog log, long from) {
    this.log = log;
    this.from = from;
    log.follow(from, this);
  }

  ReplicatedLog log() {
    return log;
  }

  @Override
  public synchronized void committed(long first, List<ByteBuffer> entries, boolean ours) {
    if (first != next()) {
      faults.add("entry %d was reported after %d".formatted(first, next() - 1));
    }
    if (!ended.isEmpty()) {
      faults.add("entry %d was reported after the end".formatted(first));
    }
    for (var each : entries) {
      var text = StandardCharsets.UTF_8.decode(each.duplicate()).toString();
      seen.add(text);
      if (ours) {
        own.add(text);
      }
    }
  }

  @Override
  public synchronized void trimmed(long last) {
    trimmed = last;
    ended("entries up to %d were trimmed".formatted(last));
  }

  @Override
  public synchronized void ended(String why) {
    if (!ended.isEmpty()) {
      faults.add("it ended twice");
    }
    ended = why;
  }

  /** Appends texts at a number. */
  void append(long first, List<String> texts) {
    var entries =
        texts.stream().map(text -> ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8))).toList();
    log.append(
        first,
        entries,
        new ReplicatedLog.Receipt() {
          @Override
          public void appended() {
            result("appended", next() == first + texts.size() && own().containsAll(texts));
          }

          @Override
          public void taken() {
            result("taken", seen().stream().noneMatch(texts::contains));
          }

          @Override
          public void unknown(String why) {
            result("unknown", !why.isEmpty());
          }
        });
  }

  private synchronized void result(String result, boolean consistent) {
    results.add(result);
    if (!consistent) {
      faults.add("%s, but it has seen %s".formatted(result, seen));
    }
  }

  /** The number of the next entry. */
  synchronized long next() {
    return from + seen.size();
  }

  /** All entries that were reported. */
  synchronized List<String> seen() {
    return List.copyOf(seen);
  }

  /** Those that were reported as its own. */
  synchronized List<String> own() {
    return List.copyOf(own);
  }

  /** The results of its appends. */
  synchronized List<String> results() {
    return List.copyOf(results);
  }

  /** Calls that break a promise. */
  synchronized List<String> faults() {
    return List.copyOf(faults);
  }

  /** The last entry that was trimmed, if following has ended because of that; otherwise 0. */
  synchronized long trimmed() {
    return trimmed;
  }

  /** Why following has ended; empty if it has not. */
  synchronized String end() {
    return ended;
  }
}
