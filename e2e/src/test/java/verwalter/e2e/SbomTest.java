package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code bin/sbom} lists the libraries of each program.
 *
 * <p>It runs Maven over all modules, which takes a minute, so it runs only with {@code
 * VERWALTER_SLOW_TESTS=1}.
 */
@EnabledIfEnvironmentVariable(named = "VERWALTER_SLOW_TESTS", matches = ".+")
class SbomTest {
  @Test
  void listsTheLibrariesOfEachProgram(@TempDir Path root) throws Exception {
    var output = root.resolve("output");
    var process =
        new ProcessBuilder(LaunchedAgent.HOME.resolve("bin/sbom").toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor()).as(Files.readString(output)).isZero();
    for (var program : List.of("agent", "vw", "luaj")) {
      assertThat(LaunchedAgent.HOME.resolve(".dist/sbom/" + program + ".cdx.json"))
          .content()
          .contains("\"purl\" : \"pkg:maven/");
    }
  }
}
