package verwalter.scheduler.lua.fuzz;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import verwalter.scheduler.lua.LuaEngine;
import verwalter.scheduler.lua.Program;

/** Runs the same programs on an engine and on the machine's lua5.3. */
public final class Differential {
  private static final int BATCH = 100;

  private final LuaEngine engine;
  private final Path directory;
  private long programs;

  public Differential(LuaEngine engine, Path directory) {
    this.engine = engine;
    this.directory = directory;
  }

  /** The number of programs that were run. */
  public long programs() {
    return programs;
  }

  /**
   * Runs programs for a time; returns the first one with a difference, reduced, and the difference.
   */
  public Optional<String> search(long seed, int most, Duration limit) throws Exception {
    long end = System.nanoTime() + limit.toNanos();
    for (long first = seed; programs < most && System.nanoTime() < end; first += BATCH) {
      var batch = new ArrayList<List<String>>();
      for (int i = 0; i < BATCH; i++) {
        batch.add(new Generator(first + i).program());
      }
      int at = firstDifference(batch);
      programs += BATCH;
      if (at >= 0) {
        return Optional.of(report(first + at, smaller(batch.get(at))));
      }
    }
    return Optional.empty();
  }

  private int firstDifference(List<List<String>> batch) throws Exception {
    write(batch);
    var expected = parts(real());
    var actual = parts(ours());
    for (int i = 0; i < batch.size(); i++) {
      if (i >= actual.size() || !expected.get(i).equals(actual.get(i))) {
        return i;
      }
    }
    return -1;
  }

  /** Removes statements one by one as long as the difference remains. */
  private List<String> smaller(List<String> program) throws Exception {
    var kept = new ArrayList<>(program);
    for (int i = kept.size() - 1; i >= 0; i--) {
      var without = new ArrayList<>(kept);
      without.remove(i);
      if (firstDifference(List.of(without)) == 0) {
        kept = without;
      }
    }
    return kept;
  }

  private String report(long seed, List<String> program) throws Exception {
    write(List.of(program));
    return "-Dlua.fuzz.seed=%d%n%s%nlua5.3 prints%n%s%nand we print%n%s"
        .formatted(seed, String.join("\n", program), real(), ours());
  }

  private void write(List<List<String>> batch) throws IOException {
    var text = new StringBuilder("return {\n");
    for (var program : batch) {
      text.append("[==[\n").append(String.join("\n", program)).append("]==],\n");
    }
    Files.writeString(directory.resolve("batch.lua"), text.append("}\n"));
    try (var driver = Differential.class.getResourceAsStream("/fuzz/driver.lua")) {
      if (driver == null) {
        throw new IllegalStateException("driver.lua is missing");
      }
      Files.write(directory.resolve("driver.lua"), driver.readAllBytes());
    }
  }

  private String real() throws Exception {
    var process =
        new ProcessBuilder("lua5.3", "driver.lua")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return comparable(output);
  }

  private String ours() throws Exception {
    var program = new Program(directory, engine).body("require 'driver' return '{}', ''");
    return comparable(program.decide().log());
  }

  /** The sign of NaN depends on the operand order that the C compiler chose. */
  private static String comparable(String output) {
    return output.replace("-nan", "nan");
  }

  private static List<String> parts(String output) {
    return List.of(output.split("(?m)^@\\d+$", -1)).stream().skip(1).map(String::strip).toList();
  }
}
