package verwalter.render.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlainDecimalTest {
  @ParameterizedTest
  @CsvSource({
    "2.0, 2",
    "-3.0, -3",
    "0.5, 0.5",
    "0.0, 0",
    "-0.0, -0",
    "1e21, 1000000000000000000000",
    "1e-7, 0.0000001",
    "2e-3, 0.002",
    "5.684341886080802e-14, 0.00000000000005684341886080802",
    "123456789.125, 123456789.125",
  })
  void printsFewestDigitsWithoutExponent(double number, String text) {
    assertThat(PlainDecimal.of(number)).isEqualTo(text);
    assertThat(Double.parseDouble(text)).isEqualTo(number);
  }

  @Test
  void printsWholeNumbersInFull() {
    assertThat(PlainDecimal.of(Double.MAX_VALUE)).matches("17976931348623157[0]{292}");
  }
}
