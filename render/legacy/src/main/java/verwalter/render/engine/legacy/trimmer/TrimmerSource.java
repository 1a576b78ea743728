package verwalter.render.engine.legacy.trimmer;

import java.util.ArrayList;
import java.util.Arrays;

/** The text of a template, with the positions of its lines. */
final class TrimmerSource {
  private final String text;
  private final int[] lines;

  TrimmerSource(String text) {
    this.text = text;
    var starts = new ArrayList<Integer>();
    for (int at = 0; at >= 0; at = text.indexOf('\n', at) + 1) {
      starts.add(at);
      if (text.indexOf('\n', at) < 0) {
        break;
      }
    }
    this.lines = starts.stream().mapToInt(Integer::intValue).toArray();
  }

  String text() {
    return text;
  }

  int length() {
    return text.length();
  }

  /** The end of the line, before its line feed. */
  int endOfLine(int at) {
    int end = text.indexOf('\n', at);
    return end < 0 ? text.length() : end;
  }

  /** The start of the next line, or the end of the text. */
  int nextLine(int at) {
    return Math.min(endOfLine(at) + 1, text.length());
  }

  /** The next position that is neither a space nor a tab. */
  int afterBlanks(int at) {
    int end = at;
    while (end < text.length() && (text.charAt(end) == ' ' || text.charAt(end) == '\t')) {
      end++;
    }
    return end;
  }

  TrimmerError error(int at, String what) {
    int found = Arrays.binarySearch(lines, at);
    int line = found >= 0 ? found : -found - 2;
    return new TrimmerError(line + 1, at - lines[line] + 1, what);
  }
}
