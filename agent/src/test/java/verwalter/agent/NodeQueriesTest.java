package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.Schedule;
import verwalter.model.json.Json;
import verwalter.scheduler.lua.Budget;

final class NodeQueriesTest {
  private static final Instant NOW = Instant.parse("2026-08-01T12:00:00Z");

  @Test
  void rolesHaveTheTime(@TempDir Path directory) throws Exception {
    var programs =
        new NodeQueries.Programs(
            Budget.DEFAULT, (task, name, stack) -> new Thread(task), Runnable::run);
    var queries = new NodeQueries(directory, "alpha", programs, () -> "id", () -> NOW);
    Map<String, Object> data =
        Map.of(
            "roles",
            Map.of("web", Map.of()),
            "nodes",
            Map.of("alpha", Map.of("roles", Map.of("web", Map.of("port", 80L)))));
    var answer = queries.roles(new Schedule.Spec(data, "beef", List.of(), "", NOW));
    var web = Json.object(Json.object(answer.get("to_render")).get("web"));
    assertThat(web)
        .containsEntry("port", 80L)
        .containsEntry("role", "web")
        .containsEntry("node", "alpha")
        .containsEntry("timestamp", "2026-08-01T12:00:00Z");
  }
}
