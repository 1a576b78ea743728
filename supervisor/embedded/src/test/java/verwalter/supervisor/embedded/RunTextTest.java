package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.model.ProcessGroup.Exit;
import verwalter.supervisor.program.Program;
import verwalter.supervisor.program.Terms;

/** The launch file of a run: a record for the supervisor, and code for the shell. */
class RunTextTest {
  private static final ProcessShim SHIM =
      new ProcessShim(
          Path.of("/bin/sh"),
          Path.of("/usr/bin/setsid"),
          Path.of("/run/keeper.sh"),
          "0022",
          List.of());

  private static final Instant AT = Instant.parse("2026-01-01T00:00:00.5Z");

  private static Run run(Terms terms, History before) {
    return new Run(
        "shop:web.0:m-1",
        "shop/web.0",
        "{\"a\":1}",
        Optional.of(3L),
        "v 1",
        terms,
        Path.of("/l'og"),
        AT,
        before,
        "b");
  }

  private static Program program(Run run) {
    return new Program(
        run.slot(),
        "bin/web",
        Path.of("/opt/it's/web"),
        List.of("-x", "$HOME `id` \"q\" 'q'", ""),
        Path.of("/tmp"),
        new TreeMap<>(Map.of("A", "1", "B", "two words\nand $more")),
        new TreeSet<>(List.of("PID", "MAIN_PID")),
        run.log(),
        1024,
        run.terms());
  }

  static Stream<Run> runs() {
    var daemon = new Terms(1, 5, List.of(), false);
    return Stream.of(
        run(daemon, History.NONE),
        run(
            new Terms(2, 0, List.of(0, 3, 255), true, 7, "SIGINT", List.of("db", "queue")),
            new History(7, 4, true, 2, Optional.empty(), "")),
        run(
            new Terms(1, 5, List.of(), true, 0, "SIGTERM", List.of(), "*/5 * * * *", 3600),
            History.NONE),
        run(daemon, exited(new Exit(Optional.of(3), Optional.empty(), AT, true))),
        run(daemon, exited(new Exit(Optional.empty(), Optional.of(9), AT, false))),
        run(daemon, exited(new Exit(Optional.of(3), Optional.empty(), AT, true, Optional.of("x")))),
        run(daemon, exited(new Exit(Optional.empty(), Optional.empty(), AT, true))));
  }

  private static History exited(Exit exit) {
    return new History(1, 0, false, 0, Optional.of(exit), "");
  }

  @ParameterizedTest
  @MethodSource("runs")
  void readsWhatItWrites(Run run) throws Exception {
    var text = RunText.write(run, program(run), SHIM, "1.2/r");
    assertThat(RunText.read(text)).isEqualTo(run);
  }

  @Test
  void quotesEverythingForTheShell() throws Exception {
    var run = run(new Terms(1, 5, List.of(), false), History.NONE);
    var text = RunText.write(run, program(run), SHIM, "1.2/r");
    assertThat(text.lines().findFirst().orElseThrow())
        .startsWith("# {\"id\":\"shop:web.0:m-1\",")
        .doesNotContain("stopsBefore");
    assertThat(text.substring(text.indexOf('\n') + 1))
        .isEqualTo(
            """
            vw_log='/l'\\''og'
            vw_program() {
              umask 0022
              cd '/tmp' || exit 126
              ulimit -n 1024 || exit 126
              unset PWD OLDPWD SHLVL TERM
              export A='1'
              export B='two words
            and $more'
              export VERWALTER_RUN='1.2/r'
              export MAIN_PID="$1"
              export PID="$1"
              exec '/usr/bin/setsid' '/opt/it'\\''s/web' '-x' '$HOME `id` "q" '\\''q'\\''' ''
            }
            """);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        "# {}",
        "# {}\n",
        "# {\n",
        "echo\n",
        "#{}\n",
        "# {\"id\":\"x\"}\nvw_log=x\n"
      })
  void refusesFilesOfOthers(String text) {
    assertThatThrownBy(() -> RunText.read(text))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("not a launch file");
  }
}
