package verwalter.render.recipe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The YAML dialect of recipes and sandbox files, by example. */
class LegacyYamlTest {

  /**
   * Parses a mapping with the keys {@code one} and {@code two-words-more}; {@code ;} ends a line.
   */
  private static String read(String text) {
    try {
      var document = LegacyYaml.parse("f", text.replace(';', '\n'));
      return document.isEmpty() ? "empty" : shown(document.get());
    } catch (RecipeError e) {
      return e.problem().toString();
    }
  }

  private static String shown(LegacyYaml document) throws RecipeError {
    Map<String, String> values = new TreeMap<>();
    for (var field : document.fields(Set.of("one", "two-words-more", "list", "map")).entrySet()) {
      var value = field.getValue();
      var shown = new StringBuilder(value.tag().map(tag -> "!" + tag + " ").orElse(""));
      if (field.getKey().equals("list")) {
        for (var item : value.items()) {
          shown.append(item.text()).append('.');
        }
      } else if (field.getKey().equals("map")) {
        for (var entry : value.entries().entrySet()) {
          shown.append(entry.getKey()).append(entry.getValue().value().text()).append('.');
        }
      } else {
        shown.append(value.text().replace('\n', ';'));
      }
      values.put(field.getKey(), shown.toString());
    }
    return values.toString();
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // documents
        "``                            | empty",
        "# nothing                     | empty",
        "---;...                       | {}",
        "~                             | {}",
        "null                          | {}",
        "{}                            | {}",
        "one: a;---;one: b             | f:2:1: is not YAML: but found another document",
        "[a]                           | f:1:1: a mapping is wanted here, not a list",
        "text                          | f:1:1: a mapping is wanted here, not a text",
        // keys
        "two-words-more: a             | {two-words-more=a}",
        "two_words_more: a             | {two-words-more=a}",
        "two_words-more: a             | f:1:1: unknown key `two_words-more`; known are list, map, one, two-words-more; did you mean two-words-more?",
        "two-words-more: a;two_words_more: b | f:2:1: duplicate key `two_words_more`",
        "one: a;one: b                 | f:2:1: duplicate key `one`",
        "One: a                        | f:1:1: unknown key `One`; known are list, map, one, two-words-more; did you mean one?",
        "_x: {y: [1]};one: a           | {one=a}",
        "_x: !*Include y;one: a        | {one=a}",
        "-x: a                         | f:1:1: unknown key `-x`; known are list, map, one, two-words-more",
        "? [a];: b                     | f:1:3: a text is wanted here, not a list",
        "1: a                          | f:1:1: unknown key `1`; known are list, map, one, two-words-more",
        "'one': a                      | {one=a}",
        // texts
        "one: 0644                     | {one=0644}",
        "one: 1e3                      | {one=1e3}",
        "one: yes                      | {one=yes}",
        "one: true                     | {one=true}",
        "one: 2020-01-01               | {one=2020-01-01}",
        "one: .inf                     | {one=.inf}",
        "one: ''                       | {one=}",
        "one: '~'                      | {one=~}",
        "one: \"a\\tb\"                | {one=a\tb}",
        "one: ;                        | f:1:5: a text is wanted here, not null; quote it if you mean the word",
        "one: ~                        | f:1:6: a text is wanted here, not null; quote it if you mean the word",
        "one: !Tag                     | f:1:6: a text is wanted here, not null; quote it if you mean the word",
        "one: !Tag x                   | {one=!Tag x}",
        "one: !!str 5                  | {one=5}",
        "one: >;  a;  b                | {one=a b}",
        "one: ^;  a;  b;               | {one=a;b;}",
        "one: ^-;  a;  b;              | {one=a;b}",
        "one: a;  b                    | {one=a b}",
        "one: [a]                      | f:1:6: a text is wanted here, not a list",
        "one: {a: b}                   | f:1:6: a text is wanted here, not a mapping",
        // lists and mappings
        "list:                         | {list=}",
        "list: ~                       | {list=}",
        "map:                          | {map=}",
        "list: [a, b]                  | {list=a.b.}",
        "list:;- a;- b                 | {list=a.b.}",
        "list: a                       | f:1:7: a list is wanted here, not a text",
        "map: {b: 1, a: 2}             | {map=b1.a2.}",
        "map: {a: 1, a: 2}             | f:1:13: duplicate key `a`",
        "map: [a]                      | f:1:6: a mapping is wanted here, not a list",
        // anchors and merges
        "_a: &a x;one: *a              | {one=x}",
        "one: *a                       | f:1:6: is not YAML: found undefined alias a",
        "_a: &a {one: x};<<: *a        | {one=x}",
        "_a: &a {one: x};<<: *a;one: y | {one=y}",
        "one: y;<<: {one: x}           | {one=y}",
        "map: {<<: [{a: 1}, {a: 2, b: 3}], c: 4} | {map=c4.a1.b3.}",
        "map: {<<: {<<: {a: 1}, b: 2}, c: 4}     | {map=c4.b2.a1.}",
        "map: {<<: !*Unpack [{a: 1}, {b: 2}]}    | {map=a1.b2.}",
        "map: {<<: x}                  | f:1:11: a mapping is wanted here, not a text",
        "<<: {onee: x}                 | f:1:6: unknown key `onee`; known are list, map, one, two-words-more; did you mean one?",
        "<<: {_x: x};one: a            | {one=a}",
        "list: [a, !*Unpack [b, !*Unpack [c]], d] | {list=a.b.c.d.}",
        "_l: &l [b, c];list: [a, !*Unpack *l]     | f:2:20: is not YAML: expected ',' or ']', but got <alias>",
        "list: [!*Unpack b]            | f:1:8: a list is wanted here, not a text",
        "list: [!*Unpack []]           | {list=}",
        "list: &l [a, *l]              | f:1:7: a text is wanted here, not a list",
        "list: &l [a, !*Unpack [*l]]   | f:1:7: a text is wanted here, not a list",
        // includes
        "one: !*Include a.txt          | f:1:6: including files is not supported",
        "one: !*IncludeText a.txt      | f:1:6: including files is not supported",
        "map: !*IncludeMap a           | f:1:6: including files is not supported",
        "list: [!*IncludeSeq a]        | f:1:8: including files is not supported",
        // invalid YAML
        "one: \"a                      | f:1:8: is not YAML: found unexpected end of stream",
        "one: a: b                     | f:1:7: is not YAML: mapping values are not allowed here",
        "%YAML 9.9;---;one: a          | f:1:1: is not YAML: found incompatible YAML document (version 1.* is required)",
      })
  void parsesDialect(String text, String result) {
    assertThat(read(text.replace('^', '|'))).isEqualTo(result);
  }
}
