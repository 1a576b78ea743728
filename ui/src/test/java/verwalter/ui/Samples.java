package verwalter.ui;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
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
import verwalter.model.JoinToken;
import verwalter.model.Metadata;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessSpec;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.RoleConfig;
import verwalter.model.RoleInstance;
import verwalter.model.Rollout;
import verwalter.model.Schedule;
import verwalter.model.SchedulerCode;
import verwalter.model.TemplateOutput;
import verwalter.stores.api.ObjectStore;

/** The objects of a small shop on three nodes. */
final class Samples {
  private static final AtomicInteger EVENTS = new AtomicInteger();

  static void fill(ObjectStore store, Instant now) {
    for (var name : List.of("alpha", "beta", "gamma")) {
      store.put(node(name, now, !name.equals("gamma")));
    }
    store.put(role("shop-web", now, "v1.4.2", "v1.5.0"));
    store.put(role("shop-worker", now, "v0.9.1"));
    store.put(brokenRole("reports", now));
    var data = schedule();
    store.put(
        new Resource<>(
            Schedule.KIND,
            Metadata.named(Schedule.CURRENT),
            Schedule.Spec.of(
                data, List.of(), "77985419c732412ea38b94db00000001", now.minusSeconds(754)),
            Optional.of(
                new Schedule.Status(
                    1,
                    3,
                    2,
                    "",
                    List.of(
                        new Condition(
                            "Decided",
                            Condition.Truth.TRUE,
                            "Decided",
                            "",
                            1,
                            now.minusSeconds(754)))))));
    for (var node : List.of("alpha", "beta", "gamma")) {
      store.put(share(node, now));
    }
    instance(
        store,
        "shop-web",
        "alpha",
        RoleInstance.State.RUNNING,
        2,
        2,
        0,
        "2 of 2 processes run",
        now);
    instance(
        store,
        "shop-web",
        "beta",
        RoleInstance.State.BOOTING,
        2,
        1,
        1,
        "waiting for shop-web/web.1",
        now);
    instance(
        store,
        "shop-worker",
        "alpha",
        RoleInstance.State.BROKEN,
        1,
        0,
        17,
        "shop-worker/worker.0 exits with code 1 after 2 s; next start in 12 s",
        now);
    instance(
        store,
        "shop-worker",
        "gamma",
        RoleInstance.State.RENDERING,
        0,
        0,
        0,
        "worker.yaml.j2:14: 'queue_url' is undefined",
        now);
    deployment(store, now);
    instance(store, "reports", "gamma", RoleInstance.State.HALTED, 0, 0, 0, "", now);
    store.put(
        Resource.of(
                Action.KIND,
                "1769860800000",
                new Action.Spec(
                    Map.of("button", Map.of("role", "shop-web", "action", "pause")),
                    now.minusSeconds(40)))
            .withStatus(
                new Action.Status(
                    1,
                    Action.State.DONE,
                    "77985419c732412ea38b94db00000001",
                    Optional.empty(),
                    "",
                    now.minusSeconds(39))));
    store.put(
        Resource.of(
                Rollout.KIND,
                Rollout.name("shop", 2),
                new Rollout.Spec(
                    "shop",
                    2,
                    Optional.of("v1"),
                    "v2",
                    "file roles/shop.yaml",
                    now.minusSeconds(40)))
            .withStatus(
                new Rollout.Status(
                    1,
                    List.of("one_by_one"),
                    Optional.of("one_by_one 1 of 3"),
                    1,
                    3,
                    Map.of("alpha", new Rollout.OnNode(1, 3)),
                    false,
                    "web-1 on alpha does not run yet",
                    Optional.of(now.plusSeconds(280)),
                    Optional.empty(),
                    "",
                    Optional.empty(),
                    "1 of 3 processes run v2; waiting: web-1 on alpha does not run yet")));
    store.put(
        Resource.of(Configuration.KIND, Configuration.CURRENT, Configuration.Spec.NONE)
            .withStatus(
                new Configuration.Status(
                    1, "alpha", "00ff00ff00ff", Map.of(), "9f86d0819f86", 1, List.of())));
    store.put(
        Resource.of(SchedulerCode.KIND, "9f86d0819f86.0", new SchedulerCode.Spec("H4sIAA==")));
    store.put(
        Resource.of(
            JoinToken.KIND,
            "k3m9q2x7ab",
            new JoinToken.Spec(
                JoinToken.Purpose.NODE, Optional.empty(), "9f86d081", 3, now, "tim")));
    store.put(Resource.of(ClusterConfig.KIND, ClusterConfig.NAME, ClusterConfig.Spec.DEFAULT));
    store.put(
        Resource.of(
            AuthorityChange.KIND,
            AuthorityChange.CURRENT,
            new AuthorityChange.Spec(false, List.of())));
    store.put(
        Resource.of(
            AccessRule.KIND,
            "shop-team",
            new AccessRule.Spec(
                List.of(new AccessRule.Subject(AccessRule.SubjectKind.GROUP, "shop")),
                AccessRule.Grant.OPERATOR,
                List.of(),
                List.of(),
                List.of("shop-*"))));
    store.put(
        Resource.of(
            AccessToken.KIND,
            "ada-laptop",
            new AccessToken.Spec("ada", List.of("shop"), "9f86d081", now.plusSeconds(3600))));
    event(
        store,
        "RoleInstance",
        "shop-worker@alpha",
        Event.Type.WARNING,
        "ProcessExited",
        "shop-worker/worker.0 ended with code 1 after 2 s",
        17,
        now.minusSeconds(9));
    event(
        store,
        "RoleInstance",
        "shop-web@alpha",
        Event.Type.NORMAL,
        "Rendered",
        "3 files, 1 process file; nothing else changed",
        1,
        now.minusSeconds(300));
    event(
        store,
        "Schedule",
        "current",
        Event.Type.NORMAL,
        "Scheduled",
        "decided for 3 nodes in 14 ms",
        1,
        now.minusSeconds(754));
  }

