package verwalter.ui.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StrictJsonTest {
  @ParameterizedTest
  @ValueSource(strings = {"application/json", "application/yaml"})
  void refusesBodyWithTooManyValuesOrLevels(String type) {
    for (var body :
        new String[] {
          "[{}" + ",{}".repeat(400_000) + "]", "[".repeat(201) + "]".repeat(201),
        }) {
      assertThatExceptionOfType(RequestProblem.class)
          .isThrownBy(() -> StrictJson.parse(Buffer.buffer(body), type))
          .satisfies(problem -> assertThat(problem.code()).isEqualTo(400));
    }
    assertThat(StrictJson.parse(Buffer.buffer("[{}" + ",{}".repeat(10_000) + "]"), type))
        .hasSize(10_001);
  }

  @ParameterizedTest
  @ValueSource(ints = {400_000})
  void readsOwnTextOfAnySize(int size) {
    assertThat(StrictJson.parseOwn(Buffer.buffer("[0" + ",0".repeat(size) + "]")))
        .hasSize(size + 1);
  }
}
