package verwalter.stores.api;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.AccessRule;
import verwalter.model.AccessToken;
import verwalter.model.Action;
import verwalter.model.Artifact;
import verwalter.model.AuthorityChange;
import verwalter.model.ClusterConfig;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Configuration;
import verwalter.model.DeploymentRef;
import verwalter.model.Event;
import verwalter.model.JoinToken;
import verwalter.model.Kind;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.OwnerReference;
import verwalter.model.ProcessGroup;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.RoleConfig;
import verwalter.model.RoleInstance;
import verwalter.model.Rollout;
import verwalter.model.Schedule;
import verwalter.model.SchedulerCode;
import verwalter.model.TemplateOutput;

/** An object of each kind on node {@code n1}, and writes that change parts of it. */
final class Changes {
  static final String FINALIZER = "verwalter.io/x";
  private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");

  /** A part of an object. */
  enum Part {
    CREATE,
    SPEC,
    OWNERS,
    LABELS,
    SET_ANNOTATION,
    DROP_ANNOTATION,
    DROP_OWN_ANNOTATION,
    CONTROLLER_FINALIZER,
    OTHER_FINALIZER,
    STATUS,
    CONDITION,
    REMOVE
  }

  /** The present object. */
  static Resource<?, ?> present(Kind<?, ?> kind) {
    var object = fresh(kind);
    return object.withMeta(
        object
            .meta()
            .withVersion(7)
            .withAnnotations(Map.of("team", "a", "verwalter.io/allow", "1"))
            .withLabels(Map.of("a", "b")));
  }

  private static Resource<?, ?> fresh(Kind<?, ?> kind) {
    return switch (kind.name()) {
      case "Node" -> Resource.of(Node.KIND, "n1", new Node.Spec(false)).withStatus(node("ready"));
      case "RoleConfig" ->
          Resource.of(
                  RoleConfig.KIND,
                  "web",
                  new RoleConfig.Spec(Map.of(), Map.of(), Optional.of("first")))
              .withStatus(role("v1", "fine"));
      case "Rollout" ->
          Resource.of(Rollout.KIND, "web.1", rollout("v1")).withStatus(progress("first"));
      case "Schedule" ->
          Resource.of(Schedule.KIND, Schedule.CURRENT, Schedule.Spec.NONE)
              .withStatus(new Schedule.Status(1, 1, 0, "", List.of()));
      case "NodeSchedule" ->
          Resource.of(NodeSchedule.KIND, "n1", new NodeSchedule.Spec("a", Map.of()))
              .withStatus(new NodeSchedule.Status(1, Optional.empty(), Map.of(), List.of()));
      case "RoleInstance" ->
          Resource.of(RoleInstance.KIND, "web@n1", instance("t"))
              .withStatus(
                  new RoleInstance.Status(
                      1, RoleInstance.State.INITIAL, 0, 0, 0, NOW, "", List.of()));
      case "TemplateOutput" ->
          Resource.of(
                  TemplateOutput.KIND,
                  "web@n1",
                  new TemplateOutput.Spec("web", "n1", "t", Map.of()))
              .withStatus(
                  TemplateOutput.Status.of(
                      1, Optional.empty(), "", List.of(), List.of(), List.of()));
      case "ProcessGroup" ->
          Resource.of(
                  ProcessGroup.KIND, "web@n1", new ProcessGroup.Spec("web", "n1", "web", Map.of()))
              .withStatus(new ProcessGroup.Status(1, 0, 0, List.of(), List.of()));
      case "DeploymentRef" ->
          Resource.of(DeploymentRef.KIND, "web@1@main@g1.l0@n1", ref("/a.tar"))
              .withStatus(DeploymentRef.Status.INITIAL);
      case "Artifact" ->
          Resource.of(Artifact.KIND, "1@n1", new Artifact.Spec("n1", "sha256:1"))
              .withStatus(artifact(0));
      case "Action" ->
          Resource.of(Action.KIND, "1", new Action.Spec("restart", NOW))
              .withStatus(action("first"));
      case "Configuration" ->
          Resource.of(Configuration.KIND, Configuration.CURRENT, Configuration.Spec.NONE)
              .withStatus(configuration("a"));
      case "SchedulerCode" -> Resource.of(SchedulerCode.KIND, "a.0", new SchedulerCode.Spec("a"));
      case "Event" -> Resource.of(Event.KIND, "e1", event(1));
      case "JoinToken" ->
          Resource.of(JoinToken.KIND, "t1", joinToken("a")).withStatus(JoinToken.Status.UNUSED);
      case "AuthorityChange" ->
          Resource.of(AuthorityChange.KIND, "current", new AuthorityChange.Spec(false, List.of()))
              .withStatus(authority("first"));
      case "AccessRule" -> Resource.of(AccessRule.KIND, "team", rule(AccessRule.Grant.VIEWER));
      case "AccessToken" -> Resource.of(AccessToken.KIND, "ada", token("a"));
      case "ClusterConfig" ->
          Resource.of(ClusterConfig.KIND, "c1", ClusterConfig.Spec.DEFAULT)
              .withStatus(ClusterConfig.Status.NONE_REMOVED);
      default -> throw new IllegalArgumentException(kind.name());
    };
  }

