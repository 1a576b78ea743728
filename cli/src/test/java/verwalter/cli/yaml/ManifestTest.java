package verwalter.cli.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestTest {
  private static final String TWO =
      """
      # a comment
      kind: Node
      metadata:
        name: a
        labels:
          verwalter.io/rack: r1
      spec:
        daemons:
        - name: web
          ports: [80, 81]
        - name: worker
      ---
      ---
      kind: Node
      metadata: {name: b}
      """;

  @Test
  void readsDocumentsAsObjectsAndSkipsEmptyOnes() {
    var manifests = Manifest.read("x.yaml", TWO);
    assertThat(manifests)
        .extracting(each -> each.text("metadata", "name"))
        .containsExactly("a", "b");
    assertThat(manifests.get(1).where()).isEqualTo("x.yaml:14");
  }

  @ParameterizedTest
  @CsvSource({
    "'', 2",
    "kind, 2",
    "spec, 7",
    "spec.daemons, 8",
    "spec.daemons[0], 9",
    "spec.daemons[0].ports, 10",
    "spec.daemons[0].ports[1], 10",
    "spec.daemons[1].name, 11",
    "metadata.labels.verwalter.io/rack, 6",
    "metadata.labels[verwalter.io/rack], 6",
    // a missing field has the line of its nearest parent that exists
    "spec.daemons[1].image, 11",
    "spec.daemons[7].name, 8",
    "metadata.uid, 3",
    "spec.daemonsX, 7",
  })
  void findsLineOfField(String path, int line) {
    assertThat(Manifest.read("x.yaml", TWO).get(0).where(path)).isEqualTo("x.yaml:" + line);
  }

  @ParameterizedTest
  @CsvSource({
    "no, no",
    "on, on",
    "y, y",
    "0755, 0755",
    "2024-01-01, 2024-01-01",
    "1.2.3, 1.2.3",
    "'\"7\"', 7"
  })
  void keepsTextsThatYaml11WouldConvert(String yaml, String text) {
    assertThat(value(yaml)).isEqualTo(text);
  }

  @Test
  void plainScalarsHaveJsonTypes() {
    assertThat(value("7")).isEqualTo(7L);
    assertThat(value("-0x")).isEqualTo("-0x");
    assertThat(value("0x1F")).isEqualTo(31L);
    assertThat(value("1e3")).isEqualTo(1000.0);
    assertThat(value("true")).isEqualTo(true);
    assertThat(value("~")).isNull();
    assertThat(value("")).isNull();
    assertThat(value("99999999999999999999"))
        .isEqualTo(new java.math.BigInteger("99999999999999999999"));
    assertThat(value("|-\n  a\n  b")).isEqualTo("a\nb");
  }

  @Test
  void resolvesAnchorsAndMerges() {
    var read = Manifest.read("x", "a: &a {x: 1, y: 2}\nb:\n  <<: *a\n  y: 3\n").get(0).object();
    assertThat(read.get("b")).isEqualTo(Map.of("x", 1L, "y", 3L));
  }

  @Test
  void itemsOfListsKeepLines() {
    var items = Manifest.read("x", "kind: List\nitems:\n- kind: A\n- kind: B\n  spec: {}\n");
    assertThat(items).extracting(each -> each.text("kind")).containsExactly("A", "B");
    assertThat(items.get(1).where("spec")).isEqualTo("x:5");
  }

  @Test
  void readsJson() {
    var json = "{\t\"kind\": \"A\", \"url\": \"http:\\/\\/x\"}";
    assertThat(Manifest.read("x", json).get(0).object())
        .isEqualTo(Map.of("kind", "A", "url", "http://x"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a: 1\\na: 2 | x:2 | twice",
        "a: [1\\nb: 2 | x:2 | expected",
        "- 1 | x:1 | expected an object",
        "just text | x:1 | expected an object",
        "a: !ruby/object 1 | x:1 | is not supported",
        "a: &a [*a] | x:1 | too deep",
        "? [1]\\n: 2 | x:1 | the name of a field must be a text",
        "kind: List\\nitems: [1] | x:2 | expected an object",
      })
  void refusesOtherValuesWithLine(String text, String where, String why) {
    assertThatThrownBy(() -> Manifest.read("x", text.replace("\\n", "\n")))
        .isInstanceOf(ManifestException.class)
        .hasMessageStartingWith(where + ": ")
        .hasMessageContaining(why);
  }

  @Test
  void refusesExponentialAliases() {
    var bomb = new StringBuilder("a0: &a0 [x]\n");
    for (int i = 1; i < 30; i++) {
      bomb.append("a%d: &a%d [*a%d, *a%d, *a%d]\n".formatted(i, i, i - 1, i - 1, i - 1));
    }
    assertThatThrownBy(() -> Manifest.read("x", bomb.toString()))
        .isInstanceOf(ManifestException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plain",
        "",
        " ",
        "no",
        "yes",
        "y",
        "on",
        "null",
        "~",
        "true",
        "1",
        "-1.5",
        "1e3",
        "0x1f",
        "0o7",
        "0755",
        "1_000",
        "2024-01-01",
        "2024-01-01T10:00:00Z",
        "1.2.3",
        "12:30:45",
        "a: b",
        "a #b",
        "- a",
        "#x",
        "*x",
        "&x",
        "!x",
        "%x",
        "@x",
        "`x",
        "'",
        "\"",
        "a\nb",
        "a\nb\n",
        "\na",
        " a\nb",
        "a \nb",
        "tab\there",
        "bell\u0007",
        "esc\u001b[31m",
        "ünïcödé ✔ 🚀",
        "=",
        "<<",
        "[",
        "{}",
        "a,b",
        "?",
        "|",
        ">",
        "\\",
        "trailing ",
        "a\r\nb",
        "\u2028",
        "\ufeffx"
      })
  void textsSurviveWritingAndReading(String text) {
    var object = new LinkedHashMap<String, Object>();
    object.put("value", text);
    object.put("list", List.of(text));
    object.put(text.isEmpty() ? "x" : text, 1L);
    var yaml = Yaml.text(object);
    assertThat(Manifest.read("x", yaml).get(0).object()).as(yaml).isEqualTo(object);
    // a YAML 1.1 parser reads texts as well
    assertThat(new org.yaml.snakeyaml.Yaml().<Map<String, Object>>load(yaml).get("value"))
        .isEqualTo(text);
  }

  @Test
  void numbersAndCollectionsSurviveWritingAndReading() {
    var object = new LinkedHashMap<String, Object>();
    object.put("long", Long.MAX_VALUE);
    object.put("big", new java.math.BigInteger("-99999999999999999999"));
    object.put("half", 0.5);
    object.put("large", 1e20);
    object.put("truth", false);
    object.put("nothing", null);
    object.put("map", Map.of());
    object.put("list", List.of());
    object.put("deep", List.of(List.of(1L), Map.of("a", Arrays.asList((Object) null))));
    assertThat(Manifest.read("x", Yaml.text(object)).get(0).object()).isEqualTo(object);
  }

  @Test
  void writesYamlAsKubectl() {
    var object = new LinkedHashMap<String, Object>();
    object.put("apiVersion", "verwalter.io/v1");
    object.put("version", "12");
    object.put("list", List.of(Map.of("name", "a"), "b"));
    object.put("text", "one\ntwo\n");
    object.put("empty", Map.of());
    assertThat(Yaml.text(object))
        .isEqualTo(
            """
            apiVersion: verwalter.io/v1
            version: "12"
            list:
            - name: a
            - b
            text: |
              one
              two
            empty: {}
            """);
  }

  private static Object value(String yaml) {
    return Manifest.read("x", "v: " + yaml + "\n").get(0).object().get("v");
  }
}
