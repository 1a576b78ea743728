package verwalter.deploymentlog;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import verwalter.deploymentlog.LogDisk.LogFile;

/**
 * How long deployment logs stay.
 *
 * @param age after which a file that nobody has written to is removed
 * @param bytes that all files may take together; the oldest go first, but none that is still
 *     written to
 */
public record Retention(Duration age, long bytes) {

  /** What has to go. */
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
