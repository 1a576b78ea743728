package verwalter.scheduler.lua.luaj;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import verwalter.scheduler.lua.Conformance;
import verwalter.scheduler.lua.Conformance.Example;

class LuajConformanceTest {
  /** The programs for which luaj prints another output, one per line. */
  private static final Set<String> DIFFERENT =
      Conformance.text("luaj-differs.txt").lines().collect(Collectors.toSet());

  @TempDir Path directory;

  @TestFactory
  Stream<DynamicTest> printsWhatLuaPrintsExceptWhereItIsListed() {
    return Conformance.examples().stream()
        .map(example -> DynamicTest.dynamicTest(example.name(), () -> check(example)));
  }

  private void check(Example example) throws Exception {
    boolean same = output(example).equals(example.output());
    assertThat(same)
        .as("%s: prints what lua5.3 prints, as luaj-differs.txt says", example.name())
        .isEqualTo(!DIFFERENT.contains(example.name()));
  }

  private String output(Example example) throws Exception {
    try {
      return example.outputOf(new LuajEngine(), directory);
    } catch (verwalter.model.Scheduler.Failed | RuntimeException failed) {
      return "failed: " + failed;
    }
  }

  @Test
  void everyListedDifferenceNamesProgram() {
    assertThat(Conformance.examples().stream().map(Example::name)).containsAll(DIFFERENT);
  }
}
