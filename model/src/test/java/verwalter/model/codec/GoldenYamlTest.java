package verwalter.model.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import verwalter.model.AccessRule;
import verwalter.model.AccessToken;
import verwalter.model.Action;
import verwalter.model.Artifact;
import verwalter.model.AuthorityChange;
import verwalter.model.ClusterConfig;
import verwalter.model.Condition;
import verwalter.model.Configuration;
import verwalter.model.DeploymentRef;
import verwalter.model.Event;
import verwalter.model.FailedVersion;
import verwalter.model.InstanceError;
import verwalter.model.JoinToken;
import verwalter.model.Kinds;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessSpec;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.RoleInstance;
import verwalter.model.Rollout;
import verwalter.model.Schedule;
import verwalter.model.SchedulerCode;
import verwalter.model.StartGrant;
import verwalter.model.StartPolicy;
import verwalter.model.TemplateOutput;
import verwalter.model.UpdatePolicy;
import verwalter.model.VersionImage;
import verwalter.model.VersionSettings;
import verwalter.model.json.Json;

/** One object of each kind as YAML: {@code golden/<Kind>.yaml} beside this class. */
class GoldenYamlTest {
  private static final Instant THEN = Instant.parse("2026-01-31T12:00:00Z");
  private static final VersionSettings SETTINGS =
      new VersionSettings(
          Optional.of(new VersionImage("https://files/shop.tar.gz", Optional.of("sha256:9f86"))),
          Optional.of(
              new UpdatePolicy(
                  UpdatePolicy.OnFailure.REVERT,
                  UpdatePolicy.Prepare.UNPACK,
                  UpdatePolicy.Changes.STAGED)),
          Optional.of(new StartPolicy(60, Optional.of(2_000_000_000L))));
  private static final Map<String, ProcessSpec> PROCESSES =
      Map.of(
          "web",
          ProcessSpec.ofImage(
              ProcessSpec.Type.DAEMON,
              "shop-v1.2",
              "/config/web.yaml",
              2,
              Map.of("PORT", "8080", "DEBUG", "no"),
              List.of("10.0.0.1"),
              List.of()));

  static List<Resource<?, ?>> objects() {
    return List.of(
        node(),
        roleConfig(),
        rollout(),
        configuration(),
        schedulerCode(),
        schedule(),
        nodeSchedule(),
        roleInstance(),
        templateOutput(),
        processGroup(),
        deploymentRef(),
        artifact(),
        action(),
        event(),
        joinToken(),
        authorityChange(),
        accessRule(),
        accessToken(),
        clusterConfig());
  }

  @ParameterizedTest
  @MethodSource("objects")
  void theYamlOfEachKindDoesNotChange(Resource<?, ?> object) throws Exception {
    assertThat(Codec.yaml(object)).isEqualTo(golden(object.getKind()));
  }

  @ParameterizedTest
  @MethodSource("objects")
  void readsBack(Resource<?, ?> object) throws Exception {
    var file = object.getKind() + ".yaml";
    assertThat(Codec.read(golden(object.getKind()), file)).isEqualTo(List.of(object));
  }

  @Test
  void thereIsAnExampleOfEachKind() {
    assertThat(objects().stream().<Object>map(Resource::type).toList()).isEqualTo(Kinds.ALL);
  }

  private static String golden(String kind) throws IOException {
    try (var in = GoldenYamlTest.class.getResourceAsStream("golden/" + kind + ".yaml")) {
      return in == null ? "" : new String(in.readAllBytes(), UTF_8);
    }
  }

  private static final String DIGEST = "sha256:" + "0123456789abcdef".repeat(4);

  private static List<Condition> ready(String type) {
    return List.of(
        new Condition(type, Condition.Truth.TRUE, "AllDone", "everything is as wanted", 1, THEN));
  }

  private static Resource<?, ?> node() {
    var node =
        Resource.of(Node.KIND, "alpha", new Node.Spec(true))
            .withStatus(
                new Node.Status(
                    2,
                    List.of("10.0.0.1:8379", "[fd00::1]:8379"),
                    Map.of("os", "Debian GNU/Linux 12 (bookworm)"),
                    new Node.Capacity(8, 16_000_000_000L),
                    Optional.of("bf21a9e8fbc5a3846fb05b4fa0859e0917b2202f"),
                    new Node.Roles(3, 2, 1),
                    ready("Ready")));
    return node.withMeta(
        node.meta()
            .withLabels(Map.of("zone", "a", "rack", "12", "spare", "yes"))
            .withAnnotations(Map.of("note", "first line\nsecond line\n"))
            .withFinalizers(List.of("verwalter.io/x"))
            .committed("uid-1", 41, 2, Optional.of(THEN), Optional.of(THEN.plusMillis(1500))));
  }

  private static Resource<?, ?> roleConfig() {
    return Resource.of(
            RoleConfig.KIND,
            "shop",
            RoleConfig.Spec.of(
                Map.of(
                    "v1.2",
                    Map.of(
                        "processes", Map.of("web", Json.sorted(Map.of("image", "w2", "n", 1.0)))))))
        .withStatus(new RoleConfig.Status(1, List.of("v1.2"), ready("Read")));
  }

