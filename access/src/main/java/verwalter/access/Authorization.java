package verwalter.access;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import verwalter.model.AccessRule;
import verwalter.model.AccessRule.Grant;
import verwalter.model.AccessRule.SubjectKind;
import verwalter.model.Kind;
import verwalter.model.Resource;

/**
 * Decides whether a caller may do something. Pure.
 *
 * <ol>
 *   <li>What no group of the caller and no access rule allows is refused.
 *   <li>A rule only allows: no rule takes away what is allowed without it.
 *   <li>An anonymous caller never does what needs the grant of admins, whatever the rules say.
 *   <li>A node reads everything except tokens and the audit log, and writes the objects of its own
 *       only. Rules and groups have no effect on it.
 *   <li>If a node that is no elector names the caller, both the caller and that node must be
 *       allowed.
 *   <li>Objects that can name a command, a user, a secret or an access rule are created by admins
 *       only. Only admins delete nodes, which takes machines out of the cluster.
 *   <li>A rule that is limited to kinds or roles allows no operation beyond them: one that is
 *       limited to roles allows no list, no watch and no named route.
 * </ol>
 */
public final class Authorization {

  /** Decides about an operation. */
  public static AccessVerdict decide(
      Caller caller, Operation operation, Collection<Resource<AccessRule.Spec, Kind.None>> rules) {
    var verdict = direct(caller, operation, rules);
    return verdict.allowed()
        ? caller.through().map(node -> through(node, operation)).orElse(verdict)
        : verdict;
  }

  private static AccessVerdict through(String node, Operation operation) {
    var verdict = direct(Caller.ofNode(node), operation, List.of());
    return verdict.allowed()
        ? verdict
        : AccessVerdict.refuse(
            "%s; it is no elector, so it cannot say who you are: use a token, or an elector"
                .formatted(verdict.reason()));
  }

  private static AccessVerdict direct(
      Caller caller, Operation operation, Collection<Resource<AccessRule.Spec, Kind.None>> rules) {
    if (operation.route().filter(it -> it == NamedRoute.HEALTH).isPresent()) {
      return AccessVerdict.allow("everybody may do this");
    }
    if (caller.isNode()) {
      return ofNode(caller, operation);
    }
    var needed = operation.needed();
    if (needed.isEmpty()) {
      return caller.isKnown() || !caller.grants().isEmpty()
          ? AccessVerdict.allow("every caller may do this")
          : AccessVerdict.refuse(operation + " needs a credential");
    }
    if (!caller.isKnown() && needed.get() == Grant.ADMIN) {
      return AccessVerdict.refuse("%s needs an admin, and you are anonymous".formatted(operation));
    }
    return caller.grants().stream()
        .filter(grant -> grant.compareTo(needed.get()) >= 0)
        .findFirst()
        .map(grant -> AccessVerdict.allow("you are in the group " + Caller.groupOf(grant)))
        .or(() -> byRule(caller, operation, needed.get(), rules))
        .orElseGet(
            () ->
                AccessVerdict.refuse(
                    "%s needs the grant %s, and %s has %s"
                        .formatted(
                            operation, needed.get().word(), caller.title(), granted(caller))));
  }

  /** Whether a rule applies to a caller. */
  public static boolean appliesTo(AccessRule.Spec rule, Caller caller) {
    return !caller.isNode()
        && rule.subjects().stream()
            .anyMatch(
                it ->
                    it.kind() == SubjectKind.GROUP
                        ? caller.groups().contains(it.name())
                        : caller.name().equals(it.name()));
  }

  private static Optional<AccessVerdict> byRule(
      Caller caller,
      Operation operation,
      Grant needed,
      Collection<Resource<AccessRule.Spec, Kind.None>> rules) {
    return rules.stream()
        .filter(rule -> rule.spec().grants().compareTo(needed) >= 0)
        .filter(rule -> appliesTo(rule.spec(), caller))
        .filter(rule -> operation.isNamedBy(rule.spec()) && operation.isOfRoles(rule.spec()))
        .findFirst()
        .map(rule -> AccessVerdict.allow("AccessRule/%s allows it".formatted(rule.name())));
  }

  private static String granted(Caller caller) {
    return caller.grants().stream()
        .reduce((lower, higher) -> higher)
        .map(Grant::word)
        .orElse("none");
  }

  private static AccessVerdict ofNode(Caller caller, Operation operation) {
    if (operation.reads()) {
      boolean secret = operation.kind().filter(Operation.SECRETS::contains).isPresent();
      boolean audit = operation.route().filter(it -> it == NamedRoute.AUDIT).isPresent();
      return secret || audit
          ? AccessVerdict.refuse("a node may not read " + operation.subject())
          : AccessVerdict.allow("a node may read this");
    }
    return operation.isOfNode(caller.name())
        ? AccessVerdict.allow("a node may write its own objects")
        : AccessVerdict.refuse(
            "node %s may write its own objects only, not %s"
                .formatted(caller.name(), operation.subject()));
  }

  private Authorization() {}
}
