package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.model.ProcessGroup.Slot;

class ExitStatusTest {
  @TempDir java.nio.file.Path base = java.nio.file.Path.of("");

  @ParameterizedTest
  @CsvSource({
    "0, false",
    "128, false",
    "129, false",
    "137, false",
    "192, false",
    "193, false",
    "255, false",
    "130, true",
    "141, true",
    "143, true"
  })
  void statusWithoutDescriptionIsCodeExceptForSilentSignals(int number, boolean signalled) {
    assertThat(ExitStatus.parse(number + "\n" + " ".repeat(20) + "\n"))
        .contains(new ExitStatus(number, signalled));
  }

  @ParameterizedTest
  @CsvSource({"129, 1", "137, 9", "143, 15", "168, 40", "192, 64"})
  void statusWithDescriptionIsSignal(int number, int signal) {
    var status =
        ExitStatus.parse("keeper.sh: line 29: 1234 Killed\n" + number + "\n").orElseThrow();
    assertThat(status.signal()).contains(signal);
    assertThat(status.code()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "   \n", "Killed\n   \n", "13", "Killed\n13", "1234\n", "annulled\n"})
  void anIncompleteNoteIsEmpty(String text) {
    assertThat(ExitStatus.parse(text)).isEmpty();
  }

  @Test
  void programThatExitsWithHighCodeWasNotKilled() {
    try (var site = new Site(base)) {
      site.image("killed", "kill -KILL $$", "restart-timeout: 1");
      site.image("aborted", "kill -ABRT $$", "restart-timeout: 1");
      site.image("exits", "exit 137", "restart-timeout: 1");
      site.image("last", "exit 192", "restart-timeout: 1");
      site.open();
      site.run(
          Map.of(
              "killed", Site.entry("killed", 1),
              "aborted", Site.entry("aborted", 1),
              "exits", Site.entry("exits", 1),
              "last", Site.entry("last", 1)));

      assertThat(end(site, "killed").signal()).contains(9);
      assertThat(end(site, "aborted").signal()).contains(6);
      assertThat(end(site, "exits").code()).contains(137);
      assertThat(end(site, "exits").signal()).isEmpty();
      assertThat(end(site, "last").code()).contains(192);
    }
  }

  private static verwalter.model.ProcessGroup.Exit end(Site site, String process) {
    Slot slot = site.awaitSlot(process + ".0", it -> it.lastExit().isPresent());
    return slot.lastExit().orElseThrow();
  }
}
