package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class SettingsCheckTest {
  @TempDir Path config;

  private static Settings settings(String... flags) {
    return CommandLine.populateCommand(new Settings(), flags);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.7", "2001:db8::1", "[::]"})
  void refusesAddressThatOtherMachinesReach(String host) {
    assertThatThrownBy(() -> SettingsCheck.check(settings("--host=" + host)))
        .isInstanceOf(SetupFailed.class)
        .hasMessageContaining("--host=" + host)
        .hasMessageContaining("--insecure")
        .satisfies(
            failure -> assertThat(((SetupFailed) failure).exitCode()).isEqualTo(ExitCode.USAGE));
    var accepted = settings("--host=" + host, "--insecure");
    assertThatCode(() -> SettingsCheck.check(accepted)).doesNotThrowAnyException();
    assertThat(SettingsCheck.warnings(accepted, config))
        .singleElement()
        .asString()
        .contains("everybody who can connect to " + host);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1", "localhost", "127.1.2.3"})
  void acceptsLoopbackAddress(String host) {
    var settings = settings("--host=" + host);
    assertThatCode(() -> SettingsCheck.check(settings)).doesNotThrowAnyException();
    assertThat(SettingsCheck.warnings(settings, config)).isEmpty();
  }

  @Test
  void refusesFrontend() {
    assertThatThrownBy(() -> SettingsCheck.check(settings("--default-frontend=alternative")))
        .isInstanceOf(SetupFailed.class)
        .hasMessageContaining("--default-frontend=alternative");
    assertThatCode(() -> SettingsCheck.check(settings("--default-frontend=common")))
        .doesNotThrowAnyException();
  }

  @Test
  void warnsOfWhatHasNoEffect() throws IOException {
    Files.createDirectory(config.resolve("frontend"));
    assertThat(
            SettingsCheck.warnings(
                settings("--debug-force-leader", "--allow-minority-cluster"), config))
        .anyMatch(each -> each.startsWith("--debug-force-leader"))
        .anyMatch(each -> each.startsWith("--allow-minority-cluster"))
        .anyMatch(each -> each.contains("frontend is not served"))
        .hasSize(3);
  }
}
