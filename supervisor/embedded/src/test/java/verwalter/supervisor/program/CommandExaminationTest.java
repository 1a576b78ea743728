package verwalter.supervisor.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.model.ProcessSpec;

class CommandExaminationTest {
  private static final Path NOWHERE = Path.of("/nowhere");

  private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  private static Host host(boolean strict, boolean commands) {
    return host(1000, strict, commands, Optional.of(Path.of("/usr/bin/setpriv")));
  }

  private static Host host(long user, boolean strict, boolean commands, Optional<Path> setpriv) {
    return new Host(
        NOWHERE,
        NOWHERE,
        Path.of("/log"),
        user,
        user == 0 ? 0 : 100,
        4096,
        "dumb",
        strict,
        commands,
        setpriv);
  }

  private static Examined lookAsRoot(ProcessSpec.Command command) {
    var host = host(0, false, true, Optional.of(Path.of("/usr/bin/setpriv")));
    return look(host, ProcessSpec.Type.DAEMON, command);
  }

  private static Examined look(Host host, ProcessSpec.Type kind, ProcessSpec.Command command) {
    var spec = ProcessSpec.ofCommand(kind, 2, command);
    return new CommandExamination(host, "shop", "web", spec, command).result();
  }

  private static Examined look(ProcessSpec.Command command) {
    return look(host(false, true), ProcessSpec.Type.DAEMON, command);
  }

  private static ProcessSpec.Command with(
      Optional<Long> user,
      List<Long> groups,
      Optional<String> directory,
      ProcessSpec.Limits limits) {
    return new ProcessSpec.Command(
        List.of("/bin/sh", "-c", "true"),
        user,
        groups,
        directory,
        Map.of(),
        Map.of(),
        limits,
        List.of(),
        Optional.empty(),
        Optional.empty());
  }

  private static ProcessSpec.Command stopping(ProcessSpec.Stop stop) {
    return new ProcessSpec.Command(
        List.of("/bin/sh"),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Map.of(),
        Map.of(),
        ProcessSpec.Limits.NONE,
        List.of(),
        Optional.of(stop),
        Optional.empty());
  }

  private static ProcessSpec.Limits files(int number) {
    return new ProcessSpec.Limits(Optional.empty(), Optional.empty(), Optional.of(number));
  }

  @Test
  void everyInstanceIsAProgram() {
    var command = ProcessSpec.Command.of(List.of("/bin/sh", "-c", "true"), Map.of("MODE", "a"));
    var programs = look(command).programs();

    assertThat(programs).extracting(Program::slot).containsExactly("shop/web.0", "shop/web.1");
    var first = programs.get(0);
    assertThat(first.executable()).isEqualTo(Path.of("/bin/sh"));
    assertThat(first.named()).isEqualTo("/bin/sh");
    assertThat(first.arguments()).containsExactly("-c", "true");
    assertThat(first.workdir()).isEqualTo(Path.of("/"));
    assertThat(first.environ())
        .isEqualTo(Map.of("MODE", "a", "TERM", "dumb", "LITHOS_NAME", "shop/web.0", "PATH", PATH));
    assertThat(first.pidVariables()).isEmpty();
    assertThat(first.log()).isEqualTo(Path.of("/log/shop.web.0.log"));
    assertThat(first.fileLimit()).isEqualTo(1024);
    assertThat(first.terms()).isEqualTo(new Terms(1, 5, List.of(), false));
  }

  @Test
  void limitsAndStopTimeAreTaken() {
    var command = with(Optional.of(1000L), List.of(100L), Optional.of("/tmp"), files(4096));
    var program = look(command).programs().get(0);

    assertThat(program.workdir()).isEqualTo(Path.of("/tmp"));
    assertThat(program.fileLimit()).isEqualTo(4096);
    var slow = look(stopping(new ProcessSpec.Stop("SIGTERM", 86_400))).programs().get(0);
    assertThat(slow.terms().killTimeout()).isEqualTo(86_400);
    assertThat(look(stopping(new ProcessSpec.Stop("SIGTERM", 0))).problems()).isEmpty();
    var delayed = look(stopping(new ProcessSpec.Stop("SIGTERM", 9, Optional.of(3))));
    assertThat(delayed.programs().get(0).terms().stopDelay()).isEqualTo(3);
    assertThat(look(stopping(new ProcessSpec.Stop("SIGTERM", 9, Optional.of(3_601)))).problems())
        .containsExactly("stop delay must be between 0 and 3600 seconds, not 3601");
  }

