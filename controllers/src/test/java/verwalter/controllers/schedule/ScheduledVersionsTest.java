package verwalter.controllers.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.Schedule;
import verwalter.model.ScheduledVersions;
import verwalter.model.Scheduler;
import verwalter.model.StartPolicy;
import verwalter.model.UpdatePolicy;
import verwalter.model.VersionImage;
import verwalter.model.VersionSettings;

/** Tests which settings of versions a decision has, and where they come from. */
class ScheduledVersionsTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final Map<String, Object> DECIDED =
      Map.of(
          "nodes",
          Map.of(
              "n1",
              Map.of("roles", Map.of("web", Map.of("version", "v1"))),
              "n2",
              Map.of("roles", Map.of("web", Map.of("version", "v2")))));

  private static Resource<RoleConfig.Spec, RoleConfig.Status> role(
      Map<String, Object> metadata, boolean file) {
    var role = Resource.of(RoleConfig.KIND, "web", RoleConfig.Spec.of(metadata));
    return file
        ? role.withMeta(
            role.meta().withLabels(Map.of(RoleConfig.ORIGIN, RoleConfig.CONFIG_DIRECTORY)))
        : role;
  }

  private static Map<String, Object> version(String url) {
    return Map.of("image", Map.of("url", url, "sha256", "ab"));
  }

  private static Schedule.Spec next(
      Schedule.Spec before,
      Map<String, Object> decided,
      List<Resource<RoleConfig.Spec, RoleConfig.Status>> roles) {
    var situation =
        new Situation(
            NOW, "n1", "id", List.of(), roles, Map.of(), List.of(), List.of(before), Map.of());
    Scheduler scheduler = input -> new Scheduler.Decision(decided, "", 1);
    return RunOutcome.of(scheduler, situation).next(before, "id", List.of());
  }

  private static Optional<VersionImage> image(Schedule.Spec schedule, String version) {
    return ScheduledVersions.find(schedule.data(), "web", version).image();
  }

  @Test
  void aDecisionHasTheImagesOfTheVersionsThatItMentions() {
    var roles =
        List.of(role(Map.of("v1", version("/1"), "v2", version("/2"), "v3", version("/3")), true));

    var next = next(Schedule.Spec.NONE, DECIDED, roles);

    assertThat(image(next, "v1")).contains(new VersionImage("/1", Optional.of("sha256:ab")));
    assertThat(image(next, "v2")).contains(new VersionImage("/2", Optional.of("sha256:ab")));
    assertThat(image(next, "v3")).isEmpty();
  }

  @Test
  void anotherImageOfTheSameVersionIsAnotherSchedule() {
    var before =
        next(Schedule.Spec.NONE, DECIDED, List.of(role(Map.of("v1", version("/1")), true)));
    var same = next(before, DECIDED, List.of(role(Map.of("v1", version("/1")), true)));
    var other = next(before, DECIDED, List.of(role(Map.of("v1", version("/2")), true)));

    assertThat(same).isEqualTo(before);
    assertThat(other.hash()).isNotEqualTo(before.hash());
  }

  @Test
  void onlyFilesOfAdministratorsNameImages() {
    var next = next(Schedule.Spec.NONE, DECIDED, List.of(role(Map.of("v1", version("/1")), false)));

    assertThat(next.data()).doesNotContainKey(ScheduledVersions.KEY);
  }

  @Test
  void onlyFilesOfAdministratorsNameCommands() {
    var command = Map.of("web", Map.of("arguments", List.of("/bin/sh")));
    Map<String, Object> version = Map.of(VersionSettings.PROCESSES, command);

    var own = next(Schedule.Spec.NONE, DECIDED, List.of(role(Map.of("v1", version), true)));
    var others = next(Schedule.Spec.NONE, DECIDED, List.of(role(Map.of("v1", version), false)));

    assertThat(ScheduledVersions.find(own.data(), "web", "v1").processes()).isEqualTo(command);
    assertThat(others.data()).doesNotContainKey(ScheduledVersions.KEY);
  }

  @Test
  void imagesThatTheSchedulerReturnsAreRemoved() {
    var forged =
        Map.<String, Object>of(
            "nodes",
            DECIDED.get("nodes"),
            ScheduledVersions.KEY,
            Map.of("web", Map.of("v1", Map.of("source", "/forged"))));

    var next = next(Schedule.Spec.NONE, forged, List.of(role(Map.of(), true)));

    assertThat(next.data()).doesNotContainKey(ScheduledVersions.KEY);
  }

  @Test
  void aVersionWhoseFileWasRemovedKeepsItsImage() {
    var before =
        next(Schedule.Spec.NONE, DECIDED, List.of(role(Map.of("v1", version("/1")), true)));

    assertThat(image(next(before, DECIDED, List.of(role(Map.of(), true))), "v1"))
        .isEqualTo(image(before, "v1"))
        .isPresent();
    assertThat(image(next(before, DECIDED, List.of()), "v1")).isEqualTo(image(before, "v1"));
    var plain = List.of(role(Map.of("v1", Map.of("image", "web-v1")), true));
    assertThat(image(next(before, DECIDED, plain), "v1")).isEmpty();
  }

  @Test
  void eachShareHasTheImageOfItsVersion() {
    var roles = List.of(role(Map.of("v1", version("/1"), "v2", Map.of()), true));
    var next = next(Schedule.Spec.NONE, DECIDED, roles);

    var writes =
        NodeSchedules.of(next, List.of("n1", "n2"), Optional.empty())
            .writes(List.of("n1", "n2"), List.of());

    assertThat(writes)
        .extracting(write -> ((NodeSchedule.Spec) write.resource().spec()).versions())
        .containsExactlyInAnyOrder(
            Map.of(
                "web", VersionSettings.ofImage(new VersionImage("/1", Optional.of("sha256:ab")))),
            Map.of());
  }

  @Test
  void eachShareHasThePoliciesOfItsVersion() {
    var metadata =
        Map.<String, Object>of(
            "update", Map.of("on-failure", "revert"), "start", Map.of("delay", "1m"));
    var next = next(Schedule.Spec.NONE, DECIDED, List.of(role(Map.of("v1", metadata), true)));

    var shares = NodeSchedules.of(next, List.of("n1"), Optional.empty());
    var spec = (NodeSchedule.Spec) shares.writes(List.of("n1"), List.of()).get(0).resource().spec();

    assertThat(spec.settings("web"))
        .isEqualTo(
            new VersionSettings(
                Optional.empty(),
                Optional.of(
                    new UpdatePolicy(
                        UpdatePolicy.OnFailure.REVERT,
                        UpdatePolicy.Prepare.UNPACK,
                        UpdatePolicy.Changes.LIVE)),
                Optional.of(new StartPolicy(60, Optional.empty()))));
    assertThat(shares.writes(List.of("n1"), List.of(Resource.of(NodeSchedule.KIND, "n1", spec))))
        .isEmpty();
  }
}
