package verwalter.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadyReportsTest {
  @ParameterizedTest
  @CsvSource({"1, 2000", "3, 2000", "8, 2000", "9, 2250", "1000, 250000"})
  void theLeaderReceivesAtMostFourReportsInASecondHoweverManyNodesThereAre(int nodes, long millis) {
    assertEquals(Duration.ofMillis(millis), ReadyReports.period(nodes));
  }
}
