package verwalter.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.model.AccessRule;
import verwalter.model.AccessRule.Grant;
import verwalter.model.AccessRule.Subject;
import verwalter.model.AccessRule.SubjectKind;
import verwalter.model.AccessToken;
import verwalter.model.Action;
import verwalter.model.Event;
import verwalter.model.Kind;
import verwalter.model.Kinds;
import verwalter.model.Node;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.RoleConfig;
import verwalter.model.RoleInstance;

class AuthorizationTest {
  private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");

  private static boolean allowed(Caller caller, Operation operation, AccessRule.Spec... rules) {
    return Authorization.decide(caller, operation, named(List.of(rules))).allowed();
  }

  private static List<Resource<AccessRule.Spec, Kind.None>> named(List<AccessRule.Spec> rules) {
    var all = new ArrayList<Resource<AccessRule.Spec, Kind.None>>();
    rules.forEach(it -> all.add(Resource.of(AccessRule.KIND, "r" + all.size(), it)));
    return all;
  }

  private static AccessRule.Spec rule(
      Grant grant, List<String> kinds, List<String> verbs, List<String> roles) {
    return new AccessRule.Spec(
        List.of(new Subject(SubjectKind.USER, "ada"), new Subject(SubjectKind.GROUP, "shop")),
        grant,
        kinds,
        verbs,
        roles);
  }

  private static Resource<?, ?> role(String name) {
    return Resource.of(RoleConfig.KIND, name, RoleConfig.Spec.of(Map.of()));
  }

  private static Caller caller(String credential, Optional<Grant> grant) {
    var groups = grant.map(Caller::groupOf).map(Set::of).orElse(Set.of());
    return switch (Credential.valueOf(credential)) {
      case SOCKET_PEER -> Caller.ofSocket("ada", grant);
      case CLIENT_CERTIFICATE -> Caller.ofCertificate("ada", groups);
      case BEARER_TOKEN -> Caller.ofToken("ada", groups);
      case NODE_CERTIFICATE -> new Caller("n1", groups, Credential.NODE_CERTIFICATE);
      case NONE -> Caller.anonymous(grant);
    };
  }

  /** The verbs that each grant allows on each kind: r reads, w changes, d deletes, c creates. */
  @ParameterizedTest
  @CsvSource({
    "Node,           r, rwc,  rwdc",
    "RoleConfig,     r, rwdc, rwdc",
    "Rollout,        r, rwdc, rwdc",
    "Configuration,  r, rwdc, rwdc",
    "SchedulerCode,  r, rwdc, rwdc",
    "Schedule,       r, rwdc, rwdc",
    "NodeSchedule,   r, rwdc, rwdc",
    "RoleInstance,   r, rwdc, rwdc",
    "TemplateOutput, r, rwd,  rwdc",
    "ProcessGroup,   r, rwd,  rwdc",
    "DeploymentRef,  r, rwd,  rwdc",
    "Artifact,       r, rwd,  rwdc",
    "Action,         r, rwdc, rwdc",
    "Event,          r, rwdc, rwdc",
    "JoinToken,      -, -,   rwdc",
    "AuthorityChange, r, r,  rwdc",
    "AccessRule,     r, r,   rwdc",
    "AccessToken,    -, -,   rwdc",
    "ClusterConfig,  r, r,   rwdc",
  })
  void eachGrantAllowsItsVerbs(String name, String viewer, String operator, String admin) {
    var kind = Kinds.named(name).orElseThrow();
    var table = Map.of(Grant.VIEWER, viewer, Grant.OPERATOR, operator, Grant.ADMIN, admin);
    for (var credential : List.of("SOCKET_PEER", "CLIENT_CERTIFICATE", "BEARER_TOKEN", "NONE")) {
      for (var grant : Grant.values()) {
        for (var verb : AccessVerb.values()) {
          var letter =
              verb.reads() ? "r" : verb.deletes() ? "d" : verb == AccessVerb.CREATE ? "c" : "w";
          var operation =
              verb.isOfAll() ? Operation.onAll(verb, kind) : Operation.onAbsent(verb, kind, "x");
          boolean secret = operation.needed().equals(Optional.of(Grant.ADMIN));
          boolean expected = table.get(grant).contains(letter);
          assertThat(allowed(caller(credential, Optional.of(grant)), operation))
              .as("%s %s %s", credential, grant, operation)
              .isEqualTo(expected && !(secret && credential.equals("NONE")));
          assertThat(allowed(caller(credential, Optional.empty()), operation)).isFalse();
        }
      }
    }
  }

