package verwalter.supervisor.embedded;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.files.FileAccess;
import verwalter.model.ProcessGroup.Slot;
import verwalter.model.ProcessGroup.State;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.Supervisor;

/** The embedded supervisor with real processes. */
@SuppressWarnings("StringConcatToTextBlock") // short files in short lines
class EmbeddedSupervisorTest {
  private static final String SLEEPER = "exec sleep 300";

  @SuppressWarnings("NullAway.Init") // JUnit sets it
  @TempDir
  Path base;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Site site;

  @BeforeEach
  void open() {
    site = new Site(base);
    site.image("one", SLEEPER, "");
    site.image("two", SLEEPER, "");
  }

  @AfterEach
  void close() {
    site.close();
  }

  private Map<String, Long> pids() {
    return site.slots().stream()
        .filter(slot -> slot.pid().isPresent())
        .collect(Collectors.toMap(Slot::name, slot -> slot.pid().orElseThrow()));
  }

  private long lines(String path) {
    return site.read(path).lines().count();
  }

  @Test
  void instancesGetExactlyTheirEnvironment() throws IOException {
    site.write(
        "images/one/config.yaml",
        "executable: /bin/sleep\narguments: ['300']\nworkdir: /sub\nfileno-limit: 99\n"
            + "environ: {QUOTED: \"a 'b' $c `d` \\\"e\\\"\\n\", ME: '@{lithos:pid}'}\n");
    site.write("images/one/sub/.keep", "");
    site.open();
    site.run(Map.of("web", Site.entry("one", 3)));
    site.awaitRunning(3);
    for (int i = 0; i < 3; i++) {
      long pid = site.pid("web." + i);
      site.until(() -> Files.readString(Path.of("/proc/" + pid + "/comm")).equals("sleep\n"));
      var environ = Files.readString(Path.of("/proc/" + pid + "/environ")).split("\0", 0);
      assertThat(environ).filteredOn(each -> each.startsWith("VERWALTER_RUN=")).hasSize(1);
      assertThat(environ)
          .filteredOn(each -> !each.startsWith("VERWALTER_RUN="))
          .containsExactlyInAnyOrder(
              "TERM=dumb",
              "QUOTED=a 'b' $c `d` \"e\"\n",
              "ME=" + pid,
              "LITHOS_NAME=shop/web." + i,
              "LITHOS_CONFIG=/config.yaml");
      assertThat(Files.readSymbolicLink(Path.of("/proc/" + pid + "/cwd")))
          .isEqualTo(base.toRealPath().resolve("images/one/sub"));
      assertThat(Machine.fileLimit(Files.readString(Path.of("/proc/" + pid + "/limits"))))
          .isEqualTo(99);
      assertThat(Proc.stat(pid).orElseThrow().session()).isEqualTo(pid);
      assertThat(Machine.umask(Files.readString(Path.of("/proc/" + pid + "/status"))))
          .isEqualTo(Machine.umask());
      // No signal from SIGHUP to SIGTERM that a shell would have made it ignore. Signals that
      // this test was started to ignore stay ignored, since a shell cannot reset them.
      assertThat(ignored(Long.toString(pid)) & ~ignored("self") & 0x7fff).isZero();
    }
  }

  private static long ignored(String process) throws IOException {
    var status = Files.readString(Path.of("/proc/" + process + "/status"));
    return Long.parseLong(status.split("SigIgn:\t", 2)[1].substring(8, 16), 16);
  }

  @Test
  void onlyTheInstancesThatChangeAreTouched() {
    site.open();
    site.run(Map.of("web", Site.entry("one", 3)));
    site.awaitRunning(3);
    long first = site.pid("web.0");
    site.run(Map.of("web", Site.entry("one", 1)));
    site.until(() -> site.slots().size() == 1);
    assertThat(site.pid("web.0")).isEqualTo(first);
    site.run(Map.of("web", Site.entry("one", 4)));
    site.awaitRunning(4);
    assertThat(site.pid("web.0")).isEqualTo(first);
  }

