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
 * <p>A file is removed because of its age only after as many later days with deployments, which are
 * the days that have an index file. So a clock that jumps ahead removes nothing.
 *
 * @param age the time after the last write at which a file may be removed, in whole days
 * @param bytes the limit of the size of all files; the oldest are removed first, except for files
 *     in use
 */
public record Retention(Duration age, long bytes) {

  /** The files to remove. */
  List<LogFile> obsolete(List<LogFile> files, Instant now) {
    var obsolete = new ArrayList<LogFile>();
    var oldest = now.minus(age);
    var index =
        files.stream()
            .filter(file -> file.directory().equals(DeploymentLog.INDEX))
            .map(LogFile::name)
            .toList();
    long total = 0;
    var staying = new ArrayList<LogFile>();
    for (var file : files) {
      if (file.written().isBefore(oldest) && daysAfter(file, index) >= age.toDays()) {
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

  private static long daysAfter(LogFile file, List<String> index) {
    var day = Rows.indexFile(file.written());
    return index.stream().filter(each -> each.compareTo(day) > 0).count();
  }
}
