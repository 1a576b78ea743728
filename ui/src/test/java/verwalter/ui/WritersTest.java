package verwalter.ui;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.Schedule;
import verwalter.model.codec.Codec;

/** Operators write their parts of objects; errors name the writers of other parts. */
final class WritersTest {
  private static final String API = "/apis/verwalter.io/v1/";
  private static final String MERGE = "application/merge-patch+json";
  private static final Instant NOW = Instant.parse("2026-08-01T12:00:00Z");

  private final Server server = new Server();

  @AfterEach
  void close() {
    server.close();
  }

  private HttpResponse<String> patch(String path, String patch) {
    return server.send("PATCH", API + path, MERGE, patch);
  }

  private static void assertForbidden(HttpResponse<String> answer, String... message) {
    assertThat(answer.statusCode()).isEqualTo(403);
    JsonNode status = Server.json(answer);
    assertThat(status.path("kind").asText()).isEqualTo("Status");
    assertThat(status.path("status").asText()).isEqualTo("Failure");
    assertThat(status.path("reason").asText()).isEqualTo("Forbidden");
    assertThat(status.path("code").asInt()).isEqualTo(403);
    assertThat(status.path("message").asText()).contains(message);
  }

  private Resource<ProcessGroup.Spec, ProcessGroup.Status> group() {
    return server.put(Samples.group("web", "alpha", 1, 1, 0, NOW));
  }

  @Test
  void refusesSpecOfControllerWithWriterAndAlternative() {
    var group = group();
    var answer = patch("processgroups/" + group.name(), "{\"spec\":{\"role\":\"other\"}}");
    assertForbidden(
        answer,
        "processgroups.verwalter.io \"%s\" is forbidden: its spec is written by the instance"
                .formatted(group.name())
            + " controller, not by operators; change the role in the configuration directory");
    assertThat(Server.json(answer).at("/details/name").asText()).isEqualTo(group.name());
    assertThat(Server.json(answer).at("/details/kind").asText()).isEqualTo("processgroups");
    assertThat(server.get(ProcessGroup.KIND, group.name()).spec()).isEqualTo(group.spec());
  }

  @Test
  void refusesReplacementsCreationsAndDryRunsToo() {
    var group = group();
    var path = API + "processgroups/" + group.name();
    var changed = server.get(path).body().replace("\"role\":\"web\"", "\"role\":\"other\"");
    assertForbidden(server.send("PUT", path, "application/json", changed), "the instance");
    assertForbidden(
        server.send("PUT", path + "?dryRun=All", "application/json", changed), "the instance");
    var schedule = Resource.of(Schedule.KIND, "mine", Schedule.Spec.NONE);
    var body = new String(Codec.json(schedule), StandardCharsets.UTF_8);
    for (var target : new String[] {"schedules", "schedules?dryRun=All"}) {
      assertForbidden(
          server.send("POST", API + target, "application/json", body),
          "by the schedule controller, not by operators; change the scheduler");
    }
    assertThat(server.store.list(Schedule.KIND)).isEmpty();
  }

  @Test
  void refusesStatusWithWriter() {
    server.put(Samples.node("alpha", NOW, true));
    assertForbidden(
        patch("nodes/alpha/status", "{\"status\":{\"schedule\":\"beef\"}}"),
        "its status is written by the node controller, not by operators");
    var group = group();
    assertForbidden(
        patch("processgroups/" + group.name() + "/status", "{\"status\":{\"running\":7}}"),
        "its status is written by the process controller, not by operators");
  }

  @Test
  void operatorsLabelAndAnnotateAllKinds() {
    var group = group();
    var path = "processgroups/" + group.name();
    assertThat(
            patch(path, "{\"metadata\":{\"labels\":{\"a\":\"b\"},\"annotations\":{\"c\":\"d\"}}}")
                .statusCode())
        .isEqualTo(200);
    var meta = server.get(ProcessGroup.KIND, group.name()).meta();
    assertThat(meta.labels()).containsEntry("a", "b");
    assertThat(meta.annotations()).containsEntry("c", "d");
    assertForbidden(
        server.delete(API + path),
        "its removal is requested by the instance controller, not by operators");
    assertThat(server.store.get(ProcessGroup.KIND, group.name())).isPresent();
  }

