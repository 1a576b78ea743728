package verwalter.scheduler.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import verwalter.model.json.DecodeException;
import verwalter.model.json.Json;

class CompareTest {
  private static Map<String, Object> json(String text) {
    try {
      return Json.object(Json.parse(text.replace('\'', '"')));
    } catch (DecodeException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static Placements places(String roles1, String roles2) {
    return Placements.of(
        json("{'nodes':{'n1':{'roles':" + roles1 + "},'n2':{'roles':" + roles2 + "}}}"));
  }

  @Test
  void countsInstancesInEveryNotation() {
    var places =
        places(
            "{'a':{'count':3,'version':'v1'},'b':{'instances':2},'c':{}}",
            "{'d':{'daemons':{'x':{'instances':2},'y':{}}},'e':{'daemons':{}}}");
    assertThat(places.of("a").get("n1")).isEqualTo(new Placements.Place("v1", 3));
    assertThat(places.load()).isEqualTo(Map.of("n1", 6L, "n2", 3L));
    assertThat(places.of("e").get("n2").count()).isZero();
    assertThat(Placements.of(json("{'nodes':[]}")).roles()).isEmpty();
  }

  @Test
  void findsChangesAndMoves() {
    var before = places("{'a':{'count':3,'version':'v1'}}", "{'b':{'count':1}}");
    var after =
        places(
            "{'a':{'count':1,'version':'v2'}}", "{'a':{'count':5,'version':'v2'},'b':{'count':1}}");
    assertThat(before.changes(after))
        .extracting(each -> each.role() + "@" + each.node())
        .containsExactly("a@n1", "a@n2");
    assertThat(before.moved(after, "a")).isEqualTo(2);
    assertThat(before.moved(after)).isEqualTo(2);
    assertThat(before.changes(before)).isEmpty();
  }

  @Test
  void findsEveryDifferenceWithPath() {
    var differences =
        Difference.between(
            json("{'a':{'b':1,'gone':null},'list':[1,2],'same':{'x':[]}}"),
            json("{'a':{'b':1.0,'new':'x'},'list':[1],'same':{'x':[]}}"));
    assertThat(differences)
        .extracting(Difference::place)
        .containsExactly("a.b", "a.gone", "a.new", "list.1");
    assertThat(differences.get(0).after()).hasValue("1.0");
    assertThat(differences.get(1).before()).hasValue("null");
    assertThat(Difference.between(List.of(), Map.of())).hasSize(1);
  }

  @Test
  void describesChangesOfInputInSentences() {
    var before =
        json(
            "{'now':1,'runtime':{'web':{'v1':{},'count':1},'old':{}},'nodes':{'n1':{'cordoned':false},'n2':{}},"
                + "'instances':{'n1':{'web':{'state':'booting','running':0,'desired':1,'version':'v1'}}},'x':1}");
    var after =
        json(
            "{'now':2,'runtime':{'web':{'v1':{},'v2':{},'count':2},'new':{}},'nodes':{'n1':{'cordoned':true},'n3':{}},"
                + "'actions':{'7':{'button':{}}},"
                + "'instances':{'n1':{'web':{'state':'running','running':1,'desired':1,'version':'v1'}}},'x':2}");
    assertThat(InputChanges.between(before, after))
        .containsExactly(
            "role new appeared",
            "role old vanished",
            "setting count of role web: 1 -> 2",
            "version v2 of role web appeared",
            "cordoned of node n1: false -> true",
            "node n2 went",
            "node n3 came",
            "action 7: {\"button\":{}}",
            "instance web@n1: booting v1 (0 of 1) -> running v1 (1 of 1)",
            "x: 1 -> 2");
    assertThat(InputChanges.between(before, before)).isEmpty();
  }
}
