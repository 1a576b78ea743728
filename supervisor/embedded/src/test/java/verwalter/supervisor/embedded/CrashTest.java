package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.files.FileAccess;
import verwalter.model.ProcessGroup.Slot;
import verwalter.model.ProcessGroup.State;
import verwalter.supervisor.lithos.ProcessFileText;
import verwalter.supervisor.program.Program;
import verwalter.supervisor.program.Terms;

/** Agents and shims that are killed at any step. */
@SuppressWarnings("NullAway") // a missing key fails the test, as it should
class CrashTest {
  private static final ProcessShim SHIM =
      new ProcessShim(
          Path.of("/bin/sh"),
          Path.of("/usr/bin/setsid"),
          Path.of("/run/keeper.sh"),
          "0022",
          List.of());

  @SuppressWarnings("NullAway.Init") // JUnit sets it
  @TempDir
  Path base;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Site site;

  @BeforeEach
  void images() {
    site = new Site(base);
    site.image("one", "exec sleep 300", "");
    site.image("two", "exec sleep 300", "");
    site.image("exits", "trap 'exit 42' USR1\necho ready\nwhile :; do sleep 0.02; done", "");
  }

  @AfterEach
  void close() {
    site.close();
  }

  private Map<String, Long> pids() {
    return site.slots().stream()
        .collect(Collectors.toMap(Slot::name, slot -> slot.pid().orElse(-1L)));
  }

  /** The programs by slot, as found on the machine. */
  private List<String> programs() {
    return ProcessHandle.allProcesses()
        .filter(each -> Proc.stat(each.pid()).filter(Proc.Stat::isAlive).isPresent())
        .map(each -> environ(each.pid()))
        .filter(environ -> environ.contains("SITE=" + base))
        .map(
            environ ->
                Arrays.stream(environ.split("\0", -1))
                    .filter(each -> each.startsWith("LITHOS_NAME="))
                    .findFirst()
                    .orElse("?"))
        .sorted()
        .toList();
  }