  /** Its roles run on all nodes, and its parents keep them where they are. */
  @Test
  void theScheduleIsDeletedByItsControllerOnly() {
    server.put(Resource.of(Schedule.KIND, Schedule.CURRENT, Schedule.Spec.NONE));
    assertForbidden(
        server.delete(API + "schedules/current"),
        "its removal is requested by the schedule controller, not by operators");
    assertThat(server.store.get(Schedule.KIND, Schedule.CURRENT)).isPresent();
  }

  @Test
  void operatorsWriteTheirSpecs() {
    server.put(Samples.node("alpha", NOW, true));
    assertThat(patch("nodes/alpha", "{\"spec\":{\"cordoned\":true}}").statusCode()).isEqualTo(200);
    server.put(
        Resource.of(
            RoleConfig.KIND, "web", new RoleConfig.Spec(Map.of(), Map.of(), Optional.empty())));
    assertThat(patch("roleconfigs/web", "{\"spec\":{\"value\":1}}").statusCode()).isEqualTo(200);
  }

  @Test
  void keepsFinalizerOfController() {
    var group = group();
    server.put(group.withMeta(group.meta().adding(ProcessGroup.FINALIZER)));
    assertForbidden(
        patch("processgroups/" + group.name(), "{\"metadata\":{\"finalizers\":null}}"),
        "its finalizer verwalter.io/processes is written by the process controller",
        "delete the object");
  }

  @Test
  void roleOfFilesIsReadOnlyExceptForLabelsAndAnnotations() {
    var role =
        Resource.of(RoleConfig.KIND, "web", RoleConfig.Spec.of(Map.of("v1", Map.of("a", 1L))));
    var origin = Map.of(RoleConfig.ORIGIN, RoleConfig.CONFIG_DIRECTORY);
    server.put(role.withMeta(role.meta().withLabels(origin)));
    var path = "roleconfigs/web";
    var spec = "{\"spec\":{\"versions\":{\"v1\":{\"a\":2}}}}";
    assertReadOnly(patch(path, spec));
    assertReadOnly(patch(path + "?dryRun=All", spec));
    assertReadOnly(patch(path, "{\"metadata\":{\"labels\":{\"verwalter.io/origin\":null}}}"));
    assertReadOnly(server.send("DELETE", API + path, "application/json", "{}"));
    assertReadOnly(server.send("DELETE", API + path + "?dryRun=All", "application/json", "{}"));
    assertThat(server.get(RoleConfig.KIND, "web").spec()).isEqualTo(role.spec());

    var shared = "{\"metadata\":{\"labels\":{\"team\":\"a\"},\"annotations\":{\"note\":\"b\"}}}";
    assertThat(patch(path, shared).statusCode()).isEqualTo(200);
    assertThat(server.get(RoleConfig.KIND, "web").meta().labels()).containsEntry("team", "a");
  }

  @Test
  void roleThatOperatorsCreatedIsTheirs() {
    server.put(Resource.of(RoleConfig.KIND, "web", RoleConfig.Spec.of(Map.of())));
    var spec = "{\"spec\":{\"settings\":{\"a\":2}}}";
    assertThat(patch("roleconfigs/web", spec).statusCode()).isEqualTo(200);
    var deleted = server.send("DELETE", API + "roleconfigs/web", "application/json", "{}");
    assertThat(deleted.statusCode()).isEqualTo(200);
  }

  private static void assertReadOnly(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).isEqualTo(409);
    var status = Server.json(answer);
    assertThat(status.path("reason").asText()).isEqualTo("ReadFromFile");
    assertThat(status.path("message").asText())
        .contains("read from runtime/web in the configuration directory");
  }
}
