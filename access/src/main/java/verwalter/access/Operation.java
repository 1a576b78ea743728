package verwalter.access;

import java.util.Optional;
import java.util.Set;
import verwalter.model.AccessRule;
import verwalter.model.AccessRule.Grant;
import verwalter.model.AccessToken;
import verwalter.model.Action;
import verwalter.model.Artifact;
import verwalter.model.AuthorityChange;
import verwalter.model.ClusterConfig;
import verwalter.model.DeploymentRef;
import verwalter.model.JoinToken;
import verwalter.model.Kind;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.Scope;
import verwalter.model.TemplateOutput;
import verwalter.model.json.Json;

/** What a caller asks for: a verb on objects of a kind, or a named route. */
public final class Operation {
  /** Kinds whose objects hold hashes of secrets. */
  static final Set<Kind<?, ?>> SECRETS = Set.of(AccessToken.KIND, JoinToken.KIND);

  /** Kinds whose objects can name a secret, an access rule or an authority, or say who votes. */
  private static final Set<Kind<?, ?>> GUARDED =
      Set.of(
          AccessRule.KIND,
          AccessToken.KIND,
          AuthorityChange.KIND,
          ClusterConfig.KIND,
          JoinToken.KIND);

  /**
   * Kinds whose specs can name a command, a user or a program to install. Of an existing object,
   * the store lets people change only labels and annotations.
   */
  private static final Set<Kind<?, ?>> COMMANDS =
      Set.of(ProcessGroup.KIND, TemplateOutput.KIND, DeploymentRef.KIND, Artifact.KIND);

  /** Routes that change something. */
  private static final Set<NamedRoute> CHANGING =
      Set.of(NamedRoute.RENDERING, NamedRoute.FOUNDING, NamedRoute.EXEC);

  /** Objects of scope cluster that a node writes about itself. */
  private static final Set<Kind<?, ?>> REPORTS = Set.of(Node.KIND, NodeSchedule.KIND);

  private final AccessVerb verb;
  private final Optional<Kind<?, ?>> kind;
  private final Optional<NamedRoute> route;
  private final String name;
  private final Optional<Resource<?, ?>> object;
  private final Optional<String> role;
  private final boolean open;

  private Operation(
      AccessVerb verb,
      Optional<Kind<?, ?>> kind,
      Optional<NamedRoute> route,
      String name,
      Optional<Resource<?, ?>> object,
      Optional<String> role,
      boolean open) {
    this.verb = verb;
    this.kind = kind;
    this.route = route;
    this.name = name;
    this.object = object;
    this.role = role;
    this.open = open;
  }

  /** A verb on all objects of a kind. */
  public static Operation onAll(AccessVerb verb, Kind<?, ?> kind) {
    return new Operation(
        verb, Optional.of(kind), Optional.empty(), "", Optional.empty(), Optional.empty(), false);
  }

  /** A verb on one object. */
  public static Operation on(AccessVerb verb, Resource<?, ?> object) {
    return new Operation(
        verb,
        Optional.of(object.type()),
        Optional.empty(),
        object.name(),
        Optional.of(object),
        roleOf(object),
        false);
  }

  /** A verb on an object that does not exist. Only its kind and its name are known. */
  public static Operation onAbsent(AccessVerb verb, Kind<?, ?> kind, String name) {
    var role = kind.equals(RoleConfig.KIND) ? Optional.of(name) : Optional.<String>empty();
    return new Operation(
        verb, Optional.of(kind), Optional.empty(), name, Optional.empty(), role, false);
  }

  /** A verb on an object of a role, of which no more is known; for questions. */
  public static Operation onRole(AccessVerb verb, Kind<?, ?> kind, String name, String role) {
    return new Operation(
        verb,
        Optional.of(kind),
        Optional.empty(),
        name,
        Optional.empty(),
        Optional.of(role),
        false);
  }

