package verwalter.supervisor.embedded;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the last lines that a failed run wrote, which often say why it failed. They become a part
 * of a reason that many people may read, so they are short, without control characters and without
 * the values of secret variables. Blocks.
 */
record LastOutput(LogFiles logs, RunDirectory runs) {
  private static final Logger LOG = LoggerFactory.getLogger(LastOutput.class);

  /** The number of lines. */
  static final int LINES = 5;

  /** The number of characters of all lines. */
  static final int MOST = 1000;

  private static final int LONGEST_LINE = 300;
  private static final String SEPARATOR = " | ";

  /** The lines of the supervisor are among those that are looked at. */
  private static final int LOOKED_AT = 3 * LINES;

  /** The limit of lines that are read: a process that outlived the run may write meanwhile. */
  private static final int MOST_READ = 3 * LOOKED_AT;

  private static final Pattern FRAME = Pattern.compile("[-0-9T:]{19}Z: ----- .* -----");
  private static final Pattern SEQUENCE = Pattern.compile("\\x1b\\[[0-9;?]*[ -/]*[@-~]");
  private static final Pattern UNSEEN = Pattern.compile("[\\p{Cntrl}\\p{Cf}\\u2028\\u2029]+");

  /** The lines on one line; empty if there are none. */
  String of(Run run) {
    try {
      var query =
          new LogQuery(
              "", Optional.empty(), Optional.empty(), LOOKED_AT, Optional.empty(), false, false);
      var reader = LogReader.of(new LogHistory(logs, run.log()), run.slot(), query);
      var mask = SecretMask.ofLaunch(runs.launchText(run.id()));
      var lines = new ArrayDeque<String>();
      boolean ended = false;
      for (int read = 0; read < MOST_READ && !ended; read++) {
        var line = reader.peek();
        if (line.isEmpty()) {
          reader.unfinished();
          line = reader.peek();
          ended = line.isEmpty();
        }
        if (line.isPresent()) {
          reader.take();
          add(line.get().text(), run.slot(), mask, lines);
        }
      }
      return bounded(lines);
    } catch (IOException unreadable) {
      LOG.debug("{} cannot be read", run.log(), unreadable);
      return "";
    }
  }

  private static void add(String text, String slot, SecretMask mask, ArrayDeque<String> lines) {
    if (PreviousRun.isStart(text, slot)) {
      lines.clear();
    } else if (!FRAME.matcher(text).matches()) {
      var plain = UNSEEN.matcher(SEQUENCE.matcher(text).replaceAll("")).replaceAll(" ").strip();
      if (!plain.isEmpty()) {
        var masked = mask.in(plain);
        lines.add(
            masked.length() > LONGEST_LINE ? masked.substring(0, LONGEST_LINE) + "..." : masked);
      }
    }
  }

  private static String bounded(ArrayDeque<String> lines) {
    int size = lines.stream().mapToInt(line -> line.length() + SEPARATOR.length()).sum();
    while (lines.size() > LINES || size > MOST) {
      size -= lines.remove().length() + SEPARATOR.length();
    }
    return String.join(SEPARATOR, lines);
  }
}
