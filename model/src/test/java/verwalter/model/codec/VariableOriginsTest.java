package verwalter.model.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import verwalter.model.json.DecodeException;
import verwalter.model.json.Json;

class VariableOriginsTest {
  private static List<String> describe(String schedule) throws DecodeException {
    return VariableOrigins.of(Json.object(Json.parse(schedule)), "n1", "web").stream()
        .map(
            each ->
                "%s = %s (%s)%s"
                    .formatted(
                        each.name(),
                        each.set().value(),
                        each.set().layer().words(),
                        each.hidden().stream()
                            .map(it -> " <- %s (%s)".formatted(it.value(), it.layer().words()))
                            .reduce("", String::concat)))
        .toList();
  }

  @Test
  void theMostSpecificLayerSetsAValueAndTheOthersAreHidden() throws DecodeException {
    assertThat(
            describe(
                """
                {"vars": {"a": 4, "b": 4, "c": 4, "d": 4},
                 "roles": {"web": {"a": 3, "b": 3, "c": 3}},
                 "nodes": {"n1": {"vars": {"a": 2, "b": 2}, "roles": {"web": {"a": 1}}}}}
                """))
        .containsExactly(
            "a = 1 (node role) <- 2 (node) <- 3 (role) <- 4 (global)",
            "b = 2 (node) <- 3 (role) <- 4 (global)",
            "c = 3 (role) <- 4 (global)",
            "d = 4 (global)",
            "node = n1 (built in)",
            "role = web (built in)");
  }

  @Test
  void objectsAreMergedFieldByField() throws DecodeException {
    assertThat(
            describe(
                """
                {"vars": {"db": {"host": "g", "port": 1}, "x": {"a": 1}, "role": "liar"},
                 "roles": {"web": {"db": 5}},
                 "nodes": {"n1": {"vars": {"node": "other"},
                                  "roles": {"web": {"db": {"host": "r"}, "x": 7}}}}}
                """))
        .containsExactly(
            "db = {host=r} (node role) <- 5 (role)",
            "db.host = r (node role) <- g (global)",
            "db.port = 1 (global)",
            "node = other (node)",
            "role = web (built in) <- liar (global)",
            "x = 7 (node role) <- {a=1} (global)");
  }

  @Test
  void anAbsentRoleHasNoVariables() throws DecodeException {
    assertThat(describe("{\"nodes\": {\"n1\": {\"roles\": {\"db\": {}}}}}")).isEmpty();
    assertThat(VariableOrigins.of(Map.of(), "n1", "web")).isEmpty();
  }

  @Test
  void nullHidesLessSpecificLayers() throws DecodeException {
    assertThat(
            describe(
                "{\"vars\": {\"a\": 1}, \"nodes\": {\"n1\": {\"roles\": {\"web\": {\"a\": null}}}}}"))
        .startsWith("a = null (node role) <- 1 (global)");
  }

  @Test
  void nodeIsTheNameOfTheNodeIfItIsNull() throws DecodeException {
    var schedule = "{\"nodes\": {\"n1\": {\"roles\": {\"web\": {\"node\": null}}}}}";
    assertThat(describe(schedule))
        .containsExactly("node = n1 (built in) <- null (node role)", "role = web (built in)");
    assertThat(Variables.merge(Json.object(Json.parse(schedule)), "n1").get("web"))
        .containsEntry("node", "n1");
  }

  @Test
  void nodesOfARoleAreFound() throws DecodeException {
    var data =
        Json.object(
            Json.parse(
                "{\"nodes\": {\"b\": {\"roles\": {\"web\": {}}}, \"a\": {\"roles\": {\"web\": {}}}, \"c\": 1}}"));
    assertThat(VariableOrigins.nodes(data, "web")).containsExactly("a", "b");
  }
}