  private static Node.Status node(String ready) {
    return new Node.Status(
        1,
        List.of(),
        Map.of(),
        new Node.Capacity(1, 1),
        Optional.empty(),
        new Node.Roles(0, 0, 0),
        List.of(Condition.ofTrue(ConditionType.READY, Reason.AGENT_RUNNING, ready, 1, NOW)));
  }

  private static Rollout.Spec rollout(String to) {
    return new Rollout.Spec("web", 1, Optional.empty(), to, "scheduler", NOW);
  }

  private static Rollout.Status progress(String message) {
    return new Rollout.Status(
        1,
        List.of(),
        Optional.empty(),
        0,
        1,
        Map.of(),
        false,
        "",
        Optional.empty(),
        Optional.empty(),
        "",
        Optional.empty(),
        message);
  }

  private static RoleConfig.Status role(String version, String scheduled) {
    return new RoleConfig.Status(
        1,
        List.of(version),
        List.of(
            Condition.ofTrue(ConditionType.CONFIG_VALID, Reason.READ, "", 1, NOW),
            Condition.ofTrue(ConditionType.SCHEDULED, Reason.SCHEDULED, scheduled, 1, NOW)));
  }

  private static RoleInstance.Spec instance(String template) {
    return new RoleInstance.Spec("web", "n1", template, Optional.empty(), Map.of());
  }

  private static DeploymentRef.Spec ref(String source) {
    return new DeploymentRef.Spec("web", "n1", "1", "main", 1, 0, source, Optional.empty(), true);
  }

  private static Artifact.Status artifact(long done) {
    return new Artifact.Status(1, Artifact.State.NONE, Optional.empty(), done, List.of(), 0, "");
  }

  private static Action.Status action(String reason) {
    return new Action.Status(1, Action.State.DONE, "", Optional.empty(), reason, NOW);
  }

  private static Event.Spec event(long count) {
    return new Event.Spec(
        new ResourceKey("RoleInstance", "web@n1"),
        Event.Type.NORMAL,
        "Rendered",
        "",
        count,
        NOW,
        NOW,
        "instance");
  }

  private static JoinToken.Spec joinToken(String hash) {
    return new JoinToken.Spec(JoinToken.Purpose.NODE, Optional.empty(), hash, 1, NOW, "tim");
  }

  private static AuthorityChange.Status authority(String next) {
    return new AuthorityChange.Status(
        1, AuthorityChange.Phase.DISTRIBUTE, "old", next, false, List.of());
  }

  private static Configuration.Status configuration(String settings) {
    return new Configuration.Status(1, "n1", settings, Map.of(), "s", 1, List.of());
  }

  private static AccessRule.Spec rule(AccessRule.Grant grant) {
    return new AccessRule.Spec(List.of(), grant, List.of(), List.of(), List.of());
  }

  private static AccessToken.Spec token(String hash) {
    return new AccessToken.Spec("ada", List.of(), hash, NOW);
  }

  /** Whether objects of the kind have the part. */
  static boolean has(Kind<?, ?> kind, Part part) {
    return switch (part) {
      case STATUS -> !kind.status().equals(Kind.None.class);
      case CONDITION -> !kind.writers().conditions().isEmpty();
      case CONTROLLER_FINALIZER -> !kind.writers().finalizers().isEmpty();
      default -> true;
    };
  }

  /** Creates a write that changes the given parts of {@code present}. */
  static Write of(Resource<?, ?> present, Part... parts) {
    var next = present;
    for (var part : parts) {
      switch (part) {
        case CREATE -> {
          return new Write.Put(created(present));
        }
        case REMOVE -> {
          return new Write.Remove(present);
        }
        default -> next = changed(next, part);
      }
    }
    return next.status().equals(present.status()) ? new Write.Put(next) : new Write.PutStatus(next);
  }

  private static <S, T> Resource<S, T> created(Resource<S, T> object) {
    return Resource.of(object.type(), object.name(), object.spec());
  }

