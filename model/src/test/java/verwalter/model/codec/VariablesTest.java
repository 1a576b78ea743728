package verwalter.model.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.model.json.Json;

class VariablesTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @SuppressWarnings("unchecked")
  private static Map<String, Object> json(String text) throws Exception {
    return JSON.readValue(text, Map.class);
  }

  /** The layers of role {@code r} on node {@code n}, from the most to the least specific. */
  @ParameterizedTest(name = "{0} over {1} over {2} over {3} is {4}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // the most specific layer wins
        "{'a':1}                     | {'a':2}             | {'a':3}        | {'a':4}        | {'a':1}",
        "{}                          | {'a':2}             | {'a':3}        | {'a':4}        | {'a':2}",
        "{}                          | {}                  | {'a':3}        | {'a':4}        | {'a':3}",
        "{}                          | {}                  | {}             | {'a':4}        | {'a':4}",
        "{'b':1}                     | {}                  | {}             | {'a':0,'b':2}  | {'a':0,'b':1}",
        "{'lamp':'blue','table':'green'} | {} | {} | {'lamp':'yellow','chair':'black'} | {'chair':'black','lamp':'blue','table':'green'}",
        // objects are merged one level deep
        "{'o':{'x':1}}               | {'o':{'x':2,'y':2}} | {'o':{'z':3}}  | {'o':{'z':4}}  | {'o':{'x':1,'y':2,'z':3}}",
        "{'o':{'x':{'p':1}}}         | {'o':{'x':{'q':2}}} | {}             | {}             | {'o':{'x':{'p':1}}}",
        // a value that is not an object hides the layers below, and is not merged into an object
        // above
        "{'o':1}                     | {'o':{'x':2}}       | {}             | {}             | {'o':1}",
        "{'o':{'x':1}}               | {'o':2}             | {'o':{'y':3}}  | {}             | {'o':{'x':1,'y':3}}",
        "{'o':null}                  | {'o':{'x':2}}       | {}             | {'o':1}        | {'o':null}",
        "{'o':[1]}                   | {'o':[2]}           | {}             | {}             | {'o':[1]}",
        // values of a wrong type count as empty
        "7                           | [1]                 | 'text'         | null           | {}",
        "{'a':1}                     | 7                   | true           | {'b':2}        | {'a':1,'b':2}",
        // built-in variables
        "{'node':'mine'}             | {}                  | {}             | {'role':'x'}   | {'node':'mine'}",
      })
  void theMostSpecificLayerWins(
      String nodeRole, String node, String role, String global, String expected) throws Exception {
    var data =
        json(
            "{'nodes':{'n':{'roles':{'r':%s},'vars':%s}},'roles':{'r':%s},'vars':%s}"
                .formatted(nodeRole, node, role, global)
                .replace('\'', '"'));
    var wanted = json(expected.replace('\'', '"'));
    wanted.put("role", "r");
    wanted.putIfAbsent("node", "n");
    assertThat(JSON.readTree(JSON.writeValueAsBytes(Variables.merge(data, "n").get("r"))))
        .isEqualTo(JSON.readTree(JSON.writeValueAsBytes(wanted)));
    for (var origin : VariableOrigins.of(data, "n", "r")) {
      int dot = origin.name().indexOf('.');
      var value =
          dot < 0
              ? wanted.get(origin.name())
              : Json.object(wanted.get(origin.name().substring(0, dot)))
                  .get(origin.name().substring(dot + 1));
      if (!(value instanceof Map<?, ?>)) {
        assertThat(origin.set().value()).as(origin.name()).isEqualTo(value);
      }
    }
  }

  @Test
  void onlyTheRolesOfTheNodeAreReturnedInOrder() throws Exception {
    var data =
        json(
            """
            {"nodes": {"n": {"roles": {"b": {}, "a": null}}, "m": {"roles": {"c": {}}}},
             "roles": {"a": {"x": 1}, "d": {}}}""");
    assertThat(Variables.merge(data, "n").keySet()).containsExactly("a", "b");
    assertThat(Variables.merge(data, "n").get("a")).containsEntry("x", 1L);
    assertThat(Variables.merge(data, "nobody")).isEmpty();
    assertThat(Variables.merge(Map.of(), "n")).isEmpty();
    assertThat(Variables.merge(json("{\"nodes\": [1]}"), "n")).isEmpty();
  }
}
