package verwalter.render.engine.jinja;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.render.RenderFailed;
import verwalter.render.engine.Limits;
import verwalter.render.engine.TemplateDirectory;

/** What templates cannot do: exceed a limit without an error, or reach the engine. */
@Timeout(60)
class JinjaLimitsTest {
  private static final JinjaEngine ENGINE = new JinjaEngine(Limits.DEFAULT);

  /** A list that is small in memory, and longer in print than any memory. */
  private static final String ENDLESS = "{% set x = [1] %}" + "{% set x = [x, x] %}".repeat(60);

  private static String outcome(String text) {
    var files = new TreeMap<>(Map.of("t.j2", "\n" + text));
    var directory = new TemplateDirectory(files);
    var variables =
        Map.<String, Object>of("name", "shop", "list", List.of("a", "b"), "map", Map.of("a", 1L));
    try {
      var problems = ENGINE.check(directory, "t.j2");
      return problems.isEmpty()
          ? ENGINE.render(directory, "t.j2", variables).strip()
          : problems.get(0).toString();
    } catch (RenderFailed e) {
      return e.getMessage();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '`',
      value = {
        "{% for i in range(100001) %}{% endfor %} => `range` counts more than 100000 numbers",
        "{{ range(10 ** 20) }} => `range` counts more than 100000 numbers",
        "{{ 10 ** 4300 }} => calculates a number of more than 4300 digits",
        "{{ 10 ** (10 ** 80) }} => calculates a number of more than 4300 digits",
        "{{ ('9' * 4301) | int }} => reads a number of more than 4300 digits",
        "{{ 10 ** 400 * 1.0 }} => the integer is too large for a floating point number",
        "{{ 10.0 ** 400 }} => the result is too large for a floating point number",
        "{{ 1 // 0 }} => division by zero",
        "{{ 'x' * 524289 }} => produces more than 524288 characters",
        "{{ 524289 * 'x' }} => produces more than 524288 characters",
        "{{ 'x' * 10 ** 30 }} => produces more than 524288 characters",
        "{{ [1] * 100001 }} => builds a list or map of more than 100000 items",
        "{{ 'x' | center(1000000000) }} => produces more than 524288 characters",
        "{{ 'x' | center(10 ** 30) }} => produces more than 524288 characters",
        "{{ '%200000000d' | format(1) }} => produces more than 524288 characters",
        "{{ '%-200000000s' | format(1) }} => produces more than 524288 characters",
        "{{ '%.200000000f' | format(1) }} => produces more than 524288 characters",
        "{{ '%.99999999999999999999999d' | format(1) }} => produces more than 524288 characters",
        "{{ '%*d' | format(10 ** 30, 1) }} => produces more than 524288 characters",
        "{{ '%200000000d' % 1 }} => produces more than 524288 characters",
        "{{ 'x'.ljust(10 ** 30) }} => produces more than 524288 characters",
        "{{ 'x'.rjust(1000000000) }} => produces more than 524288 characters",
        "{{ 'x'.zfill(1000000000) }} => produces more than 524288 characters",
        "{{ 'x'.center(1000000000) }} => produces more than 524288 characters",
        "{{ 'x' | indent(1000000000) }} => produces more than 524288 characters",
        "{{ [1] | tojson(indent=1000000000) }} => produces more than 524288 characters",
        "{{ [[[[1]]]] | tojson(indent=524288) }} => produces more than 524288 characters",
        "{{ 'x' | wordwrap(10 ** 30) }} => produces more than 524288 characters",
        "{{ 'x' | truncate(10 ** 30) }} => produces more than 524288 characters",
        "{{ [1] | batch(1000000000, 'x') }} => builds a list or map of more than 100000 items",
        "{{ [1] | slice(1000000000) }} => builds a list or map of more than 100000 items",
        "{{ 'aaaa' | replace('', 'x' * 200000) }} => produces more than 524288 characters",
        "{{ ('x' * 524288) ~ 'x' }} => produces more than 524288 characters",
        "{{ ('x' * 524288) + 'x' }} => produces more than 524288 characters",
        "{{ ('<' * 524288) | e }} => produces more than 524288 characters",
        "{{ ([1] * 100000) + [1] }} => builds a list or map of more than 100000 items",
        "{% set l = [1] * 100000 %}{% set _ = l.append(1) %} => builds a list or map of more than 100000 items",
        "{% set l = [1] * 100000 %}{% set _ = l.extend(l) %} => builds a list or map of more than 100000 items",
      })
  void limitIsErrorThatNamesIt(String template, String error) {
    assertThat(outcome(template)).startsWith("t.j2:2:").contains(error);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '`',
      value = {
        "{{ range(100000) | length }} => 100000",
        "{{ ([1] * 100000) | length }} => 100000",
        "{{ ('x' * 524288) | length }} => 524288",
        "{{ 'x' | center(524288) | length }} => 524288",
        "{{ (10 ** 4299) | string | length }} => 4300",
        "{% set l = [] %}{% for i in range(20000) %}{% set _ = l.append(i) %}{% endfor %}{{ l | length }} => 20000",
      })
  void reachesLimitExactly(String template, String output) {
    assertThat(outcome(template)).isEqualTo(output);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{ name.bytes }}",
        "{{ name['bytes'] }}",
        "{{ name | attr('bytes') }}",
        "{{ name.class }}",
        "{{ name.getClass() }}",
        "{{ name.getBytes() }}",
        "{{ name | attr('class') }}",
        "{{ [name] | map(attribute='bytes') | list }}",
        "{{ [name] | selectattr('bytes') | list }}",
        "{{ [name] | groupby('bytes') }}",
        "{% for bytes, empty in [name] %}{{ bytes }}{% endfor %}",
        "{{ list.class }}",
        "{{ list.stream() }}",
        "{{ list.iterator() }}",
        "{{ list | attr('empty') }}",
        "{{ map.entrySet() }}",
        "{{ map | attr('empty') }}",
        "{{ (1).class }}",
        "{{ 1 | attr('class') }}",
        "{% for x in list %}{{ loop.class }}{% endfor %}",
        "{% for x in list %}{{ loop.next() }}{% endfor %}",
        "{% for x in list %}{{ loop.doBreak() }}{% endfor %}",
        "{{ namespace().sizeLimit }}",
        "{{ namespace().class }}",
        "{{ ____int3rpr3t3r____ }}",
        "{{ ____int3rpr3t3r____.context }}",
        "{{ '%s' | format(____int3rpr3t3r____) }}",
        "{{ name.____int3rpr3t3r____ }}",
        "{{ name['____int3rpr3t3r____'] }}",
        "{{ name['____int3rpr3t3r_' ~ '___'] }}",
        "{{ name | attr('____int3rpr3t3r____') }}",
        "{{ list | map('attr', '____int3rpr3t3r____') | list }}",
        "{{ list | map(attribute='____int3rpr3t3r____') | list }}",
        "{{ list | sort(attribute='____int3rpr3t3r____') }}",
        "{{ filter:upper }}",
        "{{ filter:upper.filter('a', 1) }}",
        "{{ name['filter:upper'] }}",
        "{{ name | attr('exptest:odd') }}",
        "{{ exptest:odd.evaluate(1, 1) }}",
        "{% macro m() %}{% endmacro %}{{ __macros__ }}",
        "{% macro m() %}{% endmacro %}{{ __macros__.m.name }}",
        "{{ fn:list(1) }}",
        "{{ fn:map_entry(1, 2) }}",
        "{{ type(1) }}",
        "{{ today() }}",
        "{{ unixtimestamp() }}",
        "{{ datetimeformat(1) }}",
        "{{ strtotime('1', 'd') }}",
        "{{ truncate('abc', 1) }}",
        "{{ 1 | unixtimestamp }}",
        "{{ name | render }}",
        "{{ name | log }}",
        "{{ list | random }}",
        "{{ list | shuffle }}",
        "{{ name | regex_replace('a', 'b') }}",
        "{{ name | fromyaml }}",
        "{{ name is containing('s') }}",
        "{% unless true %}{% endunless %}",
      })
  void nothingBesidesValuesIsReachable(String template) {
    assertThat(outcome(template)).startsWith("t.j2:2:").doesNotContain("StrictInterpreter@");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{ x }}",
        "{{ x ~ 1 }}",
        "{{ x == [x[0], [x[0][0], x[0][0]]] }}{% set y = [1] %}",
        "{{ map[x] }}",
        "{{ {x: 1} }}",
        "{{ name[x] }}",
        "{{ x.nope }}",
        "{{ x.nope() }}",
        "{{ name.replace(x, 'a') }}",
        "{{ name % x }}",
        "{{ x % 1 }}",
        "{{ x - 1 }}",
        "{{ '%s' | format(x) }}",
        "{{ '%r' | format(x) }}",
        "{{ x | string }}",
        "{{ x | tojson }}",
        "{{ x | pprint }}",
        "{{ x | upper }}",
        "{{ x | join }}",
        "{{ list | join(x) }}",
        "{{ x | wordcount }}",
        "{{ x | striptags }}",
        "{{ x | urlize }}",
        "{{ name | urlize(x) }}",
        "{{ name | wordwrap(x) }}",
        "{{ name | attr(x) }}",
        "{{ name | replace(x, 'a') }}",
        "{{ name | indent(x) }}",
        "{{ name | center(x) }}",
        "{{ name | trim(x) }}",
        "{{ name.strip(x) }}",
        "{{ name.split(x) }}",
        "{{ name.find(x) }}",
        "{{ x | urlencode }}",
        "{{ {'a': x} | urlencode }}",
        "{{ {'a': x} | xmlattr }}",
        "{{ x | round }}",
        "{{ x | abs }}",
        "{{ x | int(x) | string }}",
        "{{ x | sum }}",
        "{{ x | min }}",
        "{{ x | sort }}",
        "{{ x | unique }}",
        "{{ [x] | groupby(x) }}",
        "{{ x | map(x) }}",
        "{{ x | map('upper') }}",
        "{{ x | map(attribute=x) }}",
        "{{ x | select(x) }}",
        "{{ x | selectattr(x) }}",
        "{{ x is divisibleby x }}",
        "{{ x is lower }}",
        "{{ range(x) }}",
        "{% include x %}",
        "{% extends x %}",
        "{% import x as m %}",
        "{% from x import m %}",
        "{% print x %}",
        "{% filter indent(x) %}a{% endfilter %}",
        "{% for a, b, c in [x] %}{{ a }}{% endfor %}",
      })
  void listThatContainsItselfManyTimesEndsInError(String template) {
    assertThat(outcome(ENDLESS + template))
        .startsWith("t.j2:2")
        .doesNotContain("OutOfMemory")
        .doesNotContain("NullPointer");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'x' | center(500000)",
        "'x'.ljust(500000)",
        "'%500000d' | format(1)",
        "'%500000d' % 1",
        "'a' | replace('', 'x' * 200000)",
        "'x' * 500000",
        "[0] * 99999",
        "(',' * 90000).split(',')",
      })
  void longResultsUseUpSteps(String expression) {
    var template =
        "{%% set l = [] %%}{%% for i in range(2000) %%}{%% set _ = l.append(%s) %%}{%% endfor %%}"
            .formatted(expression);
    assertThat(outcome(template)).contains("takes more than 1000000 steps to render");
  }

  private static String looped(String setup, int times, String expression) {
    return setup
        + "{%% for i in range(%d) %%}{%% set _ = %s %%}{%% endfor %%}done"
            .formatted(times, expression);
  }

  private static final String LONG =
      "{% set text = 'a' * 500000 %}{% set other = 'a' * 499999 ~ 'b' %}"
          + "{% set part = 'a' * 250000 ~ 'b' %}";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "part in text",
        "part not in text",
        "text.find(part)",
        "text.count(part)",
        "text.replace(part, 'b')",
        "text | replace(part, 'b')",
        "text.split(part)",
        "text.rsplit(part)",
        "text.strip(part)",
        "text | trim(part)",
      })
  void searchForLongTextUsesUpSteps(String expression) {
    assertThat(outcome(looped(LONG, 1, expression)))
        .contains("takes more than 1000000 steps to render");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text == other",
        "text < other",
        "text != other",
        "[text] == [other]",
        "text in [other]",
        "[text, other] | sort",
        "[text, other] | unique",
        "[{'a': text}, {'a': other}] | groupby('a')",
        "{'a': text, 'b': other} | dictsort(by='value')",
      })
  void comparisonOfLongTextsUsesUpSteps(String expression) {
    assertThat(outcome(looped(LONG, 300, expression)))
        .contains("takes more than 1000000 steps to render");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'a' in text",
        "text.split(',')",
        "text == 'a'",
        "text | replace('a', 'b')",
        "text.strip()",
      })
  void searchForShortTextIsCheap(String expression) {
    var setup = "{% set text = 'a' * 10000 %}";
    assertThat(outcome(looped(setup, 1000, expression))).isEqualTo("done");
  }
}
