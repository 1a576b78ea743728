package verwalter.controllers.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CountersTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 0",
    "2, 1",
    "5, 1",
    "6, 2",
    "25, 2",
    "100, 3",
    "101, 4",
    "500, 4",
    "2000, 5",
    "10000, 6",
    "10001, 7",
    "3600000, 7"
  })
  void aRunIsCountedInTheBucketOfItsLatency(long millis, int bucket) {
    var counters = new Counters("test");
    counters.reconciled(Duration.ofMillis(millis));

    var latency = counters.snapshot().latency();
    assertThat(latency.sumMillis()).isEqualTo(millis);
    assertThat(latency.counts()).hasSize(latency.boundsMillis().size() + 1);
    for (int i = 0; i < latency.counts().size(); i++) {
      assertThat(latency.counts().get(i)).as("bucket %d", i).isEqualTo(i == bucket ? 1 : 0);
    }
  }
}
