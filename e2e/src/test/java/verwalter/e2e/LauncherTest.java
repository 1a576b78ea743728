package verwalter.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests the shell part of {@code ./verwalter} and {@code ./vw}. */
class LauncherTest {
  private static final Pattern VW_MODULES = Pattern.compile("(?m)^vw_modules='([^']*)'$");

  private static List<String> flags(String options) throws Exception {
    var command =
        new ProcessBuilder(LaunchedAgent.HOME.resolve("verwalter").toString(), "--version");
    command.environment().put("VERWALTER_JAVA_OPTS", options + " -XX:+PrintFlagsFinal");
    var running = command.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    var output = new String(running.getInputStream().readAllBytes(), UTF_8);
    assertThat(running.waitFor()).isZero();
    return output.lines().map(line -> line.replaceAll(" += +", "=").strip()).toList();
  }

  private static void has(List<String> flags, String flag) {
    assertThat(flags).anyMatch(line -> line.contains(" " + flag + " "));
  }

  @Test
  void limitsMemoryOfAgent() throws Exception {
    var flags = flags("");
    has(flags, "MaxHeapSize=" + (256 << 20));
    has(flags, "TieredStopAtLevel=4");
    has(flags, "ArchiveRelocationMode=0");
    has(flags, "UsePerfData=false");
  }

  @Test
  void optionsOfUserOverrideDefaults() throws Exception {
    var flags = flags("-Xmx512m -XX:TieredStopAtLevel=1");
    has(flags, "MaxHeapSize=" + (512 << 20));
    has(flags, "TieredStopAtLevel=1");
  }

  /** {@code ./vw} looks for changed sources only in these. */
  @Test
  void listsAllModulesOfVw() throws IOException {
    var drawn = Modules.drawn("docs/architecture.md");
    var needed = new TreeSet<String>();
    var open = new ArrayDeque<>(List.of("cli"));
    while (!open.isEmpty()) {
      var module = open.pop();
      if (needed.add(module)) {
        open.addAll(drawn.get(module));
      }
    }
    var listed =
        VW_MODULES.matcher(Files.readString(LaunchedAgent.HOME.resolve("bin").resolve("dist.sh")));
    assertThat(listed.find()).isTrue();
    assertThat(listed.group(1).split(" ", -1)).containsExactlyInAnyOrderElementsOf(needed);
  }
}