  @Test
  void theTableNamesEveryKind() throws Exception {
    var table =
        AuthorizationTest.class
            .getDeclaredMethod(
                "eachGrantAllowsItsVerbs", String.class, String.class, String.class, String.class)
            .getAnnotation(CsvSource.class)
            .value();
    assertThat(table)
        .extracting(row -> row.substring(0, row.indexOf(',')))
        .containsExactlyElementsOf(Kinds.ALL.stream().map(kind -> kind.name()).toList());
  }

  @Test
  void namedRoutesNeedTheirGrant() {
    for (var route : NamedRoute.values()) {
      var operation = Operation.at(route);
      for (var grant : Grant.values()) {
        assertThat(allowed(caller("BEARER_TOKEN", Optional.of(grant)), operation))
            .as("%s %s", route, grant)
            .isEqualTo(route.grant().filter(it -> it.compareTo(grant) > 0).isEmpty());
      }
      assertThat(allowed(Caller.anonymous(Optional.empty()), operation))
          .isEqualTo(route == NamedRoute.HEALTH);
      assertThat(allowed(caller("BEARER_TOKEN", Optional.empty()), operation))
          .isEqualTo(route.grant().isEmpty());
    }
  }

  @Test
  void anAnonymousAdminDoesNotExist() {
    var everything =
        new AccessRule.Spec(
            List.of(new Subject(SubjectKind.USER, Caller.ANONYMOUS)),
            Grant.ADMIN,
            List.of(),
            List.of(),
            List.of());
    var caller = Caller.anonymous(Optional.of(Grant.ADMIN));
    assertThat(allowed(caller, Operation.at(NamedRoute.AUDIT), everything)).isFalse();
    assertThat(allowed(caller, Operation.creationOf(AccessRule.KIND), everything)).isFalse();
    assertThat(allowed(caller, Operation.creationOf(RoleConfig.KIND), everything)).isTrue();
  }

  @Test
  void aCallerThatANodeNamesMayDoWhatBothMay() {
    var admin = caller("SOCKET_PEER", Optional.of(Grant.ADMIN)).through("n4");
    var nobody = Caller.anonymous(Optional.empty()).through("n4");
    assertThat(allowed(admin, Operation.creationOf(RoleConfig.KIND))).isFalse();
    assertThat(allowed(admin, Operation.at(NamedRoute.AUDIT))).isFalse();
    assertThat(allowed(admin, Operation.at(NamedRoute.STATUS))).isTrue();
    assertThat(allowed(nobody, Operation.at(NamedRoute.STATUS))).isFalse();
  }

  @Test
  void aNodeWritesItsOwnObjectsOnly() {
    var n1 = Caller.ofNode("n1");
    var everything =
        new AccessRule.Spec(
            List.of(
                new Subject(SubjectKind.USER, "n1"),
                new Subject(SubjectKind.GROUP, Caller.groupOf(Grant.ADMIN))),
            Grant.ADMIN,
            List.of(),
            List.of(),
            List.of());
    for (var caller : List.of(n1, caller("NODE_CERTIFICATE", Optional.of(Grant.ADMIN)))) {
      for (var verb : AccessVerb.values()) {
        for (var object : objects()) {
          boolean own = object.name().contains("n1");
          boolean secret = object.type().equals(AccessToken.KIND);
          assertThat(allowed(caller, Operation.on(verb, object), everything))
              .as("%s %s", verb, object.key())
              .isEqualTo(verb.reads() ? !secret : own);
        }
        if (!verb.reads()) {
          for (var kind : Kinds.ALL) {
            assertThat(allowed(caller, Operation.onAll(verb, kind), everything)).isFalse();
          }
        }
      }
      assertThat(allowed(caller, Operation.at(NamedRoute.RENDERING), everything)).isFalse();
      assertThat(allowed(caller, Operation.at(NamedRoute.AUDIT), everything)).isFalse();
      assertThat(allowed(caller, Operation.at(NamedRoute.FOUNDING), everything)).isFalse();
    }
  }

