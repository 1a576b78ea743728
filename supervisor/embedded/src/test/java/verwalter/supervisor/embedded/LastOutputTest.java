package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.model.ProcessGroup.Slot;
import verwalter.model.ProcessSpec;

/** Why a start failed, with real processes. */
@SuppressWarnings("NullAway.Init") // JUnit fills the fields
class LastOutputTest {
  @TempDir Path base;
  private Site site;

  @BeforeEach
  void open() {
    site = new Site(base);
    site.settings = Settings.standard().allowingCommands();
    site.open();
  }

  @AfterEach
  void close() {
    site.close();
  }

  private Slot afterFailure(String script, Map<String, String> environment) {
    var command = ProcessSpec.Command.of(List.of("/bin/sh", "-c", script), environment);
    site.run(Map.of("job", ProcessSpec.ofCommand(ProcessSpec.Type.DAEMON, 1, command)));
    return site.awaitSlot("job.0", it -> message(it).contains("output") && !it.reason().isEmpty());
  }

  private static String message(Slot slot) {
    return slot.lastExit().flatMap(exit -> exit.message()).orElse("");
  }

  @Test
  void theReasonContainsTheLastLines() {
    var slot =
        afterFailure("for i in 1 2 3 4 5 6; do echo line $i; done; echo why >&2; exit 3", Map.of());
    assertThat(message(slot))
        .isEqualTo("exited with code 3; its last output: line 3 | line 4 | line 5 | line 6 | why");
    assertThat(slot.reason()).contains("next start in").endsWith("line 6 | why");
  }

  @Test
  void anUnfinishedLineIsPartOfIt() {
    assertThat(message(afterFailure("printf 'no end'; exit 1", Map.of()))).endsWith(": no end");
  }

  @Test
  void secretsAreMasked() {
    var environment =
        Map.of(
            "DB_PASSWORD", "it's $ecret",
            "API_TOKEN", "abcdefgh",
            "aws_secret_access", "first line\nsecond line",
            "SIGNING_KEY", "k1",
            "HOME", "/home/visible");
    var slot =
        afterFailure(
            "echo \"$DB_PASSWORD and $API_TOKEN$API_TOKEN\"; echo \"$aws_secret_access\";"
                + " echo $HOME; exit 1",
            environment);
    assertThat(message(slot)).endsWith(": *** and ****** | *** | *** | /home/visible");
    assertThat(slot.reason()).doesNotContain("ecret", "abcdefgh", "second line");
  }

  @Test
  void controlCharactersAreRemoved() {
    var slot =
        afterFailure(
            "printf '\\033[31mred\\033[0m\\007 and \\342\\200\\256back\\n'; exit 1", Map.of());
    assertThat(message(slot)).endsWith(": red  and  back");
  }

  @Test
  void longOutputIsCut() {
    var slot =
        afterFailure(
            "i=0; while [ $i -lt 400 ]; do i=$((i+1)); l=$l$i; done;"
                + " for k in 1 2 3 4 5; do echo $k$l; done; exit 1",
            Map.of());
    assertThat(message(slot)).contains("...").endsWith("...").hasSizeLessThan(1100);
    assertThat(slot.reason()).hasSizeLessThan(1200);
  }

  @ParameterizedTest
  @CsvSource({
    "PASSWORD, true",
    "db_password, true",
    "API_KEY, true",
    "MONKEY, true",
    "HOME, false"
  })
  void namesSayWhatIsSecret(String name, boolean secret) {
    assertThat(SecretMask.isSecret(name)).isEqualTo(secret);
  }
}
