package verwalter.deploymentlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import verwalter.deploymentlog.LogDisk.LogFile;

class RetentionTest {
  private static final Instant NOW = Instant.parse("2018-08-10T15:11:50Z");
  private static final Retention RETENTION = new Retention(Duration.ofDays(30), 100);

  private static LogFile file(String directory, int daysAgo, long size, boolean latest) {
    return new LogFile(
        directory, "log." + daysAgo, size, NOW.minus(Duration.ofDays(daysAgo)), latest);
  }

  @Test
  void oldFilesAreRemovedEvenIfTheyAreTheLatest() {
    var old = file("gone", 31, 1, true);
    assertThat(RETENTION.obsolete(List.of(old, file("web", 30, 1, false)), NOW))
        .containsExactly(old);
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
