package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.ProcessGroup.Exit;
import verwalter.model.ProcessGroup.State;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.Supervisor;
import verwalter.supervisor.lithos.ProcessFileText;

/** Processes that have a command instead of an image. */
class CommandsTest {
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  @TempDir
  Path base;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Site site;

  @BeforeEach
  void images() {
    site = new Site(base);
    site.image("one", "exec sleep 300", "");
    site.settings = Settings.standard().allowingCommands();
  }

  @AfterEach
  void close() {
    site.close();
  }

  private static ProcessSpec sleeping(String greeting) {
    var line = List.of("/bin/sh", "-c", "echo \"$GREETING $1\"; exec sleep 300", "-", "you");
    return ProcessSpec.ofCommand(
        ProcessSpec.Type.DAEMON, 1, ProcessSpec.Command.of(line, Map.of("GREETING", greeting)));
  }

  @Test
  void aCommandRunsBesideAnImage() {
    site.open();
    site.run(Map.of("web", Site.entry("one", 1), "job", sleeping("it's")));
    site.awaitRunning(2);

    assertThat(site.slot("job.0").image()).isEqualTo("/bin/sh");
    site.until(() -> site.read("log/shop.job.0.log").contains("it's you"));
  }

  @Test
  void onlyTheImageIsInTheProcessFile() throws Exception {
    site.open();
    site.run(Map.of("web", Site.entry("one", 1), "job", sleeping("hello")));

    assertThat(ProcessFileText.read(site.read("processes/shop.yaml"), "shop.yaml"))
        .isEqualTo(Map.of("web", Site.entry("one", 1)));
  }

  @Test
  void theNextSupervisorAdoptsCommands() {
    site.open();
    site.run(Map.of("job", sleeping("hello")));
    site.awaitRunning(1);
    var pid = site.pid("job.0");

    site.reopen();
    site.awaitRunning(1);
    site.run(Map.of("job", sleeping("hello")));

    assertThat(site.pid("job.0")).isEqualTo(pid);
  }

  @Test
  void anotherCommandReplacesTheProcess() {
    site.open();
    site.run(Map.of("job", sleeping("hello")));
    site.awaitRunning(1);
    var pid = site.pid("job.0");

    site.run(Map.of("job", sleeping("good evening")));
    site.awaitSlot(
        "job.0",
        slot -> slot.state() == State.RUNNING && slot.pid().filter(now -> now != pid).isPresent());
    assertThat(Site.alive(pid)).isFalse();
  }

  /** Runs a script as the user nobody, with a group and one more. */
  private static ProcessSpec asNobody(String script) {
    return asNobody(script, Map.of());
  }

  private static ProcessSpec asNobody(String script, Map<String, String> environment) {
    return ProcessSpec.ofCommand(
        ProcessSpec.Type.DAEMON,
        1,
        new ProcessSpec.Command(
            List.of("sh", "-c", script),
            Optional.of(65534L),
            List.of(65534L, 100L),
            Optional.empty(),
            environment,
            Map.of(),
            ProcessSpec.Limits.NONE,
            List.of(),
            Optional.empty(),
            Optional.empty()));
  }

