package verwalter.scheduler.wasm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.model.Scheduler;
import verwalter.model.Scheduler.Failed;
import verwalter.model.json.Json;
import verwalter.scheduler.lua.Budget;
import verwalter.scheduler.lua.Code;

@Timeout(60)
final class WasmSchedulerTest {
  private static final Budget BUDGET =
      new Budget(10_000_000, Duration.ofSeconds(20), 64 << 20, 20_000, 1 << 20, 8 << 20);

  private final Scheduler scheduler;

  WasmSchedulerTest() throws Failed {
    scheduler = Modules.scheduler("behaviours", BUDGET);
  }

  @AfterEach
  void close() {
    scheduler.close();
  }

  private Scheduler.Decision decide(String what) throws Failed {
    return scheduler.decide(Map.of("x", what));
  }

  private Failed failure(String what) {
    return catchThrowableOfType(Failed.class, () -> decide(what));
  }

  private Object runs() throws Failed {
    return decide("a").data().get("runs");
  }

  @Test
  void readsOneJsonValueAtResult() throws Failed {
    var decision = decide("a");
    assertThat(decision.data()).containsEntry("}\"{", java.util.List.of());
    assertThat(decision.log()).isEqualTo("fine");
    assertThat(decision.timeless()).isFalse();
  }

  @Test
  void runsStartFunction() throws Failed {
    assertThat(decide("a").data()).containsEntry("start", 1L);
  }

  @Test
  void memoryPersistsUntilTrap() throws Failed {
    assertThat(runs()).isEqualTo(1L);
    assertThat(runs()).isEqualTo(2L);
    assertThat(failure("x")).isNotNull();
    assertThat(runs()).isEqualTo(1L);
  }