  @Test
  void aCommandForOperatorsIsCheckedAndNotStarted() {
    var examined =
        look(
            host(false, true),
            ProcessSpec.Type.COMMAND,
            ProcessSpec.Command.of(List.of("/bin/sh"), Map.of()));

    assertThat(examined.problems()).isEmpty();
    assertThat(examined.programs()).isEmpty();
  }

  @Test
  void commandsAreRefusedUnlessSwitchedOn() {
    var command = ProcessSpec.Command.of(List.of("/bin/sh"), Map.of());
    var examined = look(host(false, false), ProcessSpec.Type.DAEMON, command);

    assertThat(examined.problems())
        .containsExactly("commands are switched off: this supervisor runs images only");
    assertThat(examined.programs()).isEmpty();
  }

  @Test
  void anotherUserOrGroupIsRefused() {
    var command =
        with(Optional.of(0L), List.of(100L, 44L), Optional.empty(), ProcessSpec.Limits.NONE);

    assertThat(look(command).problems())
        .containsExactly(
            "user 0: this supervisor runs programs as user 1000 and cannot switch; run the agent as"
                + " root",
            "group 44: this supervisor runs programs as group 100 and cannot switch; run the agent"
                + " as root");
    assertThat(look(command).programs()).isEmpty();
  }

  @Test
  void rootChangesTheUserAndTakesAwayRights() {
    var nobody = with(Optional.of(7L), List.of(7L), Optional.empty(), ProcessSpec.Limits.NONE);
    assertThat(lookAsRoot(nobody).programs().get(0).launcher())
        .containsExactly(
            "/usr/bin/setpriv",
            "--no-new-privs",
            "--reuid=7",
            "--regid=7",
            "--clear-groups",
            "--inh-caps=-all",
            "--bounding-set=-all",
            "--");
    var groups = with(Optional.of(7L), List.of(7L, 9L), Optional.empty(), ProcessSpec.Limits.NONE);
    assertThat(lookAsRoot(groups).programs().get(0).launcher()).contains("--groups=7,9");
    var root = with(Optional.of(0L), List.of(0L), Optional.empty(), ProcessSpec.Limits.NONE);
    assertThat(lookAsRoot(root).programs().get(0).launcher())
        .containsExactly("/usr/bin/setpriv", "--no-new-privs", "--");
    var missing = host(0, false, true, Optional.empty());
    assertThat(look(missing, ProcessSpec.Type.DAEMON, nobody).problems())
        .containsExactly("there is no program setpriv, which changes the user; install util-linux");
    assertThat(look(missing, ProcessSpec.Type.DAEMON, root).problems()).isEmpty();
  }

  @Test
  void aProgramWithoutASlashIsLookedUpInPath() {
    var found = look(ProcessSpec.Command.of(List.of("sh"), Map.of())).programs().get(0);
    assertThat(found.named()).endsWith("/bin/sh");
    assertThat(look(ProcessSpec.Command.of(List.of("sh"), Map.of("PATH", "/srv"))).problems())
        .containsExactly("there is no program \"sh\" in PATH=/srv");
    assertThat(look(ProcessSpec.Command.of(List.of("sh"), Map.of("PATH", "bin"))).problems())
        .containsExactly("there is no program \"sh\" in PATH=bin");
    var inside = with(Optional.empty(), List.of(), Optional.of("/bin"), ProcessSpec.Limits.NONE);
    var relative =
        new ProcessSpec.Command(
            List.of("./sh"),
            inside.user(),
            inside.groups(),
            inside.directory(),
            Map.of(),
            Map.of(),
            inside.limits(),
            List.of(),
            Optional.empty(),
            Optional.empty());
    assertThat(look(relative).programs().get(0).executable()).isEqualTo(Path.of("/bin/sh"));
  }

