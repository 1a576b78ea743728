package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the flag {@code --lua-engine} with the launcher. */
class LuaEngineTest {
  @TempDir private Path root;

  @Test
  void luajIsLoadedOnlyOnRequest() throws Exception {
    assertThat(ClassPathTest.jars("agent")).noneMatch(LuaEngineTest::isLuaj).isNotEmpty();
    assertThat(ClassPathTest.jars("vw")).noneMatch(LuaEngineTest::isLuaj).isNotEmpty();

    assertThat(logOf("own")).isEqualTo("3.0 alone");
    assertThat(logOf("luaj", "--lua-engine=luaj")).isEqualTo("3 alone");
  }

  private static boolean isLuaj(Path jar) {
    return jar.getFileName().toString().contains("luaj");
  }

  /** The log of a scheduler that concatenates a float and the host name. */
  private String logOf(String directory, String... flags) throws Exception {
    var state = Files.createDirectory(root.resolve(directory));
    var site = Site.in(state);
    site.version("app", "v1", 1);
    var scheduler = site.read("scheduler/v1/main.lua");
    site.write("scheduler/v1/main.lua", scheduler.replace("\"scheduled for \"", "3.0 .. \" \""));
    var agent = LaunchedAgent.start(state, site, flags);
    try {
      agent.awaitRunning("app", 1);
      return agent.object("schedules", "current").at("/status/log").asText();
    } finally {
      agent.close();
    }
  }

  @Test
  void missingJarsOfAnEngineAreReported() throws Exception {
    var site = Site.in(root);
    var builder =
        new ProcessBuilder(
                LaunchedAgent.HOME.resolve("verwalter").toString(),
                "--config-dir=" + site.config(),
                "--storage-dir=" + root.resolve("storage"),
                "--log-dir=" + root.resolve("log"),
                "--port=0",
                "--lua-engine=luaj")
            .redirectErrorStream(true);
    builder.environment().put("VERWALTER_JAVA_OPTS", "-Dverwalter.lib=" + root.resolve("none"));
    var agent = builder.start();
    var output = new String(agent.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(agent.waitFor()).isNotZero();
    assertThat(output)
        .contains("luaj is not installed: there is no directory " + root.resolve("none/luaj"));
  }
}
