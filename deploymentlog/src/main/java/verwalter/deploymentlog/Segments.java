package verwalter.deploymentlog;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;
import verwalter.deploymentlog.LogDisk.LogFile;

/** Which segment of a log is written next. Pure. */
final class Segments {
  /** A segment that has reached this size, in bytes, is not begun on again. */
  static final long FULL = 10L << 20;

  private static final Pattern NAME = Pattern.compile("log\\.(.+)\\.txt");

  /** The segment to write: the latest, or where that is full or no segment a new one. */
  static String next(Optional<LogFile> latest, Instant now) {
    return latest
        .filter(file -> file.size() < FULL)
        .map(LogFile::name)
        .map(NAME::matcher)
        .filter(name -> name.matches())
        .map(name -> name.group(1))
        .orElseGet(() -> Rows.segment(now));
  }

  static String file(String segment) {
    return "log." + segment + ".txt";
  }

  private Segments() {}
}