  @Test
  void anEqualFileWithAnotherTextRestartsNothing() {
    site.open();
    site.run(Map.of("web", Site.entry("one", 2, Map.of("a", "1", "b", "2"))));
    site.awaitRunning(2);
    var before = pids();
    site.write(
        "processes/shop.yaml",
        "# comment\nweb: {extra_secrets_namespaces: [], variables: {b: 2, a: \"1\"},"
            + " instances: 0b10, config: /config.yaml, image: one}\n");
    Site.done(site.supervisor.reload("shop"));
    assertThat(pids()).isEqualTo(before);
    assertThat(site.slots()).extracting(Slot::restarts).containsOnly(0L);
  }

  @Test
  void aChangeOfImageConfigOrVariablesReplacesTheProcess() {
    site.write("images/one/other.yaml", "executable: /run\n");
    site.write("images/one/command.yaml", "executable: /run\nkind: Command\n");
    site.open();
    var changes =
        List.of(
            Site.entry("one", 1),
            Site.entry("two", 1),
            Site.entry("one", 1, Map.of("undeclared", "x")),
            ProcessSpec.ofImage(
                ProcessSpec.Type.DAEMON, "one", "/other.yaml", 1, Map.of(), List.of(), List.of()));
    long last = 0;
    for (var entry : changes) {
      site.run(Map.of("web", entry));
      long before = last;
      site.awaitSlot(
          "web.0", it -> it.state() == State.RUNNING && it.pid().orElseThrow() != before);
      assertThat(before == 0 || !Site.alive(before)).isTrue();
      last = site.pid("web.0");
    }
    site.run(
        Map.of(
            "web",
            ProcessSpec.ofImage(
                ProcessSpec.Type.COMMAND,
                "one",
                "/command.yaml",
                1,
                Map.of(),
                List.of(),
                List.of())));
    site.until(() -> site.slots().isEmpty());
    assertThat(Site.alive(last)).isFalse();
  }

  @Test
  void anEarlyExitDelaysTheNextStart() {
    site.image("one", "exit 3", "workdir: /tmp\n");
    // The start time in the kernel, which does not depend on when the shell writes its note.
    site.image("two", "cut -d ' ' -f 22 /proc/$$/stat >>starts; sleep 1.2", "workdir: /tmp\n");
    site.write("images/one/tmp/.keep", "");
    site.write("images/two/tmp/.keep", "");
    site.open();
    site.run(Map.of("bad", Site.entry("one", 1), "good", Site.entry("two", 1)));

    var first = awaitNextStart("s");
    var second = awaitNextStart("(2 early exits)");
    var third = awaitNextStart("(3 early exits)");

    assertThat(Duration.between(first, second)).isBetween(ofSeconds(2), ofMillis(2900));
    assertThat(Duration.between(second, third)).isBetween(ofSeconds(4), ofMillis(4900));
    assertThat(site.slot("bad.0").reason())
        .matches("exited with code 3 after 0\\.[0-9]s; next start in [34]s \\(3 early exits\\)");
    site.until(() -> lines("images/two/tmp/starts") >= 3);
    var ticks = site.read("images/two/tmp/starts").lines().map(Long::parseLong).toList();
    assertThat(ofMillis((ticks.get(1) - ticks.get(0)) * 10))
        .isBetween(ofMillis(1200), ofMillis(1900));
  }

  /** The time of the next start, once the reason ends with this text. */
  private Instant awaitNextStart(String reason) {
    return site.awaitSlot(
            "bad.0",
            slot ->
                slot.state() == State.WAITING
                    && slot.reason().startsWith("exited with code 3")
                    && slot.reason().endsWith(reason))
        .nextStart()
        .orElseThrow();
  }

