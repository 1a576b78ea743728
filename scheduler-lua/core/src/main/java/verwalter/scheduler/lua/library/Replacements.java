package verwalter.scheduler.lua.library;

import java.util.function.IntFunction;
import verwalter.scheduler.lua.text.Pattern;

/** One call of {@code string.gsub}: its result so far. */
public final class Replacements {
  private final LibraryCall call;
  private final String text;
  private final Pattern pattern;
  private final StringBuilder result = new StringBuilder();
  private long count;

  /** A call that replaces the matches of the pattern in the text. */
  public Replacements(LibraryCall call, String text, Pattern pattern) {
    this.call = call;
    this.text = text;
    this.pattern = pattern;
  }

  /** Replaces all matches; returns the result. */
  public String replace(Runnable replacement) {
    long most = call.integer(4, text.length() + 1L);
    int at = 0;
    int last = -1;
    while (count < most) {
      if (pattern.matchAt(at) && pattern.end() != last) {
        count++;
        int end = pattern.end();
        replacement.run();
        at = last = end;
      } else if (at < text.length()) {
        result.append(text.charAt(at++));
      } else {
        break;
      }
      if (pattern.anchored()) {
        break;
      }
    }
    call.reserve((long) result.length() + text.length() - at);
    return result.append(text, at, text.length()).toString();
  }

  /** The number of replaced matches. */
  public long count() {
    return count;
  }

  /** Replaces a match by itself. */
  public void keep() {
    append(text.substring(pattern.start(), pattern.end()));
  }

  /** Replaces a match by a template in which {@code %1} is the text of the capture 0. */
  public void template(String template, IntFunction<String> capture) {
    for (int i = 0; i < template.length(); i++) {
      char c = template.charAt(i);
      if (c != '%') {
        result.append(c);
        continue;
      }
      char d = ++i < template.length() ? template.charAt(i) : '\0';
      if (d == '%') {
        result.append('%');
      } else if (d == '0') {
        keep();
      } else if (d >= '1' && d <= '9') {
        append(capture.apply(d - '1'));
      } else {
        throw call.error("invalid use of '%' in replacement string");
      }
    }
    append("");
  }

  /** Replaces a match by a text. */
  public void append(String more) {
    var meter = call.meter();
    if ((long) result.length() + more.length() > meter.budget().stringLength()) {
      throw call.error(meter.tooLong());
    }
    meter.tick((long) more.length() / 64);
    result.append(more);
  }
}
