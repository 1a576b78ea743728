package verwalter.controllers.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DebounceTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final Debounce debounce =
      new Debounce(
          new Debounce.Limits(
              Duration.ofMillis(200), Duration.ofMillis(1000), Duration.ofMillis(300)));

  private static Instant at(long millis) {
    return START.plusMillis(millis);
  }

  private long left(long millis) {
    return debounce.left(at(millis)).map(Duration::toMillis).orElse(-1L);
  }

  @ParameterizedTest
  @CsvSource({
    "'', 0, -1",
    "0, 0, 200",
    "0, 150, 50",
    "0, 199, 1",
    "0, 200, 0",
    "0, 5000, 0",
    "0 150, 200, 150",
    "0 150, 350, 0",
    "0 150 300 450 600 750 900, 900, 100",
    "0 150 300 450 600 750 900 999, 999, 1",
    "0 150 300 450 600 750 900 999, 1000, 0",
    "500 100, 100, 200",
    "500 100, 250, 50",
    "500 100, 300, 0",
    "0 900 500, 500, 100",
    "1000, 0, 200",
  })
  void changesAreDueAfterTheQuietTimeOrTheLongestWait(String changes, long now, long wait) {
    for (var change : changes.split(" ", -1)) {
      if (!change.isEmpty()) {
        debounce.add(Set.of(ConfigPart.of("runtime")), at(Long.parseLong(change)));
      }
    }
    assertThat(left(now)).isEqualTo(wait);
  }

  @Test
  void aClockThatIsSetBackDoesNotMakeItWaitLonger() {
    debounce.add(Set.of(ConfigPart.of("runtime")), at(3_600_000));
    assertThat(left(0)).isEqualTo(200);
    assertThat(left(150)).isEqualTo(50);
    assertThat(left(200)).isZero();
  }

  @Test
  void takenChangesAreNotReturnedAgain() {
    debounce.add(Set.of(ConfigPart.of("runtime")), at(0));
    debounce.add(Set.of(ConfigPart.of("templates")), at(10));
    debounce.add(Set.of(), at(20));
    var change = debounce.take(at(1000));
    assertThat(change.areas()).containsExactlyInAnyOrder("runtime", "templates");
    assertThat(change.everything()).isFalse();
    assertThat(change.touches("runtime")).isTrue();
    assertThat(change.touches("scheduler")).isFalse();
    assertThat(left(1000)).isEqualTo(-1);
    debounce.add(Set.of(), at(1100));
    assertThat(left(1100)).isEqualTo(-1);
    debounce.add(Set.of(ConfigPart.EVERYTHING), at(1200));
    assertThat(left(1200)).isEqualTo(200);
    assertThat(debounce.take(at(1400)).touches("scheduler")).isTrue();
  }

  /**
   * A file of role {@code a} changes every 50 ms until {@code end}; {@code other} changes once at
   * 100 ms. Each report is its time, its areas, and the roles and templates that are not settled.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | runtime/b/v1.yaml | 300 runtime [] []",
        "150 | runtime/b/v1.yaml | 350 runtime [] []",
        "550 | runtime/b/v1.yaml | 600 runtime [a] [], 750 runtime [] []",
        "550 | scheduler/v1/main.lua | 600 scheduler [a] [], 750 runtime [] []",
        "550 | runtime/a.yaml | 750 runtime [] []",
        "1500 | templates/b/v1/x.trm | 600 templates [a] [], 1000 runtime [] [], 1700 runtime [] []",
      })
  void reportsSettledPartsWhileOthersChange(String end, String other, String reports) {
    var actual = new ArrayList<String>();
    for (long now = 0; now < 3000; now++) {
      if (now % 50 == 0 && now <= Long.parseLong(end)) {
        debounce.add(Set.of(ConfigPart.at(Path.of("runtime/a/v1/x.yaml"))), at(now));
      }
      if (now == 100) {
        debounce.add(Set.of(ConfigPart.at(Path.of(other))), at(now));
      }
      if (left(now) == 0) {
        var change = debounce.take(at(now));
        actual.add(
            "%d %s %s %s"
                .formatted(
                    now,
                    String.join(" ", change.areas()),
                    change.changingRoles(),
                    change.changingTemplates()));
      }
    }
    assertThat(actual).isEqualTo(List.of(reports.split(", ")));
  }

  @Test
  void namesTemplatesThatAreStillChanging() {
    debounce.add(Set.of(ConfigPart.at(Path.of("scheduler/v1/main.lua"))), at(0));
    for (long now = 0; now <= 500; now += 100) {
      debounce.add(Set.of(ConfigPart.at(Path.of("templates/shop.d/v1/x.trm"))), at(now));
    }
    assertThat(left(500)).isZero();
    var change = debounce.take(at(500));
    assertThat(change.areas()).containsExactly("scheduler");
    assertThat(change.changingTemplates()).containsExactly("shop.d");
    assertThat(change.changingRoles()).isEmpty();
  }
}
