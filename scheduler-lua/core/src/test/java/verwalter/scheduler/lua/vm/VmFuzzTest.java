package verwalter.scheduler.lua.vm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.scheduler.lua.fuzz.Differential;

/**
 * {@code -Dlua.fuzz.seconds=60 -Dlua.fuzz.programs=20000 -Dlua.fuzz.seed=1}: the duration, the
 * number of programs, and the first seed; each program has its own seed, counted up. Every build
 * tries the same programs, so that it fails only because of a change; other seeds search for new
 * failures.
 */
class VmFuzzTest {
  @TempDir Path directory;

  @Test
  void randomProgramsPrintSameAsLua() throws Exception {
    var limit = Duration.ofSeconds(Long.getLong("lua.fuzz.seconds", 60));
    long seed = Long.getLong("lua.fuzz.seed", 1);
    int most = Integer.getInteger("lua.fuzz.programs", 8_000);
    System.out.printf("random Lua programs from -Dlua.fuzz.seed=%d%n", seed);

    var differential = new Differential(new VmEngine(), directory);
    var difference = differential.search(seed, most, limit);

    System.out.printf("%d random Lua programs%n", differential.programs());
    assertThat(difference).as("a program for which our engine differs from lua5.3").isEmpty();
  }
}
