package verwalter.supervisor.embedded;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Merges the lines of several logs by time. Lines of one log keep their order. Not thread-safe. */
final class LogMerge {
  private final Collection<LogReader> readers;

  /**
   * @param readers are read only while a method runs; others may be added in between
   */
  LogMerge(Collection<LogReader> readers) {
    this.readers = readers;
  }

  private record Head(LogLine line, int order, LogReader reader) {}

  /**
   * The next lines; none if there are no more now. Blocks.
   *
   * @param most number of characters after which it returns
   */
  List<LogLine> next(int most) throws IOException {
    var heads =
        new PriorityQueue<Head>(
            Comparator.comparing((Head head) -> head.line().time()).thenComparing(Head::order));
    int order = 0;
    for (var each : readers) {
      var line = each.peek();
      if (line.isPresent()) {
        heads.add(new Head(line.get(), order, each));
      }
      order++;
    }
    var lines = new ArrayList<LogLine>();
    int size = 0;
    while (!heads.isEmpty() && size < most) {
      var head = heads.remove();
      lines.add(head.line());
      size += head.line().text().length() + 64;
      head.reader().take();
      var line = head.reader().peek();
      if (line.isPresent()) {
        heads.add(new Head(line.get(), head.order(), head.reader()));
      }
    }
    return lines;
  }
}
