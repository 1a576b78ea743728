package verwalter.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.model.UpdatePolicy.Changes;
import verwalter.model.UpdatePolicy.OnFailure;
import verwalter.model.UpdatePolicy.Prepare;
import verwalter.model.VersionMetadata.Wrong;

/** Tests what the metadata of a version says to the nodes, and its way through a schedule. */
class VersionMetadataTest {
  private static final Map<String, Object> IMAGE = Map.of("url", "/1.tar");
  private static final VersionImage READ = new VersionImage("/1.tar", Optional.empty());

  private static VersionSettings valid(Map<String, Object> metadata) {
    var read = VersionMetadata.of(metadata);
    assertThat(read.problems()).isEmpty();
    return read.settings();
  }

  private static List<String> wrong(String entry, Object value) {
    var read = VersionMetadata.of(Map.of(entry, value, "image", IMAGE));
    assertThat(read.settings()).isEqualTo(VersionSettings.ofImage(READ));
    assertThat(read.problems()).extracting(Wrong::entry).containsOnly(entry);
    return read.problems().stream().map(Wrong::message).toList();
  }

  @Test
  void aVersionThatRemovesTheFormerReleaseCannotGoBackToIt() {
    var update = Map.of("on-failure", "revert", "prepare", "verify");

    assertThat(VersionMetadata.of(Map.of("update", update)).problems())
        .containsExactly(
            new Wrong(
                "update",
                "update.prepare must be unpack if update.on-failure is revert, not verify"));
  }

  @Test
  void whatIsAbsentHasItsDefault() {
    assertThat(valid(Map.of())).isEqualTo(VersionSettings.NONE);
    assertThat(valid(Map.of("image", IMAGE, "update", Map.of(), "start", Map.of())))
        .isEqualTo(VersionSettings.ofImage(READ));
    assertThat(valid(Map.of("update", Map.of("prepare", "verify"))).update())
        .contains(new UpdatePolicy(OnFailure.WAIT, Prepare.VERIFY, Changes.LIVE));
    var defaults = Map.of("on-failure", "wait", "prepare", "unpack", "changes", "live");
    assertThat(valid(Map.of("update", defaults))).isEqualTo(VersionSettings.NONE);
  }

  @Test
  void settingsPassThroughASchedule() {
    var policies =
        valid(
            Map.of(
                "image",
                IMAGE,
                "update",
                Map.of("on-failure", "wait", "prepare", "verify", "changes", "staged"),
                "start",
                Map.of("delay", "60s", "memory", "2GB")));

    assertThat(policies)
        .isEqualTo(
            new VersionSettings(
                Optional.of(READ),
                Optional.of(new UpdatePolicy(OnFailure.WAIT, Prepare.VERIFY, Changes.STAGED)),
                Optional.of(new StartPolicy(60, Optional.of(2_000_000_000L)))));
    assertThat(VersionSettings.of(policies.json())).isEqualTo(policies);
    assertThat(VersionSettings.of(VersionSettings.ofImage(READ).json()))
        .isEqualTo(VersionSettings.ofImage(READ));
    assertThat(VersionSettings.of(null)).isEqualTo(VersionSettings.NONE);
  }

  @ParameterizedTest
  @CsvSource({"90,90", "90s,90", "5m,300", "24h,86400", "0,0"})
  void readsDelays(String text, long seconds) {
    var delay = valid(Map.of("start", Map.of("delay", text))).start();

    assertThat(delay.orElse(StartPolicy.NONE).delaySeconds()).isEqualTo(seconds);
  }

  @ParameterizedTest
  @CsvSource({
    "1024,1024",
    "1000000000000,1000000000000",
    "512M,512000000",
    "2GB,2000000000",
    "2GiB,2147483648",
    "64Ki,65536",
    "100B,100"
  })
  void readsMemory(String text, long bytes) {
    var memory = valid(Map.of("start", Map.of("memory", text))).start();

    assertThat(memory).contains(new StartPolicy(0, Optional.of(bytes)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"25h", "-1", "1.5s", "60 s", "soon", "90sB", "9999999", ""})
  void refusesDelays(String text) {
    assertThat(wrong("start", Map.of("delay", text)))
        .containsExactly(
            "start.delay must be a duration of at most 24h, such as 90s, 5m or 1h, not " + text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "2 GB", "2gb", "1.5G", "much", "1000000G", ""})
  void refusesMemory(String text) {
    assertThat(wrong("start", Map.of("memory", text)))
        .containsExactly(
            "start.memory must be a number of bytes, such as 512MB, 2GB or 2GiB, not " + text);
  }

  @Test
  void refusesOtherWordsFieldsAndTypes() {
    assertThat(wrong("update", Map.of("on-failure", "panic")))
        .containsExactly("update.on-failure must be wait or revert, not panic");
    assertThat(wrong("update", Map.of("changes", List.of("live"))))
        .containsExactly("update.changes must be live or staged, not [live]");
    assertThat(wrong("start", Map.of("delay", List.of(1L)))).hasSize(1);
    assertThat(wrong("start", Map.of("memory", Map.of()))).hasSize(1);
    assertThat(wrong("start", Map.of("wait", "1s")))
        .containsExactly("start.wait is not known; start has the fields delay, memory");
    assertThat(wrong("update", "revert")).containsExactly("update must be a mapping, not revert");
  }

  @Test
  void theNamesBelongToTheSchedulerIfThereIsNoImageAndNoMapping() {
    assertThat(valid(Map.of("update", "yes", "start", 5L, "image", "web-v1")))
        .isEqualTo(VersionSettings.NONE);
  }
}