  @Test
  void aProgramThatIgnoresSigtermIsKilledWithItsGrandchildren() {
    site.image(
        "one",
        "trap 'echo term >>terms' TERM\n(trap '' TERM; sleep 300 & sleep 301) &\n"
            + "echo $! >child\nwhile :; do sleep 0.05; done",
        "workdir: /tmp\nkill-timeout: 1\n");
    site.write("images/one/tmp/.keep", "");
    site.open();
    site.run(Map.of("web", Site.entry("one", 1)));
    site.awaitRunning(1);
    site.until(() -> !site.read("images/one/tmp/child").isBlank());
    long pid = site.pid("web.0");
    var began = Instant.now();
    site.run(Map.of());
    site.until(() -> lines("images/one/tmp/terms") == 1);
    site.run(Map.of());
    Site.done(site.supervisor.reload("shop"));
    assertThat(site.slot("web.0").state()).isEqualTo(State.STOPPING);
    site.until(() -> site.slots().isEmpty());
    assertThat(Duration.between(began, Instant.now()))
        .isBetween(Duration.ofMillis(1000), Duration.ofMillis(1900));
    assertThat(lines("images/one/tmp/terms")).isEqualTo(1);
    assertThat(Site.alive(pid)).isFalse();
    assertThat(Site.alive(Long.parseLong(site.read("images/one/tmp/child").strip()))).isFalse();
    assertThat(site.read("log/shop.web.0.log"))
        .contains("----- Process \"shop/web.0\" did not respond to SIGTERM in 1s, uptime ");
  }

  @Test
  void leftoversOfAProgramThatEndedAreKilled() {
    site.image("one", "sleep 300 &\necho $! >child\nexit 0", "workdir: /tmp\n");
    site.write("images/one/tmp/.keep", "");
    site.open();
    site.run(Map.of("web", Site.entry("one", 1)));
    site.awaitSlot("web.0", it -> it.lastExit().isPresent());
    var child = Long.parseLong(site.read("images/one/tmp/child").strip());
    site.until(() -> !Site.alive(child));
  }

  @Test
  void leftoversInAnotherProcessGroupAreKilledToo() {
    assumeThat(Path.of("/usr/bin/perl")).isExecutable();
    site.image(
        "one",
        "perl -e 'setpgrp; sleep 300' &\necho $! >child\nsleep 0.2\nexit 0",
        "workdir: /tmp\nenviron: {PATH: '/usr/bin:/bin'}\n");
    site.write("images/one/tmp/.keep", "");
    site.open();
    site.run(Map.of("web", Site.entry("one", 1)));
    site.awaitSlot("web.0", it -> it.lastExit().isPresent());
    var child = Long.parseLong(site.read("images/one/tmp/child").lines().findFirst().orElse("0"));
    site.until(() -> !Site.alive(child));
  }

  @Test
  void exitCodesCountAsTheirConfigurationSays() {
    site.image("one", "exit 0", "");
    site.image("two", "exit 7", "normal-exit-codes: [7]\n");
    site.open();
    site.run(Map.of("zero", Site.entry("one", 1), "seven", Site.entry("two", 1)));
    var zero = site.awaitSlot("zero.0", it -> it.lastExit().isPresent());
    var seven = site.awaitSlot("seven.0", it -> it.lastExit().isPresent());
    assertThat(zero.lastExit().orElseThrow().code()).contains(0);
    assertThat(zero.lastExit().orElseThrow().failure()).isTrue();
    assertThat(seven.lastExit().orElseThrow().code()).contains(7);
    assertThat(seven.lastExit().orElseThrow().failure()).isFalse();
    site.awaitSlot("seven.0", it -> it.restarts() >= 1);
  }

  @Test
  void brokenFilesAndEntriesDoNotTouchTheOthers() {
    site.sandbox("other", "");
    site.sandbox("bridged", "bridged-network: {bridge: b, network: 10.0.0.0/8}\n");
    site.write("images/two/config.yaml", "executable: /run\ntcp-ports: {80: {fd: 3}}\n");
    site.write("images/three/config.yaml", "executable: /run\nsecret-environ: {A: 'v2:'}\n");
    var config = "config: /config.yaml}\n";
    site.write("processes/other.yaml", "web: {image: one, confg: /config.yaml}\n");
    site.write("processes/bridged.yaml", "web: {image: one, " + config);
    site.write(
        "processes/shop.yaml",
        "web: {image: one, "
            + config
            + "ports: {image: two, "
            + config
            + "secret: {image: three, "
            + config);
    site.open();
    site.awaitSlot("web.0", it -> it.state() == State.RUNNING);
    assertThat(site.slot("ports.0").state()).isEqualTo(State.REFUSED);
    assertThat(site.slot("ports.0").reason()).contains("tcp-ports needs open sockets");
    assertThat(site.slot("secret.0").reason()).contains("secret-environ needs");
    assertThat(site.supervisor.processes("other")).isEmpty();
    assertThat(site.supervisor.processes("bridged").orElseThrow().get(0).reason())
        .contains("bridged-network needs");
  }

