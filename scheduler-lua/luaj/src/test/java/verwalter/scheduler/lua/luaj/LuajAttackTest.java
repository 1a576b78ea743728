package verwalter.scheduler.lua.luaj;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import verwalter.scheduler.lua.Attacks;
import verwalter.scheduler.lua.Attacks.Attack;
import verwalter.scheduler.lua.Program;

class LuajAttackTest {
  @TempDir Path directory;

  static Stream<Attack> attacks() {
    return Attacks.all();
  }

  @ParameterizedTest
  @MethodSource("attacks")
  void endsWithinItsBudget(Attack attack) {
    var program =
        new Program(directory, new LuajEngine()).body(attack.body()).budget(Attacks.BUDGET);

    var failure = assertTimeoutPreemptively(Duration.ofSeconds(30), program::failure);

    assertThat(failure)
        .message()
        .satisfiesAnyOf(
            message -> assertThat(message).contains(attack.expected()),
            message -> // which of the two limits is reached first depends on luaj's allocations
            assertThat(message).matches("main.lua:2: (memory|instruction) budget of .* used up"));
  }
}
