package verwalter.render.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.render.MemoryDirectory;
import verwalter.render.Trees;
import verwalter.render.recipe.Renderer;

/** Templates close to the size limits, which must render fast. */
@SuppressWarnings("NullAway.Init") // JUnit initializes the field
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CostTest {
  private static final int LARGE = 900_000;

  @TempDir(factory = MemoryDirectory.class)
  Path templates;

  private String outcome(String template, String text) throws IOException {
    Trees.write(templates, template, text);
    Trees.write(templates, "a.render.yaml", "templates: {x: " + template + "}");
    var failure =
        catchThrowable(() -> new Renderer(Path.of("/")).render(templates, "shop", variables()));
    return failure == null ? "rendered" : String.valueOf(failure.getMessage());
  }

  private static Map<String, Object> variables() {
    var map = new TreeMap<String, Object>();
    LongStream.range(0, 20_000).forEach(each -> map.put("a_key_of_this_map_" + each, each));
    var list = LongStream.range(0, 9999).boxed().toList();
    return Map.of("map", map, "list", list);
  }

  private static String filled(String piece) {
    return piece.repeat(LARGE / piece.length());
  }

  @ParameterizedTest
  @ValueSource(strings = {"{#", "{% ", "{{", "{% raw %}", "{#}", "{{ '"})
  void searchesMissingEndDelimiterOnce(String open) throws IOException {
    assertThat(outcome("t.j2", filled(open))).isNotEmpty();
  }

  @Test
  void readsUnterminatedStringOnce() throws IOException {
    assertThat(outcome("t.j2", "{{ \"" + filled("\\\"") + " }}")).isNotEqualTo("rendered");
  }

  @Test
  void locatesErrorOnceForAllIterations() throws IOException {
    var mistake = "{{ nope" + " ".repeat(LARGE / 2) + "}}";
    var turns = "{% for i in range(9999) %}" + mistake + "{% endfor %}";
    assertThat(outcome("t.j2", "x\n".repeat(LARGE / 4) + turns))
        .isEqualTo("t.j2:225001:30: undefined variable `nope`");
  }

  @Test
  void computesSimilarNamesOnlyForReportedErrors() throws IOException {
    var turn = "{{ map.a_key_of_that_mup | default(1) }}{{ map.get('a_key_of_that_mup', 1) }}";
    assertThat(outcome("t.j2", "{% for i in range(9999) %}" + turn + "{% endfor %}"))
        .isEqualTo("rendered");
  }
}