  /** Objects of node {@code n1}, with that in their names, of node {@code n2}, and of no node. */
  private static List<Resource<?, ?>> objects() {
    var all = new ArrayList<Resource<?, ?>>();
    for (var node : List.of("n1", "n2")) {
      all.add(Resource.of(Node.KIND, node, new Node.Spec(false)));
      all.add(
          Resource.of(
              ProcessGroup.KIND,
              "web@" + node,
              new ProcessGroup.Spec("web", node, "web", Map.of())));
      all.add(
          Resource.of(
              RoleInstance.KIND,
              "web@" + node,
              new RoleInstance.Spec("web", node, "t", Optional.empty(), Map.of())));
      all.add(
          Resource.of(
              Event.KIND,
              "e." + node,
              new Event.Spec(
                  new ResourceKey("RoleInstance", "web@" + node),
                  Event.Type.NORMAL,
                  "Rendered",
                  "",
                  1,
                  NOW,
                  NOW,
                  "instance")));
    }
    all.add(role("web"));
    all.add(Resource.of(Action.KIND, "1", new Action.Spec("restart", NOW)));
    all.add(Resource.of(AccessRule.KIND, "r", rule(Grant.ADMIN, List.of(), List.of(), List.of())));
    all.add(Resource.of(AccessToken.KIND, "t", new AccessToken.Spec("ada", List.of(), "", NOW)));
    return all;
  }

  @Test
  void aRuleIsLimitedToItsKindsVerbsAndRoles() {
    var ada = Caller.ofToken("ada", Set.of());
    var bob = Caller.ofToken("bob", Set.of("shop"));
    var eve = Caller.ofToken("eve", Set.of("shopping"));
    var rule =
        rule(
            Grant.OPERATOR,
            List.of("roleconfigs", "logs"),
            List.of("patch", "GET"),
            List.of("shop-*", "blog"));
    for (var caller : List.of(ada, bob)) {
      assertThat(allowed(caller, Operation.on(AccessVerb.PATCH, role("shop-web")), rule)).isTrue();
      assertThat(allowed(caller, Operation.on(AccessVerb.PATCH, role("blog")), rule)).isTrue();
    }
    assertThat(allowed(eve, Operation.on(AccessVerb.PATCH, role("blog")), rule)).isFalse();
    assertThat(allowed(ada, Operation.on(AccessVerb.PATCH, role("blogs")), rule)).isFalse();
    assertThat(allowed(ada, Operation.on(AccessVerb.PATCH, role("shop")), rule)).isFalse();
    assertThat(allowed(ada, Operation.on(AccessVerb.DELETE, role("blog")), rule)).isFalse();
    assertThat(allowed(ada, Operation.onAll(AccessVerb.LIST, RoleConfig.KIND), rule)).isFalse();
    assertThat(allowed(ada, Operation.at(NamedRoute.LOGS), rule)).isFalse();
    assertThat(allowed(ada, Operation.onAbsent(AccessVerb.GET, Node.KIND, "blog"), rule)).isFalse();
    var everywhere = rule(Grant.VIEWER, List.of("RCFG", "logs"), List.of(), List.of());
    assertThat(allowed(ada, Operation.onAll(AccessVerb.LIST, RoleConfig.KIND), everywhere))
        .isTrue();
    assertThat(allowed(ada, Operation.at(NamedRoute.LOGS), everywhere)).isTrue();
    assertThat(allowed(ada, Operation.at(NamedRoute.PAGE), everywhere)).isFalse();
    assertThat(allowed(ada, Operation.on(AccessVerb.PATCH, role("a")), everywhere)).isFalse();
  }