  @Test
  void anUnreadableFileKeepsWhatRuns() {
    site.open();
    site.run(Map.of("web", Site.entry("one", 1)));
    site.awaitRunning(1);
    var before = pids();
    site.write("processes/shop.yaml", "web: [");
    Site.done(site.supervisor.reload("shop"));
    assertThat(pids()).isEqualTo(before);
    assertThat(site.slot("web.0").reason()).contains("shop.yaml:1:");
    site.reopen();
    site.awaitRunning(1);
    assertThat(pids()).isEqualTo(before);
    assertThat(site.slot("web.0").reason()).contains("shop.yaml:1:");
    site.run(Map.of("web", Site.entry("one", 1)));
    assertThat(pids()).isEqualTo(before);
    assertThat(site.slot("web.0").reason()).isEmpty();
  }

  @Test
  void aRefusedOrUnchangedFileIsNotWritten() throws IOException {
    site.open();
    site.run(Map.of("web", Site.entry("one", 1)));
    var file = base.resolve("processes/shop.yaml");
    var key = Files.readAttributes(file, "unix:ino,lastModifiedTime");
    site.run(Map.of("web", Site.entry("one", 1)));
    assertThatThrownBy(() -> site.run(Map.of("web", Site.entry("none", 1))))
        .isInstanceOf(Supervisor.Refused.class)
        .hasMessageContaining("there is no image \"none\"");
    assertThat(Files.readAttributes(file, "unix:ino,lastModifiedTime")).isEqualTo(key);
    assertThat(file.getParent()).isDirectoryNotContaining("glob:**/.*");
  }

  @Test
  void aMissingImageIsRefusedAtTheNextStart() throws IOException {
    site.open();
    site.run(Map.of("web", Site.entry("one", 1)));
    site.awaitRunning(1);
    Files.move(base.resolve("images/one"), base.resolve("images/gone"));
    Site.kill9(site.pid("web.0"));
    var refused = site.awaitSlot("web.0", it -> it.state() == State.REFUSED);
    assertThat(refused.reason()).contains("there is no image \"one\"");
    Files.move(base.resolve("images/gone"), base.resolve("images/one"));
    site.run(Map.of("web", Site.entry("one", 1)));
    site.awaitRunning(1);
  }

  @Test
  void stoppingLeavesNoProcess() {
    site.image("one", "(trap '' TERM; sleep 300) & sleep 300", "kill-timeout: 1\n");
    site.settings = site.settings.onExit(Settings.OnExit.STOP);
    site.open();
    site.run(Map.of("web", Site.entry("one", 3)));
    site.awaitRunning(3);
    var pids = pids().values();
    Site.done(site.supervisor.shutdown());
    assertThat(
            ProcessHandle.allProcesses()
                .map(each -> Proc.stat(each.pid()))
                .flatMap(Optional::stream)
                .filter(stat -> stat.isAlive() && pids.contains(stat.session())))
        .isEmpty();
    assertThat(site.read("processes/shop.yaml")).contains("instances: 3");
    site.open();
    site.awaitRunning(3);
  }

  @Test
  void aRequestThatIsWrittenDuringTheStopStartsNothing() {
    site.image("one", "exec sleep 300", "kill-timeout: 1\n");
    site.settings = site.settings.onExit(Settings.OnExit.STOP);
    site.open();
    site.run(Map.of("web", Site.entry("one", 1)));
    site.awaitRunning(1);

    site.supervisor.run("shop", Map.of("web", Site.entry("one", 3)));
    Site.done(site.supervisor.shutdown());

    assertThat(
            ProcessHandle.allProcesses()
                .map(ProcessHandle::info)
                .flatMap(info -> info.commandLine().stream())
                .filter(line -> line.contains(base.toString())))
        .isEmpty();
  }