  private static String environ(long pid) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/environ"), StandardCharsets.ISO_8859_1);
    } catch (IOException gone) {
      return "";
    }
  }

  @Test
  void theNextAgentAdoptsWhatRuns() throws Exception {
    site.write(
        "processes/shop.yaml",
        ProcessFileText.write(
            Map.of(
                "web", Site.entry("one", 2),
                "old", Site.entry("one", 1),
                "exits", Site.entry("exits", 1))));
    var agent = AgentProcess.start(base);
    site.until(() -> countPids() == 4);
    agent.destroyForcibly().waitFor();
    var records = new RunDirectory(site.layout.run().toRealPath());
    var before =
        records.runs().stream()
            .collect(
                Collectors.toMap(Run::slot, run -> records.process(run.id()).orElseThrow().pid()));
    site.until(() -> site.read("log/shop.exits.0.log").contains("ready"));
    // While no agent runs, one program ends and the file changes.
    new ProcessBuilder("kill", "-USR1", "" + before.get("shop/exits.0")).start().waitFor();
    site.until(() -> !Site.alive(before.get("shop/exits.0")));
    site.write(
        "processes/shop.yaml",
        ProcessFileText.write(
            Map.of(
                "web", Site.entry("one", 2),
                "old", Site.entry("two", 1),
                "exits", Site.entry("exits", 1))));
    site.open();
    site.until(
        () ->
            site.slots().stream().allMatch(slot -> slot.state() == State.RUNNING)
                && !pids().getOrDefault("shop/old.0", -1L).equals(before.get("shop/old.0"))
                && site.slots().size() == 4
                && site.slot("exits.0").restarts() > 0);
    assertThat(pids())
        .containsEntry("shop/web.0", before.get("shop/web.0"))
        .containsEntry("shop/web.1", before.get("shop/web.1"));
    assertThat(site.slot("exits.0").lastExit().orElseThrow().code()).contains(42);
    assertThat(site.slot("exits.0").restarts()).isEqualTo(1);
    assertThat(Site.alive(before.get("shop/old.0"))).isFalse();
    // The exit of an adopted program is noticed as well.
    Site.kill9(site.pid("web.1"));
    var again = site.awaitSlot("web.1", it -> it.lastExit().isPresent());
    assertThat(again.lastExit().orElseThrow().signal()).contains(9);
  }

  /** A supervised program, such as one that deploys the agent, may start it. */
  @Test
  void agentWithMarkOfEndedRunKillsOtherProcessesOfIt() throws Exception {
    Files.createDirectories(site.layout.run());
    var mark = new RunDirectory(site.layout.run().toRealPath()).mark("shop=gone.0=old-1");
    var marks = Map.of(RunDirectory.MARK, mark);
    var agent = AgentProcess.startOnHold(base, marks);
    // Found after the agent, which has the lower id.
    var builder = new ProcessBuilder("sleep", "300");
    builder.environment().putAll(marks);
    var other = builder.start();
    try {
      AgentProcess.release(agent);
      assertThat(other.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(agent.inputReader().readLine()).isEqualTo("open");
      assertThat(agent.isAlive()).isTrue();
    } finally {
      other.destroyForcibly();
      agent.destroyForcibly().waitFor();
    }
  }

  private long countPids() throws IOException {
    if (!Files.isDirectory(base.resolve("run"))) {
      return 0;
    }
    try (var files = Files.list(base.resolve("run"))) {
      return files
          .filter(file -> file.toString().endsWith(RunDirectory.PID))
          .filter(file -> Files.exists(file) && size(file) > 0)
          .count();
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException gone) {
      return 0;
    }
  }

  @Test
  void agentsKilledAtAnyStepLeaveOneProcessPerSlot() throws Exception {
    var random = new Random(42);
    for (var image : List.of("one", "two")) {
      site.image(image, "exec sleep 300", "environ: {SITE: '" + base + "'}\nkill-timeout: 1\n");
    }
    for (int round = 0; round < 6; round++) {
      var image = round % 2 == 0 ? "one" : "two";
      site.write(
          "processes/shop.yaml", ProcessFileText.write(Map.of("web", Site.entry(image, 12))));
      var agent = AgentProcess.start(base);
      assertThat(agent.inputReader().readLine()).isEqualTo("open");
      agent.waitFor(random.nextInt(120), TimeUnit.MILLISECONDS);
      agent.destroyForcibly().waitFor();
      assertThat(programs()).doesNotHaveDuplicates();
    }
    site.open();
    site.until(
        () ->
            site.slots().size() == 12
                && site.slots().stream()
                    .allMatch(it -> it.state() == State.RUNNING && it.image().equals("two")));
    // A shim notes the process id before it executes the program.
    site.until(() -> programs().size() >= 12);
    assertThat(programs()).hasSize(12).doesNotHaveDuplicates();
  }

  @Test
  void aReusedProcessIdIsNeitherAdoptedNorKilled() throws Exception {
    var innocent = new ProcessBuilder("sleep", "300").start();
    try {
      Files.createDirectories(site.layout.run());
      var stat = Files.readString(Path.of("/proc/" + innocent.pid() + "/stat"));
      var fields = stat.split(" ", -1);
      fields[21] = "1";
      forge("shop:web.0:old-1", "shop/web.0", Machine.boot());
      site.write("run/shop:web.0:old-1.pid", String.join(" ", fields));
      forge("shop:gone.0:old-2", "shop/gone.0", Machine.boot());
      site.write("run/shop:gone.0:old-2.pid", String.join(" ", fields));
      site.write("run/shop:gone.0:old-2.exit", "0\n");
      forge("shop:boot.0:old-3", "shop/boot.0", "another boot");
      site.write("run/shop:boot.0:old-3.pid", stat);
      site.write("processes/shop.yaml", ProcessFileText.write(Map.of("web", Site.entry("one", 1))));
      site.open();
      site.awaitRunning(1);
      assertThat(site.pid("web.0")).isNotEqualTo(innocent.pid());
      assertThat(innocent.isAlive()).isTrue();
    } finally {
      innocent.destroyForcibly().waitFor();
    }
  }

  /** Writes a launch file as an earlier agent would. */
  private void forge(String id, String slot, String boot) {
    site.write("log/.keep", "");
    var terms = new Terms(1, 1, List.of(), false);
    var log = base.resolve("log/shop.web.0.log");
    var run =
        new Run(
            id,
            slot,
            "{}",
            Optional.empty(),
            "one",
            terms,
            log,
            site.loop.now().minus(Duration.ofHours(1)),
            History.NONE,
            boot);
    var program =
        new Program(
            slot,
            "/bin/sleep",
            Path.of("/bin/sleep"),
            List.of("300"),
            Path.of("/"),
            new java.util.TreeMap<>(Map.of("SITE", base.toString(), "LITHOS_NAME", slot)),
            new java.util.TreeSet<>(),
            log,
            1024,
            terms);
    site.write("run/" + id + ".launch", RunText.write(run, program, SHIM, "1.2/r"));
  }

  @Test
  void aLaunchWithoutAShimIsAnnulledAlsoForALateShim() throws Exception {
    site.image("one", "exec sleep 300", "environ: {SITE: '" + base + "'}\n");
    site.write("processes/shop.yaml", ProcessFileText.write(Map.of("web", Site.entry("one", 1))));
    forge("shop:web.0:old-1", "shop/web.0", Machine.boot());
    site.open();
    site.awaitRunning(1);
    var late =
        new ProcessBuilder("sh", "run/keeper.sh", site.layout.run() + "/shop:web.0:old-1")
            .directory(base.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(late.waitFor(5, TimeUnit.SECONDS)).isTrue();
    // A shim notes the process id before it executes the program.
    site.until(() -> !programs().isEmpty());
    assertThat(programs()).containsExactly("LITHOS_NAME=shop/web.0");
  }

  @Test
  void aRunHasOneOwner() throws Exception {
    forge("shop:web.0:old-1", "shop/web.0", Machine.boot());
    site.write("run/shop:web.0:old-1.pid", "annulled\n");
    ProcessShim.install(new RunDirectory(site.layout.run()));
    var late =
        new ProcessBuilder("sh", "run/keeper.sh", site.layout.run() + "/shop:web.0:old-1")
            .directory(base.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(late.waitFor(5, TimeUnit.SECONDS)).isTrue();
    assertThat(programs()).isEmpty();
  }

  @Test
  void theAuditNoticesAKilledShim() throws Exception {
    site.settings =
        new Settings(
            Settings.OnExit.STOP,
            false,
            "dumb",
            1 << 20,
            2,
            Duration.ofDays(1),
            false,
            FileAccess.PRIVATE,
            Duration.ofMillis(200));
    site.open();
    site.run(Map.of("web", Site.entry("one", 1)));
    site.awaitRunning(1);
    long pid = site.pid("web.0");
    var shim = ProcessHandle.of(pid).orElseThrow().parent().orElseThrow();
    assertThat(Files.readString(Path.of("/proc/" + shim.pid() + "/cmdline"))).contains("keeper.sh");
    shim.destroyForcibly();
    site.until(() -> !Site.alive(shim.pid()));
    assertThat(site.pid("web.0")).isEqualTo(pid);
    Site.kill9(pid);
    var slot =
        site.awaitSlot("web.0", it -> it.state() == State.RUNNING && it.pid().orElseThrow() != pid);
    assertThat(slot.lastExit().orElseThrow().code()).isEmpty();
    assertThat(slot.lastExit().orElseThrow().signal()).isEmpty();
    assertThat(slot.lastExit().orElseThrow().failure()).isTrue();
  }

  @Test
  void aShimIgnoresSignals() throws Exception {
    site.open();
    site.run(Map.of("web", Site.entry("exits", 1)));
    site.awaitRunning(1);
    long pid = site.pid("web.0");
    site.until(() -> site.read("log/shop.web.0.log").contains("ready"));
    long shim = ProcessHandle.of(pid).orElseThrow().parent().orElseThrow().pid();
    for (var signal : List.of("-TERM", "-HUP", "-INT")) {
      new ProcessBuilder("kill", signal, "" + shim).start().waitFor();
    }
    new ProcessBuilder("kill", "-USR1", "" + pid).start().waitFor();
    var slot = site.awaitSlot("web.0", it -> it.lastExit().isPresent());
    assertThat(slot.lastExit().orElseThrow().code()).contains(42);
  }
}