  static Map<String, Object> schedule() {
    return Map.of(
        "roles",
        Map.of("shop-web", Map.of("version", "v1.5.0"), "shop-worker", Map.of("version", "v0.9.1")),
        "nodes",
        Map.of(
            "alpha",
                Map.of(
                    "roles",
                    Map.of("shop-web", Map.of("daemons", Map.of("web", Map.of("instances", 2L))))),
            "beta",
                Map.of(
                    "roles",
                    Map.of(
                        "shop-web", Map.of("daemons", Map.of("web", Map.of("instances", 2L)))))));
  }

  static Resource<Node.Spec, Node.Status> node(String name, Instant now, boolean ready) {
    var condition =
        ready
            ? new Condition("Ready", Condition.Truth.TRUE, "AgentReports", "", 1, now)
            : new Condition(
                "Ready", Condition.Truth.FALSE, "AgentSilent", "not heard of for 40 s", 1, now);
    var labels = Map.of("zone", name.equals("alpha") ? "a" : "b");
    return new Resource<>(
        Node.KIND,
        Metadata.named(name).withLabels(labels),
        new Node.Spec(name.equals("beta")),
        Optional.of(
            new Node.Status(
                1,
                List.of("10.0.0." + name.length() + ":8379"),
                Map.of(
                    "os",
                    "Debian GNU/Linux 12",
                    "kernel",
                    "6.1.0-18-amd64",
                    "arch",
                    "amd64",
                    "agentVersion",
                    "0.1.0"),
                new Node.Capacity(8, 16L << 30),
                Optional.of("3f1c9a0be2"),
                new Node.Roles(3, ready ? 3 : 1, ready ? 0 : 2),
                List.of(condition))));
  }

  static Resource<RoleConfig.Spec, RoleConfig.Status> role(
      String name, Instant now, String... versions) {
    var runtime = new java.util.TreeMap<String, Object>();
    for (var version : versions) {
      runtime.put(version, Map.of("daemons", Map.of()));
    }
    return new Resource<>(
        RoleConfig.KIND,
        Metadata.named(name),
        RoleConfig.Spec.of(runtime),
        Optional.of(
            new RoleConfig.Status(
                1,
                List.of(versions),
                List.of(new Condition("Read", Condition.Truth.TRUE, "FilesRead", "", 1, now)))));
  }

  private static Resource<RoleConfig.Spec, RoleConfig.Status> brokenRole(String name, Instant now) {
    return new Resource<>(
        RoleConfig.KIND,
        Metadata.named(name),
        new RoleConfig.Spec(Map.of(), Map.of(), Optional.empty()),
        Optional.of(
            new RoleConfig.Status(
                1,
                List.of(),
                List.of(
                    new Condition(
                        "Read",
                        Condition.Truth.FALSE,
                        "BadYaml",
                        "runtime/reports/v1.yaml:7: a mapping was expected",
                        1,
                        now)))));
  }

  private static Resource<NodeSchedule.Spec, NodeSchedule.Status> share(String node, Instant now) {
    return new Resource<>(
        NodeSchedule.KIND,
        Metadata.named(node),
        new NodeSchedule.Spec("3f1c9a0be2", Map.of("shop-web", Map.of("version", "v1.5.0"))),
        Optional.of(
            new NodeSchedule.Status(
                1,
                Optional.of("3f1c9a0be2"),
                Map.of("shop-web", RoleInstance.State.RUNNING),
                List.of(new Condition("Applied", Condition.Truth.TRUE, "AllRoles", "", 1, now)))));
  }

