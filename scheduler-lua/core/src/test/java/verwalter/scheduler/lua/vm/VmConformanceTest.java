package verwalter.scheduler.lua.vm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import verwalter.scheduler.lua.Conformance;

class VmConformanceTest {
  @TempDir Path directory;

  @TestFactory
  Stream<DynamicTest> printsWhatLuaPrints() {
    return Conformance.examples().stream()
        .map(
            example ->
                DynamicTest.dynamicTest(
                    example.name(),
                    () ->
                        assertThat(example.outputOf(new VmEngine(), directory))
                            .isEqualTo(example.output())));
  }
}
