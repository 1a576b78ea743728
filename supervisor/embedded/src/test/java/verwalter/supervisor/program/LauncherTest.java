package verwalter.supervisor.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.model.ProcessSpec;

/** Tests how commands get their user and their rights. */
class LauncherTest {
  private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

  private static Host host(long user, Optional<Path> setpriv) {
    var directory = Path.of("/srv");
    return new Host(
        directory, directory, directory, user, user, 1024, "dumb", false, true, setpriv);
  }

  private static List<String> words(long supervisor, Optional<Long> user, List<Long> groups) {
    var command =
        new ProcessSpec.Command(
            List.of("/bin/web"),
            user,
            groups,
            Optional.empty(),
            Map.of(),
            Map.of(),
            ProcessSpec.Limits.NONE,
            List.of(),
            Optional.empty(),
            Optional.empty());
    return Launcher.words(host(supervisor, Optional.of(SETPRIV)), command);
  }

  @Test
  void anotherUserHasNoCapabilitiesAndItsOwnGroups() {
    assertThat(words(0, Optional.of(33L), List.of(33L, 44L)))
        .containsExactly(
            "/usr/bin/setpriv",
            "--no-new-privs",
            "--reuid=33",
            "--regid=33",
            "--groups=33,44",
            "--inh-caps=-all",
            "--bounding-set=-all",
            "--");
  }

  @Test
  void aSupervisorThatIsNotRootChangesNoUserAndNoGroups() {
    assertThat(words(1000, Optional.of(1000L), List.of(1000L)))
        .containsExactly("/usr/bin/setpriv", "--no-new-privs", "--");
    assertThat(words(1000, Optional.empty(), List.of()))
        .containsExactly("/usr/bin/setpriv", "--no-new-privs", "--");
  }

  @Test
  void thereAreNoWordsWithoutTheProgram() {
    var command = ProcessSpec.Command.of(List.of("/bin/web"), Map.of());
    assertThat(Launcher.words(host(0, Optional.empty()), command)).isEmpty();
  }
}
