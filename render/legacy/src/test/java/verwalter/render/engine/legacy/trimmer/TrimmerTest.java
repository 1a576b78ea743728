package verwalter.render.engine.legacy.trimmer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import verwalter.model.json.Json;

/** Small templates and their output, from the tables in {@code resources/trimmer}, one per line. */
class TrimmerTest {
  private static final TrimmerBounds BOUNDS =
      new TrimmerBounds(4 << 20, 1_000_000, 20, 1 << 19, 100_000);

  private static Map<String, Object> variables() throws Exception {
    var variables =
        new HashMap<>(
            Json.object(
                Json.parse(
                    """
                    {"x": "x", "y": "y", "e": "", "n": 7, "zero": 0, "half": 0.5, "yes": true, "no": false,
                     "nothing": null, "list": ["b", 7, null], "none": [], "empty": {},
                     "map": {"a": 2, "b": "x+73", "c": {"d": "deep"}},
                     "maps": [{"n": 1, "on": true}, {"n": 2, "on": false}, {"n": 3, "on": true}],
                     "big": 9223372036854775807, "huge": 18446744073709551615, "neg": -9223372036854775808,
                     "one": 1.0, "html": "<a href=\\"/\\">'`&</a>", "arg": "don't", "text": "a  b\\n c "}
                    """)));
    variables.put("many", IntStream.range(0, 300).boxed().toList());
    return variables;
  }

  private static String render(String template, TrimmerBounds bounds) throws Exception {
    try {
      return Trimmer.parse(template, bounds, TrimmerTest::suggest).render(variables());
    } catch (TrimmerFailed e) {
      return e.errors().stream()
          .map(each -> each.line() + ":" + each.column() + ": " + each.text())
          .collect(Collectors.joining("; "));
    }
  }

  private static String suggest(String wrong, Collection<String> known) {
    return known.contains(wrong + "s") ? "; did you mean " + wrong + "s?" : "";
  }

