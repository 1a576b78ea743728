package verwalter.cli.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.client.json.PlainJson;

/** Templates that kubectl accepts after {@code -o jsonpath=}. */
class JsonPathTest {
  private static final String NODES =
      """
      {"kind": "List", "items": [
        {"metadata": {"name": "a", "labels": {"verwalter.io/rack": "r1", "zone": "x"}},
         "spec": {"cordoned": false, "weight": 2},
         "status": {"addresses": ["10.0.0.1:80", "10.0.0.2:80", "10.0.0.3:80"],
                    "conditions": [{"type": "Ready", "status": "True"},
                                   {"type": "Full", "status": "False"}]}},
        {"metadata": {"name": "b"}, "spec": {"cordoned": true, "weight": 10}, "status": null}]}
      """;

  private static String print(String template) {
    try {
      return JsonPath.template(template).print(PlainJson.read(NODES.getBytes(UTF_8)));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{.kind} | List",
        "{ .kind } | List",
        "{$.kind} | List",
        "{@.kind} | List",
        ".kind | List",
        "kind: {.kind}! | kind: List!",
        "{.items[*].metadata.name} | a b",
        "{.items.*.metadata.name} | a b",
        "{.items[].metadata.name} | a b",
        "{.items[0].metadata.name} | a",
        "{.items[-1].metadata.name} | b",
        "{.items[7].metadata.name} | ``",
        "{.items[0,1].metadata.name} | a b",
        "{.items[0].status.addresses[1:]} | 10.0.0.2:80 10.0.0.3:80",
        "{.items[0].status.addresses[:-1]} | 10.0.0.1:80 10.0.0.2:80",
        "{.items[0].status.addresses[0:3:2]} | 10.0.0.1:80 10.0.0.3:80",
        "{.items[0].metadata.labels.verwalter\\.io/rack} | r1",
        "{.items[0].metadata.labels['verwalter.io/rack']} | r1",
        "{.items[0].metadata.labels[\"zone\"]} | x",
        "{.items[0].metadata['name','labels']} | a {\"verwalter.io/rack\":\"r1\",\"zone\":\"x\"}",
        "{..name} | a b",
        "{.items..status} | {\"addresses\":[\"10.0.0.1:80\",\"10.0.0.2:80\",\"10.0.0.3:80\"],\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"},{\"type\":\"Full\",\"status\":\"False\"}]} True False ``",
        "{.items[?(@.metadata.name==\"b\")].spec.weight} | 10",
        "{.items[?(@.metadata.name=='b')].spec.weight} | 10",
        "{.items[?(@.metadata.name!='b')].spec.weight} | 2",
        "{.items[?(@.spec.cordoned==true)].metadata.name} | b",
        "{.items[?(@.spec.weight>2)].metadata.name} | b",
        "{.items[?(@.spec.weight<=10)].metadata.name} | a b",
        "{.items[?(10==@.spec.weight)].metadata.name} | b",
        "{.items[?(@.metadata.labels)].metadata.name} | a",
        "{.items[*].status.conditions[?(@.type==\"Ready\")].status} | True",
        "{.items[0].spec.weight}{.items[1].spec.weight} | 210",
        "{.items[0].metadata.name .kind} | aList",
        "{.nothing.at.all} | ``",
        "{'{'} | {",
      })
  void printsSameAsKubectl(String template, String printed) {
    assertThat(print(template)).isEqualTo(printed.strip().replace("``", ""));
  }

  @Test
  void rangePrintsBodyForEachValue() {
    assertThat(print("{range .items[*]}{.metadata.name}{\"\\t\"}{.spec.weight}{'\\n'}{end}done"))
        .isEqualTo("a\t2\nb\t10\ndone");
  }

  @Test
  void rangesNest() {
    assertThat(
            print(
                "{range .items[*]}{.metadata.name}:{range .status.conditions[*]} {.type}{end};{end}"))
        .isEqualTo("a: Ready Full;b:;");
  }

  @Test
  void printsWholeDocumentAsJson() {
    assertThat(print("{.items[1].spec}")).isEqualTo("{\"cordoned\":true,\"weight\":10}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{.items[*} | a bracket is not closed",
        "{.items | a brace is not closed",
        "{} | nothing between braces",
        "{range .items[*]}{.x} | {range} without {end}",
        "{.x}{end} | {end} without {range}",
        "{.items[a]} | a number, a name in quotes, '*' or '?(' should stand in brackets",
        "{.items[?(@.x=='y'].z} | ')' is missing",
        "{'open} | a quote is not closed",
        "{.items[0:1:0]} | a slice cannot step by 0",
        "{=} | unexpected '='",
      })
  void reportsErrorInTemplate(String template, String problem) {
    assertThatThrownBy(() -> JsonPath.template(template))
        .isInstanceOf(JsonPathException.class)
        .hasMessageContaining(problem)
        .hasMessageContaining(template);
  }

  @ParameterizedTest
  @CsvSource({".metadata.name", "metadata.name", "{.metadata.name}", "'{ .metadata.name }'"})
  void singlePathNeedsNoBraces(String path) throws IOException {
    var object = PlainJson.read("{\"metadata\":{\"name\":\"x\"}}".getBytes(UTF_8));
    assertThat(JsonPath.path(path).find(object)).containsExactly("x");
  }
}
