package verwalter.deploymentlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.deploymentlog.LogDisk.LogFile;

class RowsTest {
  private static final Instant AT = Instant.parse("2018-08-10T15:11:50.987Z");

  @Test
  void anIndexLineIsAnArrayOfTimeDeploymentPointerAndMarker() {
    assertThat(
            Rows.index(AT, "abc", new Pointer.Global("20180810151150", 7), Marker.DEPLOYMENT_START))
        .isEqualTo(
            "[\"2018-08-10T15:11:50Z\",\"abc\",{\"variant\":\"Global\",\"fields\":[\"20180810151150\",7]},\"DeploymentStart\"]\n");
    assertThat(
            Rows.index(
                AT,
                "abc",
                new Pointer.Role("web", "20180810151150", 0),
                Marker.actionStart("a\"b.render.yaml")))
        .isEqualTo(
            "[\"2018-08-10T15:11:50Z\",\"abc\",{\"variant\":\"Role\",\"fields\":[\"web\",\"20180810151150\",0]},{\"variant\":\"ActionStart\",\"fields\":[\"a\\\"b.render.yaml\"]}]\n");
    assertThat(new Pointer.Changes("s", 1).json())
        .isEqualTo("{\"variant\":\"Changes\",\"fields\":[\"s\",1]}");
    assertThat(new Pointer.External("nginx/error.log", 99).json())
        .isEqualTo("{\"variant\":\"External\",\"fields\":[\"nginx/error.log\",99]}");
  }

  @Test
  void aTextRowEndsWithABlank() {
    assertThat(Rows.global(AT, "abc", Marker.DEPLOYMENT_FINISH))
        .isEqualTo("2018-08-10T15:11:50Z abc ------------ DeploymentFinish ----------- \n");
    assertThat(Rows.role(AT, "abc", "web", Marker.actionFinish("x.render.yaml")))
        .isEqualTo(
            "2018-08-10T15:11:50Z abc ------------ web: ActionFinish(\"x.render.yaml\") ----------- \n");
  }

  @Test
  void aChangeIsAlwaysOneLine() {
    assertThat(Rows.changes(AT, "0123456789abcdef", List.of("web: up", "two\nlines")))
        .isEqualTo(
            """
            2018-08-10T15:11:50Z: 01234567: web: up
            2018-08-10T15:11:50Z: 01234567: two\\nlines
            """);
  }

  @Test
  void debugTextHasAHeaderAndAFooter() {
    assertThat(Rows.framed("scheduler-debug", "a"))
        .startsWith("+++ debug start: \"scheduler-debug\" +++\na\n+++ debug end");
    assertThat(Rows.framed("scheduler-debug", "")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "log.20180101000000.txt, 0, 20180101000000",
    "log.20180101000000.txt, 10485759, 20180101000000",
    "log.20180101000000.txt, 10485760, 20180810151150",
    "log.other.txt, 5, other",
    "other.txt, 5, 20180810151150",
    "log..txt, 5, 20180810151150",
  })
  void theLatestSegmentIsWrittenUntilItIsFull(String latest, long size, String next) {
    var file = new LogFile("web", latest, size, AT, true);
    assertThat(Segments.next(Optional.of(file), AT)).isEqualTo(next);
  }

  @Test
  void withoutALatestSegmentThereIsANewOne() {
    assertThat(Segments.next(Optional.empty(), AT)).isEqualTo("20180810151150");
    assertThat(Rows.indexFile(AT)).isEqualTo("index.20180810.json");
  }
}
