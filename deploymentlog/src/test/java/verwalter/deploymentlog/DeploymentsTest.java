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
    var log = DeploymentLog.in(logs, world.clock(), retention, problems::add);
    var backups = new Backups(root.resolve("schedule"), world.clock(), problems::add);
    var loop = world.loop("deployment");
    deployments =
        new Deployments(() -> schedule, loop, () -> "d" + ++given, log, Optional.of(backups));
  }

  private Schedule.Spec decide(String change) {
    var spec = Schedule.Spec.of(Map.of("changes", List.of(change)), List.of(), "77", world.now());
    schedule = Optional.of(Resource.of(Schedule.KIND, Schedule.CURRENT, spec));
    deployments.loop().execute(() -> deployments.arrived(spec));
    return spec;
  }

  private List<String> markers() throws IOException {
    return Files.readAllLines(root.resolve("log/.index/latest")).stream()
        .map(line -> line.replaceAll("\\[\"[^\"]*\",\"(d\\d+)\",.*,\"(\\w+)\"]", "$1 $2"))
        .toList();
  }

  @Test
  void aNewScheduleIsOneDeploymentAlsoIfNothingIsRendered() throws IOException {
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
  void whatIsRenderedMeanwhileBelongsToItAndItEndsAfterThat() throws IOException {
    decide("one");
    var web = deployments.join();
    var db = deployments.join();
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
  void aRenderingOfTheSameScheduleLaterIsAnotherDeployment() throws IOException {
    decide("one");
    world.runFor(LONG);
    var id = deployments.join();
    deployments.beginRole(id, "web", Map.of());
    deployments.endRole(id, "web", List.of());
    world.runFor(LONG);
    assertThat(markers().subList(3, 7))
        .containsExactly(
            "d2 DeploymentStart", "d2 RoleStart", "d2 RoleFinish", "d2 DeploymentFinish");
  }

  @Test
  void aNewScheduleDoesNotEndWhatIsStillRendered() throws IOException {
    decide("one");
    var old = deployments.join();
    deployments.beginRole(old, "web", Map.of());
    decide("two");
    assertThat(deployments.join()).isNotEqualTo(old);
    world.runFor(LONG);
    assertThat(markers()).endsWith("d2 DeploymentFinish").doesNotContain("d1 DeploymentFinish");
    deployments.endRole(old, "web", List.of());
    world.runFor(LONG);
    assertThat(markers()).endsWith("d2 DeploymentFinish", "d1 RoleFinish", "d1 DeploymentFinish");
  }

  @Test
  void aRoleThatHadToWaitKeepsItsDeployment() throws IOException {
    decide("one");
    var id = deployments.join();
    world.runFor(LONG);
    deployments.beginRole(id, "web", Map.of());
    deployments.endRole(id, "web", List.of());
    world.runFor(LONG);
    assertThat(markers()).endsWith("d1 RoleStart", "d1 RoleFinish", "d1 DeploymentFinish");
  }

  @Test
  void theEndOfTheAgentGivesUpWhatGoesOn() throws IOException {
    decide("one");
    var id = deployments.join();
    deployments.beginRole(id, "web", Map.of());
    deployments.close();
    assertThat(markers()).last().isEqualTo("d1 DeploymentError");
  }
}