  /** A program with a daemon, which forks twice and has a session of its own. */
  private static final String WITH_DAEMON =
      "(setsid sh -c '(setsid sh -c \"echo \\$\\$ >$0.tmp; mv $0.tmp $0; exec sleep 300\" $0) &' %s)\n";

  private long daemon(Path file) {
    site.until(() -> Files.exists(file));
    return Long.parseLong(site.read(base.relativize(file).toString()).strip());
  }

  @Test
  void daemonsAreReportedAndEndWithTheirRole() {
    var file = base.resolve("daemon");
    site.image("one", WITH_DAEMON.formatted(file) + "exec sleep 300", "");
    site.settings =
        new Settings(
            Settings.OnExit.DETACH,
            false,
            "dumb",
            1 << 20,
            2,
            Duration.ofDays(1),
            false,
            FileAccess.PRIVATE,
            Duration.ofMillis(100));
    site.open();
    site.run(Map.of("web", Site.entry("one", 1)));
    site.awaitRunning(1);
    long daemon = daemon(file);
    assertThat(Proc.stat(daemon).orElseThrow().session()).isNotEqualTo(site.pid("web.0"));
    site.awaitSlot("web.0", slot -> slot.detached().equals(List.of(daemon)));
    Site.done(site.supervisor.remove("shop"));
    site.until(() -> !Site.alive(daemon));
    assertThat(site.read("log/shop.web.0.log"))
        .contains("; killed what it left outside its session: " + daemon);
  }

  @Test
  void aDaemonThatAProgramLeavesBehindIsNamedAndKilled() {
    var file = base.resolve("daemon");
    site.image(
        "one",
        WITH_DAEMON.formatted(file) + "while ! [ -e " + file + " ]; do sleep 0.01; done",
        "");
    site.open();
    site.run(Map.of("web", Site.entry("one", 1)));
    long daemon = daemon(file);
    var slot = site.awaitSlot("web.0", it -> it.lastExit().isPresent() && it.pid().isEmpty());
    site.until(() -> !Site.alive(daemon));
    assertThat(site.awaitSlot("web.0", it -> message(it).contains("outside")).lastExit())
        .isPresent();
    assertThat(slot.lastExit().orElseThrow().failure()).isTrue();
  }

  private static String message(Slot slot) {
    return slot.lastExit().flatMap(exit -> exit.message()).orElse("");
  }

  @Test
  void aDaemonOfARoleThatWasRemovedIsKilledByTheNextAgent() throws IOException {
    var file = base.resolve("daemon");
    site.image("one", WITH_DAEMON.formatted(file) + "exec sleep 300", "");
    site.open();
    site.run(Map.of("web", Site.entry("one", 1)));
    site.awaitRunning(1);
    long daemon = daemon(file);
    Site.done(site.supervisor.shutdown());
    Site.kill9(site.pid("web.0"));
    site.until(() -> !site.read("log/shop.web.0.log").isEmpty());
    try (var notes = Files.list(base.resolve("run"))) {
      for (var note : notes.filter(each -> each.toString().contains("web.0")).toList()) {
        site.until(() -> !note.toString().endsWith(".exit") || !Files.readString(note).isBlank());
        Files.delete(note);
      }
    }
    Files.delete(base.resolve("processes/shop.yaml"));
    site.loop.close();
    site.loop = new RealLoop();
    site.open();
    site.until(() -> !Site.alive(daemon));
  }

  @Test
  void aRemovedLogIsCreatedAtTheNextStart() throws IOException {
    site.image("one", "echo hello; exec sleep 300", "");
    site.open();
    site.run(Map.of("web", Site.entry("one", 1)));
    site.awaitRunning(1);
    site.until(() -> site.read("log/shop.web.0.log").contains("hello"));
    Files.delete(base.resolve("log/shop.web.0.log"));
    Site.kill9(site.pid("web.0"));
    site.until(() -> site.read("log/shop.web.0.log").contains("hello"));
  }

