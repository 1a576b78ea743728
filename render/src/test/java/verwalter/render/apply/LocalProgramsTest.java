package verwalter.render.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import verwalter.render.disk.Owners;

@SuppressWarnings("NullAway.Init") // JUnit initializes the field
@Timeout(20)
class LocalProgramsTest {
  private static final List<String> ID = List.of("id", "-u");

  @TempDir Path temp;

  private static Programs.Outcome sh(String script, Duration timeout) {
    var environment = Map.of("PATH", "/usr/bin:/bin", "SECRET", "x", "LANG", "C");
    return new LocalPrograms(environment, timeout, System::nanoTime)
        .run(List.of("sh", "-c", script));
  }

  /** Runs a script whose time is up when it has written a line to a file. */
  private static Programs.Outcome untilWritten(Path file, String script) {
    var timeout = Duration.ofSeconds(10);
    var start = new AtomicBoolean(true);
    LongSupplier clock = () -> start.getAndSet(false) || !isWritten(file) ? 0 : timeout.toNanos();
    return new LocalPrograms(Map.of(), timeout, clock).run(List.of("sh", "-c", script));
  }

  private static boolean isWritten(Path file) {
    try {
      return Files.exists(file) && Files.readString(file).endsWith("\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Programs.Outcome sh(String script) {
    return sh(script, Duration.ofSeconds(10));
  }

  @Test
  void environmentHasThreeVariables() {
    assertThat(sh("env").output().lines().map(line -> line.replaceFirst("=.*", "")))
        .containsExactlyInAnyOrder("PATH", "HOME", "LANG", "PWD");
    assertThat(sh("echo $PATH $LANG $HOME").output()).isEqualTo("/usr/bin:/bin C /\n");
  }

  @Test
  void returnsExitCodeAndBothOutputs() {
    assertThat(sh("echo a; echo b >&2; exit 7"))
        .isEqualTo(new Programs.Outcome.Exited(7, "a\nb\n"));
    assertThat(sh("cat; true")).isEqualTo(new Programs.Outcome.Exited(0, ""));
    assertThat(sh("kill -TERM $$").problem()).contains("exit code 143");
  }

  @Test
  void runsProgramInItsOwnProcessGroup() {
    var own = sh("ps -o pgid= -p $$; echo $$").output().lines().map(String::strip).toList();
    assertThat(own.get(0)).isEqualTo(own.get(1));
  }

  @Test
  void killsProcessGroupAfterTimeout() throws Exception {
    var pids = temp.resolve("pids");
    var outcome =
        untilWritten(
            pids, "sleep 60 & echo started; echo $! > " + pids + "; (trap '' TERM; sleep 61)");
    assertThat(outcome)
        .isEqualTo(new Programs.Outcome.Killed("it took longer than 10 s", "started\n"));
    awaitEnd(pids);
  }

  /** A zombie process counts as dead. */
  private static boolean runs(ProcessHandle process) {
    try {
      return !Files.readString(Path.of("/proc/" + process.pid() + "/stat")).contains(") Z ");
    } catch (IOException gone) {
      return false;
    }
  }

  @Test
  void doesNotWaitForDaemonThatKeepsOutputOpen() {
    assertThat(sh("sleep 3 & echo done").output()).isEqualTo("done\n");
  }

  @Test
  void truncatesLongOutputInTheMiddle() {
    var output =
        sh("echo first; i=0; while [ $i -lt 20000 ]; do echo 0123456789; i=$((i+1)); done; echo last")
            .output();
    assertThat(output).startsWith("first\n").endsWith("last\n").contains("bytes left out");
    assertThat(output.length()).isLessThan(66 << 10);
  }

  @Test
  void killsProgramWithEndlessOutputAfterTimeout() {
    assertThat(sh("yes", Duration.ofMillis(300))).isInstanceOf(Programs.Outcome.Killed.class);
  }

  @Test
  void reportsFailureWhileGrandchildKeepsOutputOpen() throws Exception {
    var pid = temp.resolve("pid");
    var outcome = sh("(trap '' TERM HUP INT; sleep 60) & echo $! > " + pid + "; echo bad; exit 3");
    assertThat(outcome).isEqualTo(new Programs.Outcome.Exited(3, "bad\n"));
    kill(pid);
  }

  @Test
  void killsGrandchildThatIgnoresSignals() throws Exception {
    var pid = temp.resolve("pid");
    var outcome =
        untilWritten(
            pid,
            "sh -c 'trap \"\" TERM HUP INT; echo $$ > "
                + pid
                + "; while :; do echo x; done' & wait");
    assertThat(outcome).isInstanceOf(Programs.Outcome.Killed.class);
    assertThat(outcome.output().length()).isLessThan(66 << 10);
    awaitEnd(pid);
  }

  @Test
  void doesNotWaitForProcessThatLeftGroup() throws Exception {
    var pid = temp.resolve("pid");
    var script = "setsid sh -c 'echo $$ > %s; exec sleep 60' & sleep 61".formatted(pid);
    assertThat(untilWritten(pid, script)).isInstanceOf(Programs.Outcome.Killed.class);
    kill(pid);
  }

  private static void awaitEnd(Path pid) throws IOException {
    var process = ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()));
    assertTimeoutPreemptively(
        Duration.ofSeconds(20), // a guard: a signal is delivered shortly after it was sent
        () -> {
          while (process.filter(LocalProgramsTest::runs).isPresent()) {
            Thread.onSpinWait();
          }
        });
  }

  private static void kill(Path pid) throws IOException {
    ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
        .ifPresent(ProcessHandle::destroyForcibly);
  }

  @Test
  void programInheritsNoFiles() {
    assertThat(sh("ls /proc/self/fd | wc -l").output()).as("with that of ls").isEqualTo("4\n");
    assertThat(sh("readlink /proc/self/fd/0").output()).isEqualTo("/dev/null\n");
  }

  @Test
  void interruptKillsProcessGroup() throws Exception {
    var pid = temp.resolve("pid");
    Thread.currentThread().interrupt();
    var outcome = sh("echo $$ > " + pid + "; sleep 60");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(outcome.problem()).contains("killed: this process is stopping");
    if (Files.exists(pid) && !Files.readString(pid).isBlank()) {
      var process = ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()));
      assertThat(process.filter(LocalProgramsTest::runs)).isEmpty();
    }
  }

  @Test
  void reportsProgramThatCannotStart() {
    var programs = new LocalPrograms(Map.of(), Duration.ofSeconds(5), System::nanoTime);
    assertThat(programs.run(List.of("/no/such/program")).problem()).contains("exit code 127");
    assertThat(programs.run(List.of("a\0b")).problem()).isPresent();
  }

  @Test
  void sudoNeverAsksForAPassword() {
    assertThat(LocalPrograms.withSudo(List.of("chown", "1:2")))
        .containsExactly("/usr/bin/sudo", "-n", "chown", "1:2");
  }

  @Test
  void rootRunsProgramsDirectly() {
    var programs = new LocalPrograms(Map.of(), Duration.ofSeconds(10), System::nanoTime);
    var expected = Owners.self() == 0 ? "0\n" : programs.run(LocalPrograms.withSudo(ID)).output();
    assertThat(programs.runAsRoot(ID).output()).isEqualTo(expected);
  }
}
