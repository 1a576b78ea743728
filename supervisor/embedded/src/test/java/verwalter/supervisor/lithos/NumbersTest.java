package verwalter.supervisor.lithos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NumbersTest {
  @ParameterizedTest
  @CsvSource({
    "0,0",
    "+7,7",
    "-7,-7",
    "1_000,1000",
    "0x1f,31",
    "0o17,15",
    "0b101,5",
    "1k,1000",
    "2M,2000000",
    "1G,1000000000",
    "1ki,1024",
    "1 ki,1024",
    "1Mi,1048576",
    "3Gi,3221225472",
    "0x1_0k,16000",
    "9223372036854775807,9223372036854775807",
    "080,80"
  })
  void readsNumbersAsLithos(String text, long number) {
    assertThat(Numbers.human(text)).contains(number);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0.5",
        "100m",
        "1K",
        "_1",
        "1e3",
        "0x",
        "0o8",
        "1kk",
        "ten",
        "9223372036854775808",
        "1 000"
      })
  void refusesOtherNumbers(String text) {
    assertThat(Numbers.human(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1k", "1_0", "0x1", "", " 1"})
  void plainNumbersHaveNoUnits(String text) {
    assertThat(Numbers.plain(text)).isEmpty();
    assertThat(Numbers.plain("+12")).contains(12L);
  }
}
