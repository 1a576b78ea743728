package verwalter.scheduler.lua.vm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.scheduler.lua.Budget;
import verwalter.scheduler.lua.Program;

/** {@code -Dlua.json.seed=... -Dlua.json.rounds=...}: the first seed, and the number of values. */
class JsonLibraryTest {
  private static final Budget AMPLE =
      Budget.DEFAULT
          .withInstructions(Long.MAX_VALUE)
          .withMemory(Long.MAX_VALUE)
          .withWallTime(Duration.ofMinutes(2));

  @TempDir Path directory;

  @Test
  void behavesAsLibraryInLua() throws Exception {
    long seed = Long.getLong("lua.json.seed", System.currentTimeMillis());
    long rounds = Long.getLong("lua.json.rounds", 2_000);
    System.out.printf("random JSON from -Dlua.json.seed=%d%n", seed);
    var program =
        new Program(directory, new VmEngine())
            .file("plain/json.lua", resource("/verwalter/lua/json.lua"))
            .main(resource("/json/compare.lua"))
            .budget(AMPLE);

    var counts = program.decide(Map.of("seed", seed, "rounds", rounds)).log();

    System.out.println(counts);
    assertThat(counts).as("every kind of outcome was among them").doesNotContain(":0");
  }

  @Test
  void userModulePrecedesBuiltInModule() throws Exception {
    var program =
        new Program(directory, new VmEngine())
            .file("verwalter/json.lua", "return {encode = 'mine'}")
            .body("print(require('verwalter/json').encode) return '{}', ''");

    assertThat(program.output()).startsWith("mine");
  }

  @Test
  void errorInMarkingHasPositionOfCaller() throws Exception {
    var program =
        new Program(directory, new VmEngine())
            .body(
                """
                local shielded = setmetatable({}, {__metatable = false})
                print(pcall(function() require('verwalter/json').array(shielded) end))
                return '{}', ''""");

    assertThat(program.output())
        .startsWith("false\tmain.lua:3: cannot change a protected metatable");
  }

  private static String resource(String name) throws IOException {
    try (var in = JsonLibraryTest.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
