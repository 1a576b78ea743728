package verwalter.supervisor.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.files.FileAccess;
import verwalter.model.ProcessGroup.Exit;
import verwalter.model.ProcessGroup.State;
import verwalter.model.ProcessSpec;

/** Real processes in cgroups of this machine: their limits, and daemons that escaped. */
class ConfinementTest {
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  @TempDir
  Path base;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Site site;

  @BeforeEach
  void open() {
    site = new Site(base);
    site.settings =
        new Settings(
            Settings.OnExit.DETACH,
            false,
            "dumb",
            10 << 20,
            5,
            Duration.ofDays(7),
            true,
            FileAccess.PRIVATE,
            Duration.ofMillis(200));
    site.open();
  }

  @AfterEach
  void close() {
    site.close();
    assertThat(cgroups()).isEmpty();
  }

  /** The cgroups of this supervisor's runs. */
  private List<Path> cgroups() {
    var groups = new ArrayList<Path>();
    try {
      var name = "verwalter-" + new RunDirectory(site.layout.run()).scope().replace("/", "");
      for (var hierarchy : CgroupHierarchy.ofThisMachine()) {
        if (Files.isDirectory(hierarchy.own().resolve(name))) {
          try (var runs = Files.list(hierarchy.own().resolve(name))) {
            groups.addAll(runs.filter(Files::isDirectory).toList());
          }
        }
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return groups;
  }

  private static void assumeController(String controller) {
    assumeTrue(
        isRoot()
            && CgroupHierarchy.ofThisMachine().stream()
                .anyMatch(
                    it -> it.controllers().contains(controller) && Files.isWritable(it.own())),
        "only root can limit processes, on a machine with the cgroup controller " + controller);
  }

  private static void assumeCgroups() {
    assumeTrue(
        isRoot() && !CgroupHierarchy.ofThisMachine().isEmpty(),
        "only root can make cgroups, on a machine that has them");
  }

  private static boolean isRoot() {
    try {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static ProcessSpec.Limits limits(
      Optional<Long> memory, Optional<Long> cpuMillis, Optional<Long> pids) {
    return new ProcessSpec.Limits(memory, Optional.empty(), Optional.empty(), cpuMillis, pids);
  }

  private static ProcessSpec script(
      String script,
      ProcessSpec.Limits limits,
      Optional<ProcessSpec.Stop> stop,
      Optional<String> umask) {
    return ProcessSpec.ofCommand(
        ProcessSpec.Type.DAEMON,
        1,
        new ProcessSpec.Command(
            List.of("/bin/sh", "-c", script),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Map.of(),
            Map.of(),
            limits,
            List.of(),
            stop,
            umask));
  }

  private static ProcessSpec limited(String script, ProcessSpec.Limits limits) {
    return script(script, limits, Optional.empty(), Optional.empty());
  }

  private static ProcessSpec stoppedBy(String signal, String script) {
    return script(
        script,
        ProcessSpec.Limits.NONE,
        Optional.of(new ProcessSpec.Stop(signal, 20)),
        Optional.empty());
  }

  private String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private boolean isIn(String line) {
    return site.read("log/shop.job.0.log").lines().anyMatch(line::equals);
  }

  private String file(String name) {
    return cgroups().stream()
        .map(group -> group.resolve(name))
        .filter(Files::exists)
        .map(this::read)
        .map(String::strip)
        .findFirst()
        .orElse("");
  }

  @Test
  void theReasonOfAnExitNamesTheLimitOfMemory() {
    assumeController("memory");
    // The shell doubles a text until the kernel ends it.
    site.run(
        Map.of(
            "job",
            limited(
                "x=12345678; while :; do x=$x$x; done",
                limits(Optional.of(20_000_000L), Optional.empty(), Optional.empty()))));

    var slot = site.awaitSlot("job.0", it -> it.lastExit().isPresent());

    assertThat(slot.unenforced()).isEmpty();
    assertThat(slot.lastExit().flatMap(Exit::signal)).contains(9);
    site.until(
        () -> site.slot("job.0").lastExit().flatMap(Exit::message).orElse("").contains("memory"));
    assertThat(site.slot("job.0").lastExit().flatMap(Exit::message).orElse(""))
        .contains("ended by the memory limit of 20 MB");
  }

  @Test
  void theKernelLimitsProcessorsAndProcesses() {
    assumeController("cpu");
    assumeController("pids");
    site.run(
        Map.of(
            "job",
            limited(
                "(sleep 300 & sleep 300 & sleep 300 & sleep 300 & wait); echo refused; sleep 300",
                limits(Optional.empty(), Optional.of(500L), Optional.of(4L)))));
    site.awaitRunning(1);

    site.until(() -> isIn("refused"));
    assertThat(file("pids.max")).isEqualTo("4");
    assertThat(file("cpu.cfs_quota_us") + file("cpu.max")).startsWith("50000");
    assertThat(site.slot("job.0").unenforced()).isEmpty();
  }

  @Test
  void otherLimitsReplaceTheProcess() {
    assumeController("pids");
    site.run(
        Map.of(
            "job",
            limited("sleep 300", limits(Optional.empty(), Optional.empty(), Optional.of(9L)))));
    site.awaitRunning(1);
    var before = site.pid("job.0");

    site.run(
        Map.of(
            "job",
            limited("sleep 300", limits(Optional.empty(), Optional.empty(), Optional.of(8L)))));

    site.awaitSlot(
        "job.0",
        slot ->
            slot.state() == State.RUNNING && slot.pid().filter(pid -> pid != before).isPresent());
    site.until(() -> file("pids.max").equals("8"));
  }

  /** Starts a daemon in a session of its own that has no variables, and writes its id. */
  private long escaped() {
    site.run(
        Map.of(
            "job",
            limited(
                "setsid env -i sh -c 'echo $$ >%s/daemon; exec sleep 300' & exec sleep 300"
                    .formatted(base),
                ProcessSpec.Limits.NONE)));
    site.awaitRunning(1);
    site.until(() -> site.read("daemon").endsWith("\n"));
    return Long.parseLong(site.read("daemon").strip());
  }

  @Test
  void aStopEndsADaemonThatEscapedWithoutVariables() {
    assumeCgroups();
    var daemon = escaped();
    site.awaitSlot("job.0", slot -> slot.detached().equals(List.of(daemon)));

    Site.done(site.supervisor.remove("shop"));

    assertThat(Site.alive(daemon)).isFalse();
    assertThat(cgroups()).isEmpty();
  }

  @Test
  void aStopByTheNextAgentEndsADaemonThatEscaped() {
    assumeCgroups();
    var daemon = escaped();

    site.reopen();
    site.awaitRunning(1);
    assertThat(Site.alive(daemon)).isTrue();
    Site.done(site.supervisor.remove("shop"));

    assertThat(Site.alive(daemon)).isFalse();
  }

  @Test
  void aDaemonThatEscapedEndsWithItsProgramWhileNoAgentRuns() {
    assumeCgroups();
    var daemon = escaped();
    var pid = site.pid("job.0");
    Site.done(site.supervisor.shutdown());

    Site.kill9(pid);
    site.reopen();

    site.until(() -> !Site.alive(daemon));
  }

  @Test
  void aProcessWithoutCgroupRunsAndSaysWhyItsLimitsAreNotEnforced() throws IOException {
    Site.done(site.supervisor.shutdown());
    // The kernel refuses new directories in /proc.
    var refusing = new CgroupHierarchy(Path.of("/proc/self"), Set.of("memory"), false);
    site.supervisor =
        EmbeddedSupervisor.open(
            site.layout, site.loop, RealLoop::daemon, site.settings, List.of(refusing));

    site.run(
        Map.of(
            "job",
            limited(
                "sleep 300",
                limits(Optional.of(50_000_000L), Optional.of(500L), Optional.empty()))));
    site.awaitRunning(1);

    assertThat(site.slot("job.0").unenforced().orElse(""))
        .contains("the limits of memory are not enforced: cannot create /proc/self/verwalter-")
        .contains("the limits of cpu are not enforced: this machine has no cgroup controller cpu");
    site.reopen();
    site.awaitRunning(1);
    assertThat(site.slot("job.0").unenforced()).isPresent();
  }

  @Test
  void aProcessIsAskedToEndByItsSignal() {
    for (var name : List.of("INT", "QUIT", "HUP", "USR1", "USR2", "TERM")) {
      site.run(
          Map.of(
              "job",
              stoppedBy(
                  "SIG" + name,
                  "trap 'echo got %1$s; exit 0' %1$s; echo ready %1$s; while :; do sleep 0.1; done"
                      .formatted(name))));
      site.until(() -> isIn("ready " + name));

      Site.done(site.supervisor.remove("shop"));

      assertThat(isIn("got " + name)).as(name).isTrue();
    }
  }

  @Test
  void theUmaskIsThatOfTheSpec() {
    site.run(
        Map.of(
            "job",
            script(
                "umask; sleep 300",
                ProcessSpec.Limits.NONE,
                Optional.empty(),
                Optional.of("027"))));

    site.until(() -> isIn("0027"));
  }

  @Test
  void anAgentThatIgnoresSignalsIsRecognized() {
    assertThat(Machine.ignoresSignals("Name:\tjava\nSigIgn:\t0000000000000006\n")).isTrue();
    assertThat(Machine.ignoresSignals("Name:\tjava\nSigIgn:\t0000000000000000\n")).isFalse();
  }

  @Test
  void aCommandBesideAProcessIsInItsCgroupAndNoDaemonThatEscaped() throws Exception {
    assumeCgroups();
    var escaping =
        "until [ -e %1$s/go ]; do sleep 0.1; done; setsid env -i sh -c 'echo $$ >%1$s/daemon; exec sleep 300' & exec sleep 300"
            .formatted(base);
    site.run(Map.of("job", limited(escaping, ProcessSpec.Limits.NONE)));
    site.awaitRunning(1);
    var script = List.of("/bin/sh", "-c", "echo $$; cat /proc/self/cgroup; exec sleep 300");
    var command =
        site.supervisor.exec(new ExecRequest("shop", "job", 0, script, Optional.empty()), "e1");
    var lines = new BufferedReader(new InputStreamReader(command.output(), UTF_8));
    var pid = Long.parseLong(lines.readLine());
    var own = Files.readString(Path.of("/proc/" + site.pid("job.0") + "/cgroup"));
    assertThat(Files.readString(Path.of("/proc/" + pid + "/cgroup"))).isEqualTo(own);

    Files.createFile(base.resolve("go"));
    site.until(() -> !site.read("daemon").isBlank());
    var daemon = Long.parseLong(site.read("daemon").strip());
    site.awaitSlot("job.0", slot -> slot.detached().equals(List.of(daemon)));

    site.run(Map.of());
    assertThat(command.await()).isEqualTo(137);
    site.until(() -> cgroups().isEmpty());
  }
}
