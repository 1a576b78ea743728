package verwalter.render.engine.handlebars;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import verwalter.model.json.Json;
import verwalter.render.RenderFailed;
import verwalter.render.engine.Limits;
import verwalter.render.engine.TemplateDirectory;
import verwalter.render.recipe.SortedVariables;

/** Small templates and their output, from the tables in {@code resources/handlebars}. */
class HandlebarsTest {
  private static final Path TABLES = Path.of("src/test/resources/handlebars");

  private final HandlebarsEngine engine = new HandlebarsEngine(Limits.DEFAULT);

  private static Map<String, Object> variables() throws Exception {
    var variables =
        new TreeMap<>(
            Json.object(
                Json.parse(
                    """
                    {"x": "x", "e": "", "n": 7, "zero": 0, "fzero": 0.0, "tiny": 1e-310, "half": 0.5, "one": 1.0,
                     "yes": true, "no": false, "nothing": null, "list": ["b", 7, null], "none": [], "empty": {},
                     "huge": 18446744073709551615, "neg": -9223372036854775808, "big": 1e21, "space": " ",
                     "lists": [[1, 2], {"k": 3}], "map2": {"n": 9}, "sorted": {"é": 1, "b": 2, "A": 3, "a": 4},
                     "map": {"a": 2, "b": "x+73", "c": {"d": "deep"}, "odd key": "odd", "x": "ex"},
                     "maps": [{"k": 1}, {"k": 2}], "text": "<a b=\\"c\\">&'`="}
                    """)));
    variables.put("many", IntStream.range(0, 300).boxed().toList());
    return SortedVariables.of(variables);
  }

  private String render(String text) throws Exception {
    return render(engine, text);
  }

  private static String render(HandlebarsEngine engine, String text) throws Exception {
    var files = new TreeMap<String, String>();
    files.put("t.hbs", text);
    files.put("p/one.hbs", "one {{n}}");
    files.put("p/two.handlebars", "two({{> p/one.hbs}})");
    files.put("p/k.hbs", "k{{k}}");
    files.put("p/lines.hbs", "1\n2\n");
    files.put("other.j2", "{% broken");
    try {
      return engine.render(new TemplateDirectory(files), "t.hbs", variables());
    } catch (RenderFailed e) {
      var problem = e.problems().get(0);
      assertThat(problem.file()).isEqualTo("t.hbs");
      return problem.line() + ":" + problem.column() + ": " + problem.text();
    }
  }

  private static Stream<Arguments> table(String name) throws Exception {
    var cases = new ArrayList<Arguments>();
    for (var line : Files.readAllLines(TABLES.resolve(name))) {
      int arrow = line.lastIndexOf(" => ");
      cases.add(Arguments.of(line.substring(0, arrow), line.substring(arrow + 4)));
    }
    return cases.stream();
  }

  static Stream<Arguments> expressions() throws Exception {
    return table("expressions.txt");
  }

  static Stream<Arguments> mistakes() throws Exception {
    return table("mistakes.txt");
  }

  static Stream<String> attacks() throws Exception {
    return Files.readAllLines(TABLES.resolve("attacks.txt")).stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("expressions")
  void templateRendersTo(String template, String expected) throws Exception {
    assertThat(render(template.replace("\\n", "\n"))).isEqualTo(expected.replace("\\n", "\n"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mistakes")
  void templateFailsWith(String template, String expected) throws Exception {
    assertThat(render(template.replace("\\n", "\n"))).startsWith(expected);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("attacks")
  void cannotReachJavaObjects(String template) throws Exception {
    assertThat(render(template)).matches("(?s)(\\d+:\\d+: .*)?");
  }

  @Test
  @Timeout(20)
  void enforcesEveryLimit() throws Exception {
    var small =
        new HandlebarsEngine(new Limits(1 << 20, 9, 100_000, 20_000, 20, 1 << 19, 100_000, 10_000));
    var loops = "{{#each many}}{{#each ../many}}{{#each ../../many}}%s{{/each}}{{/each}}{{/each}}";
    assertThat(render(small, loops.formatted(""))).contains("takes more than 20000 steps");
    assertThat(render(small, loops.formatted("{{this}}"))).contains("takes more than 20000 steps");
    assertThat(render(small, loops.formatted("x".repeat(1000))))
        .contains("more than 100000 characters");
    assertThat(render(small, "{{#*inline \"a\"}}{{> a}}{{/inline}}{{> a}}"))
        .contains("nested more than 20 deep");
    var doubling = new StringBuilder("{{#*inline \"a0\"}}{{/inline}}");
    for (int i = 1; i < 18; i++) {
      var use = "{{> a" + (i - 1) + "}}";
      doubling.append("{{#*inline \"a" + i + "\"}}" + use.repeat(4) + "{{/inline}}");
    }
    assertThat(render(small, doubling + "{{> a17}}")).contains("takes more than 20000 steps");
    assertThat(render(small, "{{> t.hbs}}")).contains("calling itself");
    assertThat(render(small, "{{#if yes}}".repeat(21) + "{{/if}}".repeat(21)))
        .contains("nested more than 20 deep");
    assertThat(render(small, "{{#if yes}}".repeat(20) + "a" + "{{/if}}".repeat(20))).isEqualTo("a");
    var lookups = "(lookup ".repeat(5000) + "map" + " 'c')".repeat(5000);
    assertThat(render(small, "{{#if " + lookups + "}}{{/if}}")).contains("is nested too deeply");
  }
}