  @Test
  void anExecutableOrDirectoryThatIsMissingIsRefused() {
    assertThat(look(ProcessSpec.Command.of(List.of("bin/nothing"), Map.of())).problems())
        .containsExactly("\"/bin/nothing\" is not an executable file");
    assertThat(look(ProcessSpec.Command.of(List.of("/etc/passwd"), Map.of())).problems())
        .containsExactly("\"/etc/passwd\" is not an executable file");
    assertThat(look(ProcessSpec.Command.of(List.of("/bin"), Map.of())).problems())
        .containsExactly("\"/bin\" is not an executable file");
    assertThat(look(ProcessSpec.Command.of(List.of("/\0"), Map.of())).problems()).hasSize(2);
    assertThat(
            look(with(
                    Optional.empty(),
                    List.of(),
                    Optional.of("/etc/passwd"),
                    ProcessSpec.Limits.NONE))
                .problems())
        .containsExactly("\"/etc/passwd\" is not the absolute path of a directory");
    assertThat(
            look(with(Optional.empty(), List.of(), Optional.of("tmp"), ProcessSpec.Limits.NONE))
                .problems())
        .containsExactly("\"tmp\" is not the absolute path of a directory");
  }

  @Test
  void environmentsThatAShellCannotSetAreRefused() {
    assertThat(look(ProcessSpec.Command.of(List.of("/bin/sh"), Map.of("A-B", "x"))).problems())
        .containsExactly("environment: \"A-B\" is not a name of letters, digits and '_'");
    assertThat(look(ProcessSpec.Command.of(List.of("/bin/sh"), Map.of("A", "x\0"))).problems())
        .containsExactly("environment: A must not hold the character NUL");
    assertThat(look(ProcessSpec.Command.of(List.of("/bin/sh"), Map.of("A", "\0"))).problems())
        .containsExactly("environment: A must not hold the character NUL");
    assertThat(look(ProcessSpec.Command.of(List.of("/bin/sh", "x\0"), Map.of())).problems())
        .containsExactly("arguments must not hold the character NUL");
  }

  @Test
  void limitsOfOpenFilesAreChecked() {
    assertThat(look(with(Optional.empty(), List.of(), Optional.empty(), files(4097))).problems())
        .containsExactly(
            "limit of 4097 open files is not between 1 and this user's hard limit 4096");
    assertThat(look(with(Optional.empty(), List.of(), Optional.empty(), files(0))).problems())
        .hasSize(1);
    assertThat(look(with(Optional.empty(), List.of(), Optional.empty(), files(1))).problems())
        .isEmpty();
  }

  @Test
  void onlySignalsThatAskToEndAreSent() {
    assertThat(look(stopping(new ProcessSpec.Stop("SIGKILL", 5))).problems())
        .containsExactly(
            "stop signal SIGKILL: only SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGUSR1, SIGUSR2 are"
                + " supported");
    assertThat(look(stopping(new ProcessSpec.Stop("SIGINT", 5))).problems()).isEmpty();
    assertThat(look(stopping(new ProcessSpec.Stop("SIGTERM", -1))).problems())
        .containsExactly("stop seconds must be between 0 and 86400, not -1");
    assertThat(look(stopping(new ProcessSpec.Stop("SIGTERM", 86_401))).problems()).hasSize(1);
  }

  @Test
  void unsupportedFieldsAreWarnedAboutAndRefusedIfStrict() {
    var command =
        new ProcessSpec.Command(
            List.of("/bin/sh"),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Map.of(),
            Map.of("http", 80L),
            new ProcessSpec.Limits(Optional.of(1L << 20), Optional.of(1L), Optional.empty()),
            List.of(),
            Optional.empty(),
            Optional.empty());
    var warnings = List.of("cpu shares are not enforced");

    var lenient = look(command);
    assertThat(lenient.warnings()).isEqualTo(warnings);
    assertThat(lenient.problems()).isEmpty();
    assertThat(lenient.programs()).hasSize(2);
    var strict = look(host(true, true), ProcessSpec.Type.DAEMON, command);
    assertThat(strict.problems()).isEqualTo(warnings);
    assertThat(strict.programs()).isEmpty();
  }
}
