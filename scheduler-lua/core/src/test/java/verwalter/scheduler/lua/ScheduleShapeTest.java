package verwalter.scheduler.lua;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.model.json.Json;

class ScheduleShapeTest {
  private static String problem(ScheduleShape shape, String schedule) throws Exception {
    return shape.problem(Json.object(Json.parse(schedule.replace('\'', '"')))).orElse("");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'vars':null,'roles':null,'nodes':null,'changes':null,'state':5,'other':true}",
        "{'vars':{'a':[1]},'roles':{'web':{'b':2}},'changes':['x',1],'state':[{}]}",
        "{'nodes':{'n':{},'m':{'vars':{},'roles':{'web':{},'db':{'c':[]}},'shortinfo':7}}}",
        "{'nodes':{'n':{'vars':null,'roles':null}}}",
      })
  void acceptsScheduleOfThatForm(String schedule) throws Exception {
    for (var shape : ScheduleShape.values()) {
      assertThat(problem(shape, schedule)).as("%s", shape).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'vars':'x'} | vars: expected an object, found a string",
        "{'roles':[1]} | roles: expected an object, found a list",
        "{'roles':{'web':null}} | roles.web: expected an object, found null",
        "{'roles':{'web':true}} | roles.web: expected an object, found a boolean",
        "{'nodes':1} | nodes: expected an object, found a number",
        "{'nodes':{'n':{},'m':null}} | nodes.m: expected an object, found null",
        "{'nodes':{'n':{'vars':[1]}}} | nodes.n.vars: expected an object, found a list",
        "{'nodes':{'n':{'roles':1}}} | nodes.n.roles: expected an object, found a number",
        "{'nodes':{'n':{'roles':{'a/b':1.5}}}}"
            + " | nodes.n.roles[\"a/b\"]: expected an object, found a number",
        "{'changes':{}} | changes: expected a list, found an object",
      })
  void namesPathOfWhatHasAnotherForm(String schedule, String message) throws Exception {
    for (var shape : ScheduleShape.values()) {
      assertThat(problem(shape, schedule)).as("%s", shape).isEqualTo(message);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'vars':[]} | vars",
        "{'roles':[]} | roles",
        "{'roles':{'web':[]}} | roles.web",
        "{'nodes':[]} | nodes",
        "{'nodes':{'n':[]}} | nodes.n",
        "{'nodes':{'n':{'vars':[]}}} | nodes.n.vars",
        "{'nodes':{'n':{'roles':[]}}} | nodes.n.roles",
        "{'nodes':{'n':{'roles':{'web':[]}}}} | nodes.n.roles.web",
      })
  void onlyLuaMayWriteAnEmptyListForAnEmptyObject(String schedule, String path) throws Exception {
    assertThat(problem(ScheduleShape.OF_LUA, schedule)).isEmpty();
    assertThat(problem(ScheduleShape.STRICT, schedule))
        .isEqualTo(path + ": expected an object, found an empty list");
  }
}
