package verwalter.deploymentlog;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import verwalter.deploymentlog.LogDisk.LogFile;

/**
 * The retention of deployment logs.
 *
 * @param age the time after the last write at which a file is removed
 * @param bytes the limit of the size of all files; the oldest are removed first, except for files
 *     in use
 */
public record Retention(Duration age, long bytes) {

  /** The files to remove. */
  List<LogFile> obsolete(List<LogFile> files, Instant now) {
    var obsolete = new ArrayList<LogFile>();
    var oldest = now.minus(age);
    long total = 0;
    var staying = new ArrayList<LogFile>();
    for (var file : files) {
      if (file.written().isBefore(oldest)) {
        obsolete.add(file);
      } else {
        staying.add(file);
        total += file.size();
      }
    }
    staying.sort(
        Comparator.comparing(LogFile::written)
            .thenComparing(LogFile::directory)
            .thenComparing(LogFile::name));
    for (var file : staying) {
      if (total > bytes && !file.latest()) {
        obsolete.add(file);
        total -= file.size();
      }
    }
    return obsolete;
  }
}