  @Test
  void aLargeLogIsRotatedWhileItIsWritten() {
    site.settings =
        new Settings(
            Settings.OnExit.STOP,
            false,
            "dumb",
            150_000,
            2,
            Duration.ofDays(1),
            false,
            FileAccess.PRIVATE,
            Duration.ofMillis(300));
    site.image(
        "one",
        "i=0; while :; do i=$((i+1)); echo \"line $i\"; [ $((i%200)) = 0 ] && sleep 0.02; done",
        "");
    site.open();
    site.run(Map.of("web", Site.entry("one", 1)));
    site.until(() -> !site.read("log/shop.web.0.log.2").isEmpty());
    Site.done(site.supervisor.shutdown());
    assertThat(site.read("log/shop.web.0.log.3")).isEmpty();
    var lines =
        Stream.of("log/shop.web.0.log.2", "log/shop.web.0.log.1", "log/shop.web.0.log")
            .flatMap(path -> site.read(path).lines())
            .filter(line -> !line.isBlank() && !line.contains(" ----- "))
            .toList();
    assertThat(lines).allMatch(line -> line.matches("line \\d+"));
    int first = Integer.parseInt(lines.get(0).substring(5));
    assertThat(lines)
        .as("no line is lost, split or there twice")
        .containsExactlyElementsOf(
            IntStream.range(first, first + lines.size()).mapToObj(i -> "line " + i).toList());
  }

  @Test
  void everyRunIsFramedInTheLog() {
    site.image("one", "echo out; echo err >&2; exit 5", "arguments: ['a b']\n");
    site.open();
    site.run(Map.of("web", Site.entry("one", 1)));
    site.until(() -> site.read("log/shop.web.0.log").contains("exited"));
    var time = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z: ----- ";
    assertThat(site.read("log/shop.web.0.log"))
        .matches(
            "(?s)"
                + time
                + "Starting \"shop/web.0\": \"/run\" \"a b\" -----\nout\nerr\n"
                + time
                + "Process \"shop/web.0\" exited with code 5, uptime 0s -----\n.*");
  }

  @Test
  void aSecondSupervisorCannotOpenTheDirectory() throws IOException {
    site.open();
    assertThatThrownBy(
            () -> EmbeddedSupervisor.open(site.layout, site.loop, RealLoop::daemon, site.settings))
        .isInstanceOf(EmbeddedSupervisor.InUse.class)
        .hasMessageContaining("another supervisor");
    // The failed attempt must not release the lock of the first one.
    assertThatThrownBy(
            () -> EmbeddedSupervisor.open(site.layout, site.loop, RealLoop::daemon, site.settings))
        .isInstanceOf(EmbeddedSupervisor.InUse.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, -1, 400, -400})
  void aClockThatIsSetDelaysNoRestart(long days) {
    site.image("late", "exit 3", "restart-timeout: 2\n");
    site.open();
    site.run(Map.of("crash", Site.entry("late", 1), "web", Site.entry("one", 1)));
    site.awaitSlot("web.0", slot -> slot.state() == State.RUNNING);
    long web = site.pid("web.0");
    var waiting = site.awaitSlot("crash.0", slot -> slot.nextStart().isPresent());

    site.loop.shift(Duration.ofDays(days));
    site.awaitSlot("crash.0", slot -> slot.restarts() > waiting.restarts());
    assertThat(site.pid("web.0")).isEqualTo(web);

    Site.kill9(web);
    site.awaitSlot(
        "web.0", slot -> slot.state() == State.RUNNING && slot.pid().orElseThrow() != web);
  }

  @Test
  void aProcessThatEndedInTheFutureOfTheClockIsRestartedByTheNextAgent() {
    site.image("late", "sleep 1; exit 3", "restart-timeout: 2\n");
    site.open();
    site.run(Map.of("crash", Site.entry("late", 1)));
    var running = site.awaitSlot("crash.0", slot -> slot.state() == State.RUNNING);
    long pid = running.pid().orElseThrow();
    Site.done(site.supervisor.shutdown());
    site.until(() -> !Site.alive(pid));
    site.loop.close();
    site.loop = new RealLoop();
    site.loop.shift(Duration.ofDays(-1));
    site.open();
    site.awaitSlot("crash.0", slot -> slot.restarts() > running.restarts());
  }
}
