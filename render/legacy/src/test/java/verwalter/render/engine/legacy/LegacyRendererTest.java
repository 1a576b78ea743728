package verwalter.render.engine.legacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.render.MemoryDirectory;
import verwalter.render.RenderFailed;
import verwalter.render.Trees;
import verwalter.render.recipe.Renderer;

/** The renderer finds these engines by the file extensions of templates. */
@SuppressWarnings("NullAway.Init") // JUnit fills the field
class LegacyRendererTest {
  @TempDir(factory = MemoryDirectory.class)
  Path templates;

  private final Renderer renderer = new Renderer(Path.of("/"));

  private static Map<String, Object> variables() {
    var variables = new HashMap<String, Object>();
    variables.put("role", "shop");
    variables.put("text", "{{ role }} <&>\"'");
    variables.put("nothing", null);
    variables.put("yes", true);
    variables.put("no", false);
    variables.put("zero", 0L);
    variables.put("half", 0.5);
    variables.put("list", List.of("x", "y", "z"));
    variables.put("none", List.of());
    variables.put("map", Map.of("k2", Map.of("v", 2L), "k1", Map.of("v", 1L)));
    variables.put("long", IntStream.range(0, 300).boxed().toList());
    return variables;
  }

  private String render(String template, String text) throws Exception {
    Trees.write(templates, template, text.replace("\\n", "\n"));
    Trees.write(templates, "a.render.yaml", "templates: {x: " + template + "}");
    return renderer
        .render(templates, "shop", variables())
        .files()
        .getOrDefault("a.render.yaml", new TreeMap<>())
        .getOrDefault("x", "");
  }

  private String problem(String template, String text) {
    var failed = catchThrowableOfType(RenderFailed.class, () -> render(template, text));
    return failed == null ? "none" : String.valueOf(failed.getMessage());
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '`',
      value = {
        "t.tera => {{ list }} {{ map }} {{ list.2 }} {{ map.k1.v }} => [x, y, z, ] [object] z 1",
        "t.tera => {% for k, v in map %}{{ k }}{{ v.v }}{{ loop.last }} {% endfor %}. => k11false k22true.",
        "t.tera => {% macro m(a) %}<{{ a }}>{% endmacro m %}{{ self::m(a=1) }} => <1>",
        "t.tera => {{ list | join(sep=\", \") }} {{ nope | default(value=7) }} {{ map | get(key=\"k2\") | get(key=\"v\") }} => x, y, z 7 2",
        "t.tera => {{ \"list.0 ::\" }} {{ 1.5 }} {# list.0 #}. => list.0 :: 1.5 .",
        "t.trm  => {{ role }} {{ map.k1.v }} => shop 1",
      })
  void expressionRendersTo(String template, String text, String expected) throws Exception {
    assertThat(render(template, text)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '`',
      value = {
        "t.tera => {{ map | get(key=\"k\") }} => :1:10: undefined variable `k`; did you mean k1?",
      })
  void expressionFailsWith(String template, String text, String expected) {
    assertThat(problem(template, text)).startsWith(template + expected);
  }
}