  /**
   * The creation of an object of a kind that is not known yet. It is allowed if the creation of
   * some object of the kind is; decide again with {@link #on} once the object is known.
   */
  public static Operation creationOf(Kind<?, ?> kind) {
    return new Operation(
        AccessVerb.CREATE,
        Optional.of(kind),
        Optional.empty(),
        "",
        Optional.empty(),
        Optional.empty(),
        true);
  }

  /** A named route. */
  public static Operation at(NamedRoute route) {
    return new Operation(
        CHANGING.contains(route) ? AccessVerb.CREATE : AccessVerb.GET,
        Optional.empty(),
        Optional.of(route),
        "",
        Optional.empty(),
        Optional.empty(),
        false);
  }

  public AccessVerb verb() {
    return verb;
  }

  /** The kind; empty for a named route. */
  public Optional<Kind<?, ?>> kind() {
    return kind;
  }

  /** The route; empty for an operation on objects. */
  public Optional<NamedRoute> route() {
    return route;
  }

  /** The name of the object; empty if it concerns all objects or is not known. */
  public String name() {
    return name;
  }

  /** Whether the operation only reads. */
  public boolean reads() {
    return verb.reads();
  }

  /** For messages and the audit log: {@code RoleConfig/web}, {@code Node} or {@code logs}. */
  public String subject() {
    return kind.map(it -> name.isEmpty() ? it.name() : it.name() + "/" + name)
        .orElseGet(() -> route.map(NamedRoute::word).orElse(""));
  }

  /** The grant that callers need; empty if every caller may do this. */
  public Optional<Grant> needed() {
    if (kind.isEmpty()) {
      return route.orElseThrow().grant();
    }
    if (GUARDED.contains(kind.get())) {
      boolean open = verb.reads() && !SECRETS.contains(kind.get());
      return Optional.of(open ? Grant.VIEWER : Grant.ADMIN);
    }
    if (verb == AccessVerb.CREATE && COMMANDS.contains(kind.get())) {
      return Optional.of(Grant.ADMIN);
    }
    if (verb.deletes() && kind.get().equals(Node.KIND)) {
      return Optional.of(Grant.ADMIN); // takes the machine out of the cluster
    }
    return Optional.of(verb.reads() ? Grant.VIEWER : Grant.OPERATOR);
  }

  /** Whether a rule's words about kinds and verbs include this. */
  boolean isNamedBy(AccessRule.Spec rule) {
    boolean kinds =
        rule.kinds().isEmpty()
            || rule.kinds().stream()
                .anyMatch(
                    word ->
                        kind.map(it -> it.hasName(word))
                            .orElseGet(() -> route.orElseThrow().word().equals(word)));
    boolean verbs =
        rule.verbs().isEmpty() || rule.verbs().stream().anyMatch(verb.word()::equalsIgnoreCase);
    return kinds && verbs;
  }

  /** Whether a rule's roles include the role of the object. */
  boolean isOfRoles(AccessRule.Spec rule) {
    if (rule.roles().isEmpty() || open) {
      return true;
    }
    return role.isPresent()
        && rule.roles().stream()
            .anyMatch(
                it ->
                    it.endsWith("*")
                        ? role.get().startsWith(it.substring(0, it.length() - 1))
                        : role.get().equals(it));
  }

  /**
   * Whether a node may write the object: its own objects of scope node, and the objects of scope
   * cluster in which it reports about itself.
   */
  boolean isOfNode(String node) {
    return object
        .filter(it -> it.type().scope() == Scope.NODE || REPORTS.contains(it.type()))
        .flatMap(Operation::nodeOf)
        .filter(node::equals)
        .isPresent();
  }

  private static <S, T> Optional<String> roleOf(Resource<S, T> object) {
    if (object.spec() instanceof Action.Spec action) {
      var button = Json.object(Json.object(action.request()).get("button"));
      return button.get("role") instanceof String role ? Optional.of(role) : Optional.empty();
    }
    return object.type().role(object);
  }

  private static <S, T> Optional<String> nodeOf(Resource<S, T> object) {
    return object.type().node(object);
  }

  @Override
  public String toString() {
    return verb.word() + " " + subject();
  }
}
