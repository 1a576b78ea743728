package verwalter.scheduler.lua.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import verwalter.model.Scheduler.Failed;
import verwalter.scheduler.lua.Attacks;
import verwalter.scheduler.lua.Attacks.Attack;
import verwalter.scheduler.lua.Program;

class VmAttackTest {
  @TempDir Path directory;

  static Stream<Attack> attacks() {
    return Stream.concat(Attacks.all(), Attacks.metered());
  }

  @ParameterizedTest
  @MethodSource("attacks")
  void endsWithinItsBudget(Attack attack) {
    var program = new Program(directory, new VmEngine()).body(attack.body()).budget(Attacks.BUDGET);

    // Ends the build if an attack is not stopped. The time in which a budget ends it is
    // not measured.
    var failure = assertTimeoutPreemptively(Duration.ofSeconds(30), program::failure);

    assertThat(failure).hasMessageContaining(attack.expected());
    if (attack.expected().contains("budget of")) {
      assertThat(failure).hasMessageMatching("(?s)(.*: )?\\w+(/\\w+)*\\.lua:\\d+: .*");
    }
  }

  /**
   * Attacks one program repeatedly; its leftovers must not accumulate. Ending threads may hold some
   * memory, so the minimum of several rounds is compared.
   */
  @Test
  void attacksDoNotLeakMemory() throws Exception {
    var attacks =
        List.of(
            "local t = {} for i = 1, 1e9 do t[i] = {i} end",
            "local t = {} while true do t[#t + 1] = ('x'):rep(1e6) end",
            "local t = {} while true do t[#t + 1] = load('return function() end')() end",
            "local function f() return 1 + f() end f()",
            "while true do tostring({}) end",
            "while true do print(('x'):rep(1e5)) end",
            "local t = {} while true do t[tostring({})] = pcall(error, {}) end",
            "error(setmetatable({}, {__tostring = function() error({}) end}))");
    var functions = String.join(" end, function() ", attacks);
    var program =
        new Program(directory, new VmEngine())
            .body("local f = {function() " + functions + " end} return f[input.attack]()")
            .budget(Attacks.BUDGET.withInstructions(200_000).withMemory(8 << 20));
    long early = Long.MAX_VALUE;
    long late = Long.MAX_VALUE;
    try (var scheduler = program.load()) {
      for (int round = 1; round <= 20; round++) {
        for (long attack = 1; attack <= attacks.size(); attack++) {
          var input = Map.<String, Object>of("attack", attack);
          assertThatThrownBy(() -> scheduler.decide(input)).isInstanceOf(Failed.class);
        }
        if (round >= 5 && round < 10) {
          early = Math.min(early, usedHeap());
        } else if (round >= 15) {
          late = Math.min(late, usedHeap());
        }
      }
    }
    assertThat(late).isLessThan(early + (4 << 20));
  }

  private static long usedHeap() {
    System.gc();
    var runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