  @Test
  void unreadableResultDiscardsInstance() throws Failed {
    assertThat(runs()).isEqualTo(1L);
    assertThat(failure("l")).isNotNull();
    assertThat(runs()).isEqualTo(1L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"b", "c", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p"})
  void nextRunSucceedsAfterFailure(String what) throws Failed {
    assertThat(failure(what)).isNotNull();
    assertThat(runs()).isEqualTo(1L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"d", "e"})
  void trapAfterResultCostsOnlyInstance(String what) throws Failed {
    assertThat(runs()).isEqualTo(1L);
    assertThat(decide(what).log())
        .contains("function 'dealloc': trap: ", "; the next run has a new instance");
    assertThat(runs()).isEqualTo(1L);
    assertThat(decide("a").log()).as("of a run without a trap").doesNotContain("dealloc");
  }

  @Test
  void resultWithoutDecisionKeepsInstance() throws Failed {
    assertThat(runs()).isEqualTo(1L);
    for (var what : new String[] {"u", "v", "w"}) {
      assertThat(failure(what)).as(what).isNotNull();
    }
    assertThat(runs()).isEqualTo(2L);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "b | function 'scheduler': instruction budget of 100000000 used up",
        "c | function 'scheduler': stack overflow (call depth budget of 20000 used up)",
        "f | function 'scheduler': instruction budget of 100000000 used up",
        "g | function 'scheduler': memory budget of 67108864 bytes used up",
        "h | function 'scheduler': memory budget of 67108864 bytes used up",
        "i | function 'scheduler': instruction budget of 100000000 used up",
        "j | reading what 'scheduler' returned: address 4294967288 is outside of 262144 bytes",
        "k | reading what 'scheduler' returned: it is not UTF-8",
        "l | reading what 'scheduler' returned: it is no JSON: ",
        "m | reading what 'scheduler' returned: it is no JSON object: it starts with '[1]",
        "n | the JSON object at address 140000 has no end",
        "o | reading what 'scheduler' returned: output size budget of 8388608 bytes used up",
        "p | Scheduler panicked at src/lib.rs:42: it burns (trap: ",
        "u | invalid return value: 'schedule' must be an object",
        "v | invalid return value: 'log' must be a text, but is null or absent",
        "w | invalid return value: 'actions' must be an object or absent",
        "x | function 'scheduler': trap: out of bounds memory access",
        "z | env.pow has no meaning for (i32, f64) -> (i32)",
      })
  void failureNamesCause(String what, String message) {
    assertThat(failure(what))
        .hasMessageStartingWith("scheduler.wasm: ")
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{\"schedule\":{\"nodes\":[]},\"log\":\"\"} | schedule.nodes: expected an object, found an empty list",
        "{\"schedule\":{\"a\":1,\"a\":1},\"log\":\"\"} | 1:20: schedule.a: duplicate field",
        "{\"log\":\"\",\"log\":\"\"} | 1:11: log: duplicate field",
      })
  void readsResultStrictly(String result, String message) throws Exception {
    var there = "{\"schedule\":{},\"log\":\"\",\"actions\":[1]}";
    var module = Modules.code(Code.SCHEDULER, "behaviours").files().get(Code.SCHEDULER);
    assertThat(module).contains(there);
    var other = module.replace(there, result + " ".repeat(there.length() - result.length()));
    try (var changed =
        WasmScheduler.load(
            new Code("v1", Map.of(Code.SCHEDULER, other), Map.of()), BUDGET, Modules.THREADS)) {
      assertThat(catchThrowableOfType(Failed.class, () -> changed.decide(Map.of("x", "w"))))
          .hasMessageStartingWith("scheduler.wasm: ")
          .hasMessageContaining(message);
    }
  }

  @Test
  void doesNotWriteToInvalidAddressOfAlloc() throws Failed {
    decide("r");
    assertThat(failure("a"))
        .hasMessageContaining("writing what 'alloc' allocated: trap: out of bounds");
    assertThat(runs()).isEqualTo(1L);
  }

  @Test
  void logContainsPanics() throws Failed {
    assertThat(decide("q").log())
        .isEqualTo(
            """
            Scheduler panicked at <unknown file>:4294967295: <outside of the memory>
            Scheduler panicked at <outside of the memory>:0: <non-str payload>
            fine""");
    assertThat(failure("p").log()).isEqualTo("Scheduler panicked at src/lib.rs:42: it burns");
    assertThat(decide("a").log()).isEqualTo("fine");
  }

  @Test
  void answersOnlyActionsOfThisRun() throws Failed {
    var decision = scheduler.decide(Map.of("!", "t", "actions", Map.of("17", Map.of())));
    assertThat(decision.answers()).isEqualTo(Map.of("17", Map.of("ok", true)));
    assertThat(decision.log()).isEqualTo("answers\nunsolicited answer to action 18");
  }

  @Test
  void importedArithmeticMatchesTable() throws Failed {
    assertThat(decide("y").log()).isEqualTo("fine");
  }

  @Test
  void countsInstructionsExactly() throws Failed {
    decide("a");
    long few = decide("a").instructions();
    assertThat(decide("a").instructions()).isEqualTo(few);
    // a call, two constants, a drop, its entry and exit, and seven instructions in each of 1000
    // iterations
    assertThat(decide("s").instructions() - few).isBetween(8_000L, 8_010L);
  }

  @Test
  void wallTimeEndsRunWithinInstructionLimit() throws Failed {
    var budget =
        new Budget(
            Long.MAX_VALUE / 100, Duration.ofMillis(300), 64 << 20, 20_000, 1 << 20, 1 << 20);
    try (var scheduler =
        Modules.scheduler("behaviours", budget.withWallTime(Duration.ofSeconds(3)))) {
      for (var what : new String[] {"b", "f", "i"}) {
        assertThatThrownBy(() -> scheduler.decide(Map.of("x", what)))
            .isInstanceOf(Failed.class)
            .hasMessageContaining("wall time budget of 3000 ms used up");
      }
      assertThat(scheduler.decide(Map.of("x", "a")).data()).containsEntry("runs", 1L);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "unknown-import | it imports env.exp, which is not provided; there are, in env: [exp2,",
        "other-module | it imports wasi_snapshot_preview1.fd_write, which is not provided",
        "pow-of-three | it imports env.pow as (i32, i32, i32) -> (i32), but that takes 2 parameters",
        "panic-of-one | it imports env.log_panic as (i32) -> (), but that takes 5 parameters, all i32",
        "imported-global | it imports env.g, which is no function",
        "no-memory | it must have one memory and export it as 'memory'",
        "no-dealloc | it does not export a function 'dealloc'",
        "wide-alloc | its function 'alloc' is (I64) -> (I32), but must take 1 x i32 and give an i32",
        "much-memory | it starts with 3932160000 bytes of memory: memory budget of 67108864 bytes used up",
        "much-table | its table has more than 1048576 elements",
        "start-spins | starting: instruction budget of 100000000 used up",
        "start-traps | starting: trap: ",
        "vectors | not supported",
        "threads | its memory is shared between threads",
        "atomics | (threads), which is not supported",
        "tail-call | (tail calls), which is not supported",
        "exceptions | (exceptions), which is not supported",
        "table-grow | it uses table.grow, which is not supported",
        "invalid | it is no valid module: ",
        "data-outside | starting: trap: out of bounds memory access",
      })
  void refusesInvalidModules(String module, String message) {
    assertThatThrownBy(() -> Modules.scheduler("refused/" + module, BUDGET).close())
        .isInstanceOf(Failed.class)
        .hasMessageStartingWith("scheduler.wasm: ")
        .hasMessageContaining(message);
  }

  @Test
  void schedulerInRustDecides() throws Failed {
    var input =
        Json.freeze(
            Map.<String, Object>of(
                "current_host", "a",
                "peers", Map.of("77", Map.of("hostname", "b")),
                "runtime", Map.of("web", Map.of("v1", Map.of(), "v2", Map.of("count", 3L))),
                "actions", Map.of("1", Map.of("button", "ö\u0000\"\uD83D\uDE00"))));
    try (var rust = Modules.scheduler("rust", BUDGET)) {
      for (int i = 0; i < 3; i++) {
        var decision = rust.decide(input);
        assertThat(Json.canonical(decision.data()))
            .isEqualTo(
                "{\"nodes\":{\"a\":{\"roles\":{\"web\":%1$s}},\"b\":{\"roles\":{\"web\":%1$s}}},\"roles\":{\"web\":{}}}"
                    .formatted(
                        "{\"count\":3,\"image\":null,\"template\":\"app/v1\",\"version\":\"v2\"}"));
        assertThat(decision.log()).isEqualTo("2 hosts");
        assertThat(decision.answers())
            .isEqualTo(Map.of("1", Map.of("seen", Map.of("button", "ö\u0000\"\uD83D\uDE00"))));
      }
    }
  }
}
