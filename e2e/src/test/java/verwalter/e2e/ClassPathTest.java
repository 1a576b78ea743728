package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the contents of the jars that the launchers run from. */
class ClassPathTest {
  private static final Pattern TEST_CODE =
      Pattern.compile(
          "verwalter/(.+/)?(testkit|logkit)/.*|org/(junit|assertj|awaitility)/.*|net/jqwik/.*");

  @BeforeAll
  static void build() throws Exception {
    var build = new ProcessBuilder(LaunchedAgent.HOME.resolve("verwalter").toString(), "--version");
    assertThat(build.redirectErrorStream(true).start().waitFor()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "agent, verwalter/agent/Main.class",
    "vw, verwalter/cli/Vw.class",
    "luaj, verwalter/scheduler/lua/luaj/LuajEngine.class",
  })
  void holdsNoTestCode(String program, String expected) throws IOException {
    var classes = new TreeSet<String>();
    for (var jar : jars(program)) {
      try (var file = new JarFile(jar.toFile())) {
        file.stream().forEach(entry -> classes.add(entry.getName()));
      }
    }
    assertThat(classes).contains(expected);
    assertThat(classes).filteredOn(TEST_CODE.asMatchPredicate()).isEmpty();
  }

  /** The jars of a program: {@code agent}, {@code vw} or {@code luaj}. */
  static List<Path> jars(String program) throws IOException {
    try (var jars = Files.list(LaunchedAgent.HOME.resolve(".dist/lib").resolve(program))) {
      return jars.toList();
    }
  }
}
