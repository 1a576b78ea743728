package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessGroup.Slot;
import verwalter.model.TemplateOutput;
import verwalter.model.codec.Codec;

/**
 * An upgrade of the agent restarts nothing. The files below {@code state-0.1.0} were written by
 * version 0.1.0 while four processes ran; the test starts those processes with its files and its
 * shell script.
 */
@SuppressWarnings("NullAway") // a missing key fails the test, as it should
class UpgradeTest {
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  @TempDir
  Path base;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Site site;

  private static Path fixture() throws URISyntaxException {
    return Path.of(UpgradeTest.class.getResource("state-0.1.0").toURI());
  }

  @BeforeEach
  void stateOfTheOldAgent() throws Exception {
    site = new Site(base);
    try (var files = Files.walk(fixture())) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        var text =
            Files.readString(file)
                .replace("@BASE@", base.toString())
                .replace("@BOOT@", Machine.boot());
        site.write(fixture().relativize(file).toString().replace('=', ':'), text);
      }
    }
    for (var image : List.of("web-1", "job-1", "crash-1")) {
      Files.setPosixFilePermissions(
          base.resolve("images/" + image + "/run"), PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    site.write("flag", "");
    for (var run : new RunDirectory(base.resolve("run")).runs()) {
      site.write("run/" + run.id() + ".exit", " ".repeat(255) + "\n");
      new ProcessBuilder("setsid", "-f", "sh", base + "/run/keeper.sh", base + "/run/" + run.id())
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    }
    site.until(() -> pidsOnDisk().size() == 4);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private Map<String, Long> pidsOnDisk() throws IOException {
    var runs = new RunDirectory(base.resolve("run"));
    return runs.runs().stream()
        .filter(run -> runs.process(run.id()).isPresent())
        .collect(Collectors.toMap(Run::slot, run -> runs.process(run.id()).orElseThrow().pid()));
  }

  private Map<String, Long> pids() {
    return site.slots().stream().collect(Collectors.toMap(Slot::name, it -> it.pid().orElse(-1L)));
  }

  private static ProcessGroup.Spec storedGroup() throws Exception {
    return (ProcessGroup.Spec)
        Codec.fromJson(Files.readAllBytes(fixture().resolve("ProcessGroup.json"))).spec();
  }

  @Test
  void adoptsEveryProcessAndItsHistory() throws Exception {
    var before = pidsOnDisk();
    site.open();
    site.awaitRunning(4);

    assertThat(pids()).isEqualTo(before);
    assertThat(site.slot("crash.0").restarts()).isEqualTo(1);
    assertThat(site.slot("crash.0").lastExit().orElseThrow().code()).contains(3);
  }

  @Test
  void aStoredGroupDesiresWhatRunsAlready() throws Exception {
    var before = pidsOnDisk();
    var file = site.read("processes/shop.yaml");
    var journal = site.read("log/config/shop.log");
    site.open();
    site.awaitRunning(4);

    site.run(storedGroup().processes());

    assertThat(pids()).isEqualTo(before);
    assertThat(site.read("processes/shop.yaml")).isEqualTo(file);
    var line = journal.substring(journal.indexOf(' '));
    assertThat(site.read("log/config/shop.log").lines().toList())
        .allSatisfy(each -> assertThat(each + "\n").endsWith(line))
        .hasSize(2);
  }

  @Test
  void aRenderedFileDesiresWhatRunsAlready() throws Exception {
    var output =
        (TemplateOutput.Status)
            Codec.fromJson(Files.readAllBytes(fixture().resolve("TemplateOutput.json")))
                .status()
                .orElseThrow();

    assertThat(output.processes().get(0).processes()).isEqualTo(storedGroup().processes());
  }

  @Test
  void aProcessThatIsDesiredDifferentlyIsReplaced() throws Exception {
    var before = pidsOnDisk();
    site.open();
    site.awaitRunning(4);

    site.write("processes/shop.yaml", site.read("processes/shop.yaml").replace("8001", "8002"));
    Site.done(site.supervisor.reload("shop"));
    site.until(() -> pids().values().stream().noneMatch(before.get("shop/web.0")::equals));
    site.awaitRunning(4);

    assertThat(pids().get("shop/job.0")).isEqualTo(before.get("shop/job.0"));
  }
}
