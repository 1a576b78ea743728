package verwalter.supervisor.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import verwalter.supervisor.program.Program;
import verwalter.supervisor.program.Terms;

/** Real commands, with the programs of this machine. */
@Timeout(60)
class ExecLaunchTest {
  private static final ExecLaunch.Tools TOOLS =
      new ExecLaunch.Tools(
          ProcessShim.program("dash", "sh").orElseThrow(),
          ProcessShim.program("setsid").orElseThrow(),
          ProcessShim.program("script"),
          "0027");
  private static final ExecLaunch.Mark MARK =
      new ExecLaunch.Mark("VERWALTER_EXEC", "test/" + ExecLaunchTest.class.hashCode());

  private static Program program(Map<String, String> environment, String... arguments) {
    return new Program(
        "web/app.0",
        "sh",
        Path.of("/bin/sh"),
        List.of(arguments),
        Path.of("/usr"),
        new TreeMap<>(environment),
        new TreeSet<>(),
        Path.of("/dev/null"),
        77,
        new Terms(1, 5, List.of(), true));
  }

  private static RunningCommand start(Program program, Optional<ExecRequest.Terminal> terminal)
      throws IOException {
    var launch = ExecLaunch.of(program, terminal, TOOLS, MARK, List.of());
    return new RunningCommand(launch.builder().start(), MARK, program.launcher(), () -> {});
  }

  private static String text(RunningCommand command) throws IOException {
    return new String(command.output().readAllBytes(), UTF_8);
  }

  private static Optional<ExecRequest.Terminal> terminal() {
    return Optional.of(new ExecRequest.Terminal(new ExecRequest.Size(31, 97), "xterm"));
  }

  @Test
  void runsInTheDirectoryWithTheEnvironmentAndTheLimits() throws Exception {
    var script = "pwd; echo $A; ulimit -n; umask; echo \"$1\"; exit 9";
    var environment = Map.of("A", "it's $HOME", "PATH", "/usr/bin:/bin");
    var command = start(program(environment, "-c", script, "sh", "a  'b"), Optional.empty());
    assertThat(text(command)).isEqualTo("/usr\nit's $HOME\n77\n0027\na  'b\n");
    assertThat(command.await()).isEqualTo(9);
  }

  @Test
  void hasTheUmaskOfItsProcess() throws Exception {
    var plain = program(Map.of("PATH", "/usr/bin:/bin"), "-c", "umask");
    var own =
        new Program(
            plain.slot(),
            plain.named(),
            plain.executable(),
            plain.arguments(),
            plain.workdir(),
            plain.environ(),
            plain.pidVariables(),
            plain.log(),
            plain.fileLimit(),
            plain.terms(),
            plain.launcher(),
            plain.limits(),
            Optional.of("077"));

    var command = start(own, Optional.empty());

    assertThat(text(command)).isEqualTo("0077\n");
    assertThat(command.await()).isZero();
  }

  @Test
  void hasATerminalOfTheWantedSize() throws Exception {
    var script = "tty; stty size; echo $TERM ${SHELL-none} \"$1\"; exit 4";
    var environment = Map.of("PATH", "/usr/bin:/bin");
    var command = start(program(environment, "-c", script, "sh", "a  'b"), terminal());
    assertThat(text(command)).matches("/dev/pts/\\d+\r\n31 97\r\nxterm none a  'b\r\n");
    assertThat(command.await()).isEqualTo(4);
  }

  @Test
  void changesTheSizeOfTheTerminal() throws Exception {
    var script = "trap 'stty size; exit 0' WINCH; echo ready; while :; do sleep 0.05; done";
    var command = start(program(Map.of("PATH", "/usr/bin:/bin"), "-c", script), terminal());
    assertThat(new String(command.output().readNBytes("ready\r\n".length()), UTF_8))
        .isEqualTo("ready\r\n");
    command.resize(new ExecRequest.Size(50, 132));
    assertThat(text(command)).isEqualTo("50 132\r\n");
    assertThat(command.await()).isZero();
  }

  @Test
  void showsNoVariableInACommandLine() {
    var environment = Map.of("PASSWORD", "hunter2", "SHELL", "/bin/false");
    assertThat(
            ExecLaunch.of(
                program(environment, "-c", ":"), Optional.empty(), TOOLS, MARK, List.of()))
        .satisfies(it -> assertThat(String.join(" ", it.words())).doesNotContain("hunter2"))
        .satisfies(it -> assertThat(it.toString()).doesNotContain("hunter2"))
        .satisfies(it -> assertThat(it.environment()).containsEntry("PASSWORD", "hunter2"));
    assertThat(ExecLaunch.of(program(environment, "-c", ":"), terminal(), TOOLS, MARK, List.of()))
        .satisfies(it -> assertThat(String.join(" ", it.words())).doesNotContain("hunter2"));
  }

  @Test
  void killsWhatTheCommandHasLeft() throws Exception {
    var script = "setsid sleep 86400 & echo $!";
    var command = start(program(Map.of("PATH", "/usr/bin:/bin"), "-c", script), Optional.empty());
    var pid = new StringBuilder();
    for (int next = command.output().read(); next != '\n'; next = command.output().read()) {
      pid.append((char) next);
    }
    var left = ProcessHandle.of(Long.parseLong(pid.toString())).orElseThrow();
    assertThat(command.await()).isZero();
    left.onExit().join();
    assertThat(left.isAlive()).isFalse();
  }

  @Test
  void keepsTheOutputThatWasNotReadYet() throws Exception {
    var script = "head -c 50000 /dev/zero";
    var command = start(program(Map.of("PATH", "/usr/bin:/bin"), "-c", script), Optional.empty());
    assertThat(command.await()).isZero();
    assertThat(command.output().readAllBytes()).hasSize(50_000);
  }

  @Test
  void refusesSizesAndTypesThatAreNone() {
    assertThatThrownBy(() -> new ExecRequest.Size(0, 80))
        .hasMessageContaining("1 to 10000 rows and columns");
    var size = new ExecRequest.Size(24, 80);
    assertThatThrownBy(() -> new ExecRequest.Terminal(size, "x;rm"))
        .hasMessageContaining("not a name");
  }
}
