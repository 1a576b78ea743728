package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SettingsTest {
  private final Settings settings = new Settings();

  @Test
  void rootUsesTheSystemsDirectories() {
    var places = settings.places(Map.of("HOME", "/root"), true);
    assertThat(places)
        .isEqualTo(
            new Settings.Places(
                Path.of("/etc/verwalter"),
                Path.of("/var/lib/verwalter"),
                Path.of("/var/log/verwalter")));
  }

  @Test
  void anOrdinaryUserWritesOnlyBelowHome() {
    var places = settings.places(Map.of("HOME", "/home/ada"), false);
    assertThat(places.storage()).isEqualTo(Path.of("/home/ada/.local/state/verwalter"));
    assertThat(places.logs()).isEqualTo(Path.of("/home/ada/.local/state/verwalter/log"));
    assertThat(places.config())
        .isEqualTo(
            Files.isDirectory(Path.of("/etc/verwalter"))
                ? Path.of("/etc/verwalter")
                : Path.of("/home/ada/.config/verwalter"));
  }

  @Test
  void userDirectoriesMayBeConfigured() {
    var places =
        settings.places(Map.of("HOME", "/home/ada", "XDG_STATE_HOME", "/data/state"), false);
    assertThat(places.storage()).isEqualTo(Path.of("/data/state/verwalter"));
  }

  @Test
  void flagsWin() {
    settings.storageDir = Optional.of(Path.of("/s"));
    assertThat(settings.places(Map.of("HOME", "/root"), true).storage()).isEqualTo(Path.of("/s"));
  }

  @Test
  void aMachineIdIsHexOfEvenLength() throws Exception {
    assertThat(MachineFacts.machineId(Optional.of("AB01"))).isEqualTo("ab01");
    assertThat(
            org.assertj.core.api.Assertions.catchThrowableOfType(
                    SetupFailed.class, () -> MachineFacts.machineId(Optional.of("abc")))
                .exitCode())
        .isEqualTo(ExitCode.SETUP);
  }

  @Test
  void aBadFlagIsAUsageError() {
    assertThat(Main.commandLine().execute("--no-such-flag")).isEqualTo(2);
    assertThat(Main.commandLine().execute("--version")).isZero();
  }
}
