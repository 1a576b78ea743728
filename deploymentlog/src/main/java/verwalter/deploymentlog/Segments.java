package verwalter.deploymentlog;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;
import verwalter.deploymentlog.LogDisk.LogFile;

/** Chooses the segment of a log to write. Pure. */
final class Segments {
  /** A segment of this size in bytes is full. */
  static final long FULL = 10L << 20;

  private static final Pattern NAME = Pattern.compile("log\\.(.+)\\.txt");

  /** The segment to write: the latest one, or a new one if it is full or not a segment. */
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
