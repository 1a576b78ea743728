package verwalter.render.engine.legacy.trimmer;

import java.util.ArrayDeque;
import java.util.regex.Pattern;

/**
 * Computes an upper bound of the size of a regular expression after compilation, which expands
 * counted repetitions. Each letter of a character class counts.
 */
final class RegexSize {
  private static final Pattern COUNT = Pattern.compile("\\{(\\d{1,9})(?:,(\\d{0,9}))?\\}");
  private static final long MOST = 1L << 40;

  /** The sizes before each open bracket. */
  private final ArrayDeque<Long> open = new ArrayDeque<>();

  private long sum;
  private long last;

  static long of(String regex) {
    var size = new RegexSize();
    var count = COUNT.matcher(regex);
    for (int at = 0; at < regex.length(); at++) {
      char letter = regex.charAt(at);
      if (letter == '{' && count.find(at) && count.start() == at) {
        var most = count.group(2) == null || count.group(2).isEmpty() ? "0" : count.group(2);
        size.repeat(Math.max(Long.parseLong(count.group(1)), Long.parseLong(most)));
        at = count.end() - 1;
      } else {
        size.letter(letter);
        at += letter == '\\' ? 1 : 0;
      }
    }
    return size.all();
  }

  private void letter(char letter) {
    if (letter == '(') {
      open.push(sum + last);
      sum = 0;
      last = 1;
    } else if (letter == ')') {
      last += sum;
      sum = open.isEmpty() ? 0 : open.pop();
    } else {
      sum += last;
      last = 1;
    }
  }

  private void repeat(long times) {
    last = Math.min(MOST, last * Math.max(1, times + 1));
  }

  private long all() {
    long all = sum + last;
    for (var before : open) {
      all += before;
    }
    return Math.min(MOST, all);
  }
}
