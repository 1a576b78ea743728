package verwalter.render.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.render.RenderFailed;
import verwalter.render.engine.TemplateDirectory;
import verwalter.render.recipe.LogDirectories;
import verwalter.render.recipe.Recipe;
import verwalter.render.recipe.Rendered;

class GuardTest {
  private static final TemplateDirectory DIRECTORY =
      new TemplateDirectory(new TreeMap<>(Map.of("list.j2", "", "other.j2", "")));

  private static Recipe recipe(String rules) throws RenderFailed {
    return Recipe.parse(
        "a.render.yaml", "templates: {list: list.j2, other: other.j2}\n" + rules, DIRECTORY);
  }

  private static Rendered rendered(String rules, String list) throws RenderFailed {
    return new Rendered(
        "web",
        "/etc",
        false,
        LogDirectories.NONE,
        List.of(
            new Rendered.Part(recipe(rules), new TreeMap<>(Map.of("list", list, "other", "x\n")))));
  }

  private static String items(int count) {
    return "# a comment\n" + "server a;\n".repeat(count);
  }

  @ParameterizedTest(name = "{0}: {1} -> {2}: {3}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "{lines: ^server}                    | 4 | 2 | -",
        "{lines: ^server}                    | 5 | 2 | list would go from 5 items to 2, and more than 50 % must not go at once",
        "{lines: ^server}                    | 1 | 0 | list would go from 1 item to 0, and more than 50 % must not go at once",
        "{lines: ^server}                    | 0 | 0 | -",
        "{lines: ^server}                    | - | 0 | -",
        "{lines: ^server, min: 2}            | - | 1 | list has 1 item, fewer than the 2 of min",
        "{lines: ^server, min: 2}            | - | 2 | -",
        "{lines: ^server, max-shrink: 100 %} | 9 | 0 | -",
        "{lines: ^server, max-shrink: 100}   | 9 | 0 | -",
        "{lines: ^server, max-shrink: 0 %}   | 9 | 8 | list would go from 9 items to 8, and more than 0 % must not go at once",
        "{lines: ^server, max-shrink: 10%}   | 9 | 9 | -",
        "{}                                  | 4 | 0 | list would go from 5 items to 1, and more than 50 % must not go at once",
      })
  void holdsListThatShrinksTooMuch(String guard, Integer before, int after, String figure)
      throws RenderFailed {
    var rules = "guards: {list: " + guard + "}\n";
    var last =
        before == null ? Optional.<Rendered>empty() : Optional.of(rendered(rules, items(before)));

    var guards = Guards.over(rendered(rules, items(after)), () -> last);

    assertThat(guards.figures())
        .isEqualTo(figure == null ? List.of() : List.of("a.render.yaml: " + figure));
  }

  @ParameterizedTest
  @CsvSource({
    "'a\n', '', true",
    "'a\n', ' \n\n', true",
    "'a\nb\nc\nd\n', 'a\n', false",
    "'', '', false"
  })
  void defaultGuardHoldsOnlyEmptyText(String before, String after, boolean held)
      throws RenderFailed {
    var last = Optional.of(rendered("", before));

    assertThat(Guards.over(rendered("", after), () -> last).object()).isEqualTo(held);
  }

  @Test
  void heldRenderingIsIdentifiedByItems() throws RenderFailed {
    var rules = "guards: {list: {lines: ^server}}\n";
    var before = Optional.of(rendered(rules, items(9)));

    var one = Guards.over(rendered(rules, "# 10:00\nserver a;\n"), () -> before);
    var same = Guards.over(rendered(rules, "# 10:01\nserver a;\n"), () -> before);
    var other = Guards.over(rendered(rules, "# 10:01\nserver b;\n"), () -> before);

    assertThat(one.items()).isEqualTo(same.items()).isNotEqualTo(other.items());
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "guards: {lst: {}}                      | 2:10: there is no template named `lst` to guard; named are list, other; did you mean list?",
        "guards: {list: {line: a}}              | 2:17: unknown key `line`; known are lines, max-shrink, min; did you mean lines?",
        "guards: {list: {lines: '('}}           | 2:24: `(` is not a regular expression: Unclosed group",
        "guards: {list: {min: -1}}              | 2:22: `-1` is not a number of items, from 0 to 1000000000",
        "guards: {list: {max-shrink: 101 %}}    | 2:29: `101 %` is not a share such as 50 %, from 0 to 100",
        "guards: {list: {max-shrink: half}}     | 2:29: `half` is not a share such as 50 %, from 0 to 100",
        "drift: ignore                          | 2:8: drift is repair or report, not `ignore`",
        "needs: db                              | 2:8: a list is wanted here, not a text",
        "needs: [db, db]                        | 2:13: `db` is there twice",
      })
  void errorsInRulesHavePosition(String rules, String message) {
    var failure = catchThrowableOfType(RenderFailed.class, () -> recipe(rules + "\n"));
    assertThat(failure).hasMessage("a.render.yaml:" + message);
  }

  @Test
  void parsesRules() throws RenderFailed {
    var rendered = rendered("drift: report\nneeds: [db, cache]\n", "");
    assertThat(rendered.reportsDrift()).isTrue();
    assertThat(rendered.needs()).containsExactly("cache", "db");
    assertThat(rendered("", "").reportsDrift()).isFalse();
  }
}