  private static Resource<?, ?> changed(Resource<?, ?> object, Part part) {
    var meta = object.meta();
    var annotations = new HashMap<>(meta.annotations());
    return switch (part) {
      case SPEC -> respecified(object);
      case OWNERS -> object.withMeta(meta.ownedBy(new OwnerReference("Node", "n1", "u")));
      case LABELS -> object.withMeta(meta.withLabels(Map.of("a", "c")));
      case SET_ANNOTATION -> {
        annotations.put("verwalter.io/allow", "2");
        yield object.withMeta(meta.withAnnotations(annotations));
      }
      case DROP_ANNOTATION -> {
        annotations.remove("team");
        yield object.withMeta(meta.withAnnotations(annotations));
      }
      case DROP_OWN_ANNOTATION -> {
        annotations.remove("verwalter.io/allow");
        yield object.withMeta(meta.withAnnotations(annotations));
      }
      case CONTROLLER_FINALIZER ->
          object.withMeta(
              meta.adding(object.type().writers().finalizers().keySet().iterator().next()));
      case OTHER_FINALIZER -> object.withMeta(meta.adding("example.org/mine"));
      case STATUS -> restated(object);
      case CONDITION -> reconditioned(object);
      default -> throw new IllegalArgumentException(part.name());
    };
  }

  @SuppressWarnings("unchecked") // each case is of its kind
  private static <S, T> Resource<S, T> respecified(Resource<S, T> object) {
    Object spec =
        switch (object.type().name()) {
          case "Node" -> new Node.Spec(true);
          case "RoleConfig" -> new RoleConfig.Spec(Map.of(), Map.of(), Optional.of("second"));
          case "Rollout" -> rollout("v2");
          case "Schedule" -> Schedule.Spec.of(Map.of("a", 1), List.of(), "m", NOW);
          case "NodeSchedule" -> new NodeSchedule.Spec("b", Map.of());
          case "RoleInstance" -> instance("u");
          case "TemplateOutput" -> new TemplateOutput.Spec("web", "n1", "u", Map.of());
          case "ProcessGroup" -> new ProcessGroup.Spec("web", "n1", "other", Map.of());
          case "DeploymentRef" -> ref("/b.tar");
          case "Artifact" -> new Artifact.Spec("n1", "sha256:2");
          case "Action" -> new Action.Spec("stop", NOW);
          case "Configuration" ->
              new Configuration.Spec(Optional.of(new Configuration.Accepted("n2", "b", "a")));
          case "SchedulerCode" -> new SchedulerCode.Spec("b");
          case "JoinToken" -> joinToken("b");
          case "AuthorityChange" -> new AuthorityChange.Spec(true, List.of());
          case "AccessRule" -> rule(AccessRule.Grant.ADMIN);
          case "AccessToken" -> token("b");
          case "ClusterConfig" -> new ClusterConfig.Spec(5, 1);
          default -> event(2);
        };
    return object.withSpec((S) spec);
  }

  @SuppressWarnings("unchecked") // each case is of its kind
  private static <S, T> Resource<S, T> restated(Resource<S, T> object) {
    Object status =
        switch (object.type().name()) {
          case "Node" ->
              new Node.Status(
                  2,
                  List.of("a:1"),
                  Map.of(),
                  new Node.Capacity(1, 1),
                  Optional.empty(),
                  new Node.Roles(0, 0, 0),
                  ((Node.Status) object.status().orElseThrow()).conditions());
          case "RoleConfig" ->
              new RoleConfig.Status(
                  2,
                  List.of("v2"),
                  ((RoleConfig.Status) object.status().orElseThrow()).conditions());
          case "Rollout" -> progress("second");
          case "Schedule" -> new Schedule.Status(2, 1, 0, "", List.of());
          case "NodeSchedule" -> new NodeSchedule.Status(2, Optional.empty(), Map.of(), List.of());
          case "RoleInstance" ->
              new RoleInstance.Status(2, RoleInstance.State.INITIAL, 0, 0, 0, NOW, "", List.of());
          case "TemplateOutput" ->
              TemplateOutput.Status.of(2, Optional.empty(), "", List.of(), List.of(), List.of());
          case "ProcessGroup" -> new ProcessGroup.Status(2, 0, 0, List.of(), List.of());
          case "DeploymentRef" ->
              new DeploymentRef.Status(
                  1,
                  DeploymentRef.State.RESOLVING,
                  Optional.empty(),
                  0,
                  Optional.empty(),
                  Optional.empty(),
                  DeploymentRef.Attempts.NONE,
                  Optional.empty(),
                  "",
                  List.of());
          case "Artifact" -> artifact(1);
          case "Configuration" -> configuration("b");
          case "JoinToken" -> new JoinToken.Status(1, 1, List.of());
          case "AuthorityChange" -> authority("second");
          case "ClusterConfig" -> new ClusterConfig.Status(1, List.of());
          default -> action("second");
        };
    return object.withStatus((T) status);
  }

  @SuppressWarnings("unchecked") // each case is of its kind
  private static <S, T> Resource<S, T> reconditioned(Resource<S, T> object) {
    var type = object.type().writers().conditions().keySet().iterator().next();
    var status = object.status().orElseThrow();
    var conditions = ((verwalter.model.Conditioned<T>) status).conditions();
    var next = Condition.ofFalse(type, Reason.SET_ASIDE, "no", 2, NOW);
    return object.withStatus(
        ((verwalter.model.Conditioned<T>) status).withConditions(Condition.put(conditions, next)));
  }

  private Changes() {}
}
