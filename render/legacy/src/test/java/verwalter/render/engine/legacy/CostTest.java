package verwalter.render.engine.legacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.render.MemoryDirectory;
import verwalter.render.Trees;
import verwalter.render.recipe.Renderer;

/** Templates close to the size limits, which must render fast. */
@SuppressWarnings("NullAway.Init") // JUnit fills the field
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

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      value = {
        "t.tera => {% for a in list %}{% for b in list %}{% if b %}BLANKS{% endif %}{% endfor %}{% endfor %}",
        "t.trm  => ## syntax: oneline\\n## for a in list\\n## for b in list\\n{{ a -}}BLANKS\\n## endfor\\n## endfor\\n"
      })
  void droppedWhiteSpaceCostsSteps(String template, String text) throws IOException {
    assertThat(outcome(template, text.replace("\\n", "\n").replace("BLANKS", " ".repeat(LARGE))))
        .contains("takes more than 1000000 steps to render");
  }
}
