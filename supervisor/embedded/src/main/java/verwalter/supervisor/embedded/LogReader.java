package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;

/** Reads the selected lines of one log, and then those that are added. Not thread-safe. */
final class LogReader {
  /** A longer line is split. */
  static final int LONGEST_LINE = 1 << 16;

  private static final int CHUNK = 1 << 18;

  private final LogHistory history;
  private final String process;
  private final LogQuery query;
  private final Deque<LogLine> lines = new ArrayDeque<>();
  private LogPlace place;

  /** For a previous run: the number of starts that were passed. */
  private int starts;

  private boolean ended;

  private LogReader(LogHistory history, String process, LogQuery query, LogPlace place) {
    this.history = history;
    this.process = process;
    this.query = query;
    this.place = place;
  }

  /** Reads what {@code query} selects of the log of an instance. Blocks. */
  static LogReader of(LogHistory history, String process, LogQuery query) throws IOException {
    if (query.previous()) {
      var run = new PreviousRun(history, process).find();
      var reader = new LogReader(history, process, query, run.orElse(history.last(0)));
      reader.ended = run.isEmpty();
      if (query.tail() >= 0) {
        reader.keepLast(query.tail());
      }
      return reader;
    }
    if (query.tail() >= 0) {
      return new LogReader(history, process, query, history.last(query.tail()));
    }
    return new LogReader(
        history,
        process,
        query,
        query.since().isPresent() ? history.since(query.since().get()) : history.oldest());
  }

  /** Reads a previous run to its end. */
  private void keepLast(int most) throws IOException {
    boolean more = !ended;
    while (more) {
      more = fill() && !ended;
      while (lines.size() > most) {
        lines.remove();
      }
    }
  }

  /** Reads on from a place. */
  static LogReader from(LogHistory history, String process, LogQuery query, LogPlace place) {
    return new LogReader(history, process, query, place);
  }

  /** The first line that was not taken; empty if there is none now. Blocks. */
  Optional<LogLine> peek() throws IOException {
    while (lines.isEmpty() && !ended) {
      if (!fill()) {
        break;
      }
    }
    return Optional.ofNullable(lines.peek());
  }

  /** Removes the line that {@link #peek} returned. */
  void take() {
    lines.remove();
  }

  /** Reads the next lines. Returns whether there may be more now. */
  private boolean fill() throws IOException {
    var chunk = history.read(place, CHUNK);
    if (chunk.isGap()) {
      add(chunk.time(chunk.place().offset()), "----- older lines were removed -----");
    }
    int begin = 0;
    byte[] bytes = chunk.bytes();
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n' || i - begin == LONGEST_LINE) {
        var text = new String(bytes, begin, i - begin, StandardCharsets.UTF_8);
        begin = bytes[i] == '\n' ? i + 1 : i;
        line(chunk.time(chunk.place().offset() + i + 1), text);
        if (ended) {
          return false;
        }
      }
    }
    place = chunk.place().at(chunk.place().offset() + begin);
    if (begin == 0 && bytes.length > 0 && !chunk.isLast()) {
      // The line continues in the next newer file.
      line(chunk.time(chunk.next().offset()), new String(bytes, StandardCharsets.UTF_8));
      place = chunk.next();
    }
    return !chunk.isLast();
  }

  private void line(Instant time, String text) {
    if (query.previous() && PreviousRun.isStart(text, process)) {
      starts++;
      ended = starts > 1;
    }
    boolean isEarly = query.since().filter(time::isBefore).isPresent();
    if (!isEarly && !ended) {
      add(time, text);
    }
  }

  private void add(Instant time, String text) {
    lines.add(new LogLine(time, process, text));
  }

  /** Adds the last line, whose end is missing. To be called after the last {@link #peek}. */
  void unfinished() throws IOException {
    if (ended) {
      return;
    }
    var chunk = history.read(place, LONGEST_LINE);
    byte[] bytes = chunk.bytes();
    if (bytes.length > 0 && !Arrays.equals(bytes, new byte[bytes.length])) {
      line(chunk.time(chunk.next().offset()), new String(bytes, StandardCharsets.UTF_8));
      place = chunk.next();
    }
  }
}