  /** A version that a node downloads. */
  private static void deployment(ObjectStore store, Instant now) {
    var digest = "sha256:" + "5e".repeat(32);
    var spec =
        new DeploymentRef.Spec(
            "shop-web",
            "beta",
            "v1.5.0",
            "main",
            2,
            0,
            "https://files.example.org/shop-web-v1.5.0.tar.zst",
            Optional.of(digest),
            true);
    store.put(
        Resource.of(DeploymentRef.KIND, DeploymentRef.name(spec), spec)
            .withStatus(
                new DeploymentRef.Status(
                    1,
                    DeploymentRef.State.DOWNLOADING,
                    Optional.of(digest),
                    7_800_000,
                    Optional.of(31_000_000L),
                    Optional.empty(),
                    new DeploymentRef.Attempts(0, 1, 0, 0, 0),
                    Optional.of(now.plusSeconds(5)),
                    "cannot download the archive: the connection ended after 7800000 bytes",
                    List.of(
                        new Condition(
                            "Prepared", Condition.Truth.FALSE, "ConnectionLost", "", 1, now)))));
    store.put(
        Resource.of(Artifact.KIND, Artifact.name(digest, "beta"), new Artifact.Spec("beta", digest))
            .withStatus(
                new Artifact.Status(
                    1,
                    Artifact.State.DOWNLOADING,
                    Optional.of(31_000_000L),
                    7_800_000,
                    List.of(DeploymentRef.name(spec)),
                    1,
                    "cannot download the archive: the connection ended after 7800000 bytes")));
  }

  private static void instance(
      ObjectStore store,
      String role,
      String node,
      RoleInstance.State state,
      int desired,
      int running,
      long restarts,
      String reason,
      Instant now) {
    Map<String, Object> variables = Map.of("version", "v1.5.0", "workers", 4L);
    var failing =
        state == RoleInstance.State.RENDERING
            ? List.of(
                new Condition("Rendered", Condition.Truth.FALSE, "TemplateFailed", reason, 1, now))
            : List.<Condition>of();
    store.put(
        new Resource<>(
            RoleInstance.KIND,
            Metadata.named(RoleInstance.name(role, node)).withLabels(Map.of("node", node)),
            new RoleInstance.Spec(role, node, role, Optional.of("v1.5.0"), variables),
            Optional.of(
                new RoleInstance.Status(
                    1,
                    state,
                    desired,
                    running,
                    restarts,
                    now.minusSeconds(400),
                    reason,
                    failing))));
    store.put(
        new Resource<>(
            TemplateOutput.KIND,
            Metadata.named(RoleInstance.name(role, node)),
            new TemplateOutput.Spec(role, node, role, variables),
            Optional.of(
                TemplateOutput.Status.of(
                    1,
                    Optional.of("aZ09aZ09aZ09aZ09aZ09aZ09"),
                    "ab12",
                    List.of(new TemplateOutput.File("/etc/" + role + ".conf", "00ff", "0644", 812)),
                    List.of(),
                    failing.isEmpty()
                        ? List.of(
                            new Condition("Rendered", Condition.Truth.TRUE, "Written", "", 1, now))
                        : failing))));
    if (desired > 0) {
      store.put(group(role, node, desired, running, restarts, now));
    }
  }

  static Resource<ProcessGroup.Spec, ProcessGroup.Status> group(
      String role, String node, int desired, int running, long restarts, Instant now) {
    var slots = new java.util.ArrayList<ProcessGroup.Slot>();
    for (int i = 0; i < desired; i++) {
      boolean runs = i < running;
      slots.add(
          new ProcessGroup.Slot(
              role + "/web." + i,
              runs ? ProcessGroup.State.RUNNING : ProcessGroup.State.WAITING,
              role + "-v1.5.0",
              runs ? Optional.of(4711L + i) : Optional.empty(),
              runs ? Optional.of(now.minusSeconds(3600L * (i + 1))) : Optional.empty(),
              runs ? 0 : restarts,
              0,
              runs
                  ? Optional.empty()
                  : Optional.of(
                      new ProcessGroup.Exit(
                          Optional.of(1), Optional.empty(), now.minusSeconds(9), true)),
              runs ? Optional.empty() : Optional.of(now.plusSeconds(12)),
              runs ? "" : "starts again in 12 s",
              List.of(),
              List.of()));
    }
    return new Resource<>(
        ProcessGroup.KIND,
        Metadata.named(ProcessGroup.name(role, node)),
        new ProcessGroup.Spec(
            role,
            node,
            role,
            Map.of(
                "web",
                ProcessSpec.ofImage(
                    ProcessSpec.Type.DAEMON,
                    role + "-v1.5.0",
                    "/lithos/web.yaml",
                    desired,
                    Map.of(),
                    List.of(),
                    List.of()))),
        Optional.of(new ProcessGroup.Status(1, desired, running, slots, List.of())));
  }

  static void event(
      ObjectStore store,
      String kind,
      String name,
      Event.Type type,
      String reason,
      String message,
      long count,
      Instant last) {
    store.put(
        Resource.of(
            Event.KIND,
            "e" + EVENTS.incrementAndGet() + "." + name,
            new Event.Spec(
                new ResourceKey(kind, name),
                type,
                reason,
                message,
                count,
                last.minusSeconds(60),
                last,
                "demo")));
  }

  private Samples() {}
}
