package verwalter.render.engine.legacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import verwalter.render.RenderFailed;
import verwalter.render.engine.Limits;
import verwalter.render.engine.TemplateDirectory;
import verwalter.render.recipe.SortedVariables;

class TeraTest {
  private static final Path CASES = Path.of("src/test/resources/tera");
  private static final Map<String, Object> VARIABLES = variables();

  @SuppressWarnings("unchecked")
  private static Map<String, Object> variables() {
    try {
      return SortedVariables.of(
          new ObjectMapper().readValue(CASES.resolve("variables.json").toFile(), Map.class));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  static Stream<String> cases() throws IOException {
    return Files.readAllLines(CASES.resolve("cases.txt")).stream()
        .filter(line -> !line.startsWith("#") && !line.isBlank());
  }

  private static TemplateDirectory directory(String template) throws IOException {
    var files = new TreeMap<String, String>();
    try (var library = Files.list(CASES.resolve("library"))) {
      for (var file : library.toList()) {
        files.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    files.put("t.tera", template);
    return new TemplateDirectory(files);
  }

  private static String rendered(String template, Map<String, Object> variables)
      throws IOException {
    var directory = directory(template);
    var engine = new TeraEngine(Limits.DEFAULT);
    try {
      var problems = engine.check(directory, "t.tera");
      if (!problems.isEmpty()) {
        throw new RenderFailed(problems);
      }
      return engine.render(directory, "t.tera", variables);
    } catch (RenderFailed e) {
      return "! " + e.getMessage();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void templateRendersTo(String line) throws Exception {
    int arrow = line.indexOf(" => ");
    var actual = rendered(line.substring(0, arrow).replace("\\n", "\n"), VARIABLES);
    var expected = line.substring(arrow + 4).replace("\\n", "\n");
    if (expected.startsWith("! ")) {
      assertThat(actual).startsWith(expected.replace("! :", "! t.tera:"));
    } else {
      assertThat(actual).isEqualTo(expected);
    }
  }

  @Test
  void printsWholeContext() throws Exception {
    assertThat(rendered("{% set b = [1] %}{{ __tera_context }}", Map.of("a", Map.of("x", 1L))))
        .isEqualTo("{\n  \"a\": {\n    \"x\": 1\n  },\n  \"b\": [\n    1\n  ]\n}");
  }

  @Test
  void parentMayPrecedeOrFollowChild() throws Exception {
    var parent = "<{% block a %}{% endblock a %}>";
    for (var names : List.of(List.of("a.tera", "z.tera"), List.of("z.tera", "a.tera"))) {
      var child = "{% extends \"" + names.get(0) + "\" %}{% block a %}x{% endblock a %}";
      var directory =
          new TemplateDirectory(new TreeMap<>(Map.of(names.get(0), parent, names.get(1), child)));
      var engine = new TeraEngine(Limits.DEFAULT);
      assertThat(engine.check(directory, names.get(1))).isEmpty();
      assertThat(engine.render(directory, names.get(1), Map.of())).isEqualTo("<x>");
    }
  }

  @Test
  void reportsAllErrorsAtOnce() throws Exception {
    assertThat(
            rendered("{{ a }}\n{% for x in b %}{% endfor %}{{ c | upper }}{{ role }}", VARIABLES))
        .isEqualTo(
            """
            ! t.tera:1:4: undefined variable `a`
            t.tera:2:13: undefined variable `b`
            t.tera:2:32: undefined variable `c`""");
  }

  @Test
  void reportsErrorInOtherTemplateOnceAtItsPosition() throws Exception {
    var directory =
        new TemplateDirectory(
            new TreeMap<>(
                Map.of("a.tera", "{% include \"b.tera\" %}", "b.tera", "{% if %}", "c.j2", "")));
    var engine = new TeraEngine(Limits.DEFAULT);
    assertThat(engine.check(directory, "a.tera")).isEmpty();
    assertThat(engine.check(directory, "b.tera")).hasSize(1);
    var failed =
        catchThrowableOfType(
            RenderFailed.class, () -> engine.render(directory, "a.tera", Map.of()));
    assertThat(failed).hasMessageStartingWith("b.tera:1:7: a value is wanted here");
  }

  @ParameterizedTest(name = "{0}")
  @Timeout(20)
  @CsvSource(
      delimiterString = "=>",
      value = {
        "{% for a in long %}{% for b in long %}{% for c in long %}{{ c }}{% endfor %}{% endfor %}{% endfor %} => takes more than 1000000 steps",
        "{% for a in long %}{% for b in long %}{% for c in long %}{% endfor %}{% endfor %}{% endfor %} => takes more than 1000000 steps",
        "{% for a in range(end=9999999999) %}x{% endfor %} => `range` counts more than 100000 numbers",
        "{% for a in range(end=10000) %}{% for b in range(end=10000) %}x{% endfor %}{% endfor %} => takes more than 1000000 steps",
        "{% macro m() %}{{ self::m() }}{% endmacro m %}{{ self::m() }} => more than 20 inclusions, macros and blocks in one another",
        "{% macro m() %}{{ self::m() }}{{ self::m() }}{% endmacro m %}{{ self::m() }} => more than 20 inclusions",
        "{% include \"t.tera\" %} => more than 20 inclusions",
        "{% set s = \"0123456789\" %}{% for a in long %}{% set_global s = s ~ s %}{% endfor %} => builds a text of more than 524288 characters",
        "{% set s = [1] %}{% for a in long %}{% set_global s = s | concat(with=s) %}{% endfor %} => a list or map has more than 100000 items",
        "{% set s = \"aaaaaaaaaa\" %}{% for a in long %}{% set_global s = s | replace(from=\"a\", to=\"aaaa\") %}{% endfor %} => builds a text of more than",
        "{% set s = [1] %}{% for a in long %}{% set_global s = [s, s] %}{% endfor %}{{ s }} => produces more than 4194304 characters",
        "{% set s = [1] %}{% for a in long %}{% set_global s = [s, s] %}{% endfor %}{{ s == s }} => takes more than 1000000 steps",
        "{% set s = [1] %}{% for a in long %}{% set_global s = [s, s] %}{% endfor %}{{ s | json_encode | length }} => produces more than 524288 characters",
        "{% set s = [1] %}{% for a in long %}{% set_global s = [s, s] %}{% endfor %}{{ [s, s] | unique }} => produces more than 524288 characters",
        "{% for a in long %}{% for b in long %}0123456789012345678901234567890123456789012345678901234567890{% endfor %}{% endfor %} => produces more than 4194304 characters",
        "{% for a in long %}{{ nope ~ a }}{% for b in long %}{{ nope ~ b }}{% endfor %}{% endfor %} => undefined variable",
      })
  void stopsTemplateOverLimits(String template, String expected) throws Exception {
    var variables = new HashMap<>(VARIABLES);
    variables.put("long", IntStream.range(0, 300).mapToObj(each -> (long) each).toList());
    assertThat(rendered(template, variables)).startsWith("! t.tera").contains(expected);
  }

  @ParameterizedTest
  @Timeout(20)
  @CsvSource({
    "{{ , (, 1, ), }}",
    "{{ , [, 1, ], }}",
    "{{ , not , yes, '', }}",
    "{{ , -, 1, '', }}",
    "{{ 1, + 1, '', '', }}",
    "{{ role, ' ~ role', '', '', }}",
    "{{ role, ' | upper', '', '', }}",
    "{{ yes, ' and yes', '', '', }}",
    "{{ list, [0], '', '', }}",
    "'', {% if yes %}, a, {% endif %}, ''",
    "'', {% for x in list %}, a, {% endfor %}, ''",
    "'', {% filter upper %}, a, {% endfilter %}, ''",
    "{{ role, ' | default(value=x', '', ), }}",
  })
  void deepNestingIsErrorWithoutCrash(
      String start, String open, String inner, String close, String end) throws Exception {
    var template =
        start
            + String.valueOf(open).repeat(20000)
            + inner
            + String.valueOf(close).repeat(20000)
            + end;
    assertThat(rendered(template, VARIABLES)).startsWith("! t.tera");
  }
}
