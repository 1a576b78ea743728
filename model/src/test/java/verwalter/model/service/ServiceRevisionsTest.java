package verwalter.model.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import verwalter.model.RoleConfig;
import verwalter.model.ScheduledVersions;
import verwalter.model.VersionImage;
import verwalter.model.VersionMetadata;
import verwalter.model.json.DecodeException;
import verwalter.model.json.Json;

/** Tests the revisions of a service, and the way of its commands to a node. */
class ServiceRevisionsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final RoleConfig.Spec NONE =
      new RoleConfig.Spec(Map.of(), Map.of(), Optional.empty());

  private static ServiceFile file(String word) throws DecodeException {
    return ServiceFile.read(
        "processes: {web: {command: [x, %s], ports: {http: 80-90}, user: shop}}".formatted(word),
        "");
  }

  @Test
  void eachDistinctContentIsARevision() throws DecodeException {
    var one = ServiceRevisions.next(NONE, file("a"), NOW);
    assertThat(one.versions()).containsOnlyKeys("v1");
    var again = ServiceRevisions.next(one, file("a, # a comment\n"), NOW.plusSeconds(9));
    assertThat(again).isSameAs(one);
    var two = ServiceRevisions.next(one, file("b"), NOW.plusSeconds(9));
    assertThat(two.versions()).containsOnlyKeys("v1", "v2");
    assertThat(two.versions().get("v1")).isEqualTo(one.versions().get("v1"));
    assertThat(ServiceRevisions.next(two, file("a"), NOW).versions()).hasSize(3);
  }

  @Test
  void theLastTwentyAreKeptAndNumbersAreNotUsedAgain() throws DecodeException {
    var spec = NONE;
    for (int i = 0; i < 30; i++) {
      spec = ServiceRevisions.next(spec, file("w" + i), NOW);
    }
    assertThat(spec.versions()).hasSize(ServiceRevisions.KEPT).containsKeys("v11", "v30");
    var emptied = new RoleConfig.Spec(Map.of(), spec.settings(), Optional.empty());
    assertThat(ServiceRevisions.next(emptied, file("x"), NOW).versions()).containsOnlyKeys("v31");
  }

  @Test
  void commandsReachTheNodeByTheirVersionAndCannotBeForged() throws DecodeException {
    var spec = ServiceRevisions.next(NONE, file("a"), NOW);
    spec = ServiceRevisions.next(spec, file("b"), NOW);
    var versions = spec.versions();
    var variables =
        Map.<String, Object>of(
            "version",
            "v2",
            "daemons",
            Map.of(
                "web-0", Map.of("version", "v1", "daemon", "web"),
                "web-1", Map.of("version", "v2", "daemon", "web")),
            ScheduledServices.VARIABLE,
            Map.of("v1", Map.of("web", Map.of("command", List.of("forged")))));
    var data =
        ScheduledVersions.attached(
            Map.of("nodes", Map.of("n1", Map.of("roles", Map.of("web", variables)))),
            (role, version) -> VersionMetadata.of(versions.get(version)).settings());
    var roles = ScheduledServices.attached(Json.freeze(data), Map.of("web", variables));
    var its = roles.get("web");
    assertThat(ScheduledServices.command(its, "v1", "web").orElseThrow().arguments())
        .containsExactly("x", "a");
    assertThat(ScheduledServices.command(its, "v2", "web").orElseThrow().arguments())
        .containsExactly("x", "b");
    assertThat(ScheduledServices.command(its, "v3", "web")).isEmpty();
    var forged = ScheduledServices.attached(Map.of(), Map.of("web", variables));
    assertThat(ScheduledServices.isService(forged.get("web"))).isFalse();
  }

  @Test
  void imagesReachTheNodeByTheirVersionAndCannotBeForged() throws DecodeException {
    var text = "processes: {web: {command: [./x]}}\nimage: {url: /srv/%s}";
    var spec = ServiceRevisions.next(NONE, ServiceFile.read(text.formatted("one"), ""), NOW);
    spec = ServiceRevisions.next(spec, ServiceFile.read(text.formatted("two"), ""), NOW);
    var versions = spec.versions();
    var forged = Map.<String, Object>of("v1", Map.of("source", "/forged"));
    var variables =
        Map.<String, Object>of(
            "daemons",
            Map.of(
                "web-0", Map.of("version", "v1", "daemon", "web"),
                "web-1", Map.of("version", "v2", "daemon", "web")),
            ScheduledServices.IMAGES,
            forged,
            ServiceReleases.VARIABLE,
            Map.of("v1", Map.of("key", "k", "path", "/forged")));
    var data =
        ScheduledVersions.attached(
            Map.of("nodes", Map.of("n1", Map.of("roles", Map.of("web", variables)))),
            (role, version) -> VersionMetadata.of(versions.get(version)).settings());
    var its = ScheduledServices.attached(Json.freeze(data), Map.of("web", variables)).get("web");
    assertThat(ScheduledServices.images(its))
        .isEqualTo(
            Map.of(
                "v1", new VersionImage("/srv/one", Optional.empty()),
                "v2", new VersionImage("/srv/two", Optional.empty())));
    assertThat(ServiceReleases.of(its)).isEmpty();
    var none =
        ScheduledServices.attached(
                Map.of(), Map.of("web", Map.of(ScheduledServices.IMAGES, forged)))
            .get("web");
    assertThat(none).isEmpty();
  }

  private static ServiceSource source(String text) throws DecodeException {
    var file =
        ServiceFile.read(
            "processes: {web: {command: [./x]}}\nfiles: [{template: a.j2, to: a}]", "");
    return new ServiceSource(file, Map.of("a.j2", text));
  }

  @Test
  void aChangedTemplateIsARevisionAndItsTextReachesTheNode() throws DecodeException {
    var one = ServiceRevisions.next(NONE, source("one"), 0, NOW);
    assertThat(ServiceRevisions.next(one, source("one"), 0, NOW)).isSameAs(one);
    var versions = ServiceRevisions.next(one, source("two"), 0, NOW).versions();
    assertThat(versions).containsOnlyKeys("v1", "v2");
    var variables =
        Map.<String, Object>of(
            "daemons", Map.of("web-0", Map.of("version", "v1", "daemon", "web")));
    var data =
        ScheduledVersions.attached(
            Map.of("nodes", Map.of("n1", Map.of("roles", Map.of("web", variables)))),
            (role, version) -> VersionMetadata.of(versions.get(version)).settings());
    var its = ScheduledServices.attached(Json.freeze(data), Map.of("web", variables)).get("web");
    assertThat(RenderedFile.of(its, "v1")).containsExactly(new RenderedFile("a", "a.j2", "one"));
    assertThat(RenderedFile.of(its, "v2")).isEmpty();
  }

  @Test
  void largeRevisionsAreFewer() throws DecodeException {
    var spec = NONE;
    for (int i = 0; i < 25; i++) {
      spec = ServiceRevisions.next(spec, source(i + "x".repeat(ServiceSource.MOST_TEXT)), 0, NOW);
    }
    assertThat(spec.versions()).hasSize(11).containsKey("v25");
  }

  @Test
  void revisionsThatRunAreKept() throws DecodeException {
    var small = ServiceRevisions.next(NONE, source("one"), 0, NOW);
    var large = small;
    for (int i = 0; i < 25; i++) {
      small = ServiceRevisions.next(small, source("a" + i), 0, Set.of("v1", "v3"), NOW);
      var text = i + "x".repeat(ServiceSource.MOST_TEXT);
      large = ServiceRevisions.next(large, source(text), 0, Set.of("v1", "v3"), NOW);
    }
    assertThat(small.versions()).hasSize(ServiceRevisions.KEPT).containsKeys("v1", "v3", "v26");
    assertThat(large.versions())
        .hasSizeLessThan(ServiceRevisions.KEPT)
        .containsKeys("v1", "v3", "v26");
  }

  @Test
  void aRestartIsARevisionWithTheSameContent() throws Exception {
    var one = ServiceRevisions.next(NONE, file("a"), NOW);
    var two = ServiceRevisions.next(one, file("a"), 1, NOW);
    assertThat(two.versions()).containsOnlyKeys("v1", "v2");
    assertThat(two.versions().get("v2").toString()).contains("VERWALTER_RESTART=1");
    assertThat(ServiceRevisions.next(two, file("a"), 1, NOW)).isEqualTo(two);
    assertThat(ServiceRevisions.next(two, file("a"), NOW)).isEqualTo(two);
    var three = ServiceRevisions.next(two, file("b"), 1, NOW);
    assertThat(three.versions().get("v3").toString()).contains("VERWALTER_RESTART=1");
    assertThat(ServiceRevisions.next(NONE, file("a"), 7, NOW)).isEqualTo(one);
  }
}
