package verwalter.render.release;

import java.util.ArrayList;
import java.util.List;

/**
 * The difference of two texts as a unified diff, truncated to a limit. Pure.
 *
 * <p>Common lines at the beginning and the end are removed first; the longest common sequence of
 * the rest is computed with a table. If the table would be too large, the rest counts as replaced.
 */
final class Patch {
  private static final int CONTEXT = 3;
  private static final int LARGEST_TABLE = 4 << 20;
  private static final int MOST_LINES = 200;
  private static final int LONGEST_LINE = 400;

  /** One line of the diff: kept, removed or added. */
  private record Line(char sign, String text) {}

  /** The diff; empty for equal texts. */
  static String of(String path, String before, String after) {
    var lines = lines(split(before), split(after));
    var text = new StringBuilder();
    int shown = 0;
    for (int[] hunk : hunks(lines)) {
      text.append(header(lines, hunk));
      for (int i = hunk[0]; i < hunk[1]; i++) {
        if (++shown > MOST_LINES) {
          text.append("... the rest of the difference is cut here\n");
          return head(path) + text;
        }
        text.append(lines.get(i).sign()).append(shortly(lines.get(i).text())).append('\n');
      }
    }
    return text.isEmpty() ? "" : head(path) + text;
  }

  private static String head(String path) {
    return "--- " + path + " as written\n+++ " + path + " as found\n";
  }

  /** Lines, with a mark if the last one has no line end, so that this is a difference too. */
  private static List<String> split(String text) {
    var lines = new ArrayList<>(text.lines().toList());
    if (!text.isEmpty() && !text.endsWith("\n")) {
      lines.set(lines.size() - 1, lines.get(lines.size() - 1) + " (no end of line)");
    }
    return lines;
  }

  private static String shortly(String line) {
    return line.length() > LONGEST_LINE ? line.substring(0, LONGEST_LINE) + "..." : line;
  }

  private static List<Line> lines(List<String> before, List<String> after) {
    int head = 0;
    int least = Math.min(before.size(), after.size());
    while (head < least && before.get(head).equals(after.get(head))) {
      head++;
    }
    int tail = 0;
    while (tail < least - head
        && before.get(before.size() - 1 - tail).equals(after.get(after.size() - 1 - tail))) {
      tail++;
    }
    var lines = new ArrayList<Line>();
    before.subList(0, head).forEach(each -> lines.add(new Line(' ', each)));
    middle(
        before.subList(head, before.size() - tail),
        after.subList(head, after.size() - tail),
        lines);
    before.subList(before.size() - tail, before.size()).forEach(it -> lines.add(new Line(' ', it)));
    return lines;
  }

  private static void middle(List<String> before, List<String> after, List<Line> lines) {
    int n = before.size();
    int m = after.size();
    boolean small = (n + 1L) * (m + 1L) <= LARGEST_TABLE;
    var common = small ? common(before, after) : new int[0][0];
    int i = 0;
    int j = 0;
    while (i < n || j < m) {
      if (small && i < n && j < m && before.get(i).equals(after.get(j))) {
        lines.add(new Line(' ', before.get(i++)));
        j++;
      } else if (i < n && (!small || j == m || common[i + 1][j] >= common[i][j + 1])) {
        lines.add(new Line('-', before.get(i++)));
      } else {
        lines.add(new Line('+', after.get(j++)));
      }
    }
  }

  /** The length of the longest common sequence of the rests behind each pair of positions. */
  private static int[][] common(List<String> before, List<String> after) {
    var common = new int[before.size() + 1][after.size() + 1];
    for (int i = before.size() - 1; i >= 0; i--) {
      for (int j = after.size() - 1; j >= 0; j--) {
        common[i][j] =
            before.get(i).equals(after.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    return common;
  }

  /** The ranges of differences with their context. */
  private static List<int[]> hunks(List<Line> lines) {
    var hunks = new ArrayList<int[]>();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).sign() == ' ') {
        continue;
      }
      int from = Math.max(0, i - CONTEXT);
      int to = Math.min(lines.size(), i + 1 + CONTEXT);
      if (hunks.isEmpty() || hunks.get(hunks.size() - 1)[1] < from) {
        hunks.add(new int[] {from, to});
      } else {
        hunks.get(hunks.size() - 1)[1] = to;
      }
    }
    return hunks;
  }

  private static String header(List<Line> lines, int[] hunk) {
    return "@@ -%s +%s @@%n".formatted(range(lines, hunk, '+'), range(lines, hunk, '-'));
  }

  /** The first line and the number of lines of one side, without the lines of {@code others}. */
  private static String range(List<Line> lines, int[] hunk, char others) {
    long first = lines.subList(0, hunk[0]).stream().filter(it -> it.sign() != others).count();
    long count = lines.subList(hunk[0], hunk[1]).stream().filter(it -> it.sign() != others).count();
    return (count == 0 ? first : first + 1) + "," + count;
  }

  private Patch() {}
}