  private static Resource<?, ?> rollout() {
    return Resource.of(
            Rollout.KIND,
            Rollout.name("shop", 3),
            new Rollout.Spec("shop", 3, Optional.of("v1.1"), "v1.2", "file roles/shop.yaml", THEN))
        .withStatus(
            new Rollout.Status(
                1,
                List.of("one_by_one"),
                Optional.of("one_by_one 1 of 2"),
                1,
                2,
                Map.of("alpha", new Rollout.OnNode(1, 2)),
                false,
                "web-1 on alpha does not run yet",
                Optional.of(THEN.plusSeconds(300)),
                Optional.empty(),
                "",
                Optional.empty(),
                "1 of 2 processes run v1.2; waiting: web-1 on alpha does not run yet"));
  }

  private static Resource<?, ?> configuration() {
    return Resource.of(
            Configuration.KIND,
            Configuration.CURRENT,
            new Configuration.Spec(
                Optional.of(new Configuration.Accepted("beta", "00ff00ff", "9f86d081"))))
        .withStatus(
            new Configuration.Status(
                1,
                "alpha",
                "9f86d081",
                Map.of("runtime/shop", "2c26b46b"),
                "bf21a9e8",
                1,
                ready("ConfigInForce")));
  }

  private static Resource<?, ?> schedulerCode() {
    return Resource.of(
        SchedulerCode.KIND, SchedulerCode.name("bf21a9e8", 0), new SchedulerCode.Spec("H4sIAA=="));
  }

  private static Resource<?, ?> schedule() {
    return Resource.of(
            Schedule.KIND,
            Schedule.CURRENT,
            Schedule.Spec.of(
                Map.of(
                    "roles", Map.of("shop", Json.sorted(Map.of("big", 1e21, "empty", List.of())))),
                List.of("bf21a9e8fbc5a3846fb05b4fa0859e0917b2202f"),
                "77985419c732412ea38b94db00000001",
                THEN))
        .withStatus(new Schedule.Status(1, 3, 2, "", ready("Applied")));
  }

  private static Resource<?, ?> nodeSchedule() {
    return Resource.of(
            NodeSchedule.KIND,
            "alpha",
            new NodeSchedule.Spec(
                "123e4567",
                Map.of("shop", Map.of("template", "shop/v1")),
                Map.of("shop", SETTINGS)))
        .withStatus(
            new NodeSchedule.Status(
                1,
                Optional.of("123e4567"),
                Map.of("shop", RoleInstance.State.RUNNING),
                ready("Applied")));
  }

