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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--downloads=0",
        "--downloads=65",
        "--download-kilobytes=0",
        "--download-kilobytes=9999999999",
        "--reservable-megabytes=-1",
        "--process-log-megabytes=0",
        "--process-logs-kept=101",
        "--process-log-days=3661"
      })
  void refusesNumberOutOfRange(String flag) {
    assertThatThrownBy(() -> SettingsCheck.check(settings(flag)))
        .isInstanceOf(SetupFailed.class)
        .hasMessageStartingWith(flag.substring(0, flag.indexOf('=')) + " takes a number from ");
  }

  @Test
  void downloadsAreLimitedByTheFlags() {
    assertThat(settings().traffic()).isEqualTo(LocalReleases.Traffic.DEFAULT);
    var limited = settings("--downloads=2", "--download-kilobytes=512").traffic();
    assertThat(limited.downloads()).isEqualTo(2);
    assertThat(limited.downloadRate()).isEqualTo(512 * 1024);
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
