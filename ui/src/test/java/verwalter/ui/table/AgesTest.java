package verwalter.ui.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AgesTest {
  @ParameterizedTest
  @CsvSource({
    "PT-5S,0s", "PT0S,0s", "PT119S,119s", "PT2M,2m", "PT3M12S,3m12s", "PT10M,10m", "PT179M,179m",
    "PT3H,3h", "PT5H3M,5h3m", "PT8H,8h", "PT47H,47h", "PT48H,2d", "P3DT4H,3d4h", "P8D,8d",
    "P729D,729d", "P761D,2y31d"
  })
  void printsAgesWithAtMostTwoUnits(Duration age, String text) {
    assertThat(Ages.text(age)).isEqualTo(text);
  }
}