  @Test
  void anActionHasTheRoleOfItsButton() {
    var ada = Caller.ofToken("ada", Set.of());
    var rule = rule(Grant.OPERATOR, List.of("Action"), List.of(), List.of("blog"));
    for (var role : List.of("blog", "shop")) {
      var action =
          Resource.of(
              Action.KIND,
              "1",
              new Action.Spec(Map.of("button", Map.of("role", role, "action", "pause")), NOW));
      assertThat(allowed(ada, Operation.on(AccessVerb.CREATE, action), rule))
          .isEqualTo(role.equals("blog"));
    }
    var bare = Resource.of(Action.KIND, "1", new Action.Spec("restart", NOW));
    assertThat(allowed(ada, Operation.on(AccessVerb.CREATE, bare), rule)).isFalse();
    assertThat(allowed(ada, Operation.creationOf(Action.KIND), rule)).isTrue();
  }

  @Test
  void aRefusalSaysWhatIsMissing() {
    var verdict =
        Authorization.decide(
            caller("BEARER_TOKEN", Optional.of(Grant.VIEWER)),
            Operation.on(AccessVerb.PATCH, role("web")),
            List.of());
    assertThat(verdict.reason())
        .isEqualTo(
            "patch RoleConfig/web needs the grant operator, and ada (bearer token) has viewer");
  }

  @Property(tries = 3000)
  void aRuleNeverTakesAPermissionAway(
      @ForAll("callers") Caller caller,
      @ForAll("operations") Operation operation,
      @ForAll("rules") List<AccessRule.Spec> rules,
      @ForAll("rules") List<AccessRule.Spec> more) {
    var all = new ArrayList<>(more);
    all.addAll(rules);
    if (Authorization.decide(caller, operation, named(rules)).allowed()) {
      assertThat(Authorization.decide(caller, operation, named(all)).allowed()).isTrue();
    }
  }

  @Property(tries = 3000)
  void noRuleMakesAnAnonymousCallerAnAdmin(
      @ForAll("grants") Optional<Grant> grant,
      @ForAll("operations") Operation operation,
      @ForAll("rules") List<AccessRule.Spec> rules) {
    if (operation.needed().equals(Optional.of(Grant.ADMIN))) {
      assertThat(Authorization.decide(Caller.anonymous(grant), operation, named(rules)).allowed())
          .isFalse();
    }
  }

  @Property(tries = 3000)
  void noRuleLetsANodeWriteObjectsOfOthers(
      @ForAll("operations") Operation operation, @ForAll("rules") List<AccessRule.Spec> rules) {
    if (!operation.reads() && !operation.name().contains("n1")) {
      assertThat(Authorization.decide(Caller.ofNode("n1"), operation, named(rules)).allowed())
          .isFalse();
    }
  }

  @Provide
  Arbitrary<Optional<Grant>> grants() {
    return Arbitraries.of(Grant.values()).optional();
  }

  @Provide
  Arbitrary<Caller> callers() {
    return Combinators.combine(Arbitraries.of(Credential.values()), grants())
        .as((credential, grant) -> caller(credential.name(), grant));
  }

  @Provide
  Arbitrary<Operation> operations() {
    var verbs = Arbitraries.of(AccessVerb.values());
    return Arbitraries.oneOf(
        Combinators.combine(verbs, Arbitraries.of(objects())).as(Operation::on),
        Combinators.combine(verbs, Arbitraries.of(Kinds.ALL)).as(Operation::onAll),
        Arbitraries.of(NamedRoute.values()).map(Operation::at));
  }

  @Provide
  Arbitrary<List<AccessRule.Spec>> rules() {
    var subjects =
        Arbitraries.of(
            new Subject(SubjectKind.USER, "ada"),
            new Subject(SubjectKind.USER, "n1"),
            new Subject(SubjectKind.USER, Caller.ANONYMOUS),
            new Subject(SubjectKind.GROUP, Caller.groupOf(Grant.OPERATOR)));
    return Combinators.combine(
            subjects.list().ofMaxSize(2),
            Arbitraries.of(EnumSet.allOf(Grant.class)),
            Arbitraries.of("Node", "RoleConfig", "audit", "ar").list().ofMaxSize(2),
            Arbitraries.of("get", "patch", "create").list().ofMaxSize(2),
            Arbitraries.of("web", "w*", "*").list().ofMaxSize(1))
        .as(AccessRule.Spec::new)
        .list()
        .ofMaxSize(4);
  }
}
