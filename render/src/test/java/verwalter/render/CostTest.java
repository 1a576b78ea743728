package verwalter.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Templates as large as the limits allow, each of which once took minutes or hours. */
@SuppressWarnings("NullAway.Init") // JUnit fills the field
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CostTest {
  private static final int LARGE = 900_000;

  @TempDir(factory = MemoryDirectory.class)
  Path templates;

  private String outcome(String template, String text) throws IOException {
    Trees.write(templates, template, text);
    Trees.write(templates, "a.render.yaml", "templates: {x: " + template + "}");
    var failure = catchThrowable(() -> new Renderer().render(templates, "shop", Map.of()));
    return failure == null ? "rendered" : String.valueOf(failure.getMessage());
  }

  private static String filled(String piece) {
    return piece.repeat(LARGE / piece.length());
  }

  @ParameterizedTest
  @ValueSource(strings = {"{#", "{% ", "{{", "{% raw %}", "{#}", "{{ '"})
  void whatJinjaOpensAndNeverClosesIsLookedForOnce(String open) throws IOException {
    assertThat(outcome("t.j2", filled(open))).isNotEmpty();
  }

  @Test
  void aTextInQuotesThatNeverEndsIsReadOnce() throws IOException {
    assertThat(outcome("t.j2", "{{ \"" + filled("\\\"") + " }}")).isNotEqualTo("rendered");
  }
}
