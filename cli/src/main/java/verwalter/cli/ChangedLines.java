package verwalter.cli;

import java.util.ArrayList;
import java.util.List;

/** The lines from the first to the last difference between two texts. */
final class ChangedLines {
  private static final int MOST = 1000;

  /**
   * The place, the former lines with {@code -}, and the new ones with {@code +}; empty if the texts
   * are equal.
   */
  static List<String> between(String before, String after) {
    var old = before.lines().toList();
    var now = after.lines().toList();
    int common = Math.min(old.size(), now.size());
    int start = 0;
    while (start < common && old.get(start).equals(now.get(start))) {
      start++;
    }
    int end = 0;
    while (end < common - start
        && old.get(old.size() - 1 - end).equals(now.get(now.size() - 1 - end))) {
      end++;
    }
    var lines = new ArrayList<String>();
    old.subList(start, old.size() - end).forEach(line -> lines.add("-" + line));
    now.subList(start, now.size() - end).forEach(line -> lines.add("+" + line));
    if (lines.isEmpty()) {
      return lines;
    }
    int more = lines.size() - MOST;
    var shown = new ArrayList<>(lines.subList(0, Math.min(MOST, lines.size())));
    shown.add(0, "@@ line %d @@".formatted(start + 1));
    if (more > 0) {
      shown.add("and %d more lines".formatted(more));
    }
    return shown;
  }

  private ChangedLines() {}
}
