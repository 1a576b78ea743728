package verwalter.deploymentlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.Schedule;

class BackupsTest {
  private static final Schedule.Spec SCHEDULE =
      Schedule.Spec.of(
          Map.of("roles", Map.of("web", Map.of("n", List.of(1L, 2L)), "empty", Map.of())),
          List.of(),
          "77",
          Instant.ofEpochMilli(5));

  @TempDir Path root;
  private final List<String> problems = new ArrayList<>();
  private Instant now = Instant.parse("2018-08-10T15:11:50Z");

  @Test
  void theScheduleIsWrittenAndBackedUp() throws IOException {
    var directory = root.resolve("schedule");
    var backups = new Backups(directory, () -> now, problems::add);
    backups.copy();
    backups.keep(SCHEDULE);
    backups.copy();
    var text = Files.readString(directory.resolve("schedule.json"));
    assertThat(text)
        .isEqualTo(
            """
            {
              "timestamp": 5,
              "hash": "%s",
              "data": {
                "roles": {
                  "empty": {},
                  "web": {
                    "n": [
                      1,
                      2
                    ]
                  }
                }
              },
              "origin": "77"
            }
            """
                .formatted(SCHEDULE.hash()));
    for (var name : List.of("hourly-20180810T15", "daily-20180810", "weekly-2018w32")) {
      try (var gzip =
          new GZIPInputStream(Files.newInputStream(directory.resolve(name + ".json.gz")))) {
        assertThat(new String(gzip.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(text);
      }
    }
    try (var files = Files.list(directory)) {
      assertThat(files).hasSize(4);
    }
    assertThat(problems).isEmpty();
  }

  @Test
  void aFailureIsReported() {
    var backups = new Backups(root.resolve("a/b"), () -> now, problems::add);
    backups.keep(SCHEDULE);
    assertThat(problems).hasSize(1).first().asString().contains("cannot be written to");
  }
}
