package verwalter.ui.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ByteRangeTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bytes=0-3|10|bytes 0-3/10",
        "bytes=4-|10|bytes 4-9/10",
        "bytes=4-400|10|bytes 4-9/10",
        "bytes=-4|10|bytes 6-9/10",
        "bytes=-40|10|bytes 0-9/10",
        "bytes=-4|0|bytes */0",
        "bytes=0-1,2-3|10|bytes 0-3/10",
        "bytes=5-9, 0-6|10|bytes 0-9/10",
        "bytes=0-7,2-3|10|bytes 0-7/10",
      })
  void parsesRangeHeader(String header, long size, String content) {
    assertThat(ByteRange.of(header, size).orElseThrow().content(size)).isEqualTo(content);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bytes=10-|10",
        "bytes=0-|0",
        "bytes=3-2|10",
        "bytes=-0|10",
        "bytes=-|10",
        "bytes=|10",
        "bytes=a-b|10",
        "lines=0-3|10",
        "bytes=0-1,3-4|10",
        "bytes=0-1,20-21|10",
        "bytes=99999999999999999999-|10",
      })
  void refusesUnsatisfiableRanges(String header, long size) {
    assertThat(ByteRange.of(header, size)).isEmpty();
  }

  @Test
  void refusesManyRanges() {
    assertThat(ByteRange.of("bytes=" + "0-1,".repeat(16) + "0-1", 10)).isEmpty();
    assertThat(ByteRange.of("bytes=" + "0-1,".repeat(15) + "0-1", 10)).isPresent();
  }
}
