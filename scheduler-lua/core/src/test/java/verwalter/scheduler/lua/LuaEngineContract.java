package verwalter.scheduler.lua;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.model.Scheduler;
import verwalter.model.Scheduler.Failed;

/** The promises of {@link LuaEngine}; the test of every engine extends this class. */
public abstract class LuaEngineContract {
  @TempDir Path directory;

  protected abstract LuaEngine engine();

  private Program program() {
    return new Program(directory, engine());
  }

  private String printed(String body) throws Failed {
    var log = program().body(body + " return '{}', ''").decide().log();
    return log.strip();
  }

  // Whole programs

  @Test
  void realisticSchedulerDecidesAsOnPucLua() throws Exception {
    Fleet.write(directory);
    var decision = program().decide(Fleet.input());

    assertThat(json(decision.data()) + "\n").isEqualTo(Fleet.text("expected.json"));
    assertThat(decision.log()).isEqualTo(Fleet.text("expected.log"));
    assertThat(decision.instructions()).isBetween(500L, 100_000L);
  }

  @Test
  void orderOfInputDoesNotAffectDecision() throws Exception {
    Fleet.write(directory);
    var first = program().decide(Fleet.input());
    for (int seed = 0; seed < 20; seed++) {
      var decision = program().decide(shuffled(Fleet.input(), seed));
      assertThat(json(decision.data())).isEqualTo(json(first.data()));
      assertThat(decision.log()).isEqualTo(first.log());
      assertThat(decision.instructions()).isEqualTo(first.instructions());
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> shuffled(Map<String, Object> input, int seed) {
    return (Map<String, Object>) Fleet.shuffled(input, new Random(seed));
  }

  private static String json(Object value) throws Exception {
    return JsonMapper.builder().build().writeValueAsString(value);
  }

  // Runs

  @Test
  void globalsPersistBetweenRuns() throws Exception {
    program()
        .main(
            "local loads = 0 count = (count or 0)\n"
                + "return {scheduler = function() count = count + 1 return '{\"n\":' .. count .. '}' end}");
    try (var scheduler = program().load()) {
      assertThat(scheduler.decide(Map.of()).data()).isEqualTo(Map.of("n", 1L));
      assertThat(scheduler.decide(Map.of()).data()).isEqualTo(Map.of("n", 2L));
    }
  }

  @Test
  void programIsUsableAfterFailedRun() throws Exception {
    program()
        .budget(Budget.DEFAULT)
        .body(
            "n = (n or 0) + 1 if n == 1 then error('first') end "
                + "if n == 2 then while true do end end return '{\"n\":' .. n .. '}'");
    try (var scheduler =
        LuaScheduler.load(
            Code.read(directory),
            Budget.DEFAULT.withInstructions(1_000_000),
            engine(),
            Program.THREADS)) {
      assertThat(failure(scheduler)).hasMessage("main.lua:2: first");
      assertThat(failure(scheduler))
          .hasMessage("main.lua:2: instruction budget of 1000000 used up");
      assertThat(scheduler.decide(Map.of()).data()).isEqualTo(Map.of("n", 3L));
    }
  }

  private static Failed failure(LuaScheduler scheduler) {
    try {
      scheduler.decide(Map.of());
    } catch (Failed failed) {
      return failed;
    }
    throw new AssertionError("it did not fail");
  }

  @Test
  void wallTimeEndsRun() {
    var failure =
        program()
            .body("while true do end")
            .budget(
                Budget.DEFAULT
                    .withInstructions(Long.MAX_VALUE / 2)
                    .withMemory(Long.MAX_VALUE / 2)
                    .withWallTime(Duration.ofMillis(300)))
            .failure();
    assertThat(failure).hasMessage("main.lua:2: wall time budget of 300 ms used up");
  }

  @Test
  void randomNumbersAreSameInEveryRun() throws Exception {
    program().body("return '{\"x\":' .. math.random(1000000) .. '}'");
    try (var scheduler = program().load()) {
      var first = scheduler.decide(Map.of()).data();
      assertThat(scheduler.decide(Map.of()).data()).isEqualTo(first);
    }
  }

  @Test
  void textsOfTablesHaveNumbersInsteadOfAddresses() throws Exception {
    assertThat(printed("local t = {} print(t, {}, t)"))
        .isEqualTo("table: 0x00000001\ttable: 0x00000002\ttable: 0x00000001");
  }

  @Test
  void programsOnDifferentThreadsDoNotShareStrings() throws Exception {
    var other = Files.createDirectory(directory.resolve("other"));
    program().body("string.mine = 1 return '{\"x\":' .. tostring(('').mine) .. '}'");
    var second =
        new Program(other, engine()).body("return '{\"x\":\"' .. tostring(('').mine) .. '\"}'");
    try (var mine = program().load();
        var theirs = second.load()) {
      assertThat(mine.decide(Map.of()).data()).isEqualTo(Map.of("x", 1L));
      assertThat(theirs.decide(Map.of()).data()).isEqualTo(Map.of("x", "nil"));
      assertThat(mine.decide(Map.of()).data()).isEqualTo(Map.of("x", 1L));
    }
  }

  // The sandbox

  @ParameterizedTest
  @CsvSource({
    "os",
    "io",
    "coroutine",
    "package",
    "dofile",
    "loadfile",
    "luajava",
    "bit32",
    "loadstring",
    "unpack",
    "debug.sethook",
    "debug.getregistry",
    "debug.getlocal",
    "debug.setupvalue"
  })
  void dangerousFunctionsAreAbsent(String name) throws Exception {
    assertThat(printed("print(" + name + ")")).isEqualTo("nil");
  }

  @Test
  void globalsAreListedOnes() throws Exception {
    assertThat(
            printed(
                "local names = {} for k in pairs(_G) do names[#names + 1] = k end"
                    + " table.sort(names) print(table.concat(names, ' '))"))
        .isEqualTo(
            "_G _VERSION _VERWALTER_MAIN answer assert collectgarbage debug error getmetatable ipairs load"
                + " math next pairs pcall print rawequal rawget rawlen rawset reason require select"
                + " setmetatable string table tonumber tostring type utf8 xpcall");
  }

  @Test
  void refusesBinaryChunks() throws Exception {
    assertThat(printed("print(load('\\27Lua'))"))
        .isEqualTo("nil\tattempt to load a binary chunk (mode is 'bt')");
  }

  @Test
  void tablesIterateInFixedOrder() throws Exception {
    var body =
        "local t = {} for i = 200, 1, -1 do t['k' .. i * 7 % 31] = i end local o = {} "
            + "for k in pairs(t) do o[#o + 1] = k end print(table.concat(o, ' '))";
    assertThat(printed(body)).isEqualTo(printed(body));
  }

  // Input

  @Test
  void inputBecomesTables() throws Exception {
    var input = new HashMap<String, Object>();
    input.put("list", Arrays.asList(1L, null, "ä", true, 2.5));
    input.put("none", null);
    input.put("big", 9_007_199_254_740_991L);
    input.put("actions", Map.of("1465479289000", Map.of("1", "text key"), "name", 5L));
    input.put("empty", Map.of());
    var decision =
        program()
            .body(
                "print(#input.list >= 4, input.list[1], input.list[2], #input.list[3],"
                    + " input.list[4], input.list[5]) print(input.none, input.big)"
                    + " print(input.actions[1465479289000]['1'], input.actions.name,"
                    + " input.actions[1465479289000][1]) print(next(input.empty)) return '{}', ''")
            .decide(input);
    assertThat(decision.log())
        .isEqualTo("true\t1\tnil\t2\ttrue\t2.5\nnil\t9007199254740991\ntext key\t5\tnil\nnil\n");
  }

  @Test
  void integerBeyond64BitsIsFloat() throws Exception {
    var input = Map.<String, Object>of("x", BigInteger.TWO.pow(64));
    var decision = program().body("print(input.x) return '{}', ''").decide(input);
    assertThat(decision.log()).isEqualTo("1.844674407371e+19\n");
  }

  // Results

  @Test
  void integersAndFloatsOfScheduleStayDistinct() throws Exception {
    var decision = program().body("return '{\"a\":1,\"b\":1.0,\"c\":[null,1e3]}'").decide();
    assertThat(decision.data()).containsEntry("a", 1L).containsEntry("b", 1.0);
    assertThat(decision.data().get("c")).isEqualTo(Arrays.asList(null, 1000.0));
    assertThat(decision.log()).isEqualTo("nil");
  }

  @Test
  void convertsResultsAsTostring() throws Exception {
    var decision =
        program()
            .body("return setmetatable({}, {__tostring = function() return '{}' end}), 12")
            .decide();
    assertThat(decision.data()).isEmpty();
    assertThat(decision.log()).isEqualTo("12");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "return|main.lua:1: Scheduler returned unconvertible value: nil, where the JSON text of a"
            + " schedule is expected",
        "return nil, 'log'|main.lua:1: Scheduler returned unconvertible value: nil, where the JSON"
            + " text of a schedule is expected",
        "return '[1]'|main.lua:1: invalid return value: the schedule must be a JSON object, but is"
            + " '[1]'",
        "return 5|main.lua:1: invalid return value: the schedule must be a JSON object, but is '5'",
        "return '\\xff'|main.lua:1: Scheduler returned unconvertible value: the schedule is not"
            + " UTF-8",
        "return '{}', '\\xff'|main.lua:1: Scheduler returned unconvertible value: the log is not"
            + " UTF-8",
        "return '{\"roles\":{},\"roles\":1}'|main.lua:1: Scheduler returned unconvertible value:"
            + " 1:13: roles: duplicate field in '{\"roles\":{},\"roles\":1}'",
        "return '{\"nodes\":{\"a b\":{\"x\":[{\"y\":1,\"y\":1}]}}}'|main.lua:1: Scheduler returned"
            + " unconvertible value: 1:30: nodes[\"a b\"].x[0].y: duplicate field in"
            + " '{\"nodes\":{\"a b\":{\"x\":[{\"y\":1,\"y\":1}]}}}'",
        "return '{\"roles\":1}'|main.lua:1: invalid return value: roles: expected an object, found a"
            + " number",
        "return '{\"nodes\":{\"n\":{\"roles\":{\"web\":[1]}}}}'|main.lua:1: invalid return value:"
            + " nodes.n.roles.web: expected an object, found a list",
        "error('x')|main.lua:2: x",
        "error('x', 0)|x",
        "local t = nil; return t.x|main.lua:2: attempt to index a nil value (local 't')",
        "return input.peers.alpha|main.lua:2: attempt to index a nil value (field 'peers')",
        "foo()|main.lua:2: attempt to call a nil value (global 'foo')",
      })
  void failureHasMessageAndPosition(String body, String message) {
    assertThat(program().body(body).failure()).hasMessage(message);
  }

  @Test
  void libraryEncodesEmptyTablesAsListsWhichAreAccepted() throws Exception {
    var body =
        """
        return require('verwalter/json').encode({
          vars = {}, roles = {}, changes = {}, state = {},
          nodes = {n = {}, m = {roles = {web = {}}, vars = {}}}})
        """;
    assertThat(program().body(body.replace('\n', ' ')).decide().data().get("nodes"))
        .isEqualTo(
            Map.of(
                "n", List.of(), "m", Map.of("roles", Map.of("web", List.of()), "vars", List.of())));
  }

  @Test
  void textAfterScheduleFails() {
    assertThat(program().body("return '{} x'").failure())
        .hasMessageStartingWith("main.lua:1: Scheduler returned unconvertible value: ")
        .hasMessageEndingWith(" in '{} x'");
  }

  @Test
  void infiniteNumberFails() {
    assertThat(program().body("return '{\"a\":1e+9999}'").failure())
        .hasMessageContaining("the number is out of range");
  }

  @Test
  void logOfFailureHasOutputAndTraceback() {
    var failure =
        program()
            .main(
                """
                local function deep(n)
                  if n == 0 then error('boom') end
                  local x = deep(n - 1)
                  return x
                end
                return {scheduler = function() print('hello') local x = deep(2) end}
                """)
            .failure();
    assertThat(failure).hasMessage("main.lua:2: boom");
    assertThat(failure.log())
        .isEqualTo(
            """
            hello
            stack traceback:
            \t[C]: in function 'error'
            \tmain.lua:2: in upvalue 'deep'
            \tmain.lua:3: in upvalue 'deep'
            \tmain.lua:3: in upvalue 'deep'
            \tmain.lua:6: in function <main.lua:6>
            \t[C]: in ?""");
  }

  // Loading

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "return {|main.lua:1: unexpected symbol near <eof>",
        "local x = = 1|main.lua:1: unexpected symbol near '='",
        "error('no')|main.lua:1: no",
        "while true do end|main.lua:1: instruction budget of 1000000 used up",
        "return 5|main.lua: it must return a table with a function 'scheduler', but returned a"
            + " number value",
        "return {}|main.lua: the field 'scheduler' of the table it returns must be a function, but"
            + " is a nil value",
        "require 'nothing'|main.lua:1: module 'nothing' not found: no file 'nothing.lua' in",
        "require '/etc/passwd'|main.lua:1: module '/etc/passwd' not found: '/etc/passwd' is not a"
            + " path below the scheduler's directory",
        "require 'a/../../b'|main.lua:1: module 'a/../../b' not found: 'a/../../b' leaves the"
            + " scheduler's directory",
        "require ''|main.lua:1: module '' not found: '' is not a path",
      })
  void reportsWhyProgramCannotBeLoaded(String main, String message) {
    var failure = program().main(main).budget(Budget.DEFAULT.withInstructions(1_000_000)).failure();
    assertThat(failure.getMessage()).startsWith(message);
  }

  @Test
  void missingMainNamesPath() {
    assertThat(program().failure()).hasMessage("no file 'main.lua' in " + directory);
  }

  @Test
  void requireFindsRunsAndCachesModules() throws Exception {
    program()
        .file("lib/a.lua", "loads = (loads or 0) + 1 return {name = ..., n = loads}")
        .file("lib/none.lua", "-- nothing");
    assertThat(
            printed(
                "local a = require 'lib/a' print(a.name, a.n, require('lib/a') == a,"
                    + " require('lib/a.lua').n, require('lib/a.anything').name,"
                    + " require('./lib//a').n, require 'lib/none', require 'string' == string)"))
        .isEqualTo("lib/a\t1\ttrue\t2\tlib/a.anything\t4\ttrue\ttrue");
  }

  @Test
  void reportsErrorOfModule() {
    program().file("lib/bad.lua", "local x =\n= 5");
    assertThat(program().body("require 'lib/bad'").failure())
        .hasMessage(
            "main.lua:2: error loading module 'lib/bad':\n\tlib/bad.lua:2: unexpected symbol near '='");
    program().file("lib/raises.lua", "\nerror('raised')");
    assertThat(program().body("require 'lib/raises'").failure())
        .hasMessage("lib/raises.lua:2: raised");
  }

  @Test
  void cyclicRequireIsError() {
    program().file("a.lua", "return require 'b'").file("b.lua", "return require 'a'");
    assertThat(program().body("require 'a'").failure())
        .hasMessage("b.lua:1: module 'a' requires itself: a -> b -> a");
  }

  @Test
  void doesNotFollowLinksOutOfDirectory() throws Exception {
    var program = program().body("require 'link'");
    var outside = Files.createTempFile("outside", ".lua");
    try {
      Files.createSymbolicLink(directory.resolve("link.lua"), outside);
      assertThat(program.failure())
          .hasMessage(
              "main.lua:2: module 'link' not found: 'link.lua' is a link that leaves the"
                  + " scheduler's directory");
    } finally {
      Files.delete(outside);
    }
  }

  @Test
  void userModulePrecedesBundledModule() throws Exception {
    assertThat(printed("print(require('verwalter/json').encode({1}))")).isEqualTo("[1]");
    program().file("verwalter/json.lua", "return 'mine'");
    assertThat(printed("print(require('verwalter/json'))")).isEqualTo("mine");
  }

  @Test
  void logCollectsLines() throws Exception {
    assertThat(
            printed(
                "local j = require('verwalter/log').new() j:debug('web', 'a', 1) j:error(nil, 'b')"
                    + " print(j:text())"))
        .isEqualTo("[web]:DEBUG: a1\n[no-role]:ERROR: b");
  }

  @Test
  void keepsReasonsInOrder() throws Exception {
    var decision =
        program()
            .body("reason('web', 'grows') reason('web', 'n1', 'größer: ' .. 7) return '{}'")
            .decide(Map.of("now", 1L));
    assertThat(decision.reasons())
        .containsExactly(
            new Scheduler.Reason("web", Optional.empty(), "grows"),
            new Scheduler.Reason("web", Optional.of("n1"), "größer: 7"));
  }

  @Test
  void clearsReasonsBetweenRuns() throws Exception {
    program().body("if not again then again = true reason('web', 'first') end return '{}'");
    try (var scheduler = program().load()) {
      assertThat(scheduler.decide(Map.of()).reasons()).hasSize(1);
      assertThat(scheduler.decide(Map.of()).reasons()).isEmpty();
    }
  }

  @Test
  void answersActionsUntilNextRun() throws Exception {
    program()
        .body(
            "if again then return '{}' end again = true answer(7, '{\"é\": [1]}')"
                + " answer('8', '\"first\"') answer(8, '\"second\"') answer(9, 'null') return '{}'");
    try (var scheduler = program().load()) {
      assertThat(scheduler.decide(Map.of()).answers())
          .isEqualTo(Map.of("7", Map.of("é", List.of(1L)), "8", "second"));
      assertThat(scheduler.decide(Map.of()).answers()).isEmpty();
    }
  }

  @Test
  void refusesAnswerThatIsNotJsonOrTooLong() {
    assertThatThrownBy(
            () -> program().body("answer(7, 'no json') return '{}'").decide(Map.of("now", 1L)))
        .isInstanceOf(Scheduler.Failed.class)
        .hasMessageContaining("the answer to action 7 is not JSON");
    assertThatThrownBy(
            () ->
                program()
                    .body("answer(7, '\"' .. ('x'):rep(100000) .. '\"') return '{}'")
                    .decide(Map.of("now", 1L)))
        .isInstanceOf(Scheduler.Failed.class)
        .hasMessageContaining("an answer has 100000 bytes at most");
  }

  @Test
  void refusesAnswersThatAreTooLongTogether() throws Exception {
    var body =
        "local text = '\"' .. ('x'):rep(99000) .. '\"' for i = 1, %d do answer(%s, text) end";
    var same = program().body(body.formatted(20, "1") + " return '{}'").decide(Map.of());
    assertThat(same.answers()).containsOnlyKeys("1");
    assertThatThrownBy(
            () -> program().body(body.formatted(11, "i") + " return '{}'").decide(Map.of()))
        .isInstanceOf(Scheduler.Failed.class)
        .hasMessageContaining("the answers of a run have 1048576 bytes at most");
    assertThatThrownBy(
            () -> program().body("answer(('x'):rep(1048576), '1') return '{}'").decide(Map.of()))
        .isInstanceOf(Scheduler.Failed.class)
        .hasMessageContaining("the answers of a run have 1048576 bytes at most");
  }

  @Test
  void recordsWhetherDecisionDependsOnTime() throws Exception {
    var input = Map.<String, Object>of("now", 1465479290000L, "current_host", "n1");
    assertThat(program().body("return '{}', input.current_host").decide(input).timeless()).isTrue();
    assertThat(program().body("return '{}', input.nothing").decide(input).timeless()).isTrue();
    var looking = program().body("return '{}', tostring(input.now)").decide(input);
    assertThat(looking.timeless()).isFalse();
    assertThat(looking.log()).isEqualTo("1465479290000");
    var walking =
        program()
            .body(
                "local t = {} for k in pairs(input) do t[#t + 1] = k end return '{}', table.concat(t, ' ')")
            .decide(input);
    assertThat(walking.timeless()).isFalse();
    assertThat(walking.log()).contains("now").contains("current_host");
  }
}
