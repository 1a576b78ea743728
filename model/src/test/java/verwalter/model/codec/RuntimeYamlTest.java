package verwalter.model.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.model.json.DecodeException;
import verwalter.model.json.Json;

class RuntimeYamlTest {
  private static @Nullable Object parse(String text) throws DecodeException {
    return RuntimeYaml.parse(text, "x.yaml");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "~|null",
        "null|null",
        "Null|\"Null\"",
        "# nothing|null",
        "---|null",
        "true|true",
        "True|\"True\"",
        "yes|\"yes\"",
        "off|\"off\"",
        "y|\"y\"",
        "0|0",
        "-0|0",
        "12|12",
        "+12|12",
        "+-12|-12",
        "-12|-12",
        "0644|644",
        "0x1f|31",
        "0X1f|\"0X1f\"",
        "0x|\"0x\"",
        "0xfg|\"0xfg\"",
        "0x7fffffffffffffff|9223372036854775807",
        "0x8000000000000000|\"0x8000000000000000\"",
        "0x-1f|-31",
        "0o17|15",
        "0o8|\"0o8\"",
        "0b1|\"0b1\"",
        "9223372036854775807|9223372036854775807",
        "9223372036854775808|9223372036854776000.0",
        "1_000|\"1_000\"",
        "1:30|\"1:30\"",
        "1.5|1.5",
        "1.|1.0",
        ".5|0.5",
        "+.5|0.5",
        "1e3|1000.0",
        "1E-3|0.001",
        "e3|\"e3\"",
        ".|\".\"",
        "1.5f|\"1.5f\"",
        "1.2.3|\"1.2.3\"",
        "infinity|\"infinity\"",
        "nan|\"nan\"",
        "2018-08-10|\"2018-08-10\"",
        "2018-08-10T15:11:50Z|\"2018-08-10T15:11:50Z\"",
        "'12'|\"12\"",
        "\"true\"|\"true\"",
        ">-\\n  12|\"12\"",
        "!!str 12|\"12\"",
        "!foo 12|\"12\"",
        "!!int 12|12",
        "!!float 12|12.0",
        "!!float 1e3|1000.0",
        "!!bool true|true",
        "!!null ~|null",
        "!!int \"12\"|\"12\"",
        "!!str # x|\"\"",
        "!foo [1, 2]|[1,2]",
        "[a, ]|[\"a\"]",
        "{a: , b}|{\"a\":null,\"b\":null}",
        "=|\"=\"",
      })
  void readsScalarsLikeVerwalter013(String yaml, String json) throws Exception {
    assertThat(Json.canonical(parse(yaml.replace("\\n", "\n")))).isEqualTo(json);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a: 1|{\"a\":1}",
        "1: a|{\"1\":\"a\"}",
        "0x10: a|{\"16\":\"a\"}",
        "0644: a|{\"644\":\"a\"}",
        "1.50: a|{\"1.50\":\"a\"}",
        "1e3: a|{\"1e3\":\"a\"}",
        "true: a|{\"true\":\"a\"}",
        "'~': a|{\"~\":\"a\"}",
        "{a: 1, b: 2, a: 3}|{\"a\":3,\"b\":2}",
        "{1: a, '1': b}|{\"1\":\"b\"}",
        "<<: {a: 1}|{\"<<\":{\"a\":1}}",
        "{a: &x {b: 1}, c: *x}|{\"a\":{\"b\":1},\"c\":{\"b\":1}}",
        "{&x a: *x}|{\"a\":\"a\"}",
      })
  void readsKeysLikeVerwalter013(String yaml, String json) throws Exception {
    assertThat(Json.canonical(parse(yaml))).isEqualTo(json);
  }

  @Test
  void readsTheFirstDocumentOnly() throws Exception {
    assertThat(parse("a: 1\n---\nb: 2\n")).isEqualTo(Map.of("a", 1L));
    assertThat(parse("---\n---\nb: 2\n")).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a: .inf|x.yaml:1:4: JSON has no number",
        "a: -.INF|x.yaml:1:4: JSON has no number",
        "a: inf|x.yaml:1:4: JSON has no number",
        "a: NaN|x.yaml:1:4: JSON has no number",
        "a: .nan|x.yaml:1:4: JSON has no number",
        "a: 1e999|x.yaml:1:4: JSON has no number",
        "!!float .inf|x.yaml:1:1: JSON has no number",
        "~: a|x.yaml:1:1: a key must not be empty or null",
        "{[a]: b}|x.yaml:1:2: a key must not be a list",
        "{{a: b}: c}|x.yaml:1:2: a key must not be a list",
        "!!int a|x.yaml:1:1: the string \"a\" does not fit its tag",
        "!!int 0x10|does not fit",
        "!!bool yes|does not fit",
        "!!null|does not fit",
        "!!float a|does not fit",
        "a: *b|x.yaml:1:4: found undefined alias b",
        "a: \"\\ud800\"|surrogate",
        "a: [|x.yaml:1:",
        "a: b: c|x.yaml:1:5",
        "a\\n\\tb: c|x.yaml:2:",
        "a: 1\\n---\\nb: [|x.yaml:3:",
      })
  void refusesTheWholeTextWithLineAndColumn(String yaml, String message) {
    assertThatThrownBy(() -> parse(yaml.replace("\\n", "\n").replace("\\t", "\t")))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ufeffa: 1", "a: 1\r\n", "%YAML 1.1\n---\na: 1", "a: 1\n...\n"})
  void acceptsByteOrderMarksCarriageReturnsAndDirectives(String yaml) throws Exception {
    assertThat(parse(yaml)).isEqualTo(Map.of("a", 1L));
  }

  @Test
  @Timeout(10)
  void expandingAliasesAreRefusedQuickly() {
    var laughs = new StringBuilder("a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
    for (int i = 1; i < 12; i++) {
      laughs.append("a" + i + ": &a" + i + " [" + ("*a" + (i - 1) + ",").repeat(9) + "]\n");
    }
    assertThatThrownBy(() -> parse(laughs.toString())).hasMessageContaining("grows too big");
    assertThatThrownBy(() -> parse("&a [*a]")).hasMessageContaining("nested deeper");
    assertThatThrownBy(() -> parse("&a {*a : 1}")).isInstanceOf(DecodeException.class);
    assertThatThrownBy(() -> parse("[".repeat(100_000))).isInstanceOf(DecodeException.class);
    assertThatThrownBy(() -> parse("- ".repeat(100_000))).isInstanceOf(DecodeException.class);
    assertThatThrownBy(() -> parse(" ".repeat(RuntimeYaml.MAX_BYTES + 1)))
        .hasMessageContaining("more than 10485760 bytes");
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void writtenYamlReadsBackEqual(@ForAll("objects") Map<String, Object> value) throws Exception {
    Assume.that(
        !Json.canonical(value).matches("(?s).*\\d{19}.*")); // verwalter 0.13 has no u64 in YAML
    var tree = Wire.MAPPER.readTree(Json.canonical(value));
    var text = YamlWriter.text(tree);
    assertThat(Json.canonical(parse(text))).as(text).isEqualTo(Json.canonical(value));
  }

  @Provide
  Arbitrary<Map<String, Object>> objects() {
    return AnyJson.objects(3);
  }
}