  static Stream<Arguments> cases() throws Exception {
    try (var files = Files.list(Path.of("src/test/resources/trimmer"))) {
      var cases = new ArrayList<Arguments>();
      for (var file : files.sorted().toList()) {
        for (var line : Files.readAllLines(file)) {
          int arrow = line.lastIndexOf(" => ");
          cases.add(Arguments.of(line.substring(0, arrow), line.substring(arrow + 4)));
        }
      }
      return cases.stream();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void templateRendersTo(String template, String expected) throws Exception {
    assertThat(render(unescaped(template), BOUNDS)).isEqualTo(unescaped(expected));
  }

  private static String unescaped(String text) {
    return text.replace("\\r", "\r").replace("\\n", "\n");
  }

  private static String limited(String template, TrimmerBounds bounds) throws Exception {
    return render(template.replace("\\n", "\n"), bounds);
  }

  @Test
  @Timeout(20)
  void enforcesEveryLimit() throws Exception {
    var few = new TrimmerBounds(100_000, 50_000, 20, 1 << 19, 100_000);
    var loops =
        "## for a in many\n## for b in many\n## for c in many\n%s## endfor\n## endfor\n## endfor\n";
    assertThat(limited(loops.formatted(""), few))
        .isEqualTo("2:1: takes more than 50000 steps to render");
    assertThat(limited(loops.formatted("x".repeat(100) + "\n"), few))
        .isEqualTo("4:1: produces more than 100000 characters");
    assertThat(limited(loops.formatted(" ".repeat(100) + "{{ '' }}\n"), few))
        .isEqualTo("4:1: produces more than 100000 characters");
    assertThat(limited("## for x in list\n## endfor\n", new TrimmerBounds(9, 99, 9, 9, 2)))
        .isEqualTo("1:1: uses a list or map of more than 2");
    assertThat(limited("{{ [1, 2, 3][0] }}", new TrimmerBounds(9, 99, 9, 9, 2)))
        .isEqualTo("1:4: uses a list or map of more than 2");
    assertThat(limited("{{ {'a': 1, 'b': 2, 'c': 3}.a }}", new TrimmerBounds(9, 99, 9, 9, 2)))
        .isEqualTo("1:4: uses a list or map of more than 2");
    var escaped = "## filter h: builtin.html_entities\n{{ html | h }}";
    assertThat(limited(escaped, new TrimmerBounds(99, 99, 9, 20, 9)))
        .isEqualTo("2:1: filters a text of more than 20 characters");
    assertThat(limited(escaped, new TrimmerBounds(99, 99, 9, 30, 9)))
        .isEqualTo("2:1: filters a text of more than 30 characters");
    assertThat(
            limited(
                "## if yes\n".repeat(3) + "## endif\n".repeat(3), new TrimmerBounds(9, 9, 3, 9, 9)))
        .isEmpty();
    assertThat(
            limited(
                "## if yes\n".repeat(4) + "## endif\n".repeat(4), new TrimmerBounds(9, 9, 3, 9, 9)))
        .startsWith("4:1: blocks are nested more than 3 deep");
  }

  @Test
  @Timeout(20)
  void parsesLongAndDeepTemplatesInLinearTimeWithoutCrash() throws Exception {
    int many = 100_000;
    assertThat(render("{{ 1" + " + 1".repeat(many) + " }}", BOUNDS)).isEqualTo("" + (many + 1));
    assertThat(render("{{ x" + " or x".repeat(many) + " }}", BOUNDS)).isEqualTo("x");
    assertThat(render("{{ nothing" + ".a".repeat(many) + " }}", BOUNDS)).isEmpty();
    assertThat(render("{{ " + "(".repeat(many) + "1" + ")".repeat(many) + " }}", BOUNDS))
        .startsWith("1:54: brackets are nested more than 50 deep");
    assertThat(render("## if yes\n".repeat(many), BOUNDS)).contains("nested more than 20 deep");
    assertThat(render("## endif\n".repeat(many), BOUNDS).length()).isLessThan(10_000_000);
    assertThat(render("{{ ".repeat(many), BOUNDS).length()).isLessThan(100_000);
    assertThat(render("{{ 9" + "9".repeat(many) + " }}", BOUNDS)).endsWith("is not a number");
    var blank = "\n".repeat(many) + "## if no\n\n## endif\n" + " \n".repeat(many);
    assertThat(render(blank, BOUNDS)).isEmpty();
    assertThat(render("a" + blank + "b", BOUNDS)).hasSize(3 * many + 2);
    assertThat(render("## let a = 1\n".repeat(many), BOUNDS)).isEmpty();
    assertThat(render("{# ".repeat(many), BOUNDS)).isEqualTo("1:1: this comment has no `#}`");
  }

  @Test
  @Timeout(20)
  void limitsCostOfRegularExpressions() throws Exception {
    for (var regex :
        List.of(
            "((a{1000}){1000}){1000}",
            "(?:a{0,1000}){0,1000}",
            "(((a{30}){30}){30}){30}",
            "[(]((a{90}[)]b){90}){90}",
            "(a|(b){0,99}\\)){99,}{99}")) {
      assertThat(render("## validate v: " + regex + "\n{{ x | v }}", BOUNDS))
          .contains("this regular expression repeats too much");
    }
    assertThat(render("## validate v: (a{0,2}){0,300}\n{{ x | v }}", BOUNDS))
        .contains("does not match");
    assertThat(render("## validate v: [a-z]{1,63}(\\.[a-z]{1,63}){0,20}\n{{ x | v }}", BOUNDS))
        .isEqualTo("x");
    var variables = new HashMap<String, Object>(Map.of("a", "a".repeat(BOUNDS.text() - 1)));
    var slow = Trimmer.parse("## validate v: (((a*)*)*)*b\n{{ a | v }}", BOUNDS, (a, b) -> "");
    assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> slow.render(variables)))
        .hasMessageContaining("does not match");
  }

  @Test
  void reportsEveryErrorOnce() throws Exception {
    assertThat(render("{{ a }}\n## for x in many\n{{ b }}\n## endfor\n{{ c.d }}", BOUNDS))
        .isEqualTo(
            "1:4: undefined variable `a`; 3:4: undefined variable `b`; 5:4: undefined variable `c`");
    assertThat(render("{{ 1 + }}\n## if\n{{ ? }}\n## foo\n## endif\n{{ x | v }}", BOUNDS))
        .contains("1:8: ", "2:6: ", "3:4: ", "4:4: ", "6:8: ");
    assertThat(render("{{ a }}{{ a }}\n".repeat(1000), BOUNDS))
        .contains("50:4: ")
        .endsWith("50:11: undefined variable `a`; 50:11: there are more errors than these");
  }
}
