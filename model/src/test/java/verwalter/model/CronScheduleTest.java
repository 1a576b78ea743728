package verwalter.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of schedules and their next times. */
class CronScheduleTest {
  private static List<String> times(String text, String zone, String after, int count) {
    var schedule = CronSchedule.of(text, ZoneId.of(zone));
    var times = new ArrayList<String>();
    var time = Instant.parse(after);
    for (int i = 0; i < count; i++) {
      time = schedule.next(time).orElseThrow();
      times.add(time.toString());
    }
    return times;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          * * * * *            | 2026-11-26T10:00:00Z | 2026-11-26T10:01:00Z
          * * * * *            | 2026-11-26T10:00:59Z | 2026-11-26T10:01:00Z
          */5 * * * *          | 2026-11-26T10:00:01Z | 2026-11-26T10:05:00Z
          */7 * * * *          | 2026-11-26T10:57:00Z | 2026-11-26T11:00:00Z
          5/20 * * * *         | 2026-11-26T10:06:00Z | 2026-11-26T10:25:00Z
          10-20/5,50 * * * *   | 2026-11-26T10:20:00Z | 2026-11-26T10:50:00Z
          30 3 * * *           | 2026-11-26T03:30:00Z | 2026-11-27T03:30:00Z
          30  3  *  *  *       | 2026-11-26T03:29:59Z | 2026-11-26T03:30:00Z
          05 03 01 01 *        | 2026-11-26T00:00:00Z | 2027-01-01T03:05:00Z
          0 9 * * mon-fri      | 2026-11-27T09:00:00Z | 2026-11-30T09:00:00Z
          0 0 * * 0            | 2026-11-26T00:00:00Z | 2026-11-29T00:00:00Z
          0 0 * * 7            | 2026-11-26T00:00:00Z | 2026-11-29T00:00:00Z
          0 0 * * fri-7        | 2026-11-28T00:00:00Z | 2026-11-29T00:00:00Z
          0 0 13 * fri         | 2026-11-13T00:00:00Z | 2026-11-20T00:00:00Z
          0 0 13 * fri         | 2026-12-11T00:00:00Z | 2026-12-13T00:00:00Z
          0 0 */2 * mon        | 2026-11-26T00:00:00Z | 2026-12-07T00:00:00Z
          0 0 31 * *           | 2026-08-31T00:00:00Z | 2026-10-31T00:00:00Z
          0 0 29 feb *         | 2026-11-26T00:00:00Z | 2028-02-29T00:00:00Z
          0 0 29 2 *           | 2096-03-01T00:00:00Z | 2104-02-29T00:00:00Z
          @hourly              | 2026-11-26T10:00:00Z | 2026-11-26T11:00:00Z
          @daily               | 2026-12-31T10:00:00Z | 2027-01-01T00:00:00Z
          @weekly              | 2026-11-26T10:00:00Z | 2026-11-29T00:00:00Z
          @monthly             | 2026-11-26T10:00:00Z | 2026-12-01T00:00:00Z
          @yearly              | 2026-11-26T10:00:00Z | 2027-01-01T00:00:00Z
          """)
  void theNextTime(String text, String after, String next) {
    assertThat(times(text, "Z", after, 1)).containsExactly(next);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * 32 * *",
        "* * * 13 *", "* * * * 8", "* * * * Mon", "*/0 * * * *", "a * * * *", "@noon", "-1 * * * *",
        "1,,2 * * * *", "* * * * *\n"
      })
  void otherTextsAreRefused(String text) {
    assertThatThrownBy(() -> CronSchedule.of(text, ZoneOffset.UTC))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("cron must be minute, hour, day, month and day of the week");
  }

  @Test
  void timesThatNeverComeAreRefused() {
    assertThatThrownBy(() -> CronSchedule.of("0 0 31 2,4 *", ZoneOffset.UTC))
        .hasMessage("cron: there is no such day: 0 0 31 2,4 *");
    assertThatThrownBy(() -> CronSchedule.of("9-3 * * * *", ZoneOffset.UTC))
        .hasMessage("cron: the range 9-3 of the minutes ends before it begins");
    assertThatThrownBy(() -> CronSchedule.of("* ".repeat(500), ZoneOffset.UTC))
        .hasMessageEndingWith("...");
  }

  /** Berlin: from 02:00 to 03:00 on March 29, and from 03:00 back to 02:00 on October 25. */
  @Test
  void skippedTimesComeAtTheEndOfTheGap() {
    assertThat(times("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", 2))
        .containsExactly("2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z");
    assertThat(times("*/30 * * * *", "Europe/Berlin", "2026-03-29T00:30:00Z", 2))
        .containsExactly("2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z");
  }

  @Test
  void repeatedTimesComeTwiceOnlyForEveryHour() {
    assertThat(times("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 2))
        .containsExactly("2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z");
    assertThat(times("30 * * * *", "Europe/Berlin", "2026-10-25T00:00:00Z", 3))
        .containsExactly("2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T02:30:00Z");
  }

  @Test
  void aRareDayIsFoundAtOnce() {
    var began = System.nanoTime();
    for (int i = 0; i < 100; i++) {
      times("0 0 29 2 *", "Europe/Berlin", "2097-01-01T00:00:00Z", 1);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
  }
}
