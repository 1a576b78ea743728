package verwalter.deploymentlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.files.FileAccess;
import verwalter.model.Resource;
import verwalter.model.Schedule;

class DeploymentsTest {
  private static final Duration LONG = Deployments.QUIET.multipliedBy(3);

  @TempDir Path root;
  private final VirtualWorld world = new VirtualWorld(1);
  private Optional<Resource<Schedule.Spec, Schedule.Status>> schedule = Optional.empty();
  private final List<String> problems = new ArrayList<>();
  private int given;
  private Deployments deployments;

  @BeforeEach
  void start() throws IOException {
    var logs = Files.createDirectory(root.resolve("log"));
    var retention = new Retention(Duration.ofDays(30), 1 << 30);
    var log = DeploymentLog.in(logs, FileAccess.PRIVATE, world.clock(), retention, problems::add);
    var backups = new Backups(root.resolve("schedule"), world.clock(), problems::add);
    var loop = world.loop("deployment");
    deployments =
        new Deployments(() -> schedule, loop, () -> "d" + ++given, log, Optional.of(backups));
  }

  private Schedule.Spec decide(String change) {
    var spec = Schedule.Spec.of(Map.of("changes", List.of(change)), List.of(), "77", world.now());
    schedule = Optional.of(Resource.of(Schedule.KIND, Schedule.CURRENT, spec));
    deployments.arrived(spec);
    return spec;
  }

  private List<String> markers() throws IOException {
    return Files.readAllLines(root.resolve("log/.index/latest")).stream()
        .map(line -> line.replaceAll("\\[\"[^\"]*\",\"(d\\d+)\",.*,\"(\\w+)\"]", "$1 $2"))
        .toList();
  }

  @Test
  void aNewScheduleIsADeploymentEvenWithoutRenderings() throws IOException {
    var spec = decide("one");
    world.runFor(LONG);
    assertThat(markers())
        .containsExactly("d1 DeploymentStart", "d1 DeploymentChanges", "d1 DeploymentFinish");
    assertThat(Files.readString(root.resolve("log/.global/latest"))).contains(spec.hash());
    assertThat(Files.readString(root.resolve("schedule/schedule.json"))).contains(spec.hash());
    try (var files = Files.list(root.resolve("schedule"))) {
      assertThat(files).hasSize(4);
    }
    assertThat(problems).isEmpty();
  }

  @Test
  void renderingsBelongToTheOpenDeploymentAndDelayItsEnd() throws IOException {
    decide("one");
    var web = world.await(deployments.join());
    var db = world.await(deployments.join());
    assertThat(db).isEqualTo(web);
    deployments.beginRole(web, "web", Map.of());
    world.runFor(LONG);
    deployments.beginRole(db, "db", Map.of());
    deployments.endRole(db, "db", List.of());
    world.runFor(LONG);
    assertThat(markers()).doesNotContain("d1 DeploymentFinish");
    deployments.endRole(web, "web", List.of());
    world.runFor(LONG);
    assertThat(markers())
        .containsExactly(
            "d1 DeploymentStart",
            "d1 DeploymentChanges",
            "d1 RoleStart",
            "d1 RoleStart",
            "d1 RoleFinish",
            "d1 RoleFinish",
            "d1 DeploymentFinish");
  }

  @Test
  void aLaterRenderingOfTheSameScheduleIsAnotherDeployment() throws IOException {
    decide("one");
    world.runFor(LONG);
    var id = world.await(deployments.join());
    deployments.beginRole(id, "web", Map.of());
    deployments.endRole(id, "web", List.of());
    world.runFor(LONG);
    assertThat(markers().subList(3, 7))
        .containsExactly(
            "d2 DeploymentStart", "d2 RoleStart", "d2 RoleFinish", "d2 DeploymentFinish");
  }

  @Test
  void aNewScheduleDoesNotEndADeploymentThatIsRendering() throws IOException {
    decide("one");
    var old = world.await(deployments.join());
    deployments.beginRole(old, "web", Map.of());
    decide("two");
    assertThat(world.await(deployments.join())).isNotEqualTo(old);
    world.runFor(LONG);
    assertThat(markers()).endsWith("d2 DeploymentFinish").doesNotContain("d1 DeploymentFinish");
    deployments.endRole(old, "web", List.of());
    world.runFor(LONG);
    assertThat(markers()).endsWith("d2 DeploymentFinish", "d1 RoleFinish", "d1 DeploymentFinish");
  }

  @Test
  void aWaitingRoleKeepsItsDeployment() throws IOException {
    decide("one");
    var id = world.await(deployments.join());
    world.runFor(LONG);
    deployments.beginRole(id, "web", Map.of());
    deployments.endRole(id, "web", List.of());
    world.runFor(LONG);
    assertThat(markers()).endsWith("d1 RoleStart", "d1 RoleFinish", "d1 DeploymentFinish");
  }

  @Test
  void theEndOfTheAgentAbortsOpenDeployments() throws IOException {
    decide("one");
    var id = world.await(deployments.join());
    deployments.beginRole(id, "web", Map.of());
    world.await(deployments.close());
    assertThat(markers()).last().isEqualTo("d1 DeploymentError");
  }

  @Test
  void logsAreWrittenInTheOrderOfReports() throws IOException {
    decide("one");
    var id = world.await(deployments.join());
    var reported = new ArrayList<String>();
    for (int i = 0; i < 20; i++) {
      deployments.beginRole(id, "role" + i, Map.of());
      reported.add("role" + i + " RoleStart");
    }
    for (int i = 0; i < 20; i++) {
      deployments.endRole(id, "role" + i, List.of());
      reported.add("role" + i + " RoleFinish");
    }
    world.runFor(LONG);
    var written =
        Files.readAllLines(root.resolve("log/.index/latest")).stream()
            .filter(line -> line.contains("\"Role\""))
            .map(line -> line.replaceAll(".*\\[\"(role\\d+)\".*\"(\\w+)\"]", "$1 $2"))
            .toList();
    assertThat(written).isEqualTo(reported);
    assertThat(markers()).endsWith("d1 DeploymentFinish");
  }

  @Test
  void aWriteErrorDoesNotStopADeployment() throws IOException {
    decide("one");
    world.runFor(LONG);
    var log = root.resolve("log");
    var gone = root.resolve("gone");
    Files.move(log, gone);
    Files.writeString(log, "in the way");
    var lost = world.await(deployments.join());
    deployments.beginRole(lost, "web", Map.of());
    deployments.endRole(lost, "web", List.of());
    world.runFor(LONG);
    assertThat(problems).hasSize(1);
    Files.delete(log);
    Files.move(gone, log);

    var next = world.await(deployments.join());
    assertThat(next).isNotEqualTo(lost);
    deployments.beginRole(next, "web", Map.of());
    deployments.endRole(next, "web", List.of());
    world.runFor(LONG);

    assertThat(markers())
        .endsWith("d3 DeploymentStart", "d3 RoleStart", "d3 RoleFinish", "d3 DeploymentFinish");
  }
}