  private static Resource<?, ?> roleInstance() {
    return Resource.of(
            RoleInstance.KIND,
            RoleInstance.name("shop", "alpha"),
            new RoleInstance.Spec(
                    "shop", "alpha", "shop/v1", Optional.of("v1.2"), Map.of("port", 8080L))
                .withRelease(
                    Optional.of(new RoleInstance.WantedRelease(SETTINGS.image().orElseThrow(), 3)))
                .withPolicies(SETTINGS))
        .withStatus(
            new RoleInstance.Status(
                1,
                RoleInstance.State.BROKEN,
                2,
                1,
                7,
                THEN,
                "web.1: exit code 1",
                ready("Rendered"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(
                    new StartGrant(
                        Optional.of(2_000_000_000L),
                        List.of("v1.2"),
                        Optional.of(THEN),
                        Optional.of("b1946ac9"))),
                Optional.of(
                    new FailedVersion(
                        Optional.of("v1.2"),
                        Optional.of("shop@v1.2@main@g3.l0@alpha"),
                        "web.1: exit code 1",
                        THEN,
                        Optional.of(4L),
                        new TemplateOutput.Next("shop/v1", Map.of("port", 80L), Optional.empty()))),
                Optional.of(
                    new InstanceError(
                        "web.1: exit code 1",
                        InstanceError.Retry.AFTER_DELAY,
                        Optional.of(THEN)))));
  }

  private static Resource<?, ?> templateOutput() {
    return Resource.of(
            TemplateOutput.KIND,
            RoleInstance.name("shop", "alpha"),
            new TemplateOutput.Spec("shop", "alpha", "shop/v1", Map.of()))
        .withStatus(
            new TemplateOutput.Status(
                1,
                Optional.of("20260131120000"),
                "9f86d081",
                List.of(
                    new TemplateOutput.File(
                        "/etc/nginx/shop.conf", "9f86d081", "0644", 120, Optional.of("0:0"))),
                List.of(new TemplateOutput.ProcessFile("shop", PROCESSES)),
                List.of(new TemplateOutput.Release("20260131120000", THEN, "9f86d081")),
                Optional.of(new TemplateOutput.Held("5e884898", List.of("list: 9 to 2"))),
                Optional.of(
                    new TemplateOutput.Drift(
                        THEN,
                        true,
                        List.of(
                            new TemplateOutput.Changed(
                                "/etc/nginx/shop.conf",
                                "has other content",
                                Optional.of("2c26b46b"),
                                Optional.of("0644"),
                                Optional.of("1000:0"),
                                Optional.of("@@ -1,1 +1,1 @@\n-a\n+b\n"))))),
                ready("Rendered")));
  }

  private static Resource<?, ?> processGroup() {
    return Resource.of(
            ProcessGroup.KIND,
            ProcessGroup.name("shop", "alpha"),
            new ProcessGroup.Spec("shop", "alpha", "shop", PROCESSES))
        .withStatus(
            new ProcessGroup.Status(
                1,
                2,
                1,
                List.of(
                    new ProcessGroup.Slot(
                        "shop/web.0",
                        ProcessGroup.State.RUNNING,
                        "shop-v1.2",
                        Optional.of(4711L),
                        Optional.of(THEN),
                        1,
                        2,
                        Optional.of(
                            new ProcessGroup.Exit(Optional.of(1), Optional.empty(), THEN, true)),
                        Optional.empty(),
                        "",
                        List.of("memory limit is left out"),
                        List.of(4712L))),
                ready("Running")));
  }

  private static Resource<?, ?> deploymentRef() {
    var spec =
        new DeploymentRef.Spec(
            "shop",
            "alpha",
            "v1.2",
            "main",
            2,
            1,
            "https://files.example.org/shop-v1.2.tar.gz",
            Optional.of(DIGEST),
            true,
            Optional.of(3L));
    return Resource.of(DeploymentRef.KIND, DeploymentRef.name(spec), spec)
        .withStatus(
            new DeploymentRef.Status(
                1,
                DeploymentRef.State.DOWNLOADING,
                Optional.of(DIGEST),
                1_000_000,
                Optional.of(31_000_000L),
                Optional.of("/var/lib/verwalter/releases/shop"),
                new DeploymentRef.Attempts(1, 2, 3, 4, 5),
                Optional.of(THEN),
                "cannot download the archive: 404",
                ready("Prepared"),
                Optional.of(2L)));
  }

  private static Resource<?, ?> artifact() {
    return Resource.of(
            Artifact.KIND, Artifact.name(DIGEST, "alpha"), new Artifact.Spec("alpha", DIGEST))
        .withStatus(
            new Artifact.Status(
                1,
                Artifact.State.DOWNLOADING,
                Optional.of(31_000_000L),
                1_000_000,
                List.of("shop@v1.2@main@g2.l1@alpha"),
                2,
                "cannot download the archive: 404"));
  }

  private static Resource<?, ?> action() {
    return Resource.of(
            Action.KIND,
            "1769860800000",
            new Action.Spec(Map.of("button", Map.of("action", "pause")), THEN))
        .withStatus(
            new Action.Status(
                1,
                Action.State.DONE,
                "da39a3ee5e6b4b0d3255bfef95601890afd80709",
                Optional.of("paused"),
                "",
                THEN.plusSeconds(5)));
  }

  private static Resource<?, ?> event() {
    return Resource.of(
        Event.KIND,
        "alpha.1",
        new Event.Spec(
            Node.KIND.key("alpha"),
            Event.Type.WARNING,
            "Silent",
            "no word since 12:00: is it down?",
            3,
            THEN,
            THEN.plusSeconds(60),
            "membership"));
  }

  private static Resource<?, ?> joinToken() {
    return Resource.of(
            JoinToken.KIND,
            "k3m9q2x7ab",
            new JoinToken.Spec(
                JoinToken.Purpose.NODE, Optional.of("beta"), "9f86d081", 3, THEN, "tim"))
        .withStatus(
            new JoinToken.Status(
                1, 1, List.of(new JoinToken.Use("beta", "00ff", "2c26b46b", THEN.plusSeconds(9)))));
  }

  private static Resource<?, ?> authorityChange() {
    return Resource.of(
            AuthorityChange.KIND,
            AuthorityChange.CURRENT,
            new AuthorityChange.Spec(false, List.of("gamma")))
        .withStatus(
            new AuthorityChange.Status(
                1,
                AuthorityChange.Phase.RENEW,
                "PEM of the old one",
                "PEM of the new one",
                false,
                List.of(new AuthorityChange.Waiting("beta", "renews its certificate"))));
  }

  private static Resource<?, ?> accessRule() {
    return Resource.of(
        AccessRule.KIND,
        "shop-team",
        new AccessRule.Spec(
            List.of(
                new AccessRule.Subject(AccessRule.SubjectKind.GROUP, "shop"),
                new AccessRule.Subject(AccessRule.SubjectKind.USER, "ada")),
            AccessRule.Grant.OPERATOR,
            List.of("RoleConfig", "Action"),
            List.of("get", "patch", "create"),
            List.of("shop", "shop-*")));
  }

  private static Resource<?, ?> accessToken() {
    return Resource.of(
        AccessToken.KIND,
        "ada-laptop",
        new AccessToken.Spec("ada", List.of("shop"), "9f86d081", THEN));
  }

  private static Resource<?, ?> clusterConfig() {
    return Resource.of(ClusterConfig.KIND, ClusterConfig.NAME, new ClusterConfig.Spec(5, 900))
        .withStatus(
            new ClusterConfig.Status(
                1, List.of(new ClusterConfig.Removal("beta", Optional.of("uid-2"), THEN))));
  }
}
