package verwalter.scheduler.lua.vm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import verwalter.scheduler.lua.Conformance;

class VmConformanceTest {
  @TempDir Path directory;

  static Stream<String> programs() {
    return Stream.concat(Conformance.programs(), Stream.of("numbers", "language"));
  }

  @ParameterizedTest
  @MethodSource("programs")
  void printsWhatLuaPrints(String name) throws Exception {
    var differences = Conformance.differences(directory, new VmEngine(), name);

    assertThat(differences).isEmpty();
  }
}
