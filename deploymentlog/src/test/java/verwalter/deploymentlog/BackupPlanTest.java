package verwalter.deploymentlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackupPlanTest {
  private static final Instant AT = Instant.parse("2018-08-10T15:11:50Z");

  @Test
  void everyKindOfBackupIsCreatedAtFirst() {
    var plan = BackupPlan.of(List.of("schedule.json", "backup.tmp"), AT);
    assertThat(plan.made())
        .containsExactly(
            "hourly-20180810T15.json.gz", "daily-20180810.json.gz", "weekly-2018w32.json.gz");
    assertThat(plan.removed()).isEmpty();
  }

  @Test
  void onlyMissingBackupsAreCreated() {
    var present =
        List.of("hourly-20180810T14.json.gz", "daily-20180810.json.gz", "weekly-2018w32.json.gz");
    assertThat(BackupPlan.of(present, AT).made()).containsExactly("hourly-20180810T15.json.gz");
  }

  @ParameterizedTest
  @CsvSource({
    // what date -d DAY +%W says
    "2018-01-01, 1",
    "2018-08-10, 32",
    "2017-01-01, 0",
    "2017-01-02, 1",
    "2016-12-31, 52",
    "2012-12-31, 53",
    "2026-01-04, 0",
    "2026-01-05, 1",
  })
  void weeksBeginOnMonday(String day, int week) {
    assertThat(BackupPlan.week(Instant.parse(day + "T12:00:00Z"))).isEqualTo(week);
  }

  @Test
  void backupsOf36HoursAnd14DaysAnd12WeeksAreKept() {
    var present = new TreeSet<String>();
    present.add("hourly-notes.json.gz");
    for (int hour = 0; hour < 24 * 7 * 20; hour++) {
      var plan = BackupPlan.of(present, AT.plus(Duration.ofHours(hour)));
      present.addAll(plan.made());
      plan.removed().forEach(present::remove);
    }
    assertThat(present).hasSize(36 + 14 + 12 + 1).contains("hourly-notes.json.gz");
    assertThat(present.stream().filter(name -> name.startsWith("hourly-2"))).hasSize(36);
    assertThat(present.stream().filter(name -> name.startsWith("daily-"))).hasSize(14);
    assertThat(present)
        .contains("hourly-20181228T14.json.gz")
        .doesNotContain("weekly-2018w38.json.gz");
  }
}