  @Test
  void rootRunsACommandAsAnotherUserWithoutRights() throws Exception {
    assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0));
    site.open();
    site.run(Map.of("job", asNobody("id; echo \"<$HOME$USER>\"; exec sleep 300")));
    site.awaitRunning(1);

    site.until(() -> site.read("log/shop.job.0.log").contains("<>"));
    assertThat(site.read("log/shop.job.0.log")).contains("uid=65534(nobody) gid=65534(nogroup)");
    assertThat(Files.readString(Path.of("/proc/%d/status".formatted(site.pid("job.0")))))
        .contains(
            "Uid:\t65534\t65534\t65534\t65534",
            "Gid:\t65534\t65534\t65534\t65534",
            "Groups:\t100 65534",
            "NoNewPrivs:\t1",
            "CapInh:\t0000000000000000",
            "CapPrm:\t0000000000000000",
            "CapEff:\t0000000000000000",
            "CapBnd:\t0000000000000000",
            "CapAmb:\t0000000000000000");
  }

  @Test
  void aProbeIsInTheCgroupsOfItsProcess() throws Exception {
    site.open();
    site.run(Map.of("job", sleeping("hello")));
    site.awaitRunning(1);

    var command = ProcessSpec.Command.of(List.of("x"), Map.of());
    var launch = site.supervisor.probeLaunch("shop/job.0", command);
    var words = new ArrayList<>(launch.words());
    words.addAll(List.of("cat", "/proc/self/cgroup"));
    var probe = new ProcessBuilder(words).start();
    assertThat(new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo(Files.readString(Path.of("/proc/%d/cgroup".formatted(site.pid("job.0")))));
    assertThat(launch.environment()).containsKey(ExecShell.MARK);
  }

  /** The dynamic linker writes a file for each program that obeys these variables. */
  @Test
  void noProgramOfRootObeysTheLoaderVariablesOfAnotherUser(@TempDir Path open) throws Exception {
    assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    var prefix = open.resolve("linker").toString();
    site.open();
    site.run(
        Map.of(
            "job",
            asNobody(
                "echo \"$LD_DEBUG\"; exec sleep 300",
                Map.of("LD_DEBUG", "statistics", "LD_DEBUG_OUTPUT", prefix))));
    site.awaitRunning(1);
    site.until(() -> site.read("log/shop.job.0.log").contains("statistics"));

    try (var files = Files.list(open)) {
      var owners = new ArrayList<Object>();
      for (var file : files.toList()) {
        owners.add(Files.getAttribute(file, "unix:uid"));
      }
      assertThat(owners).isNotEmpty().containsOnly(65534);
    }
  }

  @Test
  void aProcessOfAnotherUserIsStoppedAndItsExitCodeIsKnown() throws Exception {
    assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0));
    site.open();
    site.run(
        Map.of("job", asNobody("trap 'exit 0' TERM; sleep 300 & wait"), "bad", asNobody("exit 7")));
    site.awaitSlot("bad.0", slot -> slot.lastExit().flatMap(Exit::code).equals(Optional.of(7)));
    site.awaitSlot("job.0", slot -> slot.state() == State.RUNNING);
    var pid = site.pid("job.0");

    Site.done(site.supervisor.remove("shop"));

    assertThat(Site.alive(pid)).isFalse();
  }

  @Test
  void removingTheGroupRemovesItsFiles() {
    site.open();
    site.run(Map.of("job", sleeping("hello")));
    site.awaitRunning(1);
    assertThat(base.resolve("processes/shop.json")).exists();

    Site.done(site.supervisor.remove("shop"));

    assertThat(base.resolve("processes/shop.json")).doesNotExist();
    assertThat(site.supervisor.groups()).isEmpty();
  }

  @Test
  void aGroupWithoutCommandsHasNoFileOfThem() {
    site.open();
    site.run(Map.of("job", sleeping("hello")));
    site.run(Map.of("web", Site.entry("one", 1)));

    assertThat(Files.exists(base.resolve("processes/shop.json"))).isFalse();
  }

  @Test
  void aGroupOfCommandsNeedsNoSandbox() {
    site.open();

    assertThat(site.supervisor.check("lone", Map.of("job", sleeping("hello")))).isEmpty();
    assertThat(site.supervisor.check("lone", Map.of("web", Site.entry("one", 1)))).isNotEmpty();
  }

  @Test
  void namesThatAreNoFileNamesAreRefused() {
    site.open();

    assertThat(site.supervisor.check("../x", Map.of("job", sleeping("hello")))).hasSize(1);
    assertThat(site.supervisor.check("shop", Map.of("a/b", sleeping("hello")))).hasSize(1);
  }

  @Test
  void commandsAreRefusedUnlessSwitchedOn() {
    site.settings = Settings.standard();
    site.open();

    assertThatThrownBy(() -> site.run(Map.of("job", sleeping("hello"))))
        .isInstanceOf(Supervisor.Refused.class)
        .hasMessageContaining("commands are switched off");
    assertThat(site.slots()).isEmpty();
  }
}
