package verwalter.deploymentlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import verwalter.deploymentlog.LogDisk.LogFile;

class RetentionTest {
  private static final Instant NOW = Instant.parse("2018-08-10T15:11:50Z");
  private static final Retention RETENTION = new Retention(Duration.ofDays(30), 100);

  private static LogFile file(String directory, int daysAgo, long size, boolean latest) {
    return new LogFile(
        directory, "log." + daysAgo, size, NOW.minus(Duration.ofDays(daysAgo)), latest);
  }

  /** The index files of days with deployments. */
  private static List<LogFile> index(Instant newest, int days) {
    return IntStream.range(0, days)
        .mapToObj(ago -> newest.minus(Duration.ofDays(ago)))
        .map(day -> new LogFile(".index", Rows.indexFile(day), 1, day, day.equals(newest)))
        .toList();
  }

  private static List<LogFile> all(List<LogFile> index, LogFile... others) {
    return Stream.concat(index.stream(), Stream.of(others)).toList();
  }

  @Test
  void oldFilesAreRemovedEvenIfTheyAreTheLatest() {
    var old = file("gone", 31, 1, true);
    assertThat(RETENTION.obsolete(all(index(NOW, 31), old, file("web", 30, 1, false)), NOW))
        .containsExactly(old);
  }

  @Test
  void indexFilesOfOldDaysAreRemoved() {
    var index = index(NOW, 40);
    assertThat(RETENTION.obsolete(index, NOW)).containsExactlyElementsOf(index.subList(31, 40));
  }

  @Test
  void daysWithoutDeploymentsDoNotCount() {
    var old = file("web", 31, 1, true);
    assertThat(RETENTION.obsolete(all(index(NOW, 29), old), NOW)).isEmpty();
  }

  @Test
  void keepsLogsWhenTheClockJumpsAhead() {
    var ahead = NOW.plus(Duration.ofDays(365));
    var written = Stream.concat(index(NOW, 20).stream(), index(ahead, 1).stream()).toList();
    assertThat(RETENTION.obsolete(all(written, file("web", 19, 1, true)), ahead)).isEmpty();
  }

  @Test
  void keepsLogsWrittenWhileTheClockIsBehind() {
    var behind = Instant.parse("1970-01-01T00:00:00Z");
    var written = Stream.concat(index(NOW, 40).stream(), index(behind, 1).stream()).toList();
    assertThat(RETENTION.obsolete(written, behind)).isEmpty();
  }

  @Test
  void theOldestFilesAreRemovedUntilTheSizeFits() {
    var files =
        List.of(
            file("a", 1, 60, false),
            file("a", 9, 30, false),
            file("b", 5, 30, false),
            file("c", 10, 20, true));
    assertThat(RETENTION.obsolete(files, NOW)).containsExactly(files.get(1), files.get(2));
  }

  @Test
  void theLatestFileIsKeptAtAnySize() {
    assertThat(RETENTION.obsolete(List.of(file("a", 1, 600, true)), NOW)).isEmpty();
  }
}
